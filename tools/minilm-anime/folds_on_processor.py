"""folds.py without a GPU: one run of a fold, on one core of a processor that has AMX.

    OMP_NUM_THREADS=1 python3 folds_on_processor.py --folder . --out out --fold 0

Needs what folds.py needs. What is slow on a processor is left out (PyTorch's dropout, the attention whose way
back has no AMX) or cut (a tenth of each step, the start's vectors only of texts that a step holds); the rest is the
recipe. All folds run at once, a core each. Writes weights.FOLD.npz, which export.py reads: 0.85 of the run and 0.15
of the start, as it ships. Stopped, it goes on from its last checkpoint.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

import losses as losses_of
import material as material_of
from encoder import mixed, new_model, start_weights, vectors, weights_in
from folds import MEANS, RUNS
from recipes import Recipe
from train import SEED, parameter_groups, running_mean

TOKENS_AT_ONCE = 8192
DRAWN = ("PASSAGES", "ACROSS", "SHORT", "MEANINGS")


def main():
    arguments = parse_arguments()
    began = time.monotonic()

    def say(text):
        print(f"{time.monotonic() - began:7.1f} s  fold {arguments.fold}: {text}", flush=True)

    recipe = recipe_of(arguments)
    torch.manual_seed(SEED + arguments.run)
    start = start_weights(arguments.folder)
    device = torch.device("cpu")
    material = material_of.Material(arguments.folder, device, held_out=arguments.fold)
    say(f"{len(material)} works, {recipe.works} a step")
    start_vectors = StartVectors(quick(new_model(arguments.folder, start, device)), material.rows)
    losses = losses_of.Losses(material, recipe, start_vectors)
    say("synopses encoded by the start")
    run = Run(arguments, start, recipe)
    run.go_on(losses)
    while run.step < recipe.steps:
        parts = run.train_step(losses)
        shown_losses = ", ".join(f"{name} {float(part.detach()):.3f}" for name, part in parts.items())
        say(f"step {run.step}: {shown_losses}")
        if run.step % arguments.every == 0:
            run.write_checkpoint(losses)
    run.write_weights(start)


def recipe_of(arguments):
    """A run of folds.py, with less in a step."""
    recipe = replace(Recipe(), **RUNS[arguments.run])
    for name in DRAWN:
        setattr(losses_of, name, int(getattr(material_of, name) * arguments.draw))
    losses_of.TOKENS_AT_ONCE = TOKENS_AT_ONCE
    return replace(recipe, steps=arguments.steps, works=int(recipe.works * arguments.draw))


def attention(module, query, key, value, attention_mask, **_):
    """Plain products in bf16, for which AMX is used there and back, and no dropout."""
    scores = torch.matmul(query * query.shape[-1] ** -0.5, key.transpose(2, 3))
    if attention_mask is not None:
        scores += attention_mask
    return torch.matmul(torch.softmax(scores, -1), value).transpose(1, 2).contiguous(), None


def quick(model):
    """In bf16, all of it; without dropout, whose random numbers take longer than the products."""
    ALL_ATTENTION_FUNCTIONS.register("plain", attention)
    ALL_MASK_ATTENTION_FUNCTIONS.register("plain", ALL_MASK_ATTENTION_FUNCTIONS["eager"])
    model.set_attn_implementation("plain")
    return model.to(torch.bfloat16).eval()


class StartVectors:
    """Of texts by number, each encoded once, when it is needed."""

    def __init__(self, model, rows):
        self.model, self.rows = model, rows
        self.vectors = torch.zeros(len(rows), model.config.hidden_size)
        self.known = torch.zeros(len(rows), dtype=torch.bool)

    @torch.no_grad()
    def __getitem__(self, rows):
        new = torch.unique(rows)
        new = new[~self.known[new]]
        if len(new):
            self.vectors[new] = vectors(self.model, *self.rows.take(new), TOKENS_AT_ONCE)
            self.known[new] = True
        return self.vectors[rows]


class Run:
    """A model in bf16 for the products, its weights in float32 for the optimizer."""

    def __init__(self, arguments, start, recipe):
        self.recipe, self.arguments = recipe, arguments
        exact = new_model(arguments.folder, start, torch.device("cpu"))
        self.model = quick(new_model(arguments.folder, start, torch.device("cpu")))
        self.exact, self.in_bf16 = exact, dict(self.model.named_parameters())
        self.optimizer = torch.optim.AdamW(
            parameter_groups(exact, recipe), lr=recipe.learning_rate, fused=True
        )
        self.step, self.averaged, self.weight = 0, None, 0.0
        self.checkpoint = Path(arguments.out) / f"checkpoint.{arguments.fold}.pt"
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)

    def train_step(self, losses):
        self.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.learning_rate * self.recipe.pace(self.step)
        total, parts = losses.step(self.model)
        total.backward()
        for name, value in self.exact.named_parameters():
            own = self.in_bf16[name]
            value.grad, own.grad = own.grad.float(), None
        torch.nn.utils.clip_grad_norm_(self.exact.parameters(), 1.0)
        self.optimizer.step()
        self.round_weights()
        self.averaged, self.weight = running_mean(
            self.averaged, self.weight, self.exact, self.recipe.averaged
        )
        return parts

    @torch.no_grad()
    def round_weights(self):
        for name, value in self.exact.named_parameters():
            self.in_bf16[name].copy_(value)

    def write_checkpoint(self, losses):
        temporary = self.checkpoint.with_suffix(".tmp")
        torch.save(
            {
                "step": self.step,
                "weights": weights_in(self.exact),
                "optimizer": self.optimizer.state_dict(),
                "averaged": (self.averaged, self.weight),
                "synopses": losses.synopses,
                "random": torch.get_rng_state(),
            },
            temporary,
        )
        temporary.replace(self.checkpoint)

    @torch.no_grad()
    def go_on(self, losses):
        if not self.checkpoint.exists():
            return
        found = torch.load(self.checkpoint)
        for name, value in self.exact.named_parameters():
            value.copy_(found["weights"][name])
        self.round_weights()
        self.optimizer.load_state_dict(found["optimizer"])
        self.averaged, self.weight = found["averaged"]
        self.step, losses.synopses = found["step"], found["synopses"]
        torch.set_rng_state(found["random"])

    def write_weights(self, start):
        _, share = MEANS["shipped"]
        weights = mixed([start, self.averaged], [1 - share, share])
        path = self.checkpoint.with_name(f"weights.{self.arguments.fold}.npz")
        np.savez(path, **{name: value.numpy() for name, value in weights.items()})


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--out", default="out")
    parser.add_argument("--fold", type=int, required=True)
    parser.add_argument("--run", type=int, default=2, help="which of folds.py's")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--draw", type=float, default=0.1, help="share of a step")
    parser.add_argument("--every", type=int, default=8, help="steps between checkpoints")
    return parser.parse_args()


if __name__ == "__main__":
    main()
