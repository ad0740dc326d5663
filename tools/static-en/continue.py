"""Step 4: the trained table learns from the works what people remember of a work.

Descriptions of the training part (data/works/splits.json) should find synopses, sites' texts, facts and each
other, and tags' everyday words for the synopses of works that have them; it also goes on with
passages of the sites' texts, and its cosines between these are held. Each step separates a batch of
descriptions' own synopses from all others of the part, the hardest among them. numpy alone; a
checkpoint is written every so many steps. With --held-out FOLD it goes on with the table of that fold,
and sees nothing of its works.
"""

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "works"))

from parts import works_for


def main():
    arguments = parse_arguments()
    # Refuses before anything is loaded.
    works = works_for("training", arguments.part)
    import numpy as np

    from judge import SHIPPED, Judge, read_table, shown
    from teacher import load_tokenizer
    from works_material import read_material, without_fold
    from works_trainer import Recipe, Trainer

    tokenizer = load_tokenizer(SHIPPED)
    judge = Judge(tokenizer, "fitting", arguments.data)
    is_held_out = None
    if arguments.held_out is not None:
        works, is_held_out = without_fold(works, arguments.work, arguments.held_out)
    material = read_material(tokenizer, works, arguments.data, is_held_out)
    start = read_table(arguments.start)
    print(f"start: {shown(judge.figures(start))}", flush=True)
    tables = []
    for run in range(arguments.runs):
        output = Path(arguments.output).with_suffix(f".{arguments.seed + run}.npy")
        began = time.monotonic()

        def report(step, rows, losses):
            np.save(output, rows)
            seconds = time.monotonic() - began
            print(
                f"step {step}, {seconds:.0f} s: {shown(judge.figures(rows))}; {shown(losses)}",
                flush=True,
            )

        trainer = Trainer(material, Recipe(), arguments.seed + run)
        tables.append(trainer.train(start, report, arguments.every))
    mean = np.mean(tables, 0)
    np.save(arguments.output, mean)
    print(f"mean of {len(tables)}: {shown(judge.figures(mean))}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="training", help="any other is refused")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--held-out", type=int, help="the fold whose works training must not see")
    parser.add_argument("--work", default="../static-en-work", help="what prepare.py wrote")
    parser.add_argument(
        "--start", default="../static-en-work/table.npy", help="what train.py wrote"
    )
    parser.add_argument("--output", default="../static-en-work/continued.npy")
    parser.add_argument("--runs", type=int, default=3, help="their tables' mean is written")
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--every", type=int, default=50, help="steps between checkpoints")
    return parser.parse_args()


if __name__ == "__main__":
    main()
