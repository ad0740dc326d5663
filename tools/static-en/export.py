"""Step 4: a trained table becomes a model folder, and the folder is checked against numpy.

`onnx/model.onnx_data` is the int8 table, row-major from offset 0, then the float32 scales, so that
other programs can map it without reading the graph.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from static_encoder import DIMENSIONS, MAX_TOKENS, dequantise, embed, quantise, token_ids
from teacher import load_tokenizer

DATA_FILE = "model.onnx_data"
OPSET = 17
IR_VERSION = 8  # what opset 17 was released with: old runtimes read it
MINIMUM_LENGTH = 1e-12  # keeps an empty text a row of zeros


def main():
    arguments = parse_arguments()
    output = Path(arguments.output)
    rows, scales = quantise(np.load(arguments.table).astype(np.float32))
    (output / "onnx").mkdir(parents=True, exist_ok=True)
    with open(output / "onnx" / DATA_FILE, "wb") as file:
        file.write(rows.tobytes())
        file.write(scales.astype("<f4").tobytes())
    graph = build_graph(len(rows))
    onnx.save(graph, output / "onnx" / "model.onnx")
    onnx.checker.check_model(str(output / "onnx" / "model.onnx"), full_check=True)
    write_configuration(output, len(rows))
    copy_tokenizer(Path(arguments.teacher), output)
    print(f"worst cosine against numpy: {verify(output, dequantise(rows, scales)):.7f}")


def build_graph(vocabulary):
    """Gather int8 rows and scales, dequantise, mask, sum, normalise."""
    table_bytes = vocabulary * DIMENSIONS
    initializers = [
        external("table", TensorProto.INT8, [vocabulary, DIMENSIONS], 0, table_bytes),
        external("scales", TensorProto.FLOAT, [vocabulary], table_bytes, vocabulary * 4),
        helper.make_tensor("last_axis", TensorProto.INT64, [1], [2]),
        helper.make_tensor("token_axis", TensorProto.INT64, [1], [1]),
        helper.make_tensor("minimum_length", TensorProto.FLOAT, [1], [MINIMUM_LENGTH]),
    ]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["integer_rows"]),
        helper.make_node("Cast", ["integer_rows"], ["rows"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["scales", "input_ids"], ["token_scales"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["token_scales", "mask"], ["weights"]),
        helper.make_node("Unsqueeze", ["weights", "last_axis"], ["column_weights"]),
        helper.make_node("Mul", ["rows", "column_weights"], ["weighted_rows"]),
        helper.make_node("ReduceSum", ["weighted_rows", "token_axis"], ["sum"], keepdims=0),
        helper.make_node("ReduceL2", ["sum"], ["length"], axes=[1], keepdims=1),
        helper.make_node("Max", ["length", "minimum_length"], ["safe_length"]),
        helper.make_node("Div", ["sum", "safe_length"], ["sentence_embedding"]),
    ]
    axes = ["batch", "sequence"]
    graph = helper.make_graph(
        nodes,
        "static-en",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, axes),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, axes),
        ],
        [
            helper.make_tensor_value_info(
                "sentence_embedding", TensorProto.FLOAT, ["batch", DIMENSIONS]
            )
        ],
        initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = IR_VERSION
    return model


def external(name, data_type, shape, offset, length):
    tensor = onnx.TensorProto(name=name, data_type=data_type, dims=shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", DATA_FILE), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def write_configuration(output, vocabulary):
    module = "sentence_transformers.models."
    write_json(
        output / "modules.json",
        [
            {"idx": 0, "name": "0", "path": "", "type": module + "StaticEmbedding"},
            {"idx": 1, "name": "1", "path": "1_Normalize", "type": module + "Normalize"},
        ],
    )
    write_json(
        output / "config.json",
        {"model_type": "static", "hidden_size": DIMENSIONS, "vocab_size": vocabulary},
    )
    write_json(
        output / "config_sentence_transformers.json",
        {"prompts": {}, "default_prompt_name": None, "similarity_fn_name": "cosine"},
    )
    write_json(output / "sentence_bert_config.json", {"max_seq_length": MAX_TOKENS})


def copy_tokenizer(teacher, output):
    """The teacher's tokenizer, minified, without the truncation and padding set in it."""
    tokenizer = json.loads((teacher / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["truncation"] = None
    tokenizer["padding"] = None
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (output / "tokenizer.json").write_text(text + "\n", encoding="utf-8")


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


AWKWARD = [
    "",
    " ",
    "a",
    "The",
    "Édouard's naïve café — “quoted”…",
    "進撃の巨人 / 鋼の錬金術師",
    "🐙 octopus teacher 🐙",
    "\u0000\ufffd\u200b",
    "x" * 3000,
    "word " * 2000,
    "a boy who can't hear, and the girl that bullied him?!",
    "[CLS] [SEP] [MASK] [PAD] [UNK]",
]


def verify(output, table):
    """The graph against numpy, one by one and as a padded batch; returns the worst cosine."""
    session = onnxruntime.InferenceSession(str(output / "onnx" / "model.onnx"))
    tokenizer = load_tokenizer(output)
    ids = token_ids(tokenizer, AWKWARD)
    expected = embed(table, ids)
    width = max(map(len, ids))
    batch = np.zeros((len(ids), width), np.int64)
    mask = np.zeros_like(batch)
    for row, tokens in enumerate(ids):
        batch[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    got = session.run(None, {"input_ids": batch, "attention_mask": mask})[0]
    worst = check(expected, got)
    for row, tokens in enumerate(ids):
        one = {"input_ids": batch[row : row + 1, : len(tokens)]}
        one["attention_mask"] = np.ones_like(one["input_ids"])
        worst = min(worst, check(expected[row : row + 1], session.run(None, one)[0]))
    return worst


def check(expected, got):
    empty = ~expected.any(1)
    if not np.isfinite(got).all() or got[empty].any():
        raise SystemExit("an empty text must give zeros, and nothing may give NaN")
    cosines = (expected * got).sum(1)[~empty]
    if len(cosines) and cosines.min() <= 0.99999:
        raise SystemExit(f"the graph differs from numpy: cosine {cosines.min()}")
    return float(cosines.min()) if len(cosines) else 1.0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--table", default="../static-en-work/table.npy", help="what train.py wrote"
    )
    parser.add_argument("--teacher", default="../shared/models/all-MiniLM-L6-v2")
    parser.add_argument("--output", default="models/builtin/static-en")
    return parser.parse_args()


if __name__ == "__main__":
    main()
