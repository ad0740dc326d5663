"""The recipe on works never seen: trains the encoder three times, each time without a third of the
franchises, and encodes the queries for that third.

    python3 folds.py --folder . --out out --seconds 540

Needs the folder that `prepare.py --folds` made, else what train.py needs. Chooses nothing: recipes and the
shares of the start are as they stand here. Writes vectors.start.npy and, for each fold and mean,
vectors.FOLD.MEAN.npy, float16, of all texts of evaluation.json, which `features.js --vectors` reads. log.txt has
what these find by themselves.
"""

from dataclasses import replace

from evaluation import Evaluation
from encoder import mixed
from recipes import Recipe
from train import Run, parser_of

FOLDS = 3
RESERVE = 12  # seconds of a fold, for the means and for writing
OPENINGS = Recipe().weights | {"passages rests": 1.5, "across": 0.75}
RUNS = (
    {},
    {"learning_rate": 2e-4},
    {"learning_rate": 2e-4, "drop": 0.3},
    {"learning_rate": 2e-4, "drop": 0.3, "steps": 100, "keep": 10.0, "weights": OPENINGS},
)
# Which runs' mean, and its share; the rest is the start. The first is as it ships but for one run.
MEANS = {"shipped": ((0, 1, 2), 0.85), "openings": ((0, 1, 2, 3), 0.7)}
LOOKED_AT = [(runs, share) for runs in ((0, 1, 2), (0, 1, 2, 3), (3,)) for share in (1, 0.7, 0.5)]


class Folds(Run):
    def open(self):
        super().open()
        self.evaluation = Evaluation(self.arguments.folder, self.device, self.arguments.share)
        self.ranks = {}
        vectors = self.evaluation.vectors(self.model, exact=True)
        self.evaluation.write(self.out / "vectors.start.npy", vectors)
        for fold in range(FOLDS):
            self.look(vectors, "start", fold)

    def look(self, vectors, name, fold):
        ranks = self.evaluation.reciprocal_ranks(vectors, fold)
        self.ranks.setdefault(name, {}).update(ranks)
        self.say(f"fold {fold}, {name}: {shown(self.evaluation.figures(ranks))}")

    def train_without(self, fold):
        until = self.left() * (1 - 1 / (FOLDS - fold))
        self.read_material(held_out=fold)
        models, seconds_a_step = [], 0.1
        for number, change in enumerate(RUNS):
            recipe = replace(Recipe(), **change)
            if self.arguments.steps:
                recipe = replace(recipe, steps=self.arguments.steps)
            if self.left() - until - RESERVE < seconds_a_step * recipe.steps:
                self.say(f"fold {fold}: runs from {number} on left out, for want of time")
                break
            weights, _, seconds_a_step = self.train(number, recipe, change)
            models.append(weights)
        for runs, share in dict.fromkeys([*MEANS.values(), *LOOKED_AT]):
            self.judge_mean(fold, models, runs, share)

    def judge_mean(self, fold, models, runs, share):
        chosen = [models[run] for run in runs if run < len(models)]
        if not chosen:
            return
        weights = mixed(
            [self.on_device, *chosen], [1 - share, *[share / len(chosen)] * len(chosen)]
        )
        self.load(weights)
        names = [name for name, mean in MEANS.items() if mean == (runs, share)]
        vectors = self.evaluation.vectors(self.model, exact=bool(names))
        for name in names:
            self.evaluation.write(self.out / f"vectors.{fold}.{name}.npy", vectors)
        self.look(vectors, f"{share} of the mean of {list(runs)}", fold)

    def summary(self):
        for name, ranks in self.ranks.items():
            self.say(f"all folds, {name}: {shown(self.evaluation.figures(ranks))}")


def shown(figures):
    return ", ".join(f"{name} {value:.4f}" for name, value in figures.items())


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--seconds", type=float, default=540)
    run = Folds(parser.parse_args())
    run.open()
    for fold in range(FOLDS):
        run.train_without(fold)
    run.summary()
    run.say("done")


if __name__ == "__main__":
    main()
