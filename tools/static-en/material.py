"""What training draws its batches from: passages with teacher vectors, and pairs of a query with
the text that it should find.

Some texts are drawn as their site publishes them, with credits and markup, against the teacher's
vector of the clean text: the table learns that "(Source: ...)" says nothing.
"""

import json

import numpy as np

from static_encoder import token_ids
from works import partners

# How often a passage of a kind is drawn, against a whole text.
DISTILLATION_SHARES = {"text": 1.0, "opening": 0.5, "pair": 0.5, "sentence": 0.3}
# How often a record's passages serve as its query. Openings are what people paraphrase.
QUERY_SHARES = {"opening": 2.0, "pair": 1.0, "sentence": 0.25}
SHORTEST_REST = 5  # tokens; a text that is nearly all query is taken whole


class Passages:
    """All passages of the allowed records: token ids, teacher vectors, how often to draw each."""

    def __init__(self, work, tokenizer, allowed, shares, published):
        self.ids, self.weights, self.by_record, vectors = [], [], {}, []
        self.published = []  # the same passage as published; None for all but whole texts
        for kind, share in shares.items():
            listed = json.loads((work / f"{kind}.json").read_text())
            kept = [row for row, (record, _) in enumerate(listed) if allowed[record]]
            bags = as_arrays(token_ids(tokenizer, [listed[row][1] for row in kept]))
            vectors.append(np.load(work / f"{kind}.npy")[kept])
            for row, bag in zip(kept, bags):
                self.by_record.setdefault(listed[row][0], []).append((kind, bag))
            self.ids += bags
            whole = kind == "text"
            self.published += [published[listed[row][0]] if whole else None for row in kept]
            self.weights += [share] * len(kept)
        self.vectors = np.concatenate(vectors)
        self.weights = np.array(self.weights) / sum(self.weights)

    def draw(self, rng, count, published_share):
        chosen = rng.choice(len(self.ids), count, replace=False, p=self.weights)
        bags = [
            self.published[row]
            if self.published[row] is not None and rng.random() < published_share
            else self.ids[row]
            for row in chosen
        ]
        return bags, self.vectors[chosen]


class Pairs:
    """(query, text) of one work: from two sites where a work is on both, else a passage of a text
    and the rest of that text. Names in both teach the table what identifies a work."""

    def __init__(self, records, links, groups, allowed, texts, published, passages):
        self.groups, self.texts, self.published = groups, texts, published
        self.partners = partners(records, links, allowed)
        self.queries = {}
        for record, own in passages.by_record.items():
            own = [(QUERY_SHARES[kind], bag) for kind, bag in own if kind in QUERY_SHARES]
            if own:
                weights = np.array([weight for weight, _ in own])
                bags = [bag for _, bag in own]
                rests = [without(texts[record], bag) for bag in bags]
                self.queries[record] = (np.cumsum(weights / weights.sum()), bags, rests)
        self.on_two_sites = np.array(list(self.partners))
        self.with_passages = np.array(list(self.queries))

    def draw(self, rng, count, two_site_share, published_share):
        across = min(int(count * two_site_share), len(self.on_two_sites))
        queries, found, chosen = [], [], []
        for record in rng.choice(self.on_two_sites, across, replace=False):
            others = self.partners[record]
            queries.append(self._query(rng, record)[0])
            texts = self.published if rng.random() < published_share else self.texts
            found.append(texts[others[rng.integers(len(others))]])
            chosen.append(record)
        for record in rng.choice(self.with_passages, count - across, replace=False):
            query, rest = self._query(rng, record)
            queries.append(query)
            found.append(rest if len(rest) >= SHORTEST_REST else self.texts[record])
            chosen.append(record)
        return queries, found, self.groups[chosen]

    def _query(self, rng, record):
        if record not in self.queries:  # a text of one sentence
            return self.texts[record], self.texts[record]
        shares, bags, rests = self.queries[record]
        place = min(np.searchsorted(shares, rng.random()), len(bags) - 1)
        return bags[place], rests[place]


def as_arrays(ids):
    return [np.array(bag, np.int64) for bag in ids]


def without(text, passage):
    """The text's tokens without the first occurrence of the passage's."""
    for start in np.flatnonzero(text == passage[0]) if len(passage) else ():
        if np.array_equal(text[start : start + len(passage)], passage):
            return np.concatenate([text[:start], text[start + len(passage) :]])
    return text


def with_drops(bags, rng, share):
    """The same bags with some tokens left out; short ones stay whole."""
    if not share:
        return bags
    return [bag[rng.random(len(bag)) >= share] if len(bag) > 6 else bag for bag in bags]
