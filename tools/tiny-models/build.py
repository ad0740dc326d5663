"""Cross-encoders of a few thousand random weights for the tests, with the scores that
sentence-transformers gives them; and one of the shape of MiniLM-L6 for the benchmark.

    python build.py ../../test/fixtures/models
    python build.py --bench FOLDER

The folders have what a server needs of a model, which leaves PyTorch's weights out.
"""

import argparse
import json
import shutil
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from sentence_transformers import CrossEncoder
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

import tiny_tokenizers
from pairs import LONG_QUERIES, PAIRS
from reference import reference_scores

MAX_TOKENS = 64
OPSET = 17
SHAPE = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    # Scores that tell the pairs apart need weights larger than those a training starts from.
    "initializer_range": 0.5,
}
LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}


def main():
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--bench", action="store_true", help="the model of the benchmark alone")
    arguments = parser.parse_args()
    if arguments.bench:
        build(arguments.output, *mini_lm(), keep_weights=True)
        return
    arguments.output.mkdir(parents=True, exist_ok=True)
    references = {}
    for name, (model, tokenizer, is_new) in tiny_models().items():
        folder = arguments.output / name
        shutil.rmtree(folder, ignore_errors=True)
        scores = build(folder, model, tokenizer, is_new)
        if scores is not None:
            references[name] = scores
    write_json(
        arguments.output / "cross-encoder-scores.json",
        {"pairs": PAIRS, "longQueries": LONG_QUERIES, "scores": references},
    )


def tiny_models():
    """Name -> model, tokenizer, whether it is saved as sentence-transformers 6 does it."""
    word_piece = tiny_tokenizers.word_piece(MAX_TOKENS)
    xlm_tokenizer = tiny_tokenizers.xlm_roberta(MAX_TOKENS)
    deberta_tokenizer = tiny_tokenizers.deberta(MAX_TOKENS)
    labels = {"id2label": LABELS, "label2id": {label: at for at, label in LABELS.items()}}
    return {
        "bert": (bert(len(word_piece), num_labels=1), word_piece, True),
        "bert-three-labels": (bert(len(word_piece), **labels), word_piece, False),
        "xlm-roberta": (xlm_roberta(len(xlm_tokenizer)), xlm_tokenizer, False),
        "deberta-v2": (deberta(len(deberta_tokenizer)), deberta_tokenizer, False),
    }


def bert(vocabulary, **labels):
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=vocabulary, max_position_embeddings=MAX_TOKENS, **SHAPE, **labels
    )
    return BertForSequenceClassification(config)


def xlm_roberta(vocabulary):
    torch.manual_seed(2)
    config = XLMRobertaConfig(
        vocab_size=vocabulary,
        max_position_embeddings=MAX_TOKENS + 2,
        type_vocab_size=1,
        num_labels=1,
        **SHAPE,
    )
    return XLMRobertaForSequenceClassification(config)


def deberta(vocabulary):
    torch.manual_seed(3)
    config = DebertaV2Config(
        vocab_size=vocabulary,
        max_position_embeddings=MAX_TOKENS,
        type_vocab_size=0,
        relative_attention=True,
        position_buckets=16,
        pos_att_type=["p2c", "c2p"],
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        position_biased_input=False,
        num_labels=1,
        **SHAPE,
    )
    return DebertaV2ForSequenceClassification(config)


def mini_lm():
    torch.manual_seed(4)
    config = BertConfig(
        vocab_size=30522,
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        max_position_embeddings=512,
        num_labels=1,
    )
    return BertForSequenceClassification(config), tiny_tokenizers.word_piece(512), False


def build(folder, model, tokenizer, is_new, keep_weights=False):
    """Writes a folder; answers the scores of its pairs where it has one label."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as older:
        model.eval().save_pretrained(older)
        tokenizer.save_pretrained(older)
        cross_encoder = CrossEncoder(older, device="cpu")
        if is_new:
            cross_encoder.save_pretrained(str(folder), create_model_card=False)
        else:
            shutil.copytree(older, folder, dirs_exist_ok=True)
    export(model, folder / "onnx" / "model.onnx")
    if not keep_weights:
        (folder / "model.safetensors").unlink()
    if model.config.num_labels > 1:
        return None
    return reference_scores(cross_encoder)


def export(model, file):
    file.parent.mkdir(exist_ok=True)
    names = ["input_ids", "attention_mask"]
    if model.config.model_type == "bert":
        names.append("token_type_ids")
    module = LogitsOf(model, names).eval()
    torch.onnx.export(
        module,
        inputs(model, names, 2, 12),
        str(file),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={
            **{name: {0: "batch_size", 1: "sequence_length"} for name in names},
            "logits": {0: "batch_size"},
        },
        opset_version=OPSET,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    for rows, width in [(1, 3), (3, 60)]:
        arrays = inputs(model, names, rows, width)
        with torch.no_grad():
            expected = module(*arrays).numpy()
        feeds = {name: array.numpy() for name, array in zip(names, arrays)}
        difference = np.abs(session.run(None, feeds)[0] - expected).max()
        if difference > 1e-5:
            raise SystemExit(f"{file}: ONNX Runtime and PyTorch differ by {difference}")


class LogitsOf(torch.nn.Module):
    """A model with its inputs in the order of their names."""

    def __init__(self, model, names):
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *arrays):
        return self.model(**dict(zip(self.names, arrays))).logits


def inputs(model, names, rows, width):
    generator = torch.Generator().manual_seed(rows * width)
    ids = torch.randint(5, model.config.vocab_size, (rows, width), generator=generator)
    mask = torch.ones_like(ids)
    mask[-1, width - 1 :] = 0
    types = torch.zeros_like(ids)
    types[:, width // 2 :] = 1
    arrays = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    return tuple(arrays[name] for name in names)


def write_json(file, value):
    file.write_text(json.dumps(value, indent=1, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main()
