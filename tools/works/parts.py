"""The three parts of the works, as data/works/splits.json divides them by a hash of the franchise, and
the purpose that may use the descriptions of each. split.js is the same
for JavaScript.
"""

import hashlib
import json
from pathlib import Path

WORKS = Path(__file__).resolve().parents[2] / "data" / "works"
FILES = ("anime", "manga")


class PartRefused(SystemExit):
    """Ends a script with a message and without a stack."""


def read_parts(folder=WORKS):
    return json.loads((Path(folder) / "splits.json").read_text(encoding="utf-8"))["parts"]


def part_of(franchise, parts=None):
    if not franchise:
        raise ValueError("a franchise key is needed")
    share = int.from_bytes(hashlib.sha256(franchise.encode()).digest()[:4], "big") / 2**32
    return next(part["name"] for part in parts or read_parts() if share < part["below"])


def read_works(folder=WORKS):
    """All works of both files, each with its `dataset` and its `part`."""
    parts = read_parts(folder)
    works = []
    for dataset in FILES:
        for line in (Path(folder) / f"{dataset}.jsonl").read_text(encoding="utf-8").splitlines():
            work = json.loads(line)
            works.append(work | {"dataset": dataset, "part": part_of(work["franchise"], parts)})
    return works


def works_for(purpose, part=None, folder=WORKS):
    """The works whose descriptions serve the purpose: those of the part of that name."""
    names = [known["name"] for known in read_parts(folder)]
    requested = part or purpose
    if requested not in names:
        raise PartRefused(f"expected a part ({', '.join(names)}), got {requested}")
    if requested != purpose:
        raise PartRefused(
            f"refused: the descriptions of the {requested} part are for {requested} alone, not for {purpose}"
            " (data/works/splits.json)"
        )
    return [work for work in read_works(folder) if work["part"] == purpose]


def refuse_others(texts, purpose, folder=WORKS):
    """Whatever file texts come from: none may be a description of a work of another part."""
    part_by_text = {
        fold(description): work["part"]
        for work in read_works(folder)
        for description in work["descriptions"]
    }
    for text in texts:
        part = part_by_text.get(fold(text), purpose)
        if part != purpose:
            raise PartRefused(
                f"refused: a description of the {part} part, not for {purpose}"
                f' (data/works/splits.json): "{text}"'
            )


def fold(text):
    return " ".join(text.lower().split())
