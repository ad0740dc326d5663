"""How well a model answers judging.json.xz: MRR@10 of its vectors alone, of tags the precision of the
first five.
"""

import json
import lzma
from pathlib import Path

import torch

from encoder import Rows, encode_all

LONGEST = 256  # tokens, as the model is served


def read(path):
    return json.loads(lzma.decompress(Path(path).read_bytes()))


class Judge:
    def __init__(self, folder, device, share=1.0):
        """A share below 1 uses fewer queries, for a trial of the code."""
        judged = read(Path(folder) / "judging.json.xz")
        self.device, self.questions = device, []
        used = {}
        for question in judged["questions"]:
            count = max(1, int(len(question["queries"]) * share))
            right = [set(rows) for rows in question["right"][:count]]
            index = range(len(question["index"]))
            if share < 1:
                index = sorted(set().union(*right) | set(range(50)))
            place = {row: new for new, row in enumerate(index)}
            rows = lambda numbers: [used.setdefault(number, len(used)) for number in numbers]
            self.questions.append(
                (
                    question["name"],
                    torch.tensor(rows(question["queries"][:count]), device=device),
                    torch.tensor(rows([question["index"][row] for row in index]), device=device),
                    torch.tensor(
                        [[row, place[one]] for row, own in enumerate(right) for one in own],
                        device=device,
                    ).T,
                )
            )
        self.rows = Rows(folder, [judged["texts"][number] for number in used], LONGEST, device)

    def figures(self, model):
        vectors = encode_all(model, self.rows)
        found = {}
        for name, queries, index, right in self.questions:
            scores = vectors[queries] @ vectors[index].T
            wanted = torch.zeros_like(scores, dtype=torch.bool)
            wanted[right[0], right[1]] = True
            measure = precision_at_five if name == "tags" else reciprocal_rank
            found[name] = round(measure(scores, wanted).mean().item(), 4)
        return found | {"score": score(found)}


def reciprocal_rank(scores, wanted):
    best = scores.masked_fill(~wanted, -9).amax(1, keepdim=True)
    ranks = 1 + (scores > best).sum(1)
    return torch.where(ranks <= 10, 1 / ranks, 0.0)


def precision_at_five(scores, wanted):
    first = scores.topk(min(5, scores.shape[1]), dim=1).indices
    return torch.gather(wanted, 1, first).float().mean(1)


def score(found):
    """What recipes are chosen by. Descriptions count most; openings that training has not seen, tags and
    other people's descriptions, which are few, see to it that nothing is lost for them."""
    mean = lambda *names: sum(found[name] for name in names) / len(names)
    return round(
        mean("anime", "manga")
        + 0.25 * mean("kept, anilist", "kept, planet")
        + 0.25 * mean("unseen, anilist", "unseen, planet")
        + 0.1 * found["others"]
        + 0.25 * found["tags"],
        4,
    )


def shown(figures):
    return ", ".join(f"{name} {value:.4f}" for name, value in figures.items())
