"""Step 2: the table, one row a token, trained so that sums of rows behave like the teacher.

Rows start as the teacher's token vectors, reduced to 256 dimensions and weighted by idf. A batch's
cosine matrix is drawn to the teacher's, and each vector must pick its own teacher vector out of the
batch.
"""

import argparse
import collections
import json
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from static_encoder import DIMENSIONS, token_ids
from teacher import load_tokenizer

SEED = 20240117


def train_table(start, ids, targets, epochs=24, batch_size=256, learning_rate=2e-3):
    """The study's recipe: `ids` lists of tokens, `targets` unit teacher vectors, one a passage."""
    torch.manual_seed(SEED)
    table = torch.nn.EmbeddingBag(*start.shape, mode="sum")
    with torch.no_grad():
        table.weight.copy_(torch.from_numpy(start))
    to_teacher = torch.nn.Linear(start.shape[1], targets.shape[1], bias=False)
    parameters = [*table.parameters(), *to_teacher.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=learning_rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    tokens = [torch.tensor(passage) for passage in ids]
    teacher = torch.from_numpy(targets)
    for _ in range(epochs):
        for chosen in torch.randperm(len(tokens)).split(batch_size):
            bag = [tokens[index] for index in chosen]
            offsets = torch.tensor([0] + [len(part) for part in bag[:-1]]).cumsum(0)
            vectors = functional.normalize(table(torch.cat(bag), offsets), dim=1)
            wanted = teacher[chosen]
            structure = ((vectors @ vectors.T - wanted @ wanted.T) ** 2).mean()
            mapped = functional.normalize(to_teacher(vectors), dim=1)
            own = functional.cross_entropy(20 * mapped @ wanted.T, torch.arange(len(bag)))
            optimizer.zero_grad()
            (50 * structure + own).backward()
            optimizer.step()
        schedule.step()
    return table.weight.detach().numpy().copy()


def starting_table(token_vectors, ids):
    """The teacher's token vectors, their 256 leading directions, times idf over the passages."""
    centred = token_vectors - token_vectors.mean(0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    counts = collections.Counter(token for passage in ids for token in set(passage))
    frequency = np.array([counts.get(token, 0) for token in range(len(token_vectors))])
    idf = np.log((len(ids) + 1) / (frequency + 1))
    table = centred @ directions[:DIMENSIONS].T * (idf / idf.mean())[:, None]
    return table.astype(np.float32)


def main():
    arguments = parse_arguments()
    work = Path(arguments.work)
    torch.set_num_threads(arguments.threads)
    passages = json.loads((work / "text.json").read_text())
    targets = np.load(work / "text.npy")
    ids = token_ids(load_tokenizer(arguments.teacher), [passage for _, passage in passages])
    start = starting_table(np.load(work / "token_vectors.npy"), ids)
    np.save(work / "table.npy", train_table(start, ids, targets))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", default="../shared/models/all-MiniLM-L6-v2")
    parser.add_argument("--work", default="static-en-work", help="what prepare.py wrote")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
