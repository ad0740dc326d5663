"""Makes an int8 copy of an ONNX model with ONNX Runtime's own quantiser.

    python quantize_model.py model.onnx quantised.onnx

Weights are symmetric, with a scale a channel; activations are quantised as they come. Where a processor
has no dot products of bytes (VNNI), sums of pairs would overflow, so weights get a bit less there.
"""

import pathlib
import platform
import sys

import onnx
from onnxruntime.quantization import QuantType, quantize_dynamic

# What protobuf can hold in one file, with room for the rest of the graph.
LARGEST_FILE = 1_800_000_000


def main():
    source, target = sys.argv[1:]
    weights = sum(file.stat().st_size for file in pathlib.Path(source).parent.iterdir() if file.is_file())
    quantize_dynamic(
        source,
        target,
        per_channel=True,
        reduce_range=not has_byte_dot_products(),
        weight_type=QuantType.QInt8,
        use_external_data_format=weights / 4 > LARGEST_FILE,
        extra_options={"WeightSymmetric": True},
    )
    onnx.checker.check_model(target)


def has_byte_dot_products():
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    try:
        return "vnni" in pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


if __name__ == "__main__":
    main()
