"""Step 2: the table, one row a token, trained so that a sum of rows says what a text is about.

Two aims share every step. Distillation: the cosines within a batch of passages are drawn to the
teacher's, and a linear map of each vector must pick its own teacher vector out of the batch.
Contrast: a query must find its work's text among a batch of texts, which the teacher never
did and where the table overtakes what distillation alone gives.

Writes table.npy (trained on everything: what ships) or, with --held-out FOLD, table-FOLD.npy that
has seen nothing of the works of that fold. --plain trains by distillation of whole texts alone, the
recipe this one is measured against.
"""

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from material import DISTILLATION_SHARES, Pairs, Passages, as_arrays, with_drops
from row_table import RowTable
from static_encoder import DIMENSIONS, token_ids
from teacher import load_tokenizer
from works import cross_site_links, fold_of_groups, franchise_groups

SEED = 20240117
TEACHER_SCALE = 20.0
MAP_LEARNING_RATE = 2e-3


@dataclass(frozen=True)
class Recipe:
    runs: int = 3  # from one start, with other seeds; the mean of their tables beats each
    steps: int = 450
    passages: int = 192  # a batch, for distillation
    pairs: int = 320  # a batch, for contrast; the other pairs are the wrong answers
    two_site_share: float = 0.4  # of the pairs; the rest are passages and the rest of their text
    learning_rate: float = 2e-3
    # The start's mean row length against the learning rate: how far training may leave the start.
    start_length: float = 0.7
    structure_weight: float = 150.0
    own_weight: float = 1.0
    contrast_weight: float = 1.5
    contrast_scale: float = 20.0
    published_share: float = 0.3  # of the texts, drawn with the credits and markup of their site
    drop: float = 0.25  # share of tokens left out, so that no single word is relied on
    shares: tuple = tuple(DISTILLATION_SHARES.items())


PLAIN = Recipe(
    runs=1,
    steps=924,
    passages=256,
    pairs=0,
    start_length=6.5,
    structure_weight=50.0,
    published_share=0.0,
    drop=0.0,
    shares=(("text", 1.0),),
)


def train_table(start, passages, pairs, recipe):
    runs = [train_once(start, passages, pairs, recipe, SEED + run) for run in range(recipe.runs)]
    return np.mean(runs, axis=0)


def train_once(start, passages, pairs, recipe, seed):
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    table = RowTable(start)
    to_teacher = torch.nn.Linear(DIMENSIONS, passages.vectors.shape[1], bias=False)
    optimizer = torch.optim.Adam(to_teacher.parameters(), lr=MAP_LEARNING_RATE)
    for step in range(recipe.steps):
        pace = 0.5 * (1 + math.cos(math.pi * step / recipe.steps))
        loss = distillation_loss(table, to_teacher, passages, recipe, rng)
        if recipe.pairs:
            loss = loss + recipe.contrast_weight * contrast_loss(table, pairs, recipe, rng)
        optimizer.param_groups[0]["lr"] = MAP_LEARNING_RATE * pace
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        table.step(recipe.learning_rate * pace)
        if step % 100 == 0:
            print(f"step {step} of {recipe.steps}: loss {loss.item():.3f}", flush=True)
    return table.rows


def distillation_loss(table, to_teacher, passages, recipe, rng):
    bags, wanted = passages.draw(rng, recipe.passages, recipe.published_share)
    wanted = torch.from_numpy(wanted)
    vectors = functional.normalize(table.sums(with_drops(bags, rng, recipe.drop)), dim=1)
    structure = ((vectors @ vectors.T - wanted @ wanted.T) ** 2).mean()
    mapped = functional.normalize(to_teacher(vectors), dim=1)
    own = functional.cross_entropy(TEACHER_SCALE * mapped @ wanted.T, torch.arange(len(bags)))
    return recipe.structure_weight * structure + recipe.own_weight * own


def contrast_loss(table, pairs, recipe, rng):
    queries, found, groups = pairs.draw(
        rng, recipe.pairs, recipe.two_site_share, recipe.published_share
    )
    left = functional.normalize(table.sums(with_drops(queries, rng, recipe.drop)), dim=1)
    right = functional.normalize(table.sums(with_drops(found, rng, recipe.drop)), dim=1)
    groups = torch.from_numpy(groups)
    # Another text of the same franchise is no wrong answer, nor the right one.
    related = (groups[:, None] == groups[None]).fill_diagonal_(False)
    scores = (recipe.contrast_scale * left @ right.T).masked_fill(related, -1e4)
    own = torch.arange(len(groups))
    return (functional.cross_entropy(scores, own) + functional.cross_entropy(scores.T, own)) / 2


def starting_table(token_vectors, ids, recipe):
    """The teacher's token vectors in their 256 leading directions, times idf over the texts."""
    centred = token_vectors - token_vectors.mean(0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    table = centred @ directions[:DIMENSIONS].T
    frequency = np.zeros(len(table))
    for passage in ids:
        frequency[np.unique(passage)] += 1
    table *= np.log((len(ids) + 1) / (frequency + 1))[:, None]
    table *= recipe.start_length / np.linalg.norm(table, axis=1).mean()
    return table.astype(np.float32)


def main():
    arguments = parse_arguments()
    work = Path(arguments.work)
    torch.set_num_threads(arguments.threads)
    recipe = PLAIN if arguments.plain else Recipe()
    records = json.loads((work / "records.json").read_text())
    links = cross_site_links(records, np.load(work / "text.npy"))
    groups = franchise_groups(records, links)
    allowed = np.ones(len(records), bool)
    if arguments.held_out is not None:
        allowed = fold_of_groups(records, groups) != arguments.held_out

    tokenizer = load_tokenizer(arguments.teacher)
    texts, published = (
        as_arrays(token_ids(tokenizer, [record[field] for record in records]))
        for field in ("text", "raw")
    )
    passages = Passages(work, tokenizer, allowed, dict(recipe.shares), published)
    pairs = None
    if recipe.pairs:
        pairs = Pairs(records, links, groups, allowed, texts, published, passages)
    seen = [text for text, may in zip(texts, allowed) if may]
    start = starting_table(np.load(work / "token_vectors.npy"), seen, recipe)
    table = train_table(start, passages, pairs, recipe)
    np.save(work / table_name(arguments.held_out, arguments.plain), table)


def table_name(held_out=None, plain=False):
    fold = "" if held_out is None else f"-{held_out}"
    return f"{'plain-' if plain else ''}table{fold}.npy"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", default="../shared/models/all-MiniLM-L6-v2")
    parser.add_argument("--work", default="../static-en-work", help="what prepare.py wrote")
    parser.add_argument("--held-out", type=int, help="the fold whose works training must not see")
    parser.add_argument("--plain", action="store_true", help="the recipe to compare with")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
