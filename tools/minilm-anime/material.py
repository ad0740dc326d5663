"""training.json.xz on the device: its texts as rows of tokens, its pairs as tensors, and what a step
draws from them.
"""

from pathlib import Path

import torch

from encoder import Rows
from judging import read
from numbered_texts import PAIRS, with_own_texts

LONGEST = 128  # tokens
PASSAGES, ACROSS, SHORT, MEANINGS = 384, 192, 320, 192  # a step


class Material:
    def __init__(self, folder, device, share=1.0, held_out=None):
        """A share below 1 draws less: a trial of the code. `held_out`: the fold that is not learnt."""
        learnt = read(Path(folder) / "training.json.xz")
        if held_out is not None:
            learnt = with_own_texts(learnt["folds"][str(held_out)], learnt["texts"])
        learnt = less_of(learnt, share)
        self.device, self.share = device, share
        self.rows = Rows(folder, learnt["texts"], LONGEST, device)
        tensor = lambda values: torch.tensor(values, device=device)
        works = learnt["works"]
        self.synopses = tensor([work["synopsis"] for work in works])
        self.facts = tensor([work["facts"] for work in works])
        self.groups = tensor([work["group"] for work in works])
        self.descriptions = ragged([work["descriptions"] for work in works], device)
        self.sites = ragged([work["sites"] for work in works], device)
        self.pairs = {name: tensor(learnt[name]) for name in PAIRS}
        self.short = tensor([text for text, _, _ in learnt["short"]])
        self.wanted = torch.zeros(len(self.short), len(works), dtype=torch.uint8, device=device)
        for row, (_, right, unsure) in enumerate(learnt["short"]):
            columns, weights = zip(*right)
            self.wanted[row, tensor(columns)] = tensor(weights).to(torch.uint8)
            if unsure:
                self.wanted[row, tensor(unsure)] = UNSURE

    def __len__(self):
        return len(self.synopses)

    def draw(self, pairs, count):
        """Rows of a tensor."""
        count = max(8, int(count * self.share))
        return pairs[torch.randint(len(pairs), (min(count, len(pairs)),), device=self.device)]

    def draw_works(self, count):
        count = max(8, int(count * self.share))
        return torch.randperm(len(self), device=self.device)[:count]


UNSURE = 255


def less_of(learnt, share):
    """The first works, pairs and queries, and the texts that these need."""
    if share >= 1:
        return learnt
    part = {
        name: listed[: max(40, int(len(listed) * share))]
        for name, listed in learnt.items()
        if name != "texts"
    }
    count, short = len(part["works"]), []
    for text, right, unsure in part["short"]:
        right = [[row, weight] for row, weight in right if row < count]
        if right:
            short.append([text, right, [row for row in unsure if row < count]])
    return with_own_texts(part | {"short": short}, learnt["texts"])


def ragged(lists, device):
    """(numbers padded by -1, how many each row has)."""
    width = max(1, max(map(len, lists)))
    padded = [own + [-1] * (width - len(own)) for own in lists]
    return torch.tensor(padded, device=device), torch.tensor(
        [len(own) for own in lists], device=device
    )


def one_of_each(listed, rows):
    """One number of each row at random; -1 where a row has none."""
    padded, counts = listed
    place = (torch.rand(len(rows), device=rows.device) * counts[rows]).long()
    return padded[rows, place]


def two_of_each(listed, rows):
    """Two different ones where there are two, else -1 for the second."""
    padded, counts = listed
    own = counts[rows]
    first = (torch.rand(len(rows), device=rows.device) * own).long()
    step = 1 + (torch.rand(len(rows), device=rows.device) * (own - 1).clamp(min=1)).long()
    second = (first + step) % own.clamp(min=1)
    one, other = padded[rows, first], padded[rows, second]
    return one, torch.where(own > 1, other, -1)
