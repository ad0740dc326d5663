"""The baseline of cross-encoder.ts: sentence-transformers on PyTorch. Each line of input is a JSON list
of a query, texts and a batch size; each line of output is the scores, the milliseconds they took and
the milliseconds of processors."""

import json
import sys
import time

import torch
from sentence_transformers import CrossEncoder

folder, threads = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(threads)
model = CrossEncoder(folder, device="cpu")
model.predict([("warm", "up")])
print(json.dumps({"torch": torch.__version__}), flush=True)
for line in sys.stdin:
    query, texts, batch_size = json.loads(line)
    start, processor = time.perf_counter(), time.process_time()
    scores = model.predict([(query, text) for text in texts], batch_size=batch_size)
    milliseconds = (time.perf_counter() - start) * 1000
    spent = (time.process_time() - processor) * 1000
    print(json.dumps({"ms": milliseconds, "cpuMs": spent, "scores": scores.tolist()}), flush=True)
