"""What a table learns from the works: which texts ask for which.

Descriptions, synopses, facts and the tags of works are of the training part alone; the three sites'
texts are left out where they are about a work, or a franchise, of another part.
"""

import collections
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse

from parts import WORKS, read_works
from static_encoder import token_ids
from texts import franchise_key, opening, read_records, same_beginning, sentences, work_key

SEED = 20261125
SENTENCES_PER_TEXT = 2
MIN_SENTENCE_CHARACTERS = 40
SHORTEST_REST = 40  # characters
TYPES = {"tv": "tv series", "one_shot": "one shot", "light_novel": "light novel"}


class Corpus:
    """Texts as sparse rows of token counts, and the number of each one's franchise."""

    def __init__(self, tokenizer, texts, groups):
        bags = token_ids(tokenizer, texts)
        ends = np.concatenate([[0], np.cumsum([len(bag) for bag in bags])])
        tokens = np.concatenate([np.array(bag, np.int32) for bag in bags])
        shape = (len(bags), tokenizer.get_vocab_size())
        ones = np.ones(len(tokens), np.float32)
        self.counts = scipy.sparse.csr_matrix((ones, tokens, ends), shape=shape)
        self.groups = np.array(groups, np.int64)

    def __len__(self):
        return self.counts.shape[0]


@dataclass
class Tags:
    words: Corpus  # names and synonyms; `tags` has the tag of each
    meanings: Corpus  # one a tag
    words_by_tag: list
    degrees: np.ndarray  # tags x works, 0 to 3
    words_in_use: np.ndarray  # of tags that are strong somewhere
    strong: np.ndarray  # 2 where the work is about the tag, 1 where it is clearly there, else 0


@dataclass
class Material:
    corpora: dict
    pairs: dict  # (corpus of the queries, corpus that they search): [row, row]
    tags: Tags


def without_fold(works, work, fold):
    """The works that no text of the fold is about, and whether a record of the sites' texts is of it."""
    from works import cross_site_links, fold_of_groups, franchise_groups

    records = json.loads((Path(work) / "records.json").read_text())
    groups = franchise_groups(records, cross_site_links(records, np.load(Path(work) / "text.npy")))
    folds = fold_of_groups(records, groups)
    held_out = [record for record, own in zip(records, folds) if own == fold]
    texts = {(record["source"], record["title"], record["text"]) for record in held_out}
    keys = {record[name] for record in held_out for name in ("work", "franchise")}

    def is_known(work):
        named = titles_of(work)
        return any({work_key(title), franchise_key(title)} & keys for title in named)

    known = {work["franchise"] for work in works if is_known(work)}
    kept = [work for work in works if work["franchise"] not in known]
    return kept, lambda record: (record["source"], record["title"], record["text"]) in texts


def read_material(tokenizer, works, data, is_held_out=None):
    records = site_records(data, works)
    if is_held_out is not None:
        records = [record for record in records if not is_held_out(record)]
    numbers = collections.defaultdict(lambda: len(numbers))

    def corpus(texts, franchises):
        return Corpus(tokenizer, texts, [numbers[franchise] for franchise in franchises])

    tags = json.loads((WORKS / "tags.json").read_text(encoding="utf-8"))
    names = {tag["tag"]: tag["name"] for tag in tags}
    franchises = [work["franchise"] for work in works]
    described = [(row, text) for row, work in enumerate(works) for text in work["descriptions"]]
    of_work = np.array([row for row, _ in described])
    passages = site_passages(records)
    of_record = [row for row, _, _ in passages]
    site_franchises = [record["franchise"] for record in records]
    passage_franchises = [site_franchises[row] for row in of_record]
    corpora = {
        "synopses": corpus([work["synopsis"] for work in works], franchises),
        "descriptions": corpus(
            [text for _, text in described], [franchises[row] for row in of_work]
        ),
        "facts": corpus([facts_line(work, names) for work in works], franchises),
        "sites": corpus([record["text"] for record in records], site_franchises),
        "passages": corpus([passage for _, passage, _ in passages], passage_franchises),
        "rests": corpus([rest for _, _, rest in passages], passage_franchises),
    }
    sites = collections.defaultdict(list)
    for row, record in enumerate(records):
        sites[record["of"]].append(row)
    own = collections.defaultdict(list)
    for row, work in enumerate(of_work):
        own[work].append(row)
    pairs = {
        ("descriptions", "synopses"): enumerate(of_work),
        ("descriptions", "facts"): enumerate(of_work),
        ("descriptions", "descriptions"): (
            (one, other) for rows in own.values() for one in rows for other in rows if one != other
        ),
        ("descriptions", "sites"): (
            (row, site) for row, work in enumerate(of_work) for site in sites[work]
        ),
        ("synopses", "facts"): ((row, row) for row in range(len(works))),
        ("synopses", "sites"): ((work, site) for work in range(len(works)) for site in sites[work]),
        ("passages", "rests"): ((row, row) for row in range(len(passages))),
        ("passages", "sites"): two_site_pairs(records, of_record),
    }
    pairs = {names: np.array(list(listed)) for names, listed in pairs.items()}
    return Material(corpora, pairs, read_tags(tokenizer, tags, works))


def site_records(data, works):
    """The sites' texts, `of` the work of the training part that each is about, where that is known."""
    parts = collections.defaultdict(set)
    for work in read_works():
        for title in titles_of(work):
            parts[work_key(title)].add(work["part"])
            parts[franchise_key(title)].add(work["part"])
    place = {}
    for row, work in enumerate(works):
        for title in titles_of(work):
            place.setdefault((work["dataset"], work_key(title)), row)
    kept = []
    for record in read_records(data):
        found = parts.get(record["work"], set()) | parts.get(record["franchise"], set())
        if found - {"training"}:
            continue
        dataset = "manga" if record["source"] == "manga" else "anime"
        row = place.get((dataset, record["work"]))
        own = record["franchise"] if row is None else works[row]["franchise"]
        kept.append(record | {"of": row, "franchise": own})
    return kept


def titles_of(work):
    titles = work["titles"]
    named = [titles.get("romaji"), titles.get("english"), *titles.get("other", [])]
    return [title for title in named if title and work_key(title)]


def site_passages(records):
    """[(record, passage, rest of its text)]: the opening and stray sentences."""
    rng = random.Random(SEED)
    passages = []
    for row, record in enumerate(records):
        text = record["text"]
        parts = [part for part in sentences(text) if len(part) >= MIN_SENTENCE_CHARACTERS]
        chosen = rng.sample(parts, min(SENTENCES_PER_TEXT, len(parts)))
        for passage in [opening(text), *chosen]:
            rest = text.replace(passage, " ")
            if len(rest) >= SHORTEST_REST:
                passages.append((row, passage, rest))
    return passages


def two_site_pairs(records, of_record):
    """A passage, and the work's text on another site, unless that is the same text."""
    by_work = collections.defaultdict(list)
    for row, record in enumerate(records):
        by_work[record["work"]].append(row)
    for passage, row in enumerate(of_record):
        for other in by_work[records[row]["work"]]:
            there = records[other]
            copied = same_beginning(there["text"], records[row]["text"])
            if there["source"] != records[row]["source"] and not copied:
                yield passage, other


def facts_line(work, names):
    """What is known of a work in the words of queries: decade, audience, genres, tags, type."""
    decade = [f"{work['year'] // 10 * 10}s"] if work.get("year") else []
    audience = [work["audience"]] if work.get("audience") else []
    tags = sorted(work["tags"], key=lambda tag: -work["tags"][tag])
    kind = TYPES.get(work["type"], work["type"])
    return " ".join([*decade, *audience, *work["genres"], *(names[tag] for tag in tags), kind])


def read_tags(tokenizer, tags, works):
    place = {tag["tag"]: row for row, tag in enumerate(tags)}
    listed = [
        (row, word) for row, tag in enumerate(tags) for word in {tag["name"], *tag["synonyms"]}
    ]
    listed.sort()
    words = Corpus(tokenizer, [word for _, word in listed], [row for row, _ in listed])
    words.tags = words.groups
    meanings = [f"{tag['name']}. {tag['meaning']}" for tag in tags]
    degrees = np.zeros((len(tags), len(works)), np.float32)
    for column, work in enumerate(works):
        for tag, weight in work["tags"].items():
            degrees[place[tag], column] = weight
    return Tags(
        words=words,
        meanings=Corpus(tokenizer, meanings, range(len(tags))),
        words_by_tag=[np.flatnonzero(words.tags == row) for row in range(len(tags))],
        words_in_use=np.flatnonzero((degrees > 1).any(1)[words.tags]),
        degrees=degrees,
        strong=np.maximum(degrees - 1, 0),
    )
