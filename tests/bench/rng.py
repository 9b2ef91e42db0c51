"""Games of the RNG: derived from their seeds, and asked of its process ball by ball."""

import os
import secrets
import tempfile
import time
from pathlib import Path

from bingo.rules import rng
from bingo.rules.rng import Draw, Opening
from draws.rng import client
from tests.bench.measure import Row, against, compare

GAMES = 2_000  # derived
ASKED = 20  # of the process
FORMAT = 90
LEAST = 100.0  # balls a second through the socket; a caller takes one in some seconds
HEAD = "ab" * 32


def rows() -> list[Row]:
    """Compare games a second with a plain shuffle by `secrets`; then balls a second of the process."""
    derived = compare("rng: games derived", _derived, _plain, unit="games/s")
    with tempfile.TemporaryDirectory() as folder, client.running(Path(folder) / "rng"):
        place = Path(folder) / "rng"
        asked = against(
            "rng: balls of the process", lambda: _asked(place), floor=LEAST, unit="balls/s"
        )
    return [derived, asked]


def _derived() -> float:
    began = time.perf_counter()
    for _game in range(GAMES):
        opened = Opening(os.urandom(32), os.urandom(16))
        rng.balls(opened, head=HEAD, format=FORMAT)
    return GAMES / (time.perf_counter() - began)


def _plain() -> float:
    began = time.perf_counter()
    for _game in range(GAMES):
        drum = list(range(1, FORMAT + 1))
        while drum:
            drum.pop(secrets.randbelow(len(drum)))
    return GAMES / (time.perf_counter() - began)


def _asked(folder: Path) -> float:
    began = time.perf_counter()
    for game in range(1, ASKED + 1):
        draw = Draw("bench", 1, game, FORMAT)
        bound = client.commit(folder, draw, begun=secrets.token_hex(32))
        for order in range(1, FORMAT + 1):
            client.ball(folder, draw, commitment=bound, head=HEAD, order=order)
    return ASKED * FORMAT / (time.perf_counter() - began)
