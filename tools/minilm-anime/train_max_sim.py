"""Late interaction for minilm-anime: trains its token vectors on a processor that has AMX.

    OMP_NUM_THREADS=2 python tools/minilm-anime/train_max_sim.py --output ../max-sim/one.npz --minutes 15

A description or a scene of a work of the training part searches another text of the work: each token of the query
counts by its nearest (cosine), weighted by idf - 1.5. The pooled vectors have the same task in a second loss.
Works of a step that are near each other are hard negatives (`--hard`, their share). The start is what ships,
dequantized. Writes float32 weights for export.py. Nothing that ships was made with it: the results are in
bench/results/quality/encoders.md.
"""

import argparse
import json
import math
import random
import sys
import time
from pathlib import Path

import numpy as np
import torch
from scipy.sparse import csr_array
from tokenizers import Tokenizer
from torch.nn.functional import log_softmax, normalize
from transformers import BertConfig, BertModel

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "works"))

from folds_on_processor import quick
from onnx_encoder import tokenizer_file
from onnx_weights import dequantized
from parts import refuse_others, works_for
from train import running_mean

LONGEST_QUERY, LONGEST = 48, 128  # tokens
MASKED = -1e4
LEAST_IDF = 1.5
NEAREST, GROUP = 24, 8  # works that are near one, and how many a step has together
AT_ONCE = 3  # parts of a step's texts, by length
SEED = 20261130


class Texts:
    """The tokens of texts, and the idf of each token among works."""

    def __init__(self, model):
        self.tokenizer = Tokenizer.from_file(str(tokenizer_file(model)))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.idf = torch.zeros(self.tokenizer.get_vocab_size())

    def count(self, works):
        seen = torch.zeros_like(self.idf)
        for work in works:
            texts = [work["synopsis"], *work["descriptions"], *work.get("scenes", [])]
            seen[list({token for one in texts for token in self.ids(one, LONGEST)})] += 1
        self.idf = (torch.log(len(works) / (1 + seen)) - LEAST_IDF).clamp(min=0)
        self.idf[[101, 102]] = 0  # [CLS], [SEP]

    def ids(self, text, longest):
        ids = self.tokenizer.encode(text).ids
        return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]


def padded(rows):
    lengths = torch.tensor([len(row) for row in rows])
    ids = torch.zeros(len(rows), -(-int(lengths.max()) // 8) * 8, dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = torch.tensor(row)
    return ids, torch.arange(ids.shape[1])[None] < lengths[:, None]


def encode(model, rows):
    """(token vectors of length 1, mask, mean of the tokens of length 1, ids)."""
    ids, mask = padded(rows)
    hidden = model(input_ids=ids, attention_mask=mask.long()).last_hidden_state
    shares = (mask / mask.sum(1, keepdim=True))[..., None]
    return normalize(hidden, dim=2), mask, normalize((hidden.float() * shares).sum(1), dim=1), ids


def drawn(work, chance):
    """A query, and another text of the work: its synopsis, a description or the other scenes."""
    descriptions = [text for text in work["descriptions"] if text]
    scenes = [*work.get("scenes", []), *work.get("spoilers", [])]
    if scenes and chance.random() < 0.5:
        query = chance.choice(scenes)
    else:
        query = chance.choice(descriptions)
    others = [work["synopsis"], work["synopsis"], " ".join(text for text in scenes if text != query)]
    others += [text for text in descriptions if text != query]
    return query, chance.choice([text for text in others if text])


class Steps:
    """Draws works: a share of them as the nearest of a few by rare words, the others at random; one a franchise."""

    def __init__(self, works, texts, size, hard):
        self.works, self.size, self.hard = works, size, hard
        self.chance = random.Random(SEED)
        rows = [sorted(set(texts.ids(work["synopsis"], LONGEST))) for work in works]
        columns = np.concatenate(rows)
        begins = np.cumsum([0, *map(len, rows)])
        words = csr_array((texts.idf.numpy()[columns], columns, begins), (len(works), len(texts.idf)))
        words = words.multiply(1 / np.sqrt(words.multiply(words).sum(1))[:, None]).tocsr()
        self.nearest = np.argsort(-(words @ words.T).toarray(), 1)[:, :NEAREST].tolist()

    def draw(self):
        rows, franchises = [], set()
        while len(rows) < self.size:
            seed = self.chance.randrange(len(self.works))
            group = [seed]
            if len(rows) < self.hard * self.size:
                group += self.chance.sample(self.nearest[seed], GROUP - 1)
            for row in group:
                franchise = self.works[row]["franchise"]
                if franchise not in franchises and len(rows) < self.size:
                    franchises.add(franchise)
                    rows.append(row)
        return [drawn(self.works[row], self.chance) for row in rows]


def losses(model, texts, drawn_texts, scale):
    asking = [texts.ids(query, LONGEST_QUERY) for query, _ in drawn_texts]
    described = [texts.ids(text, LONGEST) for _, text in drawn_texts]
    query, query_mask, query_mean, query_ids = encode(model, asking)
    nearest, means = [], []
    order = sorted(range(len(described)), key=lambda row: len(described[row]))
    for part in np.array_split(order, AT_ONCE):
        vectors, mask, mean, _ = encode(model, [described[row] for row in part])
        vectors = (vectors * mask[..., None]).flatten(0, 1)
        cosines = (query.flatten(0, 1) @ vectors.T).view(*query.shape[:2], *mask.shape)
        nearest.append(cosines.max(3).values.float())
        means.append(mean)
    back = torch.argsort(torch.tensor(order))
    nearest = torch.cat(nearest, 2)[:, :, back]
    weights = (texts.idf[query_ids] + 1e-4) * query_mask
    weights = weights / weights.sum(1, keepdim=True)
    late = (nearest * weights[..., None]).sum(1)
    return {"late": contrast(scale * late), "pooled": contrast(20 * query_mean @ torch.cat(means)[back].T)}


def contrast(scores):
    return -0.5 * (log_softmax(scores, 1).diagonal().mean() + log_softmax(scores, 0).diagonal().mean())


def new_model(folder, weights):
    settings = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    model = BertModel(BertConfig(**settings), add_pooling_layer=False)
    found = model.load_state_dict(weights, strict=False)
    if [name for name in found.missing_keys if not name.endswith("position_ids")] or found.unexpected_keys:
        raise ValueError(f"weights of another model: {found}")
    return model


def main():
    arguments = parse_arguments()
    torch.manual_seed(SEED)
    began = time.monotonic()
    works = works_for("training")
    refuse_others((text for work in works for text in work["descriptions"]), "training")
    shipped = dequantized(arguments.model, arguments.like)
    start = {name: torch.tensor(value) for name, value in shipped.items()}
    exact, model = new_model(arguments.model, start), quick(new_model(arguments.model, start))
    texts = Texts(arguments.model)
    texts.count(works)
    steps = Steps(works, texts, arguments.works, arguments.hard)
    print(f"{len(works)} works; ready after {time.monotonic() - began:.0f} s", flush=True)

    for network in (exact, model):
        network.embeddings.requires_grad_(False)
        network.encoder.layer[: len(network.encoder.layer) - arguments.layers].requires_grad_(False)
    trained = [value for value in exact.parameters() if value.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=arguments.rate, weight_decay=0.01, fused=True)
    in_bf16 = dict(model.named_parameters())
    averaged, weight, seen = None, 0.0, []
    began, step, done = time.monotonic(), 0, 0.0
    while done < 1:
        step += 1
        pace = min(1, done / 0.05 + 0.01) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * pace
        parts = losses(model, texts, steps.draw(), arguments.scale)
        (parts["late"] + arguments.pooled * parts["pooled"]).backward()
        for name, value in exact.named_parameters():
            if not value.requires_grad:
                continue
            value.grad, in_bf16[name].grad = in_bf16[name].grad.float(), None
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        with torch.no_grad():
            for name, value in exact.named_parameters():
                in_bf16[name].copy_(value)
        averaged, weight = running_mean(averaged, weight, exact, 0.98)
        seen.append([float(part.detach()) for part in parts.values()])
        done = (time.monotonic() - began) / (60 * arguments.minutes)
        if arguments.steps:
            done = step / arguments.steps
        if step % 10 == 0:
            late, mean = np.mean(seen[-10:], 0)
            seconds = time.monotonic() - began
            print(f"{seconds:6.0f} s  step {step}: late {late:.3f}, pooled {mean:.3f}", flush=True)
    share = arguments.share
    mixed = {name: (share * averaged[name] + (1 - share) * start[name]).numpy() for name in start}
    Path(arguments.output).parent.mkdir(parents=True, exist_ok=True)
    np.savez(arguments.output, **mixed)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="models/builtin/minilm-anime", help="the start")
    parser.add_argument(
        "--like", default="../shared/models/all-MiniLM-L6-v2", help="the float32 network of its layout"
    )
    parser.add_argument("--output", default="../max-sim/weights.npz")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--steps", type=int, default=0, help="instead of minutes")
    parser.add_argument("--works", type=int, default=64, help="of a step")
    parser.add_argument("--hard", type=float, default=0.5, help="share of a step that is near each other")
    parser.add_argument("--layers", type=int, default=3, help="the last ones, which are trained")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--scale", type=float, default=30)
    parser.add_argument("--pooled", type=float, default=0.5, help="weight of the second loss")
    parser.add_argument("--share", type=float, default=1.0, help="of what was trained; the rest is the start")
    return parser.parse_args()


if __name__ == "__main__":
    main()
