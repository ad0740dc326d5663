"""all-MiniLM-L6-v2 through ONNX Runtime: mean pooling, unit length, as its model card says."""

from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MAX_TOKENS = 256  # the teacher's own max_seq_length
CLS, SEP = 101, 102
BATCH = 8


class Teacher:
    def __init__(self, folder, threads=2):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(
            str(Path(folder) / "onnx" / "model.onnx"), options, ["CPUExecutionProvider"]
        )
        self.tokenizer = load_tokenizer(folder)
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def encode(self, passages):
        """float32 [len(passages), 384], rows of length 1."""
        encoded = self.tokenizer.encode_batch(passages)
        ids = [encoding.ids for encoding in encoded]
        # Batches of equal lengths waste nothing on padding.
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        vectors = np.zeros((len(ids), 384), np.float32)
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            width = max(len(ids[row]) for row in rows)
            batch = np.zeros((len(rows), width), np.int64)
            mask = np.zeros_like(batch)
            for place, row in enumerate(rows):
                batch[place, : len(ids[row])] = ids[row]
                mask[place, : len(ids[row])] = 1
            hidden = self._hidden(batch, mask)
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            vectors[rows] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    def token_vectors(self):
        """Each token alone, as [CLS] token [SEP]: the mean of the three hidden states."""
        count = self.tokenizer.get_vocab_size()
        vectors = np.zeros((count, 384), np.float32)
        for start in range(0, count, 1024):
            ids = np.arange(start, min(start + 1024, count))
            batch = np.stack([np.full_like(ids, CLS), ids, np.full_like(ids, SEP)], 1)
            vectors[ids] = self._hidden(batch, np.ones_like(batch)).mean(1)
        return vectors

    def _hidden(self, ids, mask):
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return self.session.run(None, inputs)[0]


def load_tokenizer(folder):
    """The tokenizer of a model folder, without the truncation and padding that it may carry."""
    tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
