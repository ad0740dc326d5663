"""How well tables find works that training did not see: MRR@10 of a table alone, in numpy.

`fitting` or `reporting`: descriptions of that part against the synopses of all works of the dataset;
descriptions are in no index. `kept`: openings of AniList's and Anime-Planet's texts against
MyAnimeList's texts (mal_anime_3000.csv), which no table has seen. `tags`: a tag's synonyms against the
synopses of the part's works, where those that the tag is about (weight 3) are right; precision of the
first five.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "works"))

from parts import read_works, works_for
from static_encoder import DIMENSIONS, dequantise, embed, quantise, token_ids
from teacher import load_tokenizer
from texts import MIN_CHARACTERS, clean, opening, read_records, same_beginning, work_key

SHIPPED = HERE.parents[1] / "models/builtin/static-en"
FEWEST_RIGHT = 5


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
        """`embed` and what to ask: a list of (name, query ids, index ids, right rows a query)."""
        works = works_for(purpose)
        everything = read_works()
        self.sets = []
        for dataset in ("anime", "manga"):
            listed = [work for work in everything if work["dataset"] == dataset]
            index = token_ids(tokenizer, [work["synopsis"] for work in listed])
            place = {work["mal"]: row for row, work in enumerate(listed)}
            own = [work for work in works if work["dataset"] == dataset]
            asked = [(text, [place[work["mal"]]]) for work in own for text in work["descriptions"]]
            queries = token_ids(tokenizer, [text for text, _ in asked])
            self.sets.append((dataset, queries, index, [right for _, right in asked]))
        self.tags = tag_questions(tokenizer, works)
        self.kept = kept_questions(tokenizer, data) if data else []

    def figures(self, table):
        table = dequantise(*quantise(table))
        found = {}
        for name, queries, index, right in self.sets + self.kept:
            found[name] = reciprocal_ranks(table, queries, index, right).mean()
        found["tags"] = precision_at_five(table, *self.tags)
        return found


def tag_questions(tokenizer, works):
    tags = json.loads((HERE.parents[1] / "data/works/tags.json").read_text(encoding="utf-8"))
    index = token_ids(tokenizer, [work["synopsis"] for work in works])
    asked = []
    for tag in tags:
        right = [row for row, work in enumerate(works) if work["tags"].get(tag["tag"]) == 3]
        if len(right) >= FEWEST_RIGHT:
            asked += [(synonym, right) for synonym in [tag["name"], *tag["synonyms"]]]
    queries = token_ids(tokenizer, [text for text, _ in asked])
    return queries, index, [right for _, right in asked]


def kept_questions(tokenizer, data):
    with open(Path(data) / "mal_anime_3000.csv", encoding="utf-8", newline="") as file:
        rows = [(row["title"], clean(row["description"])) for row in csv.DictReader(file)]
    kept = [(title, text) for title, text in rows if len(text) >= MIN_CHARACTERS]
    index = token_ids(tokenizer, [text for _, text in kept])
    place = {}
    for row, (title, _) in enumerate(kept):
        place.setdefault(work_key(title), []).append(row)
    records = read_records(data)
    sets = []
    for source in ("anilist", "planet"):
        asked, seen = [], set()
        for record in records:
            right = place.get(record["work"], [])
            if record["source"] != source or not right or record["work"] in seen:
                continue
            if any(same_beginning(record["text"], kept[row][1]) for row in right):
                continue
            seen.add(record["work"])
            asked.append((opening(record["text"]), right))
        queries = token_ids(tokenizer, [text for text, _ in asked])
        sets.append((f"kept, {source}", queries, index, [right for _, right in asked]))
    return sets


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
        ", ".join(f"{name} {len(asked)}" for name, asked, _, _ in judge.sets + judge.kept),
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
