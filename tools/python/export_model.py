"""Makes onnx/model.onnx from the PyTorch weights of a model's folder, with Hugging Face Optimum.

    python export_model.py FOLDER encoder|cross-encoder

Only the transformer is exported: what stands behind it is carried out by whoever serves the model.
"""

import json
import pathlib
import shutil
import sys
import tempfile

from optimum.exporters.onnx import main_export


def main():
    folder, kind = transformer_of(pathlib.Path(sys.argv[1])), sys.argv[2]
    with tempfile.TemporaryDirectory(dir=folder.parent) as output:
        main_export(
            str(folder),
            output=output,
            task="feature-extraction" if kind == "encoder" else "text-classification",
            library_name="transformers",
            device="cpu",
            dtype="fp32",
        )
        target = folder / "onnx"
        target.mkdir(exist_ok=True)
        # Of T5 the encoder is exported beside a decoder, which nobody needs here.
        has_decoder = (pathlib.Path(output) / "encoder_model.onnx").exists()
        name = "encoder_model.onnx" if has_decoder else "model.onnx"
        for file in pathlib.Path(output).iterdir():
            if file.name == name:
                shutil.move(file, target / "model.onnx")
            # The weights of a large network lie beside it, under a name that it knows.
            elif file.name.startswith(name):
                shutil.move(file, target / file.name)


def transformer_of(folder):
    modules = folder / "modules.json"
    if not modules.exists():
        return folder
    return folder / json.loads(modules.read_text())[0]["path"]


if __name__ == "__main__":
    main()
