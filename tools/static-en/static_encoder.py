"""The encoder in numpy: what evaluation uses and what the exported graph must equal."""

import numpy as np

DIMENSIONS = 256
MAX_TOKENS = 512  # the shipped max_seq_length
INT8_LIMIT = 127


def token_ids(tokenizer, passages):
    """No [CLS] and [SEP]: in a sum of rows they would only be a constant."""
    encoded = tokenizer.encode_batch(passages, add_special_tokens=False)
    return [encoding.ids[:MAX_TOKENS] for encoding in encoded]


def embed(table, ids):
    """Unit-length sums of table rows, float32 [len(ids), dimensions]; no tokens gives zeros."""
    vectors = np.zeros((len(ids), table.shape[1]), np.float32)
    for row, tokens in enumerate(ids):
        if tokens:
            vectors[row] = table[tokens].sum(0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-12)


def quantise(table):
    """int8 rows and one float32 scale a row. Rows of zeros get scale 0."""
    scales = (np.abs(table).max(1) / INT8_LIMIT).astype(np.float32)
    safe = np.where(scales > 0, scales, 1)[:, None]
    rows = np.rint(table / safe).clip(-INT8_LIMIT, INT8_LIMIT).astype(np.int8)
    return rows, scales


def dequantise(rows, scales):
    return rows.astype(np.float32) * scales[:, None]
