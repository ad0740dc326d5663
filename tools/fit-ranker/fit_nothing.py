"""When to say that nothing fits well: a logistic model over what the ranker makes of a query.

Reads what tools/works/leave-one-out.js --candidates wrote of both parts. A query is answered twice: without the works
that it means in the catalogue, where the note should be shown, and with them, where it should not if they are
among the first five. Kinds of query count as much as each other. The threshold shows the note in at most --most of
the latter, of the fitting part. Writes the member `nothing_fits` of the ranker's config.json, and prints what it does
to the reporting part.

  python tools/fit-ranker/fit_nothing.py --fitting fitting.jsonl --reporting reporting.jsonl --write
"""

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

FEATURES = ["best", "ahead", "explained", "words"]
FIRST = 5
# A query that is read to this share requests facts, or is a title: works that have these are always there.
MOST_EXPLAINED = 0.75
# Queries of fit-ranker/queries.js about one work; the answers of the others are many.
ONE = ["scene", "description", "scene, from memory", "description, of others"]
LEFT_OUT = "left out"
RIDGE = 1e-4


def features_of(answer):
    """As src/search/ranking/nothing-fits.ts has them."""
    scores = [work["score"] for work in answer["works"]]
    best = scores[0]
    words = np.log(len(answer["text"].split()))
    return [best, best - np.mean(scores[1:10]), answer["explained"], words]


def is_judged(answer):
    return not answer["hasReferences"] and answer["explained"] < MOST_EXPLAINED


def rank_of(answer):
    """Of the first right franchise, from 1."""
    seen = []
    for work in answer["works"]:
        if work["franchise"] >= 0 and work["franchise"] in seen:
            continue
        seen.append(work["franchise"])
        if work["wanted"]:
            return len(seen)
    return np.inf


def kind_of(line):
    """Those of fit-ranker/queries.js end with the dataset."""
    kind = line["kind"].removesuffix(f", {line['dataset']}")
    return LEFT_OUT if kind == line["kind"] else kind


def read(paths):
    """Of each answer: its kind, whether it is about one work, where that is, whether the model judges it, and features."""
    rows = []
    for line in (json.loads(text) for path in paths for text in path.open(encoding="utf-8")):
        kind = kind_of(line)
        one = kind in [LEFT_OUT, *ONE]
        rank = rank_of(line["with"])
        for name in ["with", "without"] if one else ["with"]:
            answer = line[name]
            case = "missing" if name == "without" else "first" if rank <= FIRST else "deeper"
            if len(answer["works"]) > 1:
                rows.append((kind, one, case, is_judged(answer), features_of(answer)))
    return rows


def fit(rows):
    """Weights of the features and the bias, kinds and both cases in equal shares."""
    own = [row for row in rows if row[3] and row[2] != "deeper" and row[1]]
    values = np.array([[*row[4], 1] for row in own])
    missing = np.array([row[2] == "missing" for row in own])
    groups = [f"{row[0]} {row[2]}" for row in own]
    shares = np.array([1 / groups.count(group) for group in groups])
    shares /= shares.sum()

    def loss(weights):
        logits = values @ weights
        total = shares @ (np.logaddexp(0, logits) - missing * logits)
        slope = values.T @ (shares * (expit(logits) - missing))
        return total + RIDGE * weights @ weights, slope + 2 * RIDGE * weights

    return minimize(loss, np.zeros(values.shape[1]), jac=True, method="L-BFGS-B").x


def logit(row, weights):
    return np.dot([*row[4], 1], weights) if row[3] else -np.inf


def threshold(rows, weights, most):
    """The lowest at which no more than that share of the answers among the first five have the note, kinds alike."""
    own = [row for row in rows if row[2] == "first" and row[1]]
    kinds = [row[0] for row in own]
    logits = np.array([logit(row, weights) for row in own])
    shares = np.array([1 / kinds.count(kind) for kind in kinds])
    order = np.argsort(-logits)
    beyond = np.cumsum(shares[order]) / shares.sum()
    return logits[order[np.searchsorted(beyond, most)]]


def print_table(rows, weights, least):
    print("| kind | missing | among the first five | deeper |\n|---|---|---|---|")
    kinds = list(dict.fromkeys(row[0] for row in rows))
    means = {}
    for kind in kinds:
        cells = []
        for case in ("missing", "first", "deeper"):
            shown = [logit(r, weights) > least for r in rows if r[0] == kind and r[2] == case]
            cells.append(f"{np.mean(shown):.2f} of {len(shown)}" if shown else "")
            if shown and any(r[0] == kind and r[1] for r in rows):
                means.setdefault(case, []).append(np.mean(shown))
        print(f"| {kind} | {' | '.join(cells)} |")
    print("| mean of the kinds with one work | " + " | ".join(f"{np.mean(m):.2f}" for m in means.values()) + " |")


def main():
    arguments = parse_arguments()
    fitting, reporting = read(arguments.fitting), read(arguments.reporting)
    weights = fit(fitting)
    least = threshold(fitting, weights, arguments.most)
    named = dict(zip([*FEATURES, "bias"], [float(f"{w:.4g}") for w in weights]))
    print(f"weights: {named}, shown from {expit(least):.3f}")
    for name, rows in ("fitting", fitting), ("reporting", reporting):
        print(f"\n{name} part: shown where the work is")
        print_table(rows, weights, least)
    if arguments.write:
        config = json.loads(arguments.config.read_text())
        config["nothing_fits"] = {**named, "from": float(f"{expit(least):.3f}"), "mostExplained": MOST_EXPLAINED}
        arguments.config.write_text(json.dumps(config, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fitting", type=Path, nargs="+", required=True)
    parser.add_argument("--reporting", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=float, default=0.095)
    parser.add_argument("--write", action="store_true", help="the weights into the ranker's file")
    parser.add_argument("--config", type=Path, default="models/builtin/maxsim-en/config.json")
    return parser.parse_args()


if __name__ == "__main__":
    main()
