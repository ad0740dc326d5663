"""Step 1: makes the folder that train.py needs, and nothing else, so that it can be carried to a machine
with a GPU: texts and pairs of the training part, the questions that choose between recipes (fitting
part, kept openings), and the start's weights.

Refuses every part but training, and checks the file it writes: no description of another part is in it.
"""

import argparse
import json
import lzma
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "works"), str(HERE.parent / "static-en")]

from numbered_texts import Texts, numbers_in
from parts import WORKS, read_works, refuse_others, works_for

LONG_SENTENCE = 50  # letters and digits
RUNS_ON_DEVICE = (
    "train.py",
    "folds.py",
    "evaluation.py",
    "encoder.py",
    "material.py",
    "numbered_texts.py",
    "losses.py",
    "judging.py",
    "recipes.py",
)


def training_file(works, data, texts, is_held_out=None):
    """Works, pairs and queries, their texts by number."""
    from short_queries import short_queries
    from works_material import facts_line, site_passages, site_records, two_site_pairs

    tags = json.loads((WORKS / "tags.json").read_text(encoding="utf-8"))
    names = {tag["tag"]: tag["name"] for tag in tags}
    records = site_records(data, works)
    passages = site_passages(records)
    if is_held_out is not None:
        records, passages = without(records, passages, is_held_out)
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
        "works": listed,
        "passages": rests,
        "across": across,
        "meanings": meanings,
        "short": short,
    }


def without(records, passages, is_held_out):
    kept = [row for row, record in enumerate(records) if not is_held_out(record)]
    place = {row: new for new, row in enumerate(kept)}
    moved = [(place[row], *texts) for row, *texts in passages if row in place]
    return [records[row] for row in kept], moved


def all_but_folds(works, arguments):
    """A training file for each fold, without its works and all texts about them; texts are shared."""
    from works import FOLDS
    from works_material import without_fold

    texts, folds = Texts(), {}
    for fold in range(FOLDS):
        kept, is_held_out = without_fold(works, arguments.static, fold)
        is_held_out = with_copies(is_held_out, arguments.data)
        folds[fold] = training_file(kept, arguments.data, texts, is_held_out)
        refuse_texts_of_fold(folds[fold], list(texts.place), arguments, fold)
        print(f"without fold {fold}: {counted(folds[fold])}", flush=True)
    return {"texts": list(texts.place), "folds": folds}


def with_copies(is_held_out, data):
    """Records that share a long sentence with one that is held out are held out, too."""
    from texts import read_records, sentences

    def long_sentences(record):
        keys = {re.sub(r"[\W_]+", "", one.lower()) for one in sentences(record["text"])}
        return {key for key in keys if len(key) >= LONG_SENTENCE}

    held_out = [long_sentences(record) for record in read_records(data) if is_held_out(record)]
    copied = set().union(*held_out)
    return lambda record: is_held_out(record) or bool(long_sentences(record) & copied)


def refuse_texts_of_fold(learnt, texts, arguments, fold):
    """Refuses queries and right texts of the fold's evaluation from any writer."""
    evaluation = json.loads(Path(arguments.evaluation).read_text(encoding="utf-8"))
    held_out = set()
    for query in evaluation["queries"]:
        if query["fold"] == fold:
            rows = evaluation["index"][query["index"]]
            held_out |= {query["text"], *(text for row in query["right"] for text in rows[row])}
    plain = lambda text: " ".join(text.lower().split())
    refused = {plain(evaluation["texts"][number]) for number in held_out}
    for number in numbers_in(learnt):
        if plain(texts[number]) in refused:
            raise SystemExit(f"refused: a text of fold {fold}: {texts[number]!r}")


def counted(learnt):
    return ", ".join(f"{name} {len(listed)}" for name, listed in learnt.items())


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
    for one in questions_for(part, data):
        found.append(one)
        if one.sources[0] is None:
            continue
        rows = [
            row
            for row, record in enumerate(one.sources)
            if (record["source"], record["text"]) not in seen and record["work"] in own_titles
        ]
        name = one.name.replace("kept", "unseen")
        queries, right, sources = (
            [values[row] for row in rows] for values in (one.queries, one.right, one.sources)
        )
        found.append(Question(name, queries, one.index, right, sources))
    split = {"fitting": "fit", "reporting": "report"}[part]
    found.append(question(*described_by_others(data, split)))
    return found


def described_by_others(data, split):
    """bench/data's descriptions of anime, one half, against MyAnimeList's texts."""
    from questions import kept_index
    from texts import work_key

    index, place = kept_index(data)
    described = []
    path = HERE.parents[1] / "bench/data/descriptions.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        keys = [work_key(title) for title in [one["title"], *one.get("titles", [])]]
        right = sorted({row for key in keys for row in place.get(key, [])})
        if one["dataset"] == "anime" and one["split"] == split and right:
            described.append((one["description"], right))
    return "others", described, index


def pack(found):
    texts = Texts()
    questions = [
        {
            "name": question.name,
            "queries": texts.all(question.queries),
            "index": texts.all(question.index),
            "right": question.right,
        }
        for question in found
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
    if arguments.folds:
        learnt = all_but_folds(works, arguments)
        evaluation = json.loads(Path(arguments.evaluation).read_text(encoding="utf-8"))
        write(output / "evaluation.json.xz", evaluation)
    else:
        texts = Texts()
        learnt = training_file(works, arguments.data, texts)
        print(counted(learnt))
        learnt = {"texts": list(texts.place)} | learnt
    refuse_others(learnt["texts"], "training")
    write(output / "training.json.xz", learnt)
    judged = pack(questions_of("fitting", arguments.data))
    write(output / "judging.json.xz", judged)
    print(", ".join(f"{question['name']} {len(question['queries'])}" for question in judged["questions"]))
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
    parser.add_argument(
        "--folds", action="store_true", help="for folds.py: each third of the franchises left out"
    )
    parser.add_argument(
        "--static", default="../static-en-work", help="what static-en's prepare.py wrote"
    )
    parser.add_argument(
        "--evaluation", default="../fit-ranker-work/evaluation.json", help="what fit-ranker's evaluation.js wrote"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
