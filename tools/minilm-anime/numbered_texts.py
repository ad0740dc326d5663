"""Texts by number, as training.json.xz has them, so that each is there once."""

PAIRS = ("passages", "across", "meanings")  # [text, text, group]


class Texts:
    """Each text once, by number."""

    def __init__(self):
        self.place = {}

    def __call__(self, text):
        return self.place.setdefault(text, len(self.place))

    def all(self, texts):
        return [self(text) for text in texts]


def numbers_in(learnt):
    """Of all texts that the works, pairs and queries have."""
    for work in learnt["works"]:
        yield from (work["synopsis"], work["facts"], *work["descriptions"], *work["sites"])
    for name in PAIRS:
        for one, other, _ in learnt[name]:
            yield from (one, other)
    yield from (text for text, _, _ in learnt["short"])


def with_own_texts(learnt, texts):
    """The same with the texts that it needs and no others, numbered again."""
    own = Texts()
    own.all(numbers_in(learnt))
    place = own.place
    works = [
        work
        | {name: place[work[name]] for name in ("synopsis", "facts")}
        | {name: [place[one] for one in work[name]] for name in ("descriptions", "sites")}
        for work in learnt["works"]
    ]
    pairs = {
        name: [[place[one], place[other], group] for one, other, group in learnt[name]]
        for name in PAIRS
    }
    short = [[place[text], right, unsure] for text, right, unsure in learnt["short"]]
    return {"texts": [texts[number] for number in place], "works": works, **pairs, "short": short}
