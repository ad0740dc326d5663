"""The queries that judge tables and encoders, as texts.

Descriptions of one part ask for the synopses of all works of their dataset; openings of AniList's and
Anime-Planet's texts for MyAnimeList's; a tag's words for the synopses of the part's works.
"""

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "works"))

from parts import WORKS, read_works, works_for
from texts import MIN_CHARACTERS, clean, opening, read_records, same_beginning, work_key

FEWEST_RIGHT = 5


@dataclass
class Question:
    name: str
    queries: list
    index: list
    right: list  # rows of the index, a list a query
    sources: list  # the record that each query was taken from; None for descriptions and tags


def description_questions(works):
    """Of each dataset; `works` are those of one part."""
    everything = read_works()
    found = []
    for dataset in ("anime", "manga"):
        listed = [work for work in everything if work["dataset"] == dataset]
        place = {work["mal"]: row for row, work in enumerate(listed)}
        own = [work for work in works if work["dataset"] == dataset]
        pairs = [(text, [place[work["mal"]]]) for work in own for text in work["descriptions"]]
        found.append(question(dataset, pairs, [work["synopsis"] for work in listed]))
    return found


def tag_question(works):
    tags = json.loads((WORKS / "tags.json").read_text(encoding="utf-8"))
    pairs = []
    for tag in tags:
        right = [row for row, work in enumerate(works) if work["tags"].get(tag["tag"]) == 3]
        if len(right) >= FEWEST_RIGHT:
            pairs += [(synonym, right) for synonym in [tag["name"], *tag["synonyms"]]]
    return question("tags", pairs, [work["synopsis"] for work in works])


def kept_index(data):
    """MyAnimeList's texts, and the rows of each work."""
    with open(Path(data) / "mal_anime_3000.csv", encoding="utf-8", newline="") as file:
        rows = [(row["title"], clean(row["description"])) for row in csv.DictReader(file)]
    kept = [(title, text) for title, text in rows if len(text) >= MIN_CHARACTERS]
    place = {}
    for row, (title, _) in enumerate(kept):
        place.setdefault(work_key(title), []).append(row)
    return [text for _, text in kept], place


def kept_questions(data):
    index, place = kept_index(data)
    records = read_records(data)
    found = []
    for source in ("anilist", "planet"):
        pairs, sources, seen = [], [], set()
        for record in records:
            right = place.get(record["work"], [])
            if record["source"] != source or not right or record["work"] in seen:
                continue
            if any(same_beginning(record["text"], index[row]) for row in right):
                continue
            seen.add(record["work"])
            pairs.append((opening(record["text"]), right))
            sources.append(record)
        found.append(question(f"kept, {source}", pairs, index, sources))
    return found


def question(name, pairs, index, sources=None):
    queries, right = [text for text, _ in pairs], [rows for _, rows in pairs]
    return Question(name, queries, index, right, sources or [None] * len(pairs))


def questions_for(purpose, data=None):
    works = works_for(purpose)
    kept = kept_questions(data) if data else []
    return [*description_questions(works), *kept, tag_question(works)]
