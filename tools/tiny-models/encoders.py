"""Bi-encoders of a few thousand random weights for the tests, one of each architecture that the
catalogue names, with the vectors that sentence-transformers gives them.

    python encoders.py ../../test/fixtures/encoders
    python encoders.py --weights FOLDER

Every architecture has a folder, without PyTorch's weights. Other poolings, activations and settings are
variants: the few files of a folder that differ. vectors.json holds the texts and, for every folder and
variant, the vectors as base64 of float32.
"""

import argparse
import base64
import json
import shutil
import tempfile
import warnings
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from transformers import (
    BertConfig,
    BertModel,
    DistilBertConfig,
    DistilBertModel,
    MPNetConfig,
    MPNetModel,
    RobertaConfig,
    RobertaModel,
    T5Config,
    T5EncoderModel,
)

import tiny_tokenizers
from build import OPSET, write_json
from texts import ENCODER_TEXTS

MAX_TOKENS = 32
WIDTH = 16
SHAPE = {
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "initializer_range": 0.5,
}
ACTIVATIONS = """CELU ELU GELU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid Mish ReLU
ReLU6 SELU Sigmoid SiLU Softplus Softshrink Softsign Tanh Tanhshrink""".split()
POOLINGS = ["cls", "max", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
FLAGS = {
    "cls": "pooling_mode_cls_token",
    "max": "pooling_mode_max_tokens",
    "mean": "pooling_mode_mean_tokens",
    "mean_sqrt_len_tokens": "pooling_mode_mean_sqrt_len_tokens",
    "weightedmean": "pooling_mode_weightedmean_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}


def main():
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--weights", action="store_true", help="the folders with PyTorch's weights alone")
    arguments = parser.parse_args()
    output = arguments.output
    if arguments.weights:
        for name, architecture in architectures().items():
            write_model(output / name, *architecture)
        return
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    results = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, (network, tokenizer, modules, is_new) in architectures().items():
            whole = Path(scratch) / name
            write_model(whole, network, tokenizer, modules, is_new)
            folder = output / name
            shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("README.md"))
            for weights in [*folder.glob("model.safetensors"), *folder.glob("0_*/model.safetensors")]:
                weights.unlink()
            export(network, folder / "onnx" / "model.onnx")
            results[name] = {"base": name, "files": {}, **reference(whole)}
        for name, (base, files) in variants(Path(scratch)).items():
            folder = Path(scratch) / "variant"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(Path(scratch) / base, folder)
            encoded = {path: write_file(folder / path, content) for path, content in files.items()}
            results[name] = {"base": base, "files": encoded, **reference(folder)}
    write_json(output / "vectors.json", {"texts": ENCODER_TEXTS, "models": results})


def architectures():
    """Name -> network, tokenizer, modules behind it, whether it is saved as sentence-transformers 6 does it."""
    torch.manual_seed(11)
    bert = tiny_tokenizers.word_piece(MAX_TOKENS)
    mpnet = tiny_tokenizers.mpnet(MAX_TOKENS)
    roberta = tiny_tokenizers.roberta(MAX_TOKENS)
    distilbert = tiny_tokenizers.word_piece(MAX_TOKENS, has_types=False)
    t5 = tiny_tokenizers.t5(MAX_TOKENS)
    mean, cls = Pooling(WIDTH, "mean"), Pooling(WIDTH, "cls")
    return {
        "bert": (seeded(1, BertModel, bert_config(len(bert))), bert, [mean, Normalize()], False),
        "mpnet": (seeded(2, MPNetModel, mpnet_config(len(mpnet))), mpnet, [mean, Normalize()], True),
        "roberta": (
            seeded(3, RobertaModel, roberta_config(len(roberta))),
            roberta,
            [mean, Normalize()],
            False,
        ),
        "distilbert": (seeded(4, DistilBertModel, distilbert_config(len(distilbert))), distilbert, [cls], True),
        "t5": (
            seeded(5, T5EncoderModel, t5_config(len(t5))),
            t5,
            [mean, dense(WIDTH, 24, bias=False, activation_function=torch.nn.Identity()), Normalize()],
            False,
        ),
        "t5-gelu": (
            with_exact_gelu(seeded(6, T5EncoderModel, t5_config(len(t5)))),
            t5,
            [mean, dense(WIDTH, WIDTH, bias=False, activation_function=torch.nn.Identity()), Normalize()],
            True,
        ),
    }


def seeded(seed, make, config):
    torch.manual_seed(seed)
    # Without the pooler, as encoders are used.
    has_pooler = make in (BertModel, MPNetModel, RobertaModel)
    return make(config, **({"add_pooling_layer": False} if has_pooler else {})).eval()


def bert_config(vocabulary):
    return BertConfig(vocab_size=vocabulary, max_position_embeddings=MAX_TOKENS, **SHAPE)


def mpnet_config(vocabulary):
    return MPNetConfig(vocab_size=vocabulary, max_position_embeddings=MAX_TOKENS + 2, **SHAPE)


def roberta_config(vocabulary):
    return RobertaConfig(
        vocab_size=vocabulary, max_position_embeddings=MAX_TOKENS + 2, type_vocab_size=1, **SHAPE
    )


def distilbert_config(vocabulary):
    return DistilBertConfig(
        vocab_size=vocabulary,
        max_position_embeddings=MAX_TOKENS,
        dim=WIDTH,
        n_layers=2,
        n_heads=2,
        hidden_dim=32,
        initializer_range=0.5,
    )


def t5_config(vocabulary):
    return T5Config(
        vocab_size=vocabulary,
        d_model=WIDTH,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        feed_forward_proj="relu",
        initializer_factor=1.0,
    )


def with_exact_gelu(network):
    """The feed-forward ReLU of every block becomes the exact GELU, as in fine-tuned models of anime."""
    for block in network.encoder.block:
        block.layer[-1].DenseReluDense.act = torch.nn.GELU()
    return network


def dense(*shape, **options):
    module = Dense(*shape, **options)
    torch.nn.init.normal_(module.linear.weight, std=0.5)
    if module.linear.bias is not None:
        torch.nn.init.normal_(module.linear.bias, std=0.5)
    return module


def write_model(folder, network, tokenizer, modules, is_new):
    with tempfile.TemporaryDirectory() as plain:
        network.save_pretrained(plain)
        tokenizer.save_pretrained(plain)
        transformer = Transformer(plain, max_seq_length=MAX_TOKENS)
        transformer.model = network
        model = SentenceTransformer(modules=[transformer, *modules], device="cpu")
        model.save_pretrained(str(folder), create_model_card=False)
    if type(network.config) is T5Config and is_exact_gelu(network):
        # What the files of PyTorch cannot say by themselves, this name says.
        change_json(folder / "config.json", feed_forward_proj="gelu", dense_act_fn="gelu")
    if not is_new:
        make_older(folder)


def is_exact_gelu(network):
    return isinstance(network.encoder.block[0].layer[-1].DenseReluDense.act, torch.nn.GELU)


def make_older(folder):
    """The layout that sentence-transformers wrote before its version 6."""
    modules = json.loads((folder / "modules.json").read_text())
    for module in modules:
        module["type"] = f"sentence_transformers.models.{module['type'].split('.')[-1]}"
        module.pop("kwargs", None)
    write_json(folder / "modules.json", modules)
    settings = {"max_seq_length": MAX_TOKENS, "do_lower_case": False}
    write_json(folder / "sentence_bert_config.json", settings)
    write_json(folder / "1_Pooling" / "config.json", flagged(["mean"]))


def flagged(modes):
    flags = {flag: mode in modes for mode, flag in FLAGS.items()}
    return {"word_embedding_dimension": WIDTH, **flags}


def variants(scratch):
    """Name -> folder, and the files that differ from it."""
    pooling = "1_Pooling/config.json"
    named = {"embedding_dimension": WIDTH, "include_prompt": True}
    bare = json.loads((scratch / "bert" / "modules.json").read_text())[:2]
    t5_modules = json.loads((scratch / "t5" / "modules.json").read_text())[:3]
    results = {}
    for mode in POOLINGS:
        files = {"modules.json": bare, pooling: flagged([mode])}
        results[f"bert, {mode} by a flag"] = ("bert", files)
        results[f"mpnet, {mode} by its name"] = ("mpnet", {pooling: {**named, "pooling_mode": mode}})
    results["bert, three flags"] = ("bert", {pooling: flagged(["mean", "cls", "lasttoken"])})
    modes = ["weightedmean", "max"]
    results["mpnet, a list of poolings"] = ("mpnet", {pooling: {**named, "pooling_mode": modes}})
    results["bert, eight tokens"] = (
        "bert",
        {"sentence_bert_config.json": {"max_seq_length": 8, "do_lower_case": False}},
    )
    results["roberta, lower case"] = (
        "roberta",
        {"sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": True}},
    )
    prompts = {"prompts": {"query": "a teacher: ", "document": ""}, "default_prompt_name": "query"}
    results["roberta, with a prompt"] = ("roberta", {"config_sentence_transformers.json": prompts})
    for activation in ACTIVATIONS:
        results[f"t5, {activation}"] = ("t5", {
            "modules.json": t5_modules,
            **dense_files(WIDTH, 12, f"torch.nn.modules.activation.{activation}"),
        })
    state = dense_files(WIDTH, 12, "torch.nn.modules.activation.Tanh", is_safe=False)
    results["t5, weights of pytorch_model.bin"] = ("t5", {"2_Dense/model.safetensors": None, **state})
    return results


def dense_files(inputs, outputs, activation, is_safe=True):
    weights = {
        "linear.weight": torch.randn(outputs, inputs) * 0.3,
        "linear.bias": torch.randn(outputs),
    }
    config = {
        "in_features": inputs,
        "out_features": outputs,
        "bias": True,
        "activation_function": activation,
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ("model.safetensors" if is_safe else "pytorch_model.bin")
        save_file(weights, file) if is_safe else torch.save(weights, file)
        return {"2_Dense/config.json": config, f"2_Dense/{file.name}": file.read_bytes()}


def write_file(file, content):
    """Answers what a test has to write: JSON as it is, bytes as base64, null for a file that goes."""
    if content is None:
        file.unlink()
        return None
    if isinstance(content, bytes):
        file.write_bytes(content)
        return base64.b64encode(content).decode()
    write_json(file, content)
    return content


def reference(folder):
    model = SentenceTransformer(str(folder), device="cpu")
    vectors = model.encode(ENCODER_TEXTS, batch_size=8).astype("<f4")
    if not np.isfinite(vectors).all():
        raise SystemExit(f"{folder}: not all vectors are finite")
    spread = np.abs(vectors[0] - vectors[1]).max()
    if spread < 1e-3:
        raise SystemExit(f"{folder}: two texts have the same vector, within {spread}")
    data = base64.b64encode(vectors.tobytes()).decode()
    return {"dimension": vectors.shape[1], "vectors": data}


def export(network, file):
    file.parent.mkdir(exist_ok=True)
    names = ["input_ids", "attention_mask"]
    if network.config.model_type == "bert":
        names.append("token_type_ids")
    module = StatesOf(network, names).eval()
    axes = {0: "batch_size", 1: "sequence_length"}
    torch.onnx.export(
        module,
        inputs(network, names, 2, 12),
        str(file),
        input_names=names,
        output_names=["last_hidden_state"],
        dynamic_axes={name: axes for name in [*names, "last_hidden_state"]},
        opset_version=OPSET,
        dynamo=False,
    )


class StatesOf(torch.nn.Module):
    """A network with its inputs in the order of their names."""

    def __init__(self, network, names):
        super().__init__()
        self.network = network
        self.names = names

    def forward(self, *arrays):
        return self.network(**dict(zip(self.names, arrays))).last_hidden_state


def inputs(network, names, rows, width):
    generator = torch.Generator().manual_seed(rows * width)
    ids = torch.randint(5, network.config.vocab_size, (rows, width), generator=generator)
    mask = torch.ones_like(ids)
    mask[-1, width - 1 :] = 0
    arrays = {"input_ids": ids, "attention_mask": mask, "token_type_ids": torch.zeros_like(ids)}
    return tuple(arrays[name] for name in names)


def change_json(file, **members):
    write_json(file, {**json.loads(file.read_text()), **members})


if __name__ == "__main__":
    main()
