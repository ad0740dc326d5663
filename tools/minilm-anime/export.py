"""Step 4: trained weights become a model folder: int8 a channel, in the layout of sentence-transformers.

Refuses to end well where the network has more than 25 MB, or a cosine to float32 below 0.99 on the mean
of the fitting part's descriptions and synopses.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "works"))

import numpy as np
import onnx
from onnx_encoder import BUILTIN, LONGEST, OnnxEncoder
from onnx_weights import with_weights
from parts import works_for

MOST_BYTES = 25_000_000
LEAST_COSINE = 0.99
COMPARED = 400  # texts
MODULE = "sentence_transformers.models."


def main():
    arguments = parse_arguments()
    output = Path(arguments.output)
    (output / "onnx").mkdir(parents=True, exist_ok=True)
    write_configuration(Path(arguments.model), output)
    with tempfile.TemporaryDirectory() as scratch:
        exact = Path(scratch) / "model.onnx"
        onnx.save(with_weights(arguments.model, np.load(arguments.weights)), exact)
        quantised = output / "onnx/model.onnx"
        script = HERE.parent / "python/quantize_model.py"
        subprocess.run([sys.executable, str(script), str(exact), str(quantised)], check=True)
        cosines = compare(output, exact, quantised)
        if arguments.float32:
            shutil.copy(exact, arguments.float32)
    size = quantised.stat().st_size
    mean, least = cosines.mean(), cosines.min()
    print(f"{size} bytes; cosine to float32: mean {mean:.4f}, least {least:.4f}")
    if size > MOST_BYTES or mean < LEAST_COSINE:
        raise SystemExit(f"expected at most {MOST_BYTES} bytes and a mean cosine of {LEAST_COSINE}")


def compare(folder, exact, quantised):
    works = works_for("fitting")[: COMPARED // 2]
    texts = [text for work in works for text in (work["synopsis"], work["descriptions"][0])]
    before, after = (OnnxEncoder(folder, network).encode(texts) for network in (exact, quantised))
    return (before * after).sum(1)


def write_configuration(model, output):
    write_json(
        output / "modules.json",
        [
            {"idx": 0, "name": "0", "path": "", "type": MODULE + "Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": MODULE + "Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": MODULE + "Normalize"},
        ],
    )
    write_json(
        output / "sentence_bert_config.json", {"max_seq_length": LONGEST, "do_lower_case": False}
    )
    (output / "1_Pooling").mkdir(exist_ok=True)
    for name in ("1_Pooling/config.json", "config.json", "special_tokens_map.json"):
        write_json(output / name, json.loads((model / name).read_text(encoding="utf-8")))
    settings = json.loads((model / "tokenizer_config.json").read_text(encoding="utf-8"))
    write_json(output / "tokenizer_config.json", settings | {"name_or_path": "minilm-anime"})
    tokenizer = json.loads((model / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer |= {"truncation": None, "padding": None}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    if text + "\n" == (BUILTIN / "static-en/tokenizer.json").read_text(encoding="utf-8"):
        text = '{ "builtin": "static-en" }'
    (output / "tokenizer.json").write_text(text + "\n", encoding="utf-8")


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--weights", default="../minilm-work/weights.npz", help="what join.py wrote"
    )
    parser.add_argument("--model", default="../shared/models/all-MiniLM-L6-v2", help="the start")
    parser.add_argument("--output", default="models/builtin/minilm-anime")
    parser.add_argument("--float32", default="", help="where the exact network is kept, too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
