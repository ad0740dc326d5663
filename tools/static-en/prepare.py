"""Step 1: what the teacher, all-MiniLM-L6-v2, says about every text, and about every token.

Writes to the work folder: records.json; token_vectors.npy; for each kind of passage (text, opening,
pair, sentence) <kind>.json = [[record, passage], ...] and <kind>.npy, its teacher vectors. A vector
file that exists is kept, so an interrupted run continues.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np

import texts
from teacher import Teacher

SEED = 20240117
SENTENCES_PER_TEXT = 4  # more cost teacher time and say little new
MIN_SENTENCE_CHARACTERS = 40


def main():
    arguments = parse_arguments()
    work = Path(arguments.work)
    work.mkdir(parents=True, exist_ok=True)
    records = texts.read_records(arguments.data)
    (work / "records.json").write_text(json.dumps(records))
    teacher = Teacher(arguments.teacher, arguments.threads)

    token_file = work / "token_vectors.npy"
    if not token_file.exists():
        np.save(token_file, teacher.token_vectors())
    for kind, passages in passage_kinds(records).items():
        vector_file = work / f"{kind}.npy"
        if vector_file.exists():
            continue
        (work / f"{kind}.json").write_text(json.dumps(passages))
        vectors = teacher.encode([passage for _, passage in passages])
        np.save(vector_file, vectors)
        print(f"{kind}: {len(passages)} passages")


def passage_kinds(records):
    """Whole texts, and what a reader might remember of them: the opening and stray sentences."""
    rng = random.Random(SEED)
    kinds = {"text": [], "opening": [], "sentence": [], "pair": []}
    for index, record in enumerate(records):
        kinds["text"].append([index, record["text"]])
        parts = texts.sentences(record["text"])
        if len(parts) > 2:
            kinds["opening"].append([index, texts.opening(record["text"])])
        if len(parts) > 3:
            first = rng.randrange(1, len(parts) - 1)
            kinds["pair"].append([index, " ".join(parts[first : first + 2])[:400]])
        long_enough = [part for part in parts if len(part) >= MIN_SENTENCE_CHARACTERS]
        if len(parts) > 1:
            for part in rng.sample(long_enough, min(SENTENCES_PER_TEXT, len(long_enough))):
                kinds["sentence"].append([index, part])
    return kinds


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="../shared/data", help="folder of the three CSV files")
    parser.add_argument("--teacher", default="../shared/models/all-MiniLM-L6-v2")
    parser.add_argument("--work", default="../static-en-work", help="folder for what is made here")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
