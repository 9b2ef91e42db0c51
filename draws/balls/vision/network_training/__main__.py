"""Train the reader's networks from nothing: `python -m draws.balls.vision.network_training --help`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import torch
from torch import nn

from draws.balls.vision import facing, second_look
from draws.balls.vision.network_training import judging, lessons, photographs, strange_scenes
from draws.balls.vision.network_training.lessons import COIN, Coin
from draws.balls.vision.network_training.networks import (
    Locator,
    Reader,
    Subject,
    teach,
    write_lesson,
)
from draws.balls.vision.network_training.samples import Gathered, first, gather, joined
from draws.balls.vision.network_training.whole_balls import WHOLE_BALL, WholeBall
from draws.balls.vision.reader import LOCATOR, READERS
from draws.balls.vision.rendering.photographed import read_folder
from draws.balls.vision.rendering.style import enough_training_fonts

TUNED_WITH = (12_000, 6_000)  # strange and usual pictures among which photographs are shown
COINS, COIN_EPOCHS = 12_000, 6  # pictures, and how often each is seen
TUNING = 40  # what is added to the seed


def main() -> int:
    """Render, teach, write; exit status 2 where too few typefaces are installed."""
    asked = _asked()
    try:
        fonts = enough_training_fonts()
    except LookupError as error:
        _print(str(error))
        return 2
    asked.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    usual = gather(asked.pictures, seed=asked.seed, fonts=fonts, cores=asked.cores)
    strange = gather(
        asked.strange, seed=asked.seed + 1, fonts=fonts, cores=asked.cores,
        source=strange_scenes.samples_of,
    )  # fmt: skip
    _print(
        f"{asked.pictures} usual and {asked.strange} strange pictures in {len(fonts)} typefaces, "
        f"{time.monotonic() - started:.0f} s"
    )
    mixed = joined(first(usual, asked.strange // 2), strange)
    # A fork sees the pictures without a copy; two threads of one step would wait for each other
    # longer than they work, so each network is taught by a process of its own.
    forks = get_context("fork")
    taught = [
        forks.Process(
            target=_taught, args=(course, mixed if course.network is WholeBall else usual, asked)
        )
        for course in _courses(asked.seed)
        if course.name in (asked.only or [course.name])
    ]
    if second_look.COIN_NETWORK.name in (asked.only or [second_look.COIN_NETWORK.name]):
        _teach_coins(asked, fonts)
    # As many at once as there are cores.
    for start in range(0, len(taught), asked.cores):
        for process in taught[start : start + asked.cores]:
            process.start()
        for process in taught[start : start + asked.cores]:
            process.join()
    if any(process.exitcode for process in taught):
        return 1
    if asked.photographs:
        _tune(asked, joined(first(strange, TUNED_WITH[0]), first(usual, TUNED_WITH[1])))
    _print(f"written to {asked.out}, {time.monotonic() - started:.0f} s in all")
    return 0


@dataclass(frozen=True, slots=True)
class Course:
    """What one network is taught: by which lessons, of pictures of what shape, in what order."""

    network: type[nn.Module]
    subject: Subject
    shape: tuple[int, int, int]
    name: str
    seed: int


def _courses(seed: int) -> list[Course]:
    shape = (1, facing.SIDE, facing.SIDE)
    readers = [
        Course(Reader, lessons.READING, shape, file.name, seed + number)
        for number, file in enumerate(READERS, start=1)
    ]
    shape = (3, facing.TURNING_SIDE, facing.TURNING_SIDE)
    locator = Course(Locator, lessons.LOCATING, shape, LOCATOR.name, seed)
    shape = (3, second_look.SIDE, second_look.SIDE)
    whole = [
        Course(WholeBall, WHOLE_BALL, shape, file.name, seed + 10 + number)
        for number, file in enumerate(second_look.NETWORKS, start=1)
    ]
    return [*readers, locator, *whole]


def _taught(course: Course, gathered: Gathered, asked: argparse.Namespace) -> None:
    """Teach one network and write it."""
    torch.set_num_threads(1)
    torch.manual_seed(course.seed)
    network, tell = course.network(), _teller(Path(course.name).stem)
    teach(network, course.subject, gathered, epochs=asked.epochs, seed=course.seed, tell=tell)
    if course.network is WholeBall and asked.photographs:
        torch.save(network.state_dict(), asked.out / f"{course.name}.pt")
    write_lesson(network, course.shape, asked.out / course.name)


def _teach_coins(asked: argparse.Namespace, fonts: Sequence[Path]) -> None:
    """Teach the network that tells a coin from a ball, and write it."""
    both = gather(
        COINS, seed=asked.seed + 2, fonts=fonts, cores=asked.cores,
        source=strange_scenes.coins_and_balls,
    )  # fmt: skip
    network = Coin()
    teach(network, COIN, both, epochs=COIN_EPOCHS, seed=asked.seed, tell=_teller("coin"))
    write_lesson(
        network, (3, second_look.SIDE, second_look.SIDE), asked.out / second_look.COIN_NETWORK.name
    )


def _tune(asked: argparse.Namespace, rendered: Gathered) -> None:
    """Tune the networks of the second look with photographs, and print how they read those left out."""
    balls = read_folder(asked.photographs)
    courses = [course for course in _courses(asked.seed) if course.network is WholeBall]
    networks = [WholeBall() for _course in courses]
    for network, course in zip(networks, courses, strict=True):
        network.load_state_dict(torch.load(asked.out / f"{course.name}.pt", weights_only=True))
        network.eval()
    out = photographs.left_out(networks, WHOLE_BALL, rendered, balls, seed=TUNING + asked.seed)
    for line in judging.judged(balls, out):
        _print(line)
    for network, course in zip(networks, courses, strict=True):
        made = photographs.tuned(network, WHOLE_BALL, rendered, balls, seed=TUNING + asked.seed)
        write_lesson(made, course.shape, asked.out / course.name)


def _teller(name: str) -> Callable[[str], None]:
    return lambda line: _print(f"{name}, {line}")


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="draws.balls.vision.network_training", description=__doc__)
    words.add_argument("--pictures", type=int, default=110_000)
    words.add_argument(
        "--strange", type=int, default=60_000, help="pictures of the whole balls' own"
    )
    words.add_argument(
        "--only", nargs="*", metavar="NAME", help="networks by the names of their files"
    )
    words.add_argument(
        "--photographs", type=Path, metavar="FOLDER",
        help="real balls (labels.csv: file, number, photo) that the second look is tuned with",
    )  # fmt: skip
    words.add_argument("--epochs", type=int, default=12, help="how often each sees every picture")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument("--out", type=Path, default=LOCATOR.parent, help="a folder")
    return words.parse_args()


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
