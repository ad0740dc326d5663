"""Which records are about the same work, and which must be held out together.

Titles join few works across sites (one writes them in Japanese, another in English), so texts join
more: two records of two sites that are each other's nearest, by the teacher and by shared rare
words, are taken for one work.
"""

import collections
import zlib

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from texts import SOURCES, same_beginning

FOLDS = 3
# Rare shared words (names) tell works apart better than the teacher's cosine does.
WORD_WEIGHT = 1.5
# Of the links above SURE_LINK whose works are known by title, 94 to 100 % were of one franchise.
# Weaker links hold out more than they must, which is the safe side.
SURE_LINK = 1.0
HELD_OUT_LINK = 0.9


def source_rows(records):
    rows = collections.defaultdict(list)
    for index, record in enumerate(records):
        rows[record["source"]].append(index)
    return {source: np.array(rows[source]) for source in SOURCES}


def cross_site_links(records, vectors):
    """[(record, record of another site, score)]: pairs that are each other's nearest."""
    vectorizer = TfidfVectorizer(token_pattern=r"[a-z0-9]+", sublinear_tf=True)
    words = vectorizer.fit_transform([record["text"].lower() for record in records])
    rows = source_rows(records)
    links = []
    for first, second in (("anilist", "planet"), ("anilist", "manga"), ("planet", "manga")):
        left, right = rows[first], rows[second]
        shared = (words[left] @ words[right].T).toarray()
        scores = vectors[left] @ vectors[right].T + WORD_WEIGHT * shared
        nearest, nearest_back = scores.argmax(1), scores.argmax(0)
        for index, other in enumerate(nearest):
            score = float(scores[index, other])
            if nearest_back[other] == index and score >= HELD_OUT_LINK:
                links.append((int(left[index]), int(right[other]), score))
    return links


def franchise_groups(records, links):
    """A group number a record: joined by title, franchise, equal beginning or link."""
    parent = list(range(len(records)))

    def root(index):
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first_with = {}
    for index, record in enumerate(records):
        for kind, key in (
            ("work", record["work"]),
            ("franchise", record["franchise"]),
            ("beginning", record["text"][:60]),
        ):
            parent[root(index)] = root(first_with.setdefault((kind, key), index))
    for first, second, _ in links:
        parent[root(first)] = root(second)
    return np.array([root(index) for index in range(len(records))])


def fold_of_groups(records, groups):
    """A fold a record, the same for a whole group, and the same in every run."""
    keys = [records[group]["franchise"].encode() for group in groups]
    return np.array([zlib.crc32(key) % FOLDS for key in keys])


def partners(records, links, allowed):
    """For each allowed record the records of other sites about the same work, where there are."""
    by_work = collections.defaultdict(list)
    for index in np.flatnonzero(allowed):
        by_work[records[index]["work"]].append(int(index))
    found = collections.defaultdict(list)
    for members in by_work.values():
        for one in members:
            for other in members:
                if records[one]["source"] != records[other]["source"]:
                    found[one].append(other)
    for one, other, score in links:
        if score >= SURE_LINK and allowed[one] and allowed[other] and other not in found[one]:
            found[one].append(other)
            found[other].append(one)
    return {index: others for index, others in found.items() if others}


def title_pairs(records, query_source, index_source):
    """[(query record, records of the same title)], leaving out texts that begin the same."""
    rows = source_rows(records)
    targets = collections.defaultdict(list)
    for index in rows[index_source]:
        targets[records[index]["work"]].append(int(index))
    pairs, seen = [], set()
    for index in rows[query_source]:
        record = records[index]
        found = targets.get(record["work"])
        if not found or record["work"] in seen:
            continue
        if any(same_beginning(record["text"], records[other]["text"]) for other in found):
            continue
        seen.add(record["work"])
        pairs.append((int(index), found))
    return pairs
