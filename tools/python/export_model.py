"""Makes onnx/model.onnx from the PyTorch weights of a model's folder, with Hugging Face Optimum.

    python export_model.py FOLDER encoder|cross-encoder

Only the transformer is exported: the server of the model carries out what follows it.
"""

import json
import pathlib
import shutil
import sys
import tempfile

from optimum.exporters.onnx import main_export


def main():
    folder, kind = transformer_of(pathlib.Path(sys.argv[1])), sys.argv[2]
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        source, output = pathlib.Path(scratch) / "source", pathlib.Path(scratch) / "output"
        is_encoder = kind == "encoder"
        if is_encoder:
            write_plain(folder, source)
        main_export(
            str(source if is_encoder else folder),
            output=output,
            task="feature-extraction" if is_encoder else "text-classification",
            # Of T5 this takes the encoder and leaves the decoder out.
            library_name="sentence_transformers" if is_encoder else "transformers",
            device="cpu",
            dtype="fp32",
        )
        target = folder / "onnx"
        target.mkdir(exist_ok=True)
        for file in output.iterdir():
            # The weights of a large network lie in its folder, under a name that it knows.
            if file.name.startswith("model.onnx"):
                shutil.move(file, target / file.name)


def transformer_of(folder):
    modules = folder / "modules.json"
    if not modules.exists():
        return folder
    return folder / json.loads(modules.read_text())[0]["path"]


def write_plain(folder, target):
    """The transformer with a mean behind it, in the layout that every sentence-transformers can load."""
    (target / "1_Pooling").mkdir(parents=True)
    config = json.loads((folder / "config.json").read_text())
    width = config.get("hidden_size") or config.get("d_model") or config["dim"]
    types = ["Transformer", "Pooling"]
    modules = [
        {
            "idx": at,
            "name": str(at),
            "path": "" if at == 0 else f"{at}_{name}",
            "type": f"sentence_transformers.models.{name}",
        }
        for at, name in enumerate(types)
    ]
    files = {
        "modules.json": modules,
        "sentence_bert_config.json": {"max_seq_length": 128, "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": width,
            "pooling_mode_mean_tokens": True,
        },
    }
    tokenizer = folder / "tokenizer_config.json"
    if tokenizer.exists():
        settings = json.loads(tokenizer.read_text())
        # transformers 5 writes the name of a class that those before it have not.
        if settings.get("tokenizer_class") == "TokenizersBackend":
            kept = {key: value for key, value in settings.items() if key.endswith("_token")}
            files[tokenizer.name] = {**kept, "tokenizer_class": "PreTrainedTokenizerFast"}
    for name, content in files.items():
        (target / name).write_text(json.dumps(content))
    for file in folder.iterdir():
        if file.is_file() and file.name not in files and "sentence_" not in file.name:
            (target / file.name).symlink_to(file.resolve())


if __name__ == "__main__":
    main()
