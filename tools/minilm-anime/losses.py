"""The losses of a step. All texts of a step are encoded together, once."""

import torch
from torch.nn.functional import log_softmax, softmax

from encoder import joined, vectors
from material import ACROSS, MEANINGS, PASSAGES, SHORT, UNSURE, one_of_each, two_of_each

MASKED = -1e4
TOKENS_AT_ONCE = 65536


class Losses:
    def __init__(self, material, recipe, start, teacher=None):
        """`start`: vectors of all texts by the start. `teacher`: (of descriptions' texts, of synopses),
        vectors by the models so far."""
        self.material, self.recipe, self.start, self.teacher = material, recipe, start, teacher
        # Every synopsis is a candidate; those that a step does not encode are as they were encoded last.
        self.synopses = start[material.synopses].clone()

    def step(self, model):
        material, weights = self.material, self.recipe.weights
        works = material.draw_works(self.recipe.works)
        asking, other = two_of_each(material.descriptions, works)
        sites = one_of_each(material.sites, works)
        half = torch.arange(len(works), device=works.device) < len(works) // 2
        parts = {
            "asking": asking,
            "synopses": material.synopses[works],
            "others": other[half & (other >= 0)],
            "facts": material.facts[works][half],
            "sites": sites[half & (sites >= 0)],
        }
        passages = material.draw(material.pairs["passages"], PASSAGES)
        across = material.draw(material.pairs["across"], ACROSS)
        meanings = material.draw(material.pairs["meanings"], MEANINGS)
        chosen = material.draw(torch.arange(len(material.short), device=works.device), SHORT)
        parts |= {
            "passages": passages[:, 0],
            "rests": passages[:, 1],
            "across, asking": across[:, 0],
            "across": across[:, 1],
            "words": meanings[:, 0],
            "meanings": meanings[:, 1],
            "short": material.short[chosen],
        }
        found = self.encode(model, parts)
        groups = material.groups[works]
        everything = self.synopses.clone()
        everything[works] = found["synopses"]
        self.synopses[works] = found["synopses"].detach()
        own = {name: found[name] for name in ("others", "facts", "sites")}
        rows = {"others": half & (other >= 0), "facts": half, "sites": half & (sites >= 0)}

        losses = {
            "descriptions synopses": self.synopsis_loss(found["asking"], asking, everything, works),
            "short synopses": self.short_loss(found["short"], chosen, everything),
            "passages rests": self.pair_loss(found["passages"], found["rests"], passages[:, 2]),
            "across": self.pair_loss(found["across, asking"], found["across"], across[:, 2]),
            "meanings": self.pair_loss(found["words"], found["meanings"], meanings[:, 2]),
        }
        for name, queries, texts in (
            ("descriptions descriptions", "asking", "others"),
            ("descriptions facts", "asking", "facts"),
            ("descriptions sites", "asking", "sites"),
            ("synopses facts", "synopses", "facts"),
            ("synopses sites", "synopses", "sites"),
        ):
            chosen = rows[texts]
            losses[name] = self.pair_loss(found[queries][chosen], own[texts], groups[chosen])
        kept = torch.cat([parts["passages"], parts["rests"], parts["sites"]])
        now = torch.cat([found["passages"], found["rests"], found["sites"]])
        losses["keep"] = self.keep_loss(now, self.start[kept])
        total = sum(weights.get(name, self.recipe.keep) * loss for name, loss in losses.items())
        return total, losses

    def encode(self, model, parts):
        drop = self.recipe.drop
        short = {"words", "short"}
        taken = [
            self.material.rows.take(rows, 0.0 if name in short else drop)
            for name, rows in parts.items()
        ]
        together = vectors(model, *joined(taken), TOKENS_AT_ONCE)
        return dict(zip(parts, together.split([len(rows) for rows in parts.values()])))

    def synopsis_loss(self, queries, texts, synopses, works):
        """A description for its synopsis among all of the part, and back among the step's own; others of
        its franchise are neither right nor wrong."""
        groups, scale = self.material.groups, self.recipe.scale
        same = groups[works][:, None] == groups[None]
        own = torch.zeros_like(same)
        own[torch.arange(len(works), device=works.device), works] = True
        hidden = same & ~own
        scores = (scale * queries @ synopses.T).masked_fill(hidden, MASKED)
        wanted = own.float()
        if self.teacher is not None and self.recipe.distil:
            by_text, by_work = self.teacher
            taught = (scale * by_text[texts] @ by_work.T).masked_fill(hidden, MASKED)
            wanted = (1 - self.recipe.distil) * wanted + self.recipe.distil * softmax(taught, 1)
        there = -(wanted * log_softmax(scores, 1)).sum(1).mean()
        back = -log_softmax(scores[:, works].T, 1).diagonal().mean()
        return 0.5 * (there + back)

    def short_loss(self, queries, chosen, synopses):
        """Words of tags and facts for all synopses that have them."""
        wanted = self.material.wanted[chosen]
        scores = (self.recipe.scale * queries @ synopses.T).masked_fill(wanted == UNSURE, MASKED)
        wanted = wanted.masked_fill(wanted == UNSURE, 0).float()
        wanted = wanted / wanted.sum(1, keepdim=True)
        return -(wanted * log_softmax(scores, 1)).sum(1).mean()

    def pair_loss(self, queries, texts, groups):
        """Each query for its text among those of the step, and back."""
        if not len(queries):
            return queries.sum()
        same = groups[:, None] == groups[None]
        same.fill_diagonal_(False)
        scores = (self.recipe.scale * queries @ texts.T).masked_fill(same, MASKED)
        there, back = log_softmax(scores, 1).diagonal(), log_softmax(scores, 0).diagonal()
        return -0.5 * (there.mean() + back.mean())

    def keep_loss(self, now, before):
        return (now @ now.T - before @ before.T).square().mean()
