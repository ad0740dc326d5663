"""Step 3: the weights of the built-in ranker, from the features that the serving code gathered.

A query's candidates share one probability, the softmax of the weighted features; the weights make the
wanted entries likeliest. Then one logistic over all candidates of all queries scales and shifts that
sum, which leaves the order as it is: of the entries that score 0.5, half are the right ones.

Both kinds of query, openings of texts and descriptions, count as much as each other. Every fold is
judged with weights that were fitted without it, on features from a table that has not seen its works;
of the descriptions only the half that is marked `fit` is fitted. The prior on popularity is not
fitted but chosen: both kinds of query ask for what is known better than most.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

FEATURES = ["cosine", "bm25", "maxsim"]
OTHER = "cosine of the other encoder"
# Brings the features to one order of size, which the minimiser likes.
SCALES = {"bm25": 1 / 20}
# Whose weights were chosen by what finds, not by likelihood (README.md); they are judged and stay.
CHOSEN = ["builtin/minilm-anime"]
FOLDS = 3
RIDGE = 1e-6  # a solution that is unique, and next to nothing more
PRIOR = 0.15  # the default of --popularity
PRIORS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1.0]
# Shares of a source's works: the less known half, then up to the best known twentieth.
STRATA = {"50 %": 0.5, "to 80 %": 0.8, "to 95 %": 0.95, "to 100 %": 1.0}


class Queries:
    """Arrays over queries, and over their candidates where two-dimensional."""

    def __init__(self, lines, encoder, names):
        own = [line["features"][encoder] for line in lines]
        self.sets = np.array([line["set"] for line in lines])
        self.folds = np.array([line["fold"] for line in lines])
        self.splits = np.array([line["split"] or "" for line in lines])
        self.wanted = np.array([line["wanted"] for line in own], bool)
        self.names = names
        features = np.stack([[line[name] for line in own] for name in names], 2)
        self.features = scales_of(names) * features
        self.priors = np.array([line["popularity"] for line in own])
        # Of the candidate that each one continues; and how surely the query describes a continuation.
        self.firsts = np.array([line["first"] for line in own])
        self.continuations = np.array([line["continuation"] for line in lines])
        # A weight a query, so that both kinds have half.
        described = self.splits != ""
        self.shares = np.where(described, 0.5 / described.sum(), 0.5 / (~described).sum())


def main():
    arguments = parse_arguments()
    with open(Path(arguments.work) / arguments.features, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    config = json.loads(arguments.config.read_text())
    ranks = {
        system: np.array([line["ranks"][system] or np.inf for line in lines])
        for system in lines[0]["ranks"]
    }
    series = {name: config["fit"][name] for name in ("firstBySequel", "sequel")}
    for encoder, own in lines[0]["features"].items():
        for names in (FEATURES, [*FEATURES, OTHER]) if OTHER in own else (FEATURES,):
            queries = Queries(lines, encoder, names)
            judge(lines, queries, encoder, ranks, series)
            if encoder in CHOSEN and names == FEATURES:
                judge_chosen(queries, encoder, ranks, series, config["logistic"][encoder])
            fitted = lines_fitted(lines, encoder, names)
            logistic = shipped(names, fit(fitted))
            print(f"weights: {logistic}")
            if names == FEATURES and encoder not in CHOSEN:
                config["logistic"][encoder] = logistic
    print_figures(queries, ranks)
    print_differences(queries, ranks)
    arguments.config.write_text(json.dumps(config, indent=2) + "\n")


def judge(lines, queries, encoder, ranks, series):
    """Adds the ranks that weights of other folds give."""
    both = " with both cosines" if OTHER in queries.names else ""
    system = f"hybrid {encoder}, then builtin/maxsim-en{both}"
    logits = held_out_logits(lines, queries, encoder)
    plain = ranks[f"{system} --popularity 0"] = ranks_by(logits, queries.wanted)
    prior = ranks[system] = ranks_by(logits + PRIOR * queries.priors, queries.wanted)
    ordered = in_series_order(logits + PRIOR * queries.priors, queries, **series)
    ranks[f"{system}, series in order"] = ranks_by(ordered, queries.wanted)
    print(f"\n{system}: what a prior on popularity gains on none")
    print_priors(lines, queries, logits)
    print(f"{system}: what the prior that ships gains on none, by set")
    print_gains(queries, prior, plain)
    print(f"{system}: share that was right, how many entries, by score")
    print_reliability(queries, expit(logits + PRIOR * queries.priors))


def judge_chosen(queries, encoder, ranks, series, weights):
    """Adds the ranks that the weights that ship give; they have seen openings and the `fit` half."""
    own = np.array([weights[name] for name in queries.names]) / scales_of(queries.names)
    logits = queries.features @ own + weights["bias"] + PRIOR * queries.priors
    system = f"hybrid {encoder}, then builtin/maxsim-en by the weights that ship, series in order"
    ranks[system] = ranks_by(in_series_order(logits, queries, **series), queries.wanted)


def held_out_logits(lines, queries, encoder):
    """Of every candidate, by weights that were fitted without the fold of its query."""
    logits = np.zeros(queries.wanted.shape)
    for fold in range(FOLDS):
        weights, scale, bias = fit(lines_fitted(lines, encoder, queries.names, but=fold))
        own = queries.folds == fold
        logits[own] = scale * (queries.features[own] @ weights) + bias
    return logits


def lines_fitted(lines, encoder, names, but=None):
    chosen = [line for line in lines if line["split"] != "report" and line["fold"] != but]
    return Queries(chosen, encoder, names)


def scales_of(names):
    return np.array([SCALES.get(name, 1) for name in names])


def shipped(names, fitted):
    weights, scale, bias = fitted
    logistic = {"bias": bias, **dict(zip(names, scale * weights * scales_of(names)))}
    return {name: float(f"{value:.4g}") for name, value in logistic.items()}


def fit(queries):
    weights = fit_weights(queries)
    return weights, *calibrate(queries, weights)


def fit_weights(queries):
    """By the likelihood of the wanted entries among the candidates, where they are among these."""
    found = queries.wanted.any(1)
    features, wanted = queries.features[found], queries.wanted[found]
    shares = queries.shares[found]

    def loss(weights):
        scores = features @ weights
        wanted_scores = np.where(wanted, scores, -np.inf)
        everything, own = logsumexp(scores, axis=1), logsumexp(wanted_scores, axis=1)
        missed = np.exp(scores - everything[:, None]) - np.exp(wanted_scores - own[:, None])
        slope = np.einsum("q,qc,qce->e", shares, missed, features)
        total = shares @ (everything - own) + RIDGE * weights @ weights
        return total, slope + 2 * RIDGE * weights

    return minimize(loss, np.zeros(features.shape[2]), jac=True, method="L-BFGS-B").x


def calibrate(queries, weights):
    """(scale, bias) of P(wanted) = logistic(scale x score + bias), as Platt (1999) fits them."""
    scores = queries.features @ weights

    def loss(parameters):
        logits = parameters[0] * scores + parameters[1]
        missed = queries.shares[:, None] * (expit(logits) - queries.wanted)
        total = queries.shares @ (np.logaddexp(0, logits) - queries.wanted * logits).sum(1)
        return total, np.array([(missed * scores).sum(), missed.sum()])

    start = np.array([1, -scores.max(1).mean()])
    return minimize(loss, start, jac=True, method="L-BFGS-B").x


def in_series_order(scores, queries, firstBySequel, sequel):
    """As src/search/ranking/series-order.ts: the first work of a series before what continues it."""
    ordered = scores.copy()
    for query, (own, firsts) in enumerate(zip(scores, queries.firsts)):
        share = 1 - queries.continuations[query]
        ordered[query, firsts >= 0] += share * sequel
        for first in np.unique(firsts[firsts >= 0]):
            more = own[firsts == first].max() - own[first]
            ordered[query, first] += share * firstBySequel * max(0, more)
    return ordered


def ranks_by(scores, wanted):
    """Of the first wanted entry, from 1; of equals it is last. Infinite where there is none."""
    best = np.where(wanted, scores, -np.inf).max(1, keepdims=True)
    ranks = 1 + (~wanted & (scores >= best)).sum(1)
    return np.where(wanted.any(1), ranks, np.inf)


def print_priors(lines, queries, logits):
    """By weight: openings, descriptions, and openings by how well known the wanted work is. The
    `report` half of the descriptions has no say in what ships."""
    plain = ranks_by(logits, queries.wanted)
    # The share of its source's works that fewer know.
    known = 1 - np.exp(-np.array([line["popularity"] for line in lines]))
    stratum = np.searchsorted(list(STRATA.values()), known, "right")
    for prior in PRIORS:
        ranks = ranks_by(logits + prior * queries.priors, queries.wanted)
        gain = reciprocal(ranks) - reciprocal(plain)
        kinds = {"openings": queries.splits == "", "descriptions, fit": queries.splits == "fit"}
        shown = [f"{kind} {interval(gain[group])}" for kind, group in kinds.items()]
        for position, name in enumerate(STRATA):
            own = gain[(queries.splits == "") & (stratum == position)]
            shown.append(f"{name} ({len(own)}) {own.mean():+.3f}")
        print(f"  {prior}: {', '.join(shown)}")


def print_gains(queries, ranks, others):
    gain = reciprocal(ranks) - reciprocal(others)
    for name, group in groups_of(queries).items():
        print(f"  {name:20} ({group.sum()}): {interval(gain[group])}")


def print_figures(queries, ranks):
    groups = groups_of(queries)
    pairs = [name for name in groups if not name.startswith("descriptions")]
    print("\nMRR@10 / recall@1 / @10 / @100 of held-out works")
    for system, own in ranks.items():
        print(system)
        rows = {name: figures(own[group]) for name, group in groups.items()}
        for name, row in rows.items():
            print(f"  {name:20} ({groups[name].sum()}): {shown(row)}")
        print(f"  mean of the pairs of sites: {shown(np.mean([rows[name] for name in pairs], 0))}")


def print_differences(queries, ranks):
    """What the rankers gain on each system, query by query, with bootstrap intervals of 95 %."""
    ours_all = [name for name in ranks if "then builtin/maxsim-en" in name]
    for ours in (name for name in ours_all if not name.endswith("--popularity 0")):
        print(f"\nMRR@10 over all queries: {ours}, less")
        for system in (name for name in ranks if name != ours):
            gain = reciprocal(ranks[ours]) - reciprocal(ranks[system])
            for kind, group in kinds_of(queries).items():
                print(f"  {system}, {kind}: {interval(gain[group])}")


def kinds_of(queries):
    return {"openings": queries.splits == "", "descriptions": queries.splits != ""}


def groups_of(queries):
    pairs = [name for name in np.unique(queries.sets) if not name.startswith("descriptions")]
    halves = {f"descriptions, {half}": queries.splits == half for half in ("fit", "report")}
    return {name: queries.sets == name for name in pairs} | halves


def interval(gain):
    means = np.random.default_rng(0).choice(gain, (2000, len(gain))).mean(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{gain.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def figures(ranks):
    return [reciprocal(ranks).mean(), *((ranks <= limit).mean() for limit in (1, 10, 100))]


def reciprocal(ranks):
    return np.where(ranks <= 10, 1 / ranks, 0)


def shown(values):
    return " / ".join(f"{value:.3f}" for value in values)


def print_reliability(queries, scores):
    """How often a candidate of a held-out query was right, by its score; both kinds count half."""
    shares = np.broadcast_to(queries.shares[:, None], scores.shape)
    for low in np.arange(0, 1, 0.2):
        inside = (scores >= low) & (scores < low + 0.2)
        share = np.average(queries.wanted[inside], weights=shares[inside])
        print(f"  {low:.1f} to {low + 0.2:.1f}: {share:.2f}, {inside.sum()}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", default="../fit-ranker-work")
    parser.add_argument("--features", default="features.jsonl")
    parser.add_argument("--config", type=Path, default="models/builtin/maxsim-en/config.json")
    return parser.parse_args()


if __name__ == "__main__":
    main()
