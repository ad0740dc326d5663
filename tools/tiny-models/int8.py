"""A tiny model whose vectors depend on the other texts of a batch: its activations are quantized to int8 with one
scale for the whole batch, as ONNX Runtime's dynamic quantization does it.

    python int8.py ../../test/fixtures/encoders/bert ../../test/fixtures/encoders/bert-int8
"""

import argparse
import shutil
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.target, ignore_errors=True)
    shutil.copytree(arguments.source, arguments.target)
    network = Path("onnx", "model.onnx")
    quantize_dynamic(
        arguments.source / network, arguments.target / network, weight_type=QuantType.QInt8
    )


if __name__ == "__main__":
    main()
