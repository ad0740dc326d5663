"""How well tables find works that training did not see: MRR@10 of a table alone, in numpy.

`fitting` or `reporting`: descriptions of that part against the synopses of all works of the dataset;
descriptions are in no index. `kept`: openings of AniList's and Anime-Planet's texts against
MyAnimeList's texts (mal_anime_3000.csv), which no table has seen. `tags`: a tag's synonyms against the
synopses of the part's works, where those that the tag is about (weight 3) are right; precision of the
first five.
"""

import argparse
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent

from questions import questions_for
from static_encoder import DIMENSIONS, dequantise, embed, quantise, token_ids
from teacher import load_tokenizer

SHIPPED = HERE.parents[1] / "models/builtin/static-en"


def read_table(path):
    """A table as float32: of a .npy file, or of a model folder."""
    if Path(path).suffix == ".npy":
        return np.load(path)
    data = (Path(path) / "onnx/model.onnx_data").read_bytes()
    count = len(data) // (DIMENSIONS + 4)
    rows = np.frombuffer(data, np.int8, count * DIMENSIONS).reshape(count, DIMENSIONS)
    return dequantise(rows, np.frombuffer(data, "<f4", count, count * DIMENSIONS))


class Judge:
    def __init__(self, tokenizer, purpose, data=None):
        """What to ask: a list of (name, query ids, index ids, right rows a query)."""
        *self.sets, self.tags = [
            (
                question.name,
                token_ids(tokenizer, question.queries),
                token_ids(tokenizer, question.index),
                question.right,
            )
            for question in questions_for(purpose, data)
        ]

    def figures(self, table):
        table = dequantise(*quantise(table))
        found = {}
        for name, queries, index, right in self.sets:
            found[name] = reciprocal_ranks(table, queries, index, right).mean()
        found["tags"] = precision_at_five(table, *self.tags[1:])
        return found


def scores_of(table, queries, index):
    return embed(table, queries) @ embed(table, index).T


def reciprocal_ranks(table, queries, index, right):
    scores = scores_of(table, queries, index)
    best = np.array([row[own].max() for row, own in zip(scores, right)])
    ranks = 1 + (scores > best[:, None]).sum(1)
    return np.where(ranks <= 10, 1 / ranks, 0)


def precision_at_five(table, queries, index, right):
    first = np.argsort(-scores_of(table, queries, index), axis=1)[:, :5]
    return np.mean([np.isin(row, own).mean() for row, own in zip(first, right)])


def shown(figures):
    return ", ".join(f"{name} {value:.4f}" for name, value in figures.items())


def main():
    arguments = parse_arguments()
    judge = Judge(load_tokenizer(SHIPPED), arguments.part, arguments.data)
    print(
        "questions:",
        ", ".join(f"{name} {len(queries)}" for name, queries, _, _ in judge.sets),
    )
    for name in arguments.tables:
        print(f"{name}: {shown(judge.figures(read_table(name)))}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=[str(SHIPPED)], help=".npy or model folders")
    parser.add_argument(
        "--part",
        choices=["fitting", "reporting"],
        default="fitting",
        help="fitting to choose, reporting to tell",
    )
    parser.add_argument("--data", default="../shared/data")
    return parser.parse_args()


if __name__ == "__main__":
    main()
