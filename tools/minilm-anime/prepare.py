"""Step 1: makes the folder that train.py needs, and nothing else, so that it can be carried to a machine
with a GPU: texts and pairs of the training part, the questions that choose between recipes (fitting
part, kept openings), and the start's weights.

Refuses every part but training, and checks the file it writes: no description of another part is in it.
"""

import argparse
import json
import lzma
import random
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "works"), str(HERE.parent / "static-en")]

from parts import WORKS, read_works, refuse_others, works_for

SEED = 20261125
SHORT_QUERIES_PER_WORK = 4
FEWEST_TAGS = 2
RUNS_ON_DEVICE = ("train.py", "encoder.py", "material.py", "losses.py", "judging.py", "recipes.py")


class Texts:
    """Each text once, by number."""

    def __init__(self):
        self.place = {}

    def __call__(self, text):
        return self.place.setdefault(text, len(self.place))

    def all(self, texts):
        return [self(text) for text in texts]


def training_file(works, data):
    from works_material import facts_line, site_passages, site_records, two_site_pairs

    texts = Texts()
    tags = json.loads((WORKS / "tags.json").read_text(encoding="utf-8"))
    names = {tag["tag"]: tag["name"] for tag in tags}
    records = site_records(data, works)
    numbers = {}
    group = lambda franchise: numbers.setdefault(franchise, len(numbers))
    sites = [[] for _ in works]
    for record in records:
        if record["of"] is not None:
            sites[record["of"]].append(texts(record["text"]))
    listed = [
        {
            "group": group(work["franchise"]),
            "synopsis": texts(work["synopsis"]),
            "facts": texts(facts_line(work, names)),
            "descriptions": texts.all(work["descriptions"]),
            "sites": own,
        }
        for work, own in zip(works, sites)
    ]
    passages = site_passages(records)
    of_record = [row for row, _, _ in passages]
    groups = [group(records[row]["franchise"]) for row in of_record]
    rests = [[texts(one), texts(rest), own] for (_, one, rest), own in zip(passages, groups)]
    across = [
        [texts(passages[row][1]), texts(records[site]["text"]), groups[row]]
        for row, site in two_site_pairs(records, of_record)
    ]
    meanings = [
        [texts(word), texts(f"{tag['name']}. {tag['meaning']}"), row]
        for row, tag in enumerate(tags)
        for word in sorted({tag["name"], *tag["synonyms"]})
    ]
    short = [[texts(text), *answers] for text, *answers in short_queries(works, tags)]
    return {
        "texts": list(texts.place),
        "works": listed,
        "passages": rests,
        "across": across,
        "meanings": meanings,
        "short": short,
    }


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
            asked = rng.sample(strong, rng.choice([1, 2, 2, 3]) if len(strong) > 2 else 2)
            said = [rng.choice(words[tag]) for tag in asked]
            facts = {}
            if rng.random() < 0.3 and work.get("year"):
                facts["decade"] = work["year"] // 10
            if rng.random() < 0.3 and work["genres"]:
                facts["genre"] = rng.choice(work["genres"])
            if rng.random() < 0.3:
                facts["dataset"] = work["dataset"]
            yield from answered(works, phrase(rng, said, facts), asked, facts, seen)


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


def answered(works, text, asked, facts, seen):
    if text in seen:
        return
    right, unsure = [], []
    for row, work in enumerate(works):
        if not fits(work, facts):
            continue
        degrees = [work["tags"].get(tag, 0) for tag in asked]
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


def questions_of(part, data):
    """Of the fitting or the reporting part; openings of texts that training has left out, because they are
    about a work of the part, are questions of their own."""
    from questions import Question, question, questions_for
    from texts import work_key
    from works_material import site_records, titles_of

    trained = works_for("training")
    seen = {(record["source"], record["text"]) for record in site_records(data, trained)}
    own_titles = {work_key(title) for work in works_for(part) for title in titles_of(work)}
    found = []
    for asked in questions_for(part, data):
        found.append(asked)
        if asked.sources[0] is None:
            continue
        rows = [
            row
            for row, record in enumerate(asked.sources)
            if (record["source"], record["text"]) not in seen and record["work"] in own_titles
        ]
        name = asked.name.replace("kept", "unseen")
        queries, right, sources = (
            [values[row] for row in rows] for values in (asked.queries, asked.right, asked.sources)
        )
        found.append(Question(name, queries, asked.index, right, sources))
    split = {"fitting": "fit", "reporting": "report"}[part]
    found.append(question(*described_by_others(data, split)))
    return found


def described_by_others(data, split):
    """bench/data's descriptions of anime, one half, against MyAnimeList's texts."""
    from questions import kept_index
    from texts import work_key

    index, place = kept_index(data)
    asked = []
    path = HERE.parents[1] / "bench/data/descriptions.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        keys = [work_key(title) for title in [one["title"], *one.get("titles", [])]]
        right = sorted({row for key in keys for row in place.get(key, [])})
        if one["dataset"] == "anime" and one["split"] == split and right:
            asked.append((one["description"], right))
    return "others", asked, index


def pack(found):
    texts = Texts()
    questions = [
        {
            "name": asked.name,
            "queries": texts.all(asked.queries),
            "index": texts.all(asked.index),
            "right": asked.right,
        }
        for asked in found
    ]
    return {"texts": list(texts.place), "questions": questions}


def write(path, value):
    packed = lzma.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
    path.write_bytes(packed)
    print(f"{path.name}: {len(value['texts'])} texts, {len(packed) / 2**20:.1f} MiB", flush=True)


def write_start(model, output):
    """Matrices and vectors as float16; the table of tokens as int8 rows with a scale each. join.py adds
    what training changed to the float32 weights, so that nothing is lost but a little of the start.
    """
    import numpy as np
    from onnx_weights import weights_of

    packed = {}
    for name, value in weights_of(model).items():
        if name == "embeddings.word_embeddings.weight":
            scales = np.abs(value).max(1) / 127
            packed[f"{name}.int8"] = np.rint(value / scales[:, None]).astype(np.int8)
            packed[f"{name}.scales"] = scales.astype(np.float32)
        else:
            packed[name] = value.astype(np.float16)
    np.savez_compressed(output / "start.npz", **packed)
    print(f"start.npz: {(output / 'start.npz').stat().st_size / 2**20:.1f} MiB")


def main():
    arguments = parse_arguments()
    works = works_for("training", arguments.part)
    output = Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    learnt = training_file(works, arguments.data)
    refuse_others(learnt["texts"], "training")
    write(output / "training.json.xz", learnt)
    counts = {name: len(listed) for name, listed in learnt.items()}
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    judged = pack(questions_of("fitting", arguments.data))
    write(output / "judging.json.xz", judged)
    print(", ".join(f"{asked['name']} {len(asked['queries'])}" for asked in judged["questions"]))
    write_start(arguments.model, output)
    shutil.copy(Path(arguments.model) / "config.json", output)
    shutil.copy(Path(arguments.model) / "tokenizer.json", output)
    for name in RUNS_ON_DEVICE:
        shutil.copy(HERE / name, output)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="training", help="any other is refused")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--model", default="../shared/models/all-MiniLM-L6-v2", help="the start")
    parser.add_argument("--output", default="../minilm-work/carry")
    return parser.parse_args()


if __name__ == "__main__":
    main()
