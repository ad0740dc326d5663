"""Step 3: what train.py changed (changes.*.npz), added to the start's float32 weights."""

import argparse
from pathlib import Path

import numpy as np
from onnx_weights import weights_of


def changes_in(folder):
    pieces = {}
    for path in sorted(Path(folder).glob("changes.*.npz")):
        packed = np.load(path)
        for key in packed.files:
            name, number = key.rsplit(".", 1)
            pieces.setdefault(name, {})[int(number)] = packed[key]
    return {
        name: np.concatenate([parts[number] for number in range(len(parts))])
        for name, parts in pieces.items()
    }


def trained_weights(model, folder):
    start, changes = weights_of(model), changes_in(folder)
    if start.keys() != changes.keys():
        odd = sorted(start.keys() ^ changes.keys())
        raise SystemExit(f"expected changes of every weight of the start, odd are {odd}")
    for name, change in changes.items():
        if change.shape != start[name].shape or not np.isfinite(change).all():
            raise SystemExit(f"{name}: expected finite {start[name].shape}, found {change.shape}")
    return {name: start[name] + change.astype(np.float32) for name, change in changes.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", required=True, help="folder of what train.py wrote")
    parser.add_argument("--model", default="../shared/models/all-MiniLM-L6-v2", help="the start")
    parser.add_argument("--output", default="../minilm-work/weights.npz")
    arguments = parser.parse_args()
    weights = trained_weights(arguments.model, arguments.changes)
    Path(arguments.output).parent.mkdir(parents=True, exist_ok=True)
    np.savez(arguments.output, **weights)
    print(f"{arguments.output}: {sum(value.size for value in weights.values())} weights")


if __name__ == "__main__":
    main()
