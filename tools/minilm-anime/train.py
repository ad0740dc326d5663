"""Step 2: trains the encoder, in as many seconds as it is given, and keeps what the fitting part likes best.

    python3 train.py --folder . --out out --seconds 240

Tries recipes.py's changes one after the other, keeps each that gains, and at the end judges means of the
best models' weights, with and without a share of the start. Needs the folder that prepare.py made,
PyTorch, transformers, tokenizers and numpy. What it has is written whenever it is better: a run that is
cut loses nothing else. On a processor, `--steps 2 --share 0.02` shows that all of it runs.
"""

import argparse
import json
import math
import time
from dataclasses import asdict, replace
from pathlib import Path

import torch

from encoder import encode_all, mixed, new_model, start_weights, weights_in, write_changes
from judging import Judge, shown
from losses import Losses
from material import Material
from recipes import SHARES_OF_TRAINING, TRIALS, Recipe

SEED = 20261125
JUDGED = 3  # times a recipe
RESERVE = 20  # seconds for the means at the end, and for writing
MOST_MEANS = 4


class Run:
    def __init__(self, arguments):
        self.began = time.monotonic()
        self.arguments = arguments
        self.device = torch.device(
            arguments.device or ("cuda" if torch.cuda.is_available() else "cpu")
        )
        self.out = Path(arguments.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.log = open(self.out / "log.txt", "w", encoding="utf-8")
        self.best, self.trained, self.figures = None, [], []

    def say(self, text):
        line = f"{time.monotonic() - self.began:6.1f} s  {text}"
        print(line, flush=True)
        print(line, file=self.log, flush=True)

    def left(self):
        return self.arguments.seconds - (time.monotonic() - self.began)

    def open(self):
        folder, share = self.arguments.folder, self.arguments.share
        torch.manual_seed(SEED)
        self.start = start_weights(folder)
        self.model = new_model(folder, self.start, self.device)
        self.on_device = weights_in(self.model)
        self.say(f"{self.device}, torch {torch.__version__}")
        self.judge = Judge(folder, self.device, share)
        self.start_figures = self.judge.figures(self.model)
        self.say(f"start: {shown(self.start_figures)}")

    def read_material(self, held_out=None):
        folder, share = self.arguments.folder, self.arguments.share
        self.material = Material(folder, self.device, share, held_out)
        self.say(f"{len(self.material)} works, {len(self.material.rows)} texts")
        self.load(self.on_device)
        self.start_vectors = encode_all(self.model, self.material.rows)
        self.say("texts encoded by the start")

    def record(self, name, change, figures):
        self.figures.append({"name": name, "change": change, "figures": figures})
        text = json.dumps({"device": str(self.device), "figures": self.figures}, indent=1)
        (self.out / "figures.json").write_text(text + "\n", encoding="utf-8")

    def keep(self, name, weights, figures):
        """Writes what is better than all before."""
        if self.best is not None and not figures["score"] > self.best:
            return False
        self.best = figures["score"]
        parts = write_changes(self.out, "changes", weights, self.start)
        self.say(f"best so far: {name}, score {self.best:.4f}, {parts} files")
        return True

    def try_all(self):
        recipe, seconds_a_step = Recipe(), None
        for number, change in enumerate(TRIALS):
            tried = replace(recipe, **change)
            if self.arguments.steps:
                tried = replace(tried, steps=self.arguments.steps)
            if tried.distil and not self.trained:
                continue
            expected = (seconds_a_step or 0.1) * tried.steps + 3
            if self.left() - RESERVE < expected:
                self.say(f"trial {number} {change}: left out, expected {expected:.0f} s")
                continue
            found = self.train_if_it_fits(number, tried, change)
            if found is None:
                recipe = replace(recipe, works=int(recipe.works * 0.6))
                torch.cuda.empty_cache()
                continue
            weights, figures, seconds_a_step = found
            self.trained.append((figures["score"], number, weights))
            self.record(f"trial {number}", {**change, "recipe": asdict(tried)}, figures)
            if self.keep(f"trial {number} {change}", weights, figures):
                recipe = tried

    def train_if_it_fits(self, number, recipe, change):
        try:
            return self.train(number, recipe, change)
        except torch.OutOfMemoryError:
            self.say(f"trial {number}: out of memory; fewer works a step from here on")
            return None

    def train(self, number, recipe, change):
        torch.manual_seed(SEED + number)
        self.load(self.on_device)
        self.model.embeddings.word_embeddings.weight.requires_grad_(recipe.table)
        teacher = self.teacher() if recipe.distil else None
        losses = Losses(self.material, recipe, self.start_vectors, teacher)
        optimizer = torch.optim.AdamW(
            parameter_groups(self.model, recipe),
            lr=recipe.learning_rate,
            fused=self.device.type == "cuda",
        )
        averaged, weight = None, 0.0
        self.model.train()
        began, judging = time.monotonic(), 0.0
        figures, step = None, 0
        for step in range(1, recipe.steps + 1):
            for group in optimizer.param_groups:
                group["lr"] = recipe.learning_rate * recipe.pace(step)
            total, parts = losses.step(self.model)
            optimizer.zero_grad(set_to_none=True)
            total.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            averaged, weight = running_mean(averaged, weight, self.model, recipe.averaged)
            stopped = self.left() < RESERVE
            if step % max(1, recipe.steps // JUDGED) == 0 or step == recipe.steps or stopped:
                paused = time.monotonic()
                figures = self.judged(averaged)
                judging += time.monotonic() - paused
                shown_losses = ", ".join(
                    f"{name} {float(part.detach()):.3f}" for name, part in parts.items()
                )
                self.say(f"trial {number} {change}, step {step}: {shown(figures)}; losses: {shown_losses}")
            if stopped:
                break
        spent = (time.monotonic() - began - judging) / step
        self.say(f"trial {number}: {spent:.3f} s a step")
        return averaged, figures, spent

    def judged(self, weights):
        """Of other weights than those under training, which are put back."""
        own = weights_in(self.model)
        self.load(weights)
        figures = self.judge.figures(self.model)
        self.load(own)
        return figures

    @torch.no_grad()
    def load(self, weights):
        for name, value in self.model.named_parameters():
            value.copy_(weights[name])

    def teacher(self):
        """Vectors whose cosines are the mean of those of the best models so far."""
        best = sorted(self.trained, key=lambda one: -one[0])[:3]
        own, found = weights_in(self.model), []
        for _, _, weights in best:
            self.load(weights)
            found.append(encode_all(self.model, self.material.rows))
        self.load(own)
        together = torch.cat(found, 1) / math.sqrt(len(found))
        return together, together[self.material.synopses]

    def mean_of_best(self):
        best = sorted(self.trained, key=lambda one: -one[0])[:MOST_MEANS]
        for count in range(1, len(best) + 1):
            for share in SHARES_OF_TRAINING:
                if (count == 1 and share == 1) or self.left() < 6:
                    continue
                models = [weights for _, _, weights in best[:count]]
                weights = mixed([self.on_device, *models], [1 - share, *[share / count] * count])
                figures = self.judged(weights)
                name = f"mean of {[number for _, number, _ in best[:count]]}, {share} of it"
                self.say(f"{name}: {shown(figures)}")
                self.record(name, {}, figures)
                self.keep(name, weights, figures)


def parameter_groups(model, recipe):
    plain, decayed = [], []
    for name, value in model.named_parameters():
        if value.requires_grad:
            (decayed if value.ndim > 1 and "embeddings" not in name else plain).append(value)
    return [
        {"params": plain, "weight_decay": 0.0},
        {"params": decayed, "weight_decay": recipe.decay},
    ]


@torch.no_grad()
def running_mean(averaged, weight, model, share):
    """The weights' running mean, the first steps counted as all others."""
    if averaged is None:
        return weights_in(model), 1.0
    weight = share * weight + 1
    names = dict(model.named_parameters())
    torch._foreach_lerp_([averaged[name] for name in names], list(names.values()), 1 / weight)
    return averaged, weight


def main():
    run = Run(parse_arguments())
    run.open()
    run.record("start", {}, run.start_figures)
    run.read_material()
    run.try_all()
    run.mean_of_best()
    run.say("done")


def parse_arguments():
    parser = parser_of(__doc__)
    parser.add_argument("--seconds", type=float, default=240)
    return parser.parse_args()


def parser_of(described):
    parser = argparse.ArgumentParser(description=described)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--out", default="out")
    parser.add_argument(
        "--steps", type=int, default=0, help="of each recipe, for a trial of the code"
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="of each step and question, likewise"
    )
    parser.add_argument("--device", default="")
    return parser


if __name__ == "__main__":
    main()
