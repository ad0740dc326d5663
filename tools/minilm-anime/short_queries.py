"""What people type in a few words, made of the tags and facts of works."""

import random

SEED = 20261125
SHORT_QUERIES_PER_WORK = 4
FEWEST_TAGS = 2


def short_queries(works, tags):
    """[text, [[work, weight]], [works that are neither right nor wrong]]: what people type in a few
    words, of a work's tags and facts; all works that have them are right, the more they have."""
    rng = random.Random(SEED)
    words = {tag["tag"]: [tag["name"], *tag["synonyms"]] for tag in tags}
    seen = set()
    for tag in tags:
        for word in words[tag["tag"]]:
            yield from answered(works, word, [tag["tag"]], {}, seen)
    for work in works:
        strong = [tag for tag, weight in work["tags"].items() if weight > 1]
        if len(strong) < FEWEST_TAGS:
            continue
        for _ in range(SHORT_QUERIES_PER_WORK):
            chosen = rng.sample(strong, rng.choice([1, 2, 2, 3]) if len(strong) > 2 else 2)
            said = [rng.choice(words[tag]) for tag in chosen]
            facts = {}
            if rng.random() < 0.3 and work.get("year"):
                facts["decade"] = work["year"] // 10
            if rng.random() < 0.3 and work["genres"]:
                facts["genre"] = rng.choice(work["genres"])
            if rng.random() < 0.3:
                facts["dataset"] = work["dataset"]
            yield from answered(works, phrase(rng, said, facts), chosen, facts, seen)


def phrase(rng, said, facts):
    decade = f"{facts['decade'] % 10 * 10 or '2000'}s" if "decade" in facts else ""
    if "decade" in facts and facts["decade"] >= 200:
        decade = f"{facts['decade'] * 10}s"
    front = " ".join(filter(None, [decade, facts.get("genre", "").lower()]))
    kind = facts.get("dataset", "")
    if rng.random() < 0.3:
        return " ".join([front, *said, kind]).strip()
    joined = (
        said[0]
        if len(said) == 1
        else ", ".join(said[:-1]) + rng.choice([" and ", " with ", ", "]) + said[-1]
    )
    link = rng.choice(["about", "with", "where there is"]) if front or kind else ""
    return " ".join(filter(None, [front, kind, link, joined]))


def answered(works, text, chosen, facts, seen):
    if text in seen:
        return
    right, unsure = [], []
    for row, work in enumerate(works):
        if not fits(work, facts):
            continue
        degrees = [work["tags"].get(tag, 0) for tag in chosen]
        weight = 1
        for degree in degrees:
            weight *= max(degree - 1, 0)
        if weight:
            right.append([row, weight])
        elif all(degrees):
            unsure.append(row)
    if right:
        seen.add(text)
        yield text, right, unsure


def fits(work, facts):
    decade = facts.get("decade")
    return (
        (decade is None or (work.get("year") or 0) // 10 == decade)
        and ("genre" not in facts or facts["genre"] in work["genres"])
        and ("dataset" not in facts or facts["dataset"] == work["dataset"])
    )
