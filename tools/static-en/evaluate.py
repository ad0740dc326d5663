"""Step 3: held-out works. The query is the first two sentences of a work's text on one site, the
index all texts of another site, and the table one that saw neither text, nor any of the franchise.

Every work is queried with the table of its own fold, so the three folds together cover them all.
For comparison, on the same queries: the teacher in float32, BM25, and the plain recipe where
`train.py --plain` was run.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from static_encoder import dequantise, embed, quantise, token_ids
from teacher import Teacher, load_tokenizer
from texts import opening
from train import table_name
from works import (
    FOLDS,
    cross_site_links,
    fold_of_groups,
    franchise_groups,
    source_rows,
    title_pairs,
)

DIRECTIONS = [
    ("anilist", "planet"),
    ("planet", "anilist"),
    ("anilist", "manga"),
    ("planet", "manga"),
    ("manga", "anilist"),
    ("manga", "planet"),
]


def main():
    arguments = parse_arguments()
    work = Path(arguments.work)
    records = json.loads((work / "records.json").read_text())
    vectors = np.load(work / "text.npy")
    groups = franchise_groups(records, cross_site_links(records, vectors))
    folds = fold_of_groups(records, groups)
    rows = source_rows(records)
    pairs = {direction: title_pairs(records, *direction) for direction in DIRECTIONS}

    systems = {
        "all-MiniLM-L6-v2, float32": teacher_scores(arguments, records, vectors, pairs),
        "BM25": bm25_scores(records, rows),
    }
    tokenizer = load_tokenizer(arguments.teacher)
    for name, plain in (("plain recipe, int8", True), ("this recipe, int8", False)):
        files = [work / table_name(fold, plain) for fold in range(FOLDS)]
        if all(file.exists() for file in files):
            systems[name] = table_scores(files, tokenizer, records, folds)
        else:
            print(f"{name}: left out, for want of {', '.join(str(file) for file in files)}")

    print("MRR@10 / recall@1 / @10 / @100")
    for name, score in systems.items():
        print(name)
        everything = []
        for direction in DIRECTIONS:
            ranks = ranks_of(score, pairs[direction], rows[direction[1]])
            everything.append(figures(ranks))
            count = len(ranks)
            print(f"  {direction[0]:>7} -> {direction[1]:7} ({count}): {shown(everything[-1])}")
        print(f"  mean of the six: {shown(np.mean(everything, 0))}")


def teacher_scores(arguments, records, vectors, pairs):
    """Texts were encoded by prepare.py; the queries are encoded here."""
    queries = sorted({query for listed in pairs.values() for query, _ in listed})
    texts = [opening(records[query]["text"]) for query in queries]
    encoded = Teacher(arguments.teacher, arguments.threads).encode(texts)
    query_vectors = dict(zip(queries, encoded))
    return lambda query, index: vectors[index] @ query_vectors[query]


def bm25_scores(records, rows):
    def words(text):
        return re.findall(r"[a-z0-9]+", text.lower())

    models = {
        index.tobytes(): BM25Okapi([words(records[row]["text"]) for row in index])
        for index in rows.values()
    }
    return lambda query, index: models[index.tobytes()].get_scores(
        words(opening(records[query]["text"]))
    )


def table_scores(files, tokenizer, records, folds):
    ids = token_ids(tokenizer, [record["text"] for record in records])
    tables = [dequantise(*quantise(np.load(file))) for file in files]
    vectors = [embed(table, ids) for table in tables]

    def score(query, index):
        fold = folds[query]
        tokens = token_ids(tokenizer, [opening(records[query]["text"])])
        return vectors[fold][index] @ embed(tables[fold], tokens)[0]

    return score


def ranks_of(score, pairs, index):
    place = {int(row): position for position, row in enumerate(index)}
    ranks = []
    for query, targets in pairs:
        scores = score(query, index)
        best = max(scores[place[target]] for target in targets)
        ranks.append(1 + int((scores > best).sum()))
    return np.array(ranks)


def figures(ranks):
    reciprocal = np.where(ranks <= 10, 1 / ranks, 0)
    return [reciprocal.mean(), *((ranks <= limit).mean() for limit in (1, 10, 100))]


def shown(values):
    return " / ".join(f"{value:.3f}" for value in values)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", default="../shared/models/all-MiniLM-L6-v2")
    parser.add_argument("--work", default="../static-en-work", help="what steps 1 and 2 wrote")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
