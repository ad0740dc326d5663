"""The weights of a BERT as its ONNX file holds them, by PyTorch's names, and put back there.

The export keeps names of vectors and tables; matrices it has transposed and numbered, in the order in
which the graph multiplies by them: a layer's query, key, value, output, and the two of its feed-forward.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
PREFIX = "m."


def places(graph):
    """[(initializer, name, transposed)]."""
    by_name = {one.name: one for one in graph.initializer}
    found = [
        (one, name.removeprefix(PREFIX), False)
        for name, one in by_name.items()
        if name.startswith(PREFIX)
    ]
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in by_name:
            continue
        # /m/encoder/layer.3/attention/self/query/MatMul
        path = node.name.removesuffix("/MatMul").strip("/").split("/")
        name = ".".join(path[1:]) + ".weight"
        if not any(name.endswith(f"{matrix}.weight") for matrix in MATRICES):
            raise ValueError(f"a matrix that is not of a BERT: {node.name}")
        found.append((by_name[node.input[1]], name, True))
    return found


def load(model):
    return onnx.load(str(Path(model) / "onnx/model.onnx"))


def weights_of(model):
    found = {}
    for initializer, name, transposed in places(load(model).graph):
        value = numpy_helper.to_array(initializer)
        found[name] = value.T.copy() if transposed else value.copy()
    return found


def with_weights(model, weights):
    """The network of the model's folder with other weights."""
    network = load(model)
    for initializer, name, transposed in places(network.graph):
        value = weights[name].T if transposed else weights[name]
        initializer.CopyFrom(numpy_helper.from_array(value.copy(order="C"), initializer.name))
    return network


def dequantized(model, start):
    """The weights of an int8 model in float32; `start` is the folder that it was exported like."""
    own = {one.name: numpy_helper.to_array(one) for one in load(model).graph.initializer}
    found = {}
    for initializer, name, transposed in places(load(start).graph):
        value = own.get(initializer.name)
        if value is None:
            codes, scale, zero = (
                own[f"{initializer.name}_{part}"] for part in ("quantized", "scale", "zero_point")
            )
            value = (codes.astype(np.float32) - zero) * scale
        found[name] = np.ascontiguousarray(value.T if transposed else value, np.float32)
    return found
