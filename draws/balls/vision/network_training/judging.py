"""Judge the readers by photographs of real balls: `python -m draws.balls.vision.network_training.judging FOLDER`.

The folder is no part of the project (`photographs`). An honest table needs networks of the second look
that never saw its balls: name those that were taught without `--photographs`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from draws.balls.vision import balls_in_files, second_look
from draws.balls.vision.network import Glance
from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.photographed import RealBall, read_folder
from draws.balls.vision.second_look import SecondLook
from draws.balls.vision.values import Spot
from draws.balls.vision.verdict import verdict
from draws.balls.vision.watching import look_closer

NOTHING = Glance(None, 0.0, None, 0.0, 0.0, 0.0, np.zeros(100))


def judged(balls: Sequence[RealBall], second: Sequence[Sequence[Glance]]) -> list[str]:
    """Return a table of what is announced of each photograph's balls, as lines; the last is of all.

    Each ball is looked at first by the reader as it is, which has never seen a photograph.
    """
    eye, judge = Eye(), partial(verdict, format=90)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for ball, closely in zip(balls, second, strict=True):
        (x, y), radius = ball.spot
        spot = Spot(x, y, radius)
        glances = balls_in_files.look_again(
            eye, ball.picture, spot, balls_in_files.look(eye, ball.picture, spot)
        )
        found = look_closer(eye, judge, ball.picture, spot, glances, closely)
        likely = [number for number, _share in found.candidates]
        for row in (rows[ball.photograph], rows["all"]):
            row["balls"] += 1
            row["first"] += any(map(ball.is_read, likely[:1]))
            row["two"] += any(map(ball.is_read, likely[:2]))
            if found.number is not None:
                row["told" if ball.is_read(found.number) else "wrong"] += 1
    heads = f"{'photograph':12} balls  first  two  told  wrong"
    return [heads] + [
        f"{name:12} {row['balls']:5} {row['first']:6} {row['two']:4} {row['told']:5} {row['wrong']:6}"
        for name, row in sorted(rows.items(), key=lambda each: each[0] == "all")
    ]


def main() -> int:
    """Read the balls of the folder and print the table."""
    words = argparse.ArgumentParser(
        prog="draws.balls.vision.network_training.judging", description=__doc__
    )
    words.add_argument(
        "folder", type=Path, help="labels.csv (file, number, photo) and its pictures"
    )
    words.add_argument(
        "--second", type=Path, nargs="+", default=second_look.NETWORKS, metavar="NETWORK",
        help="networks of the second look; by default those that ship, which saw such balls",
    )  # fmt: skip
    asked = words.parse_args()
    balls, look = read_folder(asked.folder), SecondLook(asked.second)
    second = [
        look.look(ball.picture, centre=ball.spot[0], radius=ball.spot[1], first=NOTHING)
        for ball in balls
    ]
    sys.stdout.write("\n".join(judged(balls, second)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
