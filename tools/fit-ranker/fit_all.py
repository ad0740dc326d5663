"""Step 2 of a model over all features: does a refitted logistic model, or boosted trees, beat the ranker that ships?

Reads what all-features.js wrote. Every model is fitted to four fifths of the groups (franchises) and judged by the
fifth, by the mean of the kinds in their mix. Prints, and writes nothing: a model ships only where it wins.

  python tools/fit-ranker/fit_all.py fitting.jsonl [--kinds] [--only WORDS ...]
"""

import argparse
import json
from pathlib import Path

import lightgbm
import numpy as np
from scipy.optimize import minimize

FOLDS = 5
RESAMPLES = 1000
CONFIG = json.loads(Path("models/builtin/maxsim-en/config.json").read_text())
FIT = CONFIG["fit"]
POPULARITY = 0.15
POWERS = json.loads(Path("data/query/constants.json").read_text())["fit"]
MIN_DEGREE = 0.45


class Query:
    def __init__(self, line, at, encoder):
        self.at, self.line = at, line
        self.kind, self.weight, self.measure = line["kind"], line["weight"], line["measure"]
        self.group = f"{line.get('group', at)}"
        self.count = len(line.get("score", []))
        if self.count == 0:
            return
        for name in ("score", "right", "breaks", "popularity", "franchise"):
            setattr(self, name, np.array(line[name], float))
        self.base, self.base_weights, self.base_names = basis(line, encoder)
        self.more, self.more_names = further(line)

    @property
    def is_fitted(self):
        return self.count > 0 and self.weight > 0 and 0 < self.right.sum() < self.count

    def worth(self, scores):
        """As measured by tools/fit-constants/queries.js."""
        if self.count == 0:
            return 0
        order = np.argsort(-np.float32(scores), kind="stable")
        right = self.right[order]
        if self.measure == "first":
            return right[0]
        if self.measure == "p5":
            return right[:5].sum() / 5
        if self.measure == "broken":
            return 1 - self.breaks[order][:5].sum() / 5
        if self.measure == "holds":
            return self.holds(order[: self.line["top"]])
        found = np.flatnonzero(right[:10])
        return 1 / (found[0] + 1) if found.size else 0

    def holds(self, first):
        shown = set(first.tolist())
        line = self.line
        return float(
            all(shown & set(positions) for positions in line["has"])
            and not self.breaks[first].any()
            and ("matched" not in line or np.array(line["matched"])[first].any())
        )


def basis(line, encoder):
    """What the ranker that ships weighs, as a product of these features and its weights (constants of a query left out)."""
    column = {
        name: np.array(value, float)
        for name, value in line.items()
        if isinstance(value, list) and name not in ("degrees", "has")
    }
    explained, continuation = line["explained"], line["continuation"]
    references, has_text = line["hasReferences"], line["hasText"]
    text = (
        1 - (1 - FIT["minTextShare"]) * explained ** POWERS["textPower"] if has_text and not references else 0
    )
    known = 1 - text
    by_text = np.array(line["textScore"])
    sequel, gained = np.zeros(len(by_text)), np.zeros(len(by_text))
    share = (1 - continuation) * (1 - explained)
    best = {}
    for position, first in enumerate(line["continues"]):
        if first >= 0:
            sequel[position] = share
            best[first] = max(best.get(first, -np.inf), by_text[position])
    for first, score in best.items():
        gained[first] = share * max(0, score - by_text[first])
    requested = column["requested"] * (1 - column["excluded"])
    logistic = CONFIG["logistic"][encoder]
    together = CONFIG["maxsim"]["together"]
    features = {
        "cosine": (text * column["cosine"], logistic["cosine"]),
        "bm25": (text * column["bm25"], logistic["bm25"]),
        "maxsim": (text * column["maxsim"], logistic["maxsim"] * (1 - together)),
        "together": (text * column["together"], logistic["maxsim"] * together),
        "popularity": (text * column["popularity"], POPULARITY),
        "sequel": (text * sequel, FIT["sequel"]),
        "firstBySequel": (text * gained, FIT["firstBySequel"]),
        "popularity, known": (0 if references else known * column["popularity"], FIT["popularity"]),
        "notMain": (known * (1 - column["isMain"]), FIT["notMain"]),
        "title": (column["title"] ** POWERS["titlePower"], FIT["title"]),
        "fulfilled": (
            0 if references else requested * explained ** POWERS["explainedPower"],
            FIT["fulfilled"],
        ),
        "fulfilledBeside": (
            requested ** POWERS["powerWithWork"] if references else 0,
            FIT["fulfilledBeside"],
        ),
        "similar": (column["likeness"], FIT["similar"]),
        "broken": (column["excluded"], FIT["broken"]),
    }
    values = [value + np.zeros(len(by_text)) for value, _ in features.values()]
    return np.stack(values, 1), np.array([weight for _, weight in features.values()]), list(features)


def ranks(values):
    """By the logarithm of the rank, 0 for the highest value and less for the others."""
    order = np.argsort(-values, kind="stable")
    places = np.empty(len(values))
    places[order] = np.arange(len(values))
    return -np.log1p(places)


# What all-features.js writes of each candidate: as the ranker weighs it, and of its series.
WEIGHED = ("cosine", "bm25", "maxsim", "together", "popularity", "title", "requested", "likeness", "excluded")
OF_SERIES = ("isMain", "franchise", "members", "continues")


def further(line):
    column = {name: np.array(line[name], float) for name in (*WEIGHED, *OF_SERIES)}
    count = len(line["score"])
    degrees = np.array(line["degrees"], float).reshape(-1, count)
    first = np.zeros(count)
    first[[int(at) for at in column["continues"] if at >= 0]] = 1
    franchises = column["franchise"]
    share = np.array([1 if one < 0 else (franchises == one).sum() for one in franchises])
    none = np.zeros(count)
    features = {
        **{f"rank of {name}": ranks(column[name]) for name in ("cosine", "bm25", "maxsim", "together")},
        "rrf": 1 / (60 + np.expm1(-ranks(column["cosine"]))) + 1 / (60 + np.expm1(-ranks(column["bm25"]))),
        "cosine below best": column["cosine"] - column["cosine"].max(),
        "maxsim below best": column["maxsim"] - column["maxsim"].max(),
        "share of best bm25": column["bm25"] / max(column["bm25"].max(), 1e-9),
        "least degree": degrees.min(0) if len(degrees) else none,
        "mean degree": degrees.mean(0) if len(degrees) else none,
        "share met": (degrees >= MIN_DEGREE).mean(0) if len(degrees) else none,
        "first of its series": first,
        "continues one": (column["continues"] >= 0).astype(float),
        "isMain": column["isMain"],
        "members": np.log(column["members"]),
        "candidates of its franchise": np.log(share),
        **{name: column[name] for name in WEIGHED},
    }
    return np.stack(list(features.values()), 1), list(features)


def of_query(query):
    """What kind of query it is: the same for all of its candidates."""
    line = query.line
    return {
        "explained": line["explained"],
        "continuation": line["continuation"],
        "hasText": line["hasText"],
        "hasReferences": line["hasReferences"],
        "hasTitle": max(line["title"]),
        "requests": len(line["degrees"]),
        "words": np.log(line["words"]),
        "textWords": np.log(line["textWords"]),
    }


def read(path, encoder):
    lines = [json.loads(text) for text in path.open(encoding="utf-8")]
    return [Query(line, at, encoder) for at, line in enumerate(lines)]


def gains_of(queries, values, before):
    """The gain of the mix, and of each kind, with intervals of 95 % by groups that are drawn again."""
    gains = np.asarray(values) - np.asarray(before)
    kinds = np.array([query.kind for query in queries])
    weights = np.array([query.weight for query in queries])
    groups = np.unique([query.group for query in queries], return_inverse=True)[1]
    generator = np.random.default_rng(1)
    draws = generator.multinomial(
        groups.max() + 1, np.full(groups.max() + 1, 1 / (groups.max() + 1)), RESAMPLES
    )[:, groups]
    rows, total = [], (0, np.zeros(RESAMPLES))
    for kind in dict.fromkeys(kinds):
        own = kinds == kind
        drawn = draws[:, own] @ gains[own] / np.maximum(draws[:, own].sum(1), 1)
        rows.append(
            (
                kind,
                own.sum(),
                np.mean(np.asarray(before)[own]),
                gains[own].mean(),
                *np.quantile(drawn, [0.025, 0.975]),
            )
        )
        share = weights[own].sum()
        total = (total[0] + share * gains[own].mean(), total[1] + share * drawn)
    return (total[0], *np.quantile(total[1], [0.025, 0.975])), rows


def shown(gain):
    return f"{gain[0]:+.4f} ({gain[1]:+.4f} to {gain[2]:+.4f})"


# ---- softmax over candidates


def softmax_features(query, kind):
    """Blocks of features, and the weights of those that ship; further ones begin at 0."""
    blocks, first = [query.base], [query.base_weights]
    if kind != "base":
        blocks.append(query.more)
        first.append(np.zeros(query.more.shape[1]))
    if kind == "interactions":
        kind_of_query = of_query(query)
        read, title, refers = (
            kind_of_query["explained"],
            kind_of_query["hasTitle"] > 0.9,
            kind_of_query["hasReferences"],
        )
        short = kind_of_query["words"] < np.log(6)
        for gate in (
            read * (1 - refers),
            (1 - read) * (1 - refers) * (1 - short),
            (1 - read) * (1 - refers) * short,
            refers,
            title,
        ):
            blocks.append(np.concatenate([query.base, query.more], 1) * float(gate))
            first.append(np.zeros(blocks[-1].shape[1]))
    return np.concatenate(blocks, 1), np.concatenate(first)


class Softmax:
    def __init__(self, kind, ridge, keep=()):
        self.kind, self.ridge, self.keep = kind, ridge, keep

    def fit(self, queries):
        own = [query for query in queries if query.is_fitted]
        parts = [softmax_features(query, self.kind)[0] for query in own]
        self.first = softmax_features(own[0], self.kind)[1]
        spread = np.sqrt(np.mean([part.var(0) for part in parts], 0))
        self.scale = np.where(spread > 1e-6, spread, np.inf)
        fixed = np.array(
            [name in self.keep for name in own[0].base_names]
            + [False] * (len(self.first) - len(own[0].base_names))
        )
        values = np.float32(np.concatenate(parts) / self.scale)
        offset = np.concatenate([part @ self.first for part in parts])
        begins = np.cumsum([0] + [len(part) for part in parts])[:-1]
        counts = np.array([len(part) for part in parts])
        right = np.concatenate([query.right for query in own]) > 0
        weights = np.array([query.weight for query in own])
        weights = weights / weights.sum()
        each = np.repeat(weights, counts)

        def loss(change):
            change = np.where(fixed, 0, change)
            scores = values @ np.float32(change) + offset
            most = np.repeat(np.maximum.reduceat(scores, begins), counts)
            powers = np.exp(scores - most)
            sums = np.add.reduceat(powers, begins)
            rights = np.add.reduceat(powers * right, begins)
            rights = np.maximum(rights, 1e-300)
            slope = each * (powers / np.repeat(sums, counts) - powers * right / np.repeat(rights, counts))
            total = weights @ (np.log(sums) - np.log(rights)) + self.ridge * change @ change
            return total, np.where(fixed, 0, values.T @ np.float32(slope)) + 2 * self.ridge * change

        self.change = minimize(
            loss, np.zeros(len(self.first)), jac=True, method="L-BFGS-B", options={"maxiter": 100}
        ).x
        self.change = np.where(fixed, 0, self.change) / self.scale
        return self

    def scores(self, query):
        features, first = softmax_features(query, self.kind)
        return features @ (first + self.change)


# ---- search by the measure itself


class Search:
    """The weights that ship, each stepped while the mix of the fitted part gains, as `synoptic ranker fit` does it."""

    def __init__(self, steps=(0.5, 0.7, 0.85, 1.15, 1.4, 2), rounds=3, least=0.0002):
        self.steps, self.rounds, self.least = steps, rounds, least

    def fit(self, queries):
        own = [query for query in queries if query.count and (query.right.any() or query.breaks.any())]
        width = max(query.count for query in own)
        features = np.zeros((len(own), width, own[0].base.shape[1]))
        padding = np.zeros((len(own), width))
        for at, query in enumerate(own):
            features[at, : query.count] = query.base
            padding[at, query.count :] = -1e9
        mix = np.array([query.weight for query in own])
        measures = np.array([query.measure for query in own])
        right, breaks = (np.zeros((len(own), width)) for _ in range(2))
        for at, query in enumerate(own):
            right[at, : query.count], breaks[at, : query.count] = query.right, query.breaks
        listed = [at for at, query in enumerate(own) if query.measure == "holds"]

        def worth(scores):
            order = np.argsort(-np.float32(scores), axis=1, kind="stable")[:, :10]
            found = np.take_along_axis(right, order, 1)
            broken = np.take_along_axis(breaks, order, 1)
            mrr = np.where(found.any(1), 1 / (found.argmax(1) + 1), 0)
            values = np.select(
                [measures == "first", measures == "p5", measures == "broken"],
                [found[:, 0], found[:, :5].mean(1), 1 - broken[:, :5].mean(1)],
                mrr,
            )
            for at in listed:
                values[at] = own[at].holds(order[at, : own[at].line["top"]])
            return mix @ values

        weights = own[0].base_weights.copy()
        scores = features @ weights + padding
        best = worth(scores)
        for _ in range(self.rounds):
            before = best
            for one in range(len(weights)):
                tried = [weights[one] * step for step in self.steps]
                changed = [
                    (worth(scores + (value - weights[one]) * features[:, :, one]), value) for value in tried
                ]
                value, weight = max(changed)
                if value > best + self.least:
                    scores = scores + (weight - weights[one]) * features[:, :, one]
                    best, weights[one] = value, weight
            if best == before:
                break
        self.weights = weights
        return self

    def scores(self, query):
        return query.base @ self.weights


# ---- trees

POSITIVE = {
    "cosine",
    "bm25",
    "maxsim",
    "together",
    "title",
    "requested",
    "likeness",
    "popularity",
    "fulfilled",
    "similar",
}


class Trees:
    """Boosted trees on top of what ships, whose score they begin with, unless `alone`."""

    def __init__(self, trees=100, leaves=8, rate=0.05, least=50, monotone=True, alone=False, without=()):
        self.rounds, self.alone, self.monotone, self.without = trees, alone, monotone, without
        self.parameters = {
            "objective": "lambdarank",
            "num_leaves": leaves,
            "learning_rate": rate,
            "min_data_in_leaf": least,
            "lambda_l2": 5,
            "feature_fraction": 0.7,
            "lambdarank_truncation_level": 15,
            "num_threads": 1,
            "verbosity": -1,
            "deterministic": True,
            "seed": 1,
        }

    def matrix(self, query):
        kind_of_query = np.array(list(of_query(query).values()))
        own = [not any(word in name for word in self.without) for name in query.more_names]
        return np.concatenate(
            [
                query.score[:, None] - query.score.max(),
                query.more[:, own],
                np.repeat(kind_of_query[None], query.count, 0),
            ],
            1,
        )

    def fit(self, queries):
        own = [query for query in queries if query.is_fitted]
        further = [name for name in own[0].more_names if not any(word in name for word in self.without)]
        names = ["score", *further, *of_query(own[0])]
        weights = np.concatenate([np.full(query.count, query.weight) for query in own])
        parameters = dict(self.parameters)
        if self.monotone:
            parameters["monotone_constraints"] = [
                1 if name == "score" or name in POSITIVE else -1 if name == "excluded" else 0
                for name in names
            ]
        data = lightgbm.Dataset(
            np.concatenate([self.matrix(query) for query in own]),
            np.concatenate([query.right for query in own]),
            group=[query.count for query in own],
            weight=weights / weights.mean(),
            init_score=None if self.alone else np.concatenate([query.score for query in own]),
            feature_name=[name.replace(" ", "_").replace(",", "") for name in names],
        )
        self.model = lightgbm.train(parameters, data, self.rounds)
        return self

    def scores(self, query):
        return self.model.predict(self.matrix(query)) + (0 if self.alone else query.score)


def crossed(queries, make, seed):
    """The worth of each query by models that have not seen its group."""
    groups = np.unique([query.group for query in queries], return_inverse=True)[1]
    fold_of = np.random.default_rng(seed).permutation(groups.max() + 1) % FOLDS
    folds = fold_of[groups]
    values = np.zeros(len(queries))
    for fold in range(FOLDS):
        model = make().fit([query for query, one in zip(queries, folds) if one != fold])
        for at in np.flatnonzero(folds == fold):
            values[at] = queries[at].worth(model.scores(queries[at])) if queries[at].count else 0
    return values


TEXT = ("cosine", "bm25", "maxsim", "together")
PRIORS = ("popularity", "popularity, known")
MODELS = {
    **{
        f"softmax, what ships refitted, ridge {r:g}": (lambda r=r: Softmax("base", r))
        for r in (0.001, 0.01, 0.1)
    },
    "softmax, the same, popularity as it ships, ridge 0.03": lambda: Softmax("base", 0.03, PRIORS),
    "softmax, the same, texts as they ship, ridge 0.03": lambda: Softmax("base", 0.03, PRIORS + TEXT),
    "softmax, all features, ridge 0.1": lambda: Softmax("all", 0.1),
    "search by the mix": Search,
    **{
        f"lambdarank, {t} trees of {l} leaves, rate {r:g}": (lambda t=t, l=l, r=r: Trees(t, l, r))
        for t, l, r in ((60, 8, 0.05), (100, 8, 0.1), (200, 15, 0.1))
    },
    "lambdarank, 100 trees of 8 leaves, rate 0.1, not monotone": lambda: Trees(100, 8, 0.1, monotone=False),
    "lambdarank, 100 trees of 8 leaves, rate 0.1, without bm25": lambda: Trees(
        100, 8, 0.1, without=("bm25", "rrf")
    ),
    "lambdarank, 200 trees of 15 leaves, rate 0.1, from nothing": lambda: Trees(200, 15, 0.1, alone=True),
    **{f"softmax, by kind of query, ridge {r:g}": (lambda r=r: Softmax("interactions", r)) for r in (1, 0.1)},
}


def main():
    arguments = parse_arguments()
    queries = read(arguments.file, arguments.encoder)
    own = [query for query in queries if query.count]
    worst = max(np.ptp((query.base @ query.base_weights) - query.score) for query in own)
    before = [query.worth(query.score) if query.count else 0 for query in queries]
    mix = np.dot([query.weight for query in queries], before)
    if worst > 0.01:
        raise SystemExit(
            f"basis() differs from what ships by {worst:.3g}: it has to follow src/search/ranking/weigh-fit.ts"
        )
    print(
        f"{len(queries)} queries, {sum(query.is_fitted for query in queries)} are fitted to; mix {mix:.4f} (recommendations as 0)",
        flush=True,
    )
    for name, make in MODELS.items():
        if arguments.only and not any(one in name for one in arguments.only):
            continue
        values = np.mean([crossed(queries, make, seed) for seed in range(1, arguments.seeds + 1)], 0)
        total, rows = gains_of(queries, values, before)
        print(f"\n{name}: {shown(total)}", flush=True)
        if arguments.kinds:
            for kind, count, was, gain, low, high in rows:
                sign = " *" if low > 0 or high < 0 else ""
                print(f"  {kind} ({count}): {was:.3f} {gain:+.4f} ({low:+.4f} to {high:+.4f}){sign}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--encoder", default="builtin/minilm-anime")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--kinds", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
