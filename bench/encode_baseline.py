"""The baseline of encode.ts: sentence-transformers on PyTorch. Each line of input is a JSON list of
texts to encode; each line of output is the milliseconds it took, the milliseconds of processors, and
the first text's vector."""

import json
import sys
import time

from sentence_transformers import SentenceTransformer
import torch

folder, threads = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(threads)
model = SentenceTransformer(folder, device="cpu")
model.encode(["warm up"])
print(json.dumps({"torch": torch.__version__, "dtype": str(next(model.parameters()).dtype)}), flush=True)
for line in sys.stdin:
    texts = json.loads(line)
    start, processor = time.perf_counter(), time.process_time()
    vectors = model.encode(texts, batch_size=32)
    milliseconds = (time.perf_counter() - start) * 1000
    spent = (time.process_time() - processor) * 1000
    answer = {"ms": milliseconds, "cpuMs": spent, "vector": vectors[0].tolist()}
    print(json.dumps(answer), flush=True)
