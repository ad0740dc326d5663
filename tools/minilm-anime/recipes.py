"""How a model is trained, and what is tried, in this order: one change a time, kept where it gains."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    steps: int = 150
    learning_rate: float = 1e-4
    warm_up: float = 0.1  # share of the steps
    decay: float = 0.01
    scale: float = 20.0  # 1 / temperature
    drop: float = 0.15  # share of tokens left out
    works: int = 1024  # a step: each with a description and its synopsis
    keep: float = 40.0  # weight of the start's cosines between the sites' texts
    distil: float = 0.0  # share of the targets that the models so far give
    table: bool = True  # tokens' vectors are trained, too
    averaged: float = 0.96  # of the running mean of the weights; 0: the last weights
    weights: dict = field(
        default_factory=lambda: {
            "descriptions synopses": 1.0,
            "descriptions descriptions": 0.5,
            "descriptions sites": 0.5,
            "descriptions facts": 0.25,
            "synopses facts": 0.1,
            "synopses sites": 0.25,
            "passages rests": 0.5,
            "across": 0.25,
            "short synopses": 0.4,
            "meanings": 0.1,
        }
    )

    def pace(self, step):
        """The share of the learning rate at a step, from 1."""
        first = max(1, int(self.steps * self.warm_up))
        if step <= first:
            return step / first
        return 0.5 * (1 + math.cos(math.pi * (step - first) / max(1, self.steps - first + 1)))


TRIALS = (
    {},
    {"learning_rate": 2e-4},
    {"steps": 300},
    {"drop": 0.3},
    {"scale": 30.0},
    {"distil": 0.4},
    {"keep": 10.0},
    {"table": False},
    {"learning_rate": 4e-4},
    {"drop": 0.0},
    {"distil": 0.7},
    {"steps": 600},
)
SHARES_OF_TRAINING = (1.0, 0.85, 0.7)  # of the mean of the best models; the rest is the start
