"""A baseline of encode.ts: sentence-transformers, on PyTorch or on its ONNX backend.

    python encode_baseline.py FOLDER THREADS torch|onnx

Each line of input is a JSON list of texts to encode; each line of output is the milliseconds it took,
the milliseconds of processors, and the first text's vector."""

import json
import sys
import time

import torch
from sentence_transformers import SentenceTransformer, __version__

folder, threads, backend = sys.argv[1], int(sys.argv[2]), sys.argv[3]
torch.set_num_threads(threads)
if backend == "onnx":
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    settings = {
        "provider": "CPUExecutionProvider",
        "file_name": "onnx/model.onnx",
        "session_options": options,
    }
    model = SentenceTransformer(folder, device="cpu", backend="onnx", model_kwargs=settings)
    runtime = f"ONNX Runtime {onnxruntime.__version__}"
else:
    model = SentenceTransformer(folder, device="cpu")
    runtime = f"PyTorch {torch.__version__}, {next(model.parameters()).dtype}"
model.encode(["warm up"])
print(json.dumps({"describes": f"sentence-transformers {__version__}, {runtime}"}), flush=True)
for line in sys.stdin:
    texts = json.loads(line)
    start, processor = time.perf_counter(), time.process_time()
    vectors = model.encode(texts, batch_size=32)
    milliseconds = (time.perf_counter() - start) * 1000
    spent = (time.process_time() - processor) * 1000
    answer = {"ms": milliseconds, "processorMs": spent, "vector": vectors[0].tolist()}
    print(json.dumps(answer), flush=True)
