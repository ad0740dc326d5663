"""Step 3, of the included works: weights of the text's features fitted to the fitting part, judged by the
reporting part, compared with those that ship; and what the prior on popularity gains and costs by rank class.

Reads what works-features.js wrote of both parts. Openings, descriptions of works and descriptions of others count
as much as each other. Prints, and writes nothing: weights ship only where they win.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from fit import (
    FEATURES,
    PRIOR,
    STRATA,
    calibrate,
    fit_weights,
    interval,
    ranks_by,
    reciprocal,
    scales_of,
)

SCALES = scales_of(FEATURES)
PRIORS = [0.1, 0.15, 0.2, 0.3]
KINDS = ["openings of works", "descriptions of works", "descriptions of others"]


class Queries:
    """As those of fit.py; queries that found fewer candidates are filled up with ones that nobody wants."""

    def __init__(self, path, encoder):
        lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        own = [line["features"][encoder] for line in lines]
        width = max(len(one["wanted"]) for one in own)

        def filled(name):
            return np.array([one[name] + [0] * (width - len(one[name])) for one in own], float)

        self.sets = np.array([line["set"] for line in lines])
        self.wanted = filled("wanted").astype(bool)
        self.features = SCALES * np.stack([filled(name) for name in FEATURES], 2)
        self.priors = filled("popularity")
        self.known = 1 - np.exp(-np.array([line["popularity"] for line in lines]))
        self.kinds = np.array([name.split(" > ")[0] for name in self.sets])
        self.shares = np.zeros(len(lines))
        for kind in KINDS:
            group = self.kinds == kind
            self.shares[group] = 1 / len(KINDS) / group.sum()

    def values(self, weights, prior):
        return reciprocal(ranks_by(self.features @ weights + prior * self.priors, self.wanted))


def main():
    arguments = parse_arguments()
    parts = {
        "fitting": Queries(arguments.fitting, arguments.encoder),
        "reporting": Queries(arguments.reporting, arguments.encoder),
    }
    config = json.loads(arguments.config.read_text())["logistic"][arguments.encoder]
    shipped = np.array([config[name] for name in FEATURES]) / SCALES
    fitted = fit_weights(parts["fitting"])
    scale, bias = calibrate(parts["fitting"], fitted)
    logistic = dict(zip(FEATURES, (scale * fitted * SCALES).round(4).tolist()))
    print(f"fitted: bias {bias:.2f}, {logistic}; ships: {config}")
    for part, queries in parts.items():
        own, others = queries.values(scale * fitted, PRIOR), queries.values(shipped, PRIOR)
        for name in np.unique(queries.sets):
            group = queries.sets == name
            shown = f"{others[group].mean():.3f} -> {own[group].mean():.3f}"
            print(f"  {part}, {name} ({group.sum()}): {shown}, {interval((own - others)[group])}")
    print("what a prior gains on none, with the weights that ship, by how well known the work is")
    for part, queries in parts.items():
        print_priors(part, queries, shipped)


def print_priors(part, queries, weights):
    plain = queries.values(weights, 0)
    stratum = np.searchsorted(list(STRATA.values()), queries.known, "right")
    for kind in KINDS:
        for prior in PRIORS:
            group = queries.kinds == kind
            gain = queries.values(weights, prior) - plain
            shown = [f"{part}, {kind}, {prior}: {interval(gain[group])}"]
            for position, name in enumerate(STRATA):
                own = gain[group & (stratum == position)]
                shown.append(f"{name} ({len(own)}) {own.mean():+.3f}")
            print("  " + ", ".join(shown))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fitting", type=Path)
    parser.add_argument("reporting", type=Path)
    parser.add_argument("--encoder", default="builtin/static-en")
    parser.add_argument("--config", type=Path, default="models/builtin/maxsim-en/config.json")
    return parser.parse_args()


if __name__ == "__main__":
    main()
