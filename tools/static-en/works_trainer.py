"""What a step of continue.py learns from, and how much each part of it weighs."""

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse

from numpy_table import MASKED, NumpyTable, contrast, keep_cosines, with_drops

TAG_QUERIES = 96  # of one tag, and as many of two
TAG_WORDS = 192  # a step, for meanings


@dataclass
class Recipe:
    steps: int = 120
    learning_rate: float = 1e-3
    # The start's mean row length against the learning rate: how far training may leave the start.
    start_length: float = 0.7
    scale: float = 20.0
    drop: float = 0.35  # share of tokens left out, so that no single word is relied on
    batch: int = 320
    keep: float = 100.0  # weight of the start's cosines between the sites' texts
    weights: dict = field(
        default_factory=lambda: {
            "descriptions synopses": 1.0,
            "descriptions descriptions": 0.5,
            "descriptions sites": 0.5,
            "descriptions facts": 0.25,
            "synopses facts": 0.1,
            "synopses sites": 0.25,
            "passages rests": 0.5,
            "passages sites": 0.25,
            "tags synopses": 0.3,
            "tags meanings": 0.1,
        }
    )


class Trainer:
    def __init__(self, material, recipe, seed):
        self.corpora, self.pairs, self.tags = material.corpora, material.pairs, material.tags
        self.recipe = recipe
        self.rng = np.random.default_rng(seed)

    def train(self, start, report, every):
        """Calls report(step, rows, losses) every so many steps; returns the rows."""
        recipe = self.recipe
        start = start * (recipe.start_length / np.linalg.norm(start, axis=1).mean())
        table, self.start = NumpyTable(start), NumpyTable(start)
        for step in range(recipe.steps):
            losses = self.losses(table)
            pace = 0.5 * (1 + np.cos(np.pi * step / recipe.steps))
            table.step(recipe.learning_rate * pace)
            if (step + 1) % every == 0:
                report(step + 1, table.rows, losses)
        return table.rows

    def losses(self, table):
        special = {
            "descriptions synopses": self.synopsis_loss,
            "tags synopses": self.tag_loss,
            "tags meanings": self.meaning_loss,
        }
        # Two tasks ask for all synopses: they are summed once.
        self.synopses = table.vectors(self.drop(self.corpora["synopses"].counts))
        found = {}
        for name, weight in self.recipe.weights.items():
            if name in special:
                found[name] = special[name](table, weight)
            else:
                found[name] = self.pair_loss(table, tuple(name.split()), weight)
        found["keep"] = self.keep_loss(table)
        return found

    def synopsis_loss(self, table, weight):
        """Against all synopses of the part; others of the franchise are neither right nor wrong."""
        queries, texts = self.corpora["descriptions"], self.corpora["synopses"]
        chosen = self.draw(self.pairs["descriptions", "synopses"])
        rows, right = chosen.T
        wanted = one_hot(right, len(texts))
        bias = np.zeros_like(wanted)
        bias[queries.groups[rows][:, None] == texts.groups[None]] = MASKED
        bias[wanted > 0] = 0
        asking = table.vectors(self.drop(queries.counts[rows]))
        return self.contrast(asking, self.synopses, wanted, weight, bias)

    def pair_loss(self, table, names, weight):
        """Each query of a batch against the texts of the batch."""
        queries, texts = (self.corpora[name] for name in names)
        asking, answering = self.draw(self.pairs[names]).T
        wanted = np.eye(len(asking), dtype=np.float32)
        same = queries.groups[asking][:, None] == texts.groups[answering][None]
        bias = np.where(same & (wanted == 0), np.float32(MASKED), np.float32(0))
        left = table.vectors(self.drop(queries.counts[asking]))
        right = table.vectors(self.drop(texts.counts[answering]))
        return self.contrast(left, right, wanted, weight, bias)

    def tag_loss(self, table, weight):
        """One tag's everyday words, or those of two tags of one work, for the synopses that have them,
        the more the work is about them."""
        tags = self.tags
        single = self.rng.choice(tags.words_in_use, TAG_QUERIES, replace=False)
        first, second = self.tag_couples()
        counts = [tags.words.counts[single], tags.words.counts[first] + tags.words.counts[second]]

        def of_words(degrees):
            one, other = (degrees[tags.words.tags[words]] for words in (first, second))
            return np.concatenate([degrees[tags.words.tags[single]], one * other])

        wanted = of_words(tags.strong)
        # A weak tag: neither right nor wrong.
        bias = np.where((wanted == 0) & (of_words(tags.degrees) > 0), MASKED, 0).astype(np.float32)
        wanted = wanted / wanted.sum(1, keepdims=True)
        asking = table.vectors(scipy.sparse.vstack(counts, format="csr"))
        return self.contrast(asking, self.synopses, wanted, weight, bias, both=False)

    def tag_couples(self):
        couples = []
        for work in self.rng.choice(self.tags.strong.shape[1], TAG_QUERIES):
            own = np.flatnonzero(self.tags.strong[:, work])
            if len(own) > 1:
                tags = self.rng.choice(own, 2, replace=False)
                couples.append([self.rng.choice(self.tags.words_by_tag[tag]) for tag in tags])
        return np.array(couples).T

    def meaning_loss(self, table, weight):
        """A tag's words for its name and meaning."""
        words, meanings = self.tags.words, self.tags.meanings
        chosen = self.rng.choice(len(words), TAG_WORDS, replace=False)
        wanted = one_hot(words.tags[chosen], len(meanings))
        asking = table.vectors(words.counts[chosen])
        answering = table.vectors(self.drop(meanings.counts))
        return self.contrast(asking, answering, wanted, weight, 0, both=False)

    def keep_loss(self, table):
        loss = 0
        for name in ("passages", "sites"):
            counts = self.corpora[name].counts
            counts = counts[self.rng.choice(counts.shape[0], self.recipe.batch, replace=False)]
            start = self.start.vectors(counts).unit
            self.start.pending.clear()
            loss += keep_cosines(table.vectors(self.drop(counts)), start, self.recipe.keep / 2)
        return loss

    def contrast(self, queries, texts, wanted, weight, bias, both=True):
        scale = self.recipe.scale
        return contrast(queries, texts, wanted, scale=scale, weight=weight, bias=bias, both=both)

    def draw(self, pairs):
        count = min(self.recipe.batch, len(pairs))
        return pairs[self.rng.choice(len(pairs), count, replace=False)]

    def drop(self, counts):
        return with_drops(counts, self.rng, self.recipe.drop)


def one_hot(columns, count):
    wanted = np.zeros((len(columns), count), np.float32)
    wanted[np.arange(len(columns)), columns] = 1
    return wanted
