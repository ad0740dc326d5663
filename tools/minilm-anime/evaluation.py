"""evaluation.json.xz: the queries of tools/fit-ranker, each with the fold of its work, and the texts of its
catalogues; what they find by vectors alone.
"""

from pathlib import Path

import numpy as np
import torch

from encoder import Rows, encode_all
from judging import LONGEST, read, reciprocal_rank
from material import ragged


class Evaluation:
    def __init__(self, folder, device, share=1.0):
        """A share below 1 uses fewer queries and small catalogues, for a trial of the code."""
        evaluation = read(Path(folder) / "evaluation.json.xz")
        self.queries = evaluation["queries"][:: max(1, round(1 / share))]
        self.rows_of = {
            name: self.sampled_rows(name, len(rows), share) for name, rows in evaluation["index"].items()
        }
        texts_of = {name: evaluation["index"][name] for name in self.rows_of}
        numbers = {query["text"] for query in self.queries} | {
            text
            for name, rows in self.rows_of.items()
            for row in rows
            for text in texts_of[name][row]
        }
        self.count, self.numbers = len(evaluation["texts"]), sorted(numbers)
        place = {number: row for row, number in enumerate(self.numbers)}
        self.rows = Rows(
            folder, [evaluation["texts"][number] for number in self.numbers], LONGEST, device
        )
        self.texts_of = {
            name: ragged([[place[text] for text in texts_of[name][row]] for row in rows], device)[0]
            for name, rows in self.rows_of.items()
        }
        self.asking = [place[query["text"]] for query in self.queries]

    def sampled_rows(self, name, count, share):
        if share >= 1:
            return range(count)
        right = {row for query in self.queries if query["index"] == name for row in query["right"]}
        return sorted(right | set(range(min(20, count))))

    def vectors(self, model, exact=False):
        return encode_all(model, self.rows, exact=exact)

    def reciprocal_ranks(self, vectors, fold):
        """{number of the query: 1 / rank}: of a row by its best text."""
        found = {}
        for name, rows in self.rows_of.items():
            chosen = [
                number
                for number, query in enumerate(self.queries)
                if query["fold"] == fold and query["index"] == name
            ]
            if not chosen:
                continue
            texts = self.texts_of[name]
            scores = vectors[[self.asking[number] for number in chosen]] @ vectors.T
            scores = scores[:, texts].masked_fill(texts < 0, -9).amax(2)
            place = {row: column for column, row in enumerate(rows)}
            wanted = torch.zeros_like(scores, dtype=torch.bool)
            for line, number in enumerate(chosen):
                wanted[line, [place[row] for row in self.queries[number]["right"]]] = True
            found |= zip(chosen, reciprocal_rank(scores, wanted).tolist())
        return found

    def figures(self, ranks):
        """MRR@10 by set of queries; nothing where a trial of the code has no queries."""
        by_set, described = {}, []
        for number, value in ranks.items():
            name = self.queries[number]["set"]
            by_set.setdefault(name, []).append(value)
            if name.startswith("descriptions"):
                described.append(value)
        means = {name: float(np.mean(values)) for name, values in sorted(by_set.items())}
        pairs = [value for name, value in means.items() if not name.startswith("descriptions")]
        kinds = {"mean of pairs": pairs, "descriptions": described}
        return {name: float(np.mean(own)) for name, own in kinds.items() if own} | means

    def write(self, path, vectors):
        """As float16, a row for each text of evaluation.json."""
        everything = np.zeros((self.count, vectors.shape[1]), np.float16)
        everything[self.numbers] = vectors.cpu().numpy()
        np.save(path, everything)
