"""A model folder through ONNX Runtime: mean pooling, length 1."""

import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

LONGEST = 256
TOKENS_AT_ONCE = 2048


BUILTIN = Path(__file__).resolve().parents[2] / "models/builtin"


def tokenizer_file(folder):
    """The folder's own, or that of the built-in model which it names: {"builtin": "static-en"}."""
    path = Path(folder) / "tokenizer.json"
    shared = json.loads(path.read_text(encoding="utf-8")).get("builtin")
    return BUILTIN / shared / "tokenizer.json" if shared else path


class OnnxEncoder:
    def __init__(self, folder, network=None, threads=2):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        path = network or Path(folder) / "onnx/model.onnx"
        self.session = onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
        self.wanted = {one.name for one in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(str(tokenizer_file(folder)))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    def encode(self, texts):
        ids = [one.ids for one in self.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
        found, begin = [None] * len(ids), 0
        while begin < len(order):
            end = begin + 1
            while end < len(order) and len(ids[order[end]]) * (end + 1 - begin) <= TOKENS_AT_ONCE:
                end += 1
            rows = order[begin:end]
            for row, vector in zip(rows, self._vectors([ids[row] for row in rows])):
                found[row] = vector
            begin = end
        return np.array(found, np.float32)

    def _vectors(self, ids):
        batch = np.zeros((len(ids), len(ids[-1])), np.int64)
        mask = np.zeros_like(batch)
        for row, tokens in enumerate(ids):
            batch[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        inputs = {
            "input_ids": batch,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(batch),
        }
        hidden = self.session.run(None, {name: inputs[name] for name in self.wanted})[0]
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)
