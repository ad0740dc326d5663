"""Step 5: how well model folders answer, as they ship: MRR@10 of their vectors alone, of tags the
precision of the first five. `fitting` to choose, `reporting` to tell.

The questions are those of tools/static-en/judge.py, and `unseen`: openings of texts that training has
left out, because they are about a work of the part.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "works"), str(HERE.parent / "static-en")]

import numpy as np
from onnx_encoder import OnnxEncoder
from prepare import questions_of


def figures(encoder, questions):
    place = {}
    for question in questions:
        for text in [*question.queries, *question.index]:
            place.setdefault(text, len(place))
    vectors = encoder.encode(place)
    found = {}
    for question in questions:
        queries, index = (
            vectors[[place[text] for text in texts]] for texts in (question.queries, question.index)
        )
        measure = precision_at_five if question.name == "tags" else reciprocal_ranks
        found[question.name] = measure(queries @ index.T, question.right)
    return found


def reciprocal_ranks(scores, right):
    best = np.array([row[own].max() for row, own in zip(scores, right)])
    ranks = 1 + (scores > best[:, None]).sum(1)
    return np.where(ranks <= 10, 1 / ranks, 0)


def precision_at_five(scores, right):
    first = np.argsort(-scores, axis=1)[:, :5]
    return np.array([np.isin(row, own).mean() for row, own in zip(first, right)])


def difference(after, before, rng):
    """Mean and 95 % of the paired differences, by 2,000 resamples."""
    gained = after - before
    means = gained[rng.integers(len(gained), size=(2000, len(gained)))].mean(1)
    low, high = np.percentile(means, [2.5, 97.5])
    return f"{gained.mean():+.4f} ({low:+.4f} to {high:+.4f})"


def main():
    arguments = parse_arguments()
    questions = questions_of(arguments.part, arguments.data)
    first = None
    for folder in arguments.models:
        found = figures(OnnxEncoder(folder), questions)
        first = first or found
        print(folder)
        for name, values in found.items():
            gained = difference(values, first[name], np.random.default_rng(1))
            gain = "" if found is first else f", against the first {gained}"
            print(f"  {name} ({len(values)}): {values.mean():.4f}{gain}", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", help="folders; the others are compared with the first")
    parser.add_argument("--part", choices=["fitting", "reporting"], default="fitting")
    parser.add_argument("--data", default="../shared/data")
    return parser.parse_args()


if __name__ == "__main__":
    main()
