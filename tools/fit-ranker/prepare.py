"""Step 1: the queries of each catalogue, with their tables.

Queries are the first two sentences of a work's text on one site, which search another site's catalogue,
and the descriptions of bench/data. Each has the fold of its work: the table of that fold has seen no
text of the work, nor of its franchise. Written as files that `synoptic eval --descriptions` reads:
queries/<catalogue>/<set>.<fold>.jsonl.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "static-en"))

from evaluate import DIRECTIONS
from texts import opening, work_key
from works import (
    cross_site_links,
    fold_of_groups,
    franchise_groups,
    title_pairs,
)

# Data sets of the catalogues: the mappings of data/sources that are imported, and the dataset.
CATALOGUES = {
    "anilist": (["anime4500"], "anime"),
    "planet": (["anime/08-anime-data"], "anime"),
    "manga": (["mal-manga-3000"], "manga"),
    "merged": (["anime4500", "anime/08-anime-data"], "anime"),
}


def main():
    arguments = parse_arguments()
    output = Path(arguments.output)
    static = Path(arguments.static)
    records = json.loads((static / "records.json").read_text())
    links = cross_site_links(records, np.load(static / "text.npy"))
    folds = fold_of_groups(records, franchise_groups(records, links))
    write_mappings(output)

    files = collections.defaultdict(list)
    for site, catalogue in DIRECTIONS:
        for query, targets in title_pairs(records, site, catalogue):
            titles = sorted({records[target]["title"] for target in targets})
            line = {"description": opening(records[query]["text"]), "titles": titles}
            add(files, catalogue, site, folds[query], line)
    skipped = add_descriptions(files, records, folds, arguments.descriptions)
    for (catalogue, name, fold), lines in sorted(files.items()):
        folder = output / "queries" / catalogue
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.{fold}.jsonl").write_text(text, encoding="utf-8")
    counts = collections.Counter()
    for (catalogue, name, _), lines in files.items():
        counts[f"{name} > {catalogue}"] += len(lines)
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    print(f"descriptions left out, whose work is missing or in several folds: {skipped}")


def add(files, catalogue, name, fold, line):
    line["dataset"] = CATALOGUES[catalogue][1]
    files[catalogue, name, int(fold)].append(line)


def add_descriptions(files, records, folds, path):
    """These search the merged catalogue of anime: its entries have the texts of both sites."""
    found = collections.defaultdict(list)
    for index, record in enumerate(records):
        dataset = "manga" if record["source"] == "manga" else "anime"
        found[dataset, record["work"]].append(index)
    skipped = 0
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        dataset = item["dataset"]
        titles = [item["title"], *item["titles"]]
        own_folds = {folds[row] for title in titles for row in found[dataset, work_key(title)]}
        if len(own_folds) != 1:
            skipped += 1
            continue
        catalogue = "manga" if dataset == "manga" else "merged"
        line = {"description": item["description"], "titles": titles, "split": item["split"]}
        add(files, catalogue, "descriptions", own_folds.pop(), line)
    return skipped


def write_mappings(output):
    """Those of the project; a site that is a catalogue alone joins nothing."""
    sources = HERE.parent.parent / "data" / "sources"
    for catalogue, (names, _) in CATALOGUES.items():
        folder = output / "catalogues" / catalogue
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            mapping = json.loads((sources / f"{name}.json").read_text(encoding="utf-8"))
            if len(names) == 1:
                mapping.pop("join", None)
            (folder / Path(name).with_suffix(".json").name).write_text(
                json.dumps(mapping, indent=2) + "\n"
            )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--static", default="../static-en-work", help="what static-en wrote")
    parser.add_argument("--descriptions", default="bench/data/descriptions.jsonl")
    parser.add_argument("--output", default="../fit-ranker-work")
    return parser.parse_args()


if __name__ == "__main__":
    main()
