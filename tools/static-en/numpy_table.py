"""A table under training without a framework: sums of rows, cosines, their gradients by hand, and Adam
on the rows that a step used."""

import numpy as np
import scipy.sparse

FIRST_DECAY, SECOND_DECAY, EPSILON = 0.9, 0.999, 1e-8  # Adam's usual
MASKED = -1e4
LONG = 6  # tokens; shorter texts lose none
SMALLEST_LENGTH = 1e-9


class NumpyTable:
    def __init__(self, rows):
        self.rows = rows.astype(np.float32).copy()
        self.first = np.zeros_like(self.rows)
        self.second = np.zeros_like(self.rows)
        self.steps = 0
        self.pending = []

    def vectors(self, counts):
        """Unit vectors of texts, given as sparse rows of token counts, and room for their gradient."""
        tokens, place = np.unique(counts.indices, return_inverse=True)
        shape = (counts.shape[0], len(tokens))
        own = scipy.sparse.csr_matrix((counts.data, place.astype(np.int32), counts.indptr), shape)
        vectors = Vectors(tokens, own, own @ self.rows[tokens])
        self.pending.append(vectors)
        return vectors

    def step(self, learning_rate):
        """Moves the rows that were used since the last step against their gradient."""
        tokens = np.unique(np.concatenate([vectors.tokens for vectors in self.pending]))
        gradient = np.zeros((len(tokens), self.rows.shape[1]), np.float32)
        for vectors in self.pending:
            gradient[np.searchsorted(tokens, vectors.tokens)] += vectors.row_gradient()
        self.pending = []
        self.steps += 1
        first, second = self.first[tokens], self.second[tokens]
        first *= FIRST_DECAY
        first += (1 - FIRST_DECAY) * gradient
        gradient *= gradient
        gradient *= 1 - SECOND_DECAY
        second *= SECOND_DECAY
        second += gradient
        self.first[tokens], self.second[tokens] = first, second
        second /= 1 - SECOND_DECAY**self.steps
        np.sqrt(second, out=second)
        second += EPSILON
        first /= second
        first *= learning_rate / (1 - FIRST_DECAY**self.steps)
        self.rows[tokens] -= first


class Vectors:
    def __init__(self, tokens, counts, sums):
        self.tokens, self.counts = tokens, counts
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        self.lengths = np.maximum(lengths, SMALLEST_LENGTH)
        self.unit = sums / self.lengths
        self.gradient = np.zeros_like(self.unit)

    def row_gradient(self):
        """Through the division by the length, and the sum."""
        along = (self.gradient * self.unit).sum(1, keepdims=True)
        return self.counts.T @ ((self.gradient - self.unit * along) / self.lengths)


def contrast(queries, texts, wanted, *, scale, weight, bias, both=True):
    """Adds the gradient of the cross-entropy of softmax(scale x cosine + bias) against `wanted`, rows of
    sum 1; with `both`, the texts ask for their queries, too. Returns the loss."""
    logits = scale * (queries.unit @ texts.unit.T) + bias
    loss, slope = cross_entropy(logits, wanted)
    if both:
        has_query = wanted.any(0)
        wanted_back = wanted[:, has_query].T / wanted[:, has_query].sum(0)[:, None]
        loss_back, slope_back = cross_entropy(logits[:, has_query].T, wanted_back)
        loss = (loss + loss_back) / 2
        slope /= 2
        slope[:, has_query] += slope_back.T / 2
    slope *= weight * scale
    queries.gradient += slope @ texts.unit
    texts.gradient += slope.T @ queries.unit
    return weight * loss


def cross_entropy(logits, wanted):
    logits = logits - logits.max(1, keepdims=True)
    shares = np.exp(logits)
    total = shares.sum(1, keepdims=True)
    loss = (wanted * (np.log(total) - logits)).sum() / len(logits)
    return loss, ((shares / total - wanted) / len(logits)).astype(np.float32)


def keep_cosines(vectors, start, weight):
    """Draws the cosines within a batch to those of the start's unit vectors."""
    difference = vectors.unit @ vectors.unit.T - start @ start.T
    vectors.gradient += weight * 4 / difference.size * (difference @ vectors.unit)
    return weight * (difference**2).mean()


def with_drops(counts, rng, share):
    """The same texts with some tokens left out, so that no single word is relied on."""
    lengths = np.diff(counts.indptr)
    may = np.repeat(lengths > LONG, lengths)
    data = np.where(may & (rng.random(len(counts.data)) < share), 0, counts.data)
    return scipy.sparse.csr_matrix((data, counts.indices, counts.indptr), counts.shape)
