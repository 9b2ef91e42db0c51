"""Choose how sure the reader must be: `python -m draws.balls.vision.network_training.examination --help`.

It is shown balls in typefaces that it was taught with, so that those it was not taught stay a test.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from draws.balls.vision.network_training import trial as training_trial
from draws.balls.vision.network_training.trial import RIGHT, ShownAct, Trial, run
from draws.balls.vision.rendering.lens import BALL_FAULTS
from draws.balls.vision.rendering.style import enough_training_fonts
from draws.balls.vision.verdict import FROZEN, Limits

SURE = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
DOUBT = (0.03, 0.05, 0.08, 0.1, 0.15, 0.2)
MARKED = (0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits, the share of the balls read within them, and how many are read wrongly."""

    limits: Limits
    read: float
    wrong: int


def choices(shown: Sequence[ShownAct], *, format: int) -> list[ReaderLimits]:
    """Return what each of the limits would let through, the fewest wrong first, then the most read."""
    found = [
        _choice(shown, Limits(sure=sure, doubt=doubt, marked=marked), format)
        for sure, doubt, marked in product(SURE, DOUBT, MARKED)
    ]
    return sorted(found, key=lambda one: (one.wrong, -one.read))


def _choice(shown: Sequence[ShownAct], limits: Limits, format: int) -> ReaderLimits:
    told = [one.under(limits, format=format) for one in shown]
    return ReaderLimits(limits, training_trial.share(told, RIGHT), len(training_trial.wrong(told)))


def main() -> int:
    """Show the balls, print what the limits in use and the others let through; status 2 without typefaces."""
    asked = _asked()
    try:
        fonts = enough_training_fonts()
    except LookupError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    trial = Trial(
        asked.balls, asked.seed, asked.format, fonts, ("", *BALL_FAULTS),
        marks=not asked.unmarked, enrolled=asked.enrolled,
    )  # fmt: skip
    shown = run(trial, cores=asked.cores)
    sys.stdout.write(f"{'sure':>6}{'doubt':>7}{'marked':>8}{'read':>8}{'wrong':>7}\n")
    for choice in [_choice(shown, FROZEN, asked.format), *choices(shown, format=asked.format)]:
        sys.stdout.write(_line(choice))
    for name in training_trial.wrong(shown):
        sys.stdout.write(f"{name}\n")
    return 0


def _line(choice: ReaderLimits) -> str:
    limits = choice.limits
    return (
        f"{limits.sure:6.2f}{limits.doubt:7.2f}{limits.marked:8.2f}"
        f"{choice.read:8.1%}{choice.wrong:7}\n"
    )


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(
        prog="draws.balls.vision.network_training.examination", description=__doc__
    )
    words.add_argument("--balls", type=int, default=4_000)
    words.add_argument("--format", type=int, default=90, choices=(90, 80, 75, 30))
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument(
        "--enrolled", type=int, default=0, help="pictures of each ball had before, none by default"
    )
    words.add_argument("--unmarked", action="store_true", help="sets that mark no foot")
    return words.parse_args()


if __name__ == "__main__":
    sys.exit(main())
