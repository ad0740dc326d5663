"""Peers of the CUDA search on the same sizes: torch's matmul and topk, FAISS on the GPU where it is installed.

    peers.py [rows] [dimension]     one line each; what is not installed is skipped aloud
"""
import sys
import time

rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
dimension = int(sys.argv[2]) if len(sys.argv) > 2 else 768
batches = (1, 8, 64, 256)
k = 10


def median_us(work, repeats=30):
    """Wall-clock median with the answer on the host, as a server needs it."""
    for _ in range(5):
        work()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return sorted(times)[len(times) // 2] * 1e6


def torch_peers():
    import torch

    if not torch.cuda.is_available():
        raise ImportError("torch sees no CUDA device")
    torch.manual_seed(1)
    matrix = torch.nn.functional.normalize(torch.randn(rows, dimension, device="cuda"))
    for name, dtype, tf32 in (
        ("float32", torch.float32, False),
        ("TF32", torch.float32, True),
        ("bfloat16", torch.bfloat16, True),
    ):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        typed = matrix.to(dtype)
        for count in batches:
            queries = torch.nn.functional.normalize(torch.randn(count, dimension)).pin_memory()

            def search():
                scores = queries.cuda(non_blocking=True).to(dtype) @ typed.T
                values, indices = scores.topk(k)
                return values.cpu(), indices.cpu()

            print(f"peer: torch {torch.__version__} matmul + topk, {name}, {count} queries: {median_us(search):.1f} us")


def faiss_peers():
    import faiss
    import numpy

    if not hasattr(faiss, "StandardGpuResources"):
        raise ImportError("this faiss has no GPU part")
    generator = numpy.random.default_rng(1)
    matrix = generator.standard_normal((rows, dimension), dtype=numpy.float32)
    index = faiss.GpuIndexFlatIP(faiss.StandardGpuResources(), dimension)
    index.add(matrix)
    for count in batches:
        queries = matrix[:count].copy()
        time_us = median_us(lambda: index.search(queries, k))
        print(f"peer: FAISS {faiss.__version__} GpuIndexFlatIP, {count} queries: {time_us:.1f} us")


for peers in (torch_peers, faiss_peers):
    try:
        peers()
    except ImportError as missing:
        print(f"skipped: {peers.__name__}: {missing}")
