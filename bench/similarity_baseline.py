"""The baselines of similarity.ts: FAISS IndexFlatIP and numpy's product.

    python similarity_baseline.py FILE...

The .npy files become one matrix of unit rows; each line of input is one call:
{"engine": "faiss", "threshold": 20, "threads": 2, "queries": file, "count": 16, "k": 10} or
{"engine": "numpy", ...}. Each line of output is the milliseconds and the processor's milliseconds."""

import json
import resource
import sys
import time

import faiss
import numpy


def processor_ms():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return (used.ru_utime + used.ru_stime) * 1000


rows = numpy.concatenate([numpy.load(file) for file in sys.argv[1:]])
for begin in range(0, len(rows), 10000):
    part = rows[begin : begin + 10000]
    part /= numpy.linalg.norm(part, axis=1, keepdims=True)
index = faiss.IndexFlatIP(rows.shape[1])
index.add(rows)
print(json.dumps({"faiss": faiss.__version__, "options": faiss.get_compile_options().strip()}), flush=True)
for line in sys.stdin:
    call = json.loads(line)
    queries = numpy.fromfile(call["queries"], dtype=numpy.float32)
    queries = queries.reshape(-1, rows.shape[1])[: call["count"]]
    start, processor = time.perf_counter(), processor_ms()
    if call["engine"] == "faiss":
        faiss.omp_set_num_threads(call["threads"])
        faiss.cvar.distance_compute_blas_threshold = call["threshold"]
        start, processor = time.perf_counter(), processor_ms()
        index.search(queries, call["k"])
    else:
        queries @ rows.T
    print(json.dumps({"ms": (time.perf_counter() - start) * 1000, "cpuMs": processor_ms() - processor}), flush=True)
