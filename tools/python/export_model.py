"""Makes onnx/model.onnx from the PyTorch weights of a model's folder, with Hugging Face Optimum.

    python export_model.py FOLDER encoder|cross-encoder
"""

import pathlib
import shutil
import sys
import tempfile

from optimum.exporters.onnx import main_export


def main():
    folder, kind = pathlib.Path(sys.argv[1]), sys.argv[2]
    is_encoder = kind == "encoder"
    with tempfile.TemporaryDirectory(dir=folder.parent) as output:
        main_export(
            str(folder),
            output=output,
            task="feature-extraction" if is_encoder else "text-classification",
            library_name="sentence_transformers" if is_encoder else "transformers",
            device="cpu",
            dtype="fp32",
        )
        target = folder / "onnx"
        target.mkdir(exist_ok=True)
        for file in pathlib.Path(output).iterdir():
            # The weights of a large network lie beside it.
            if file.name.startswith("model.onnx"):
                shutil.move(file, target / file.name)


if __name__ == "__main__":
    main()
