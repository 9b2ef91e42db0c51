"""Checks with nothing but Python that a game's balls were fixed before its cards were sold.

    python3 verify_draw.py journal.jsonl
    python3 verify_draw.py --hall sala --session 7 --game 3 --format 90 --commitment … --head …
                           --seed … --nonce … --balls 12,7,88

The first checks every game of an exported journal, and that its chain is whole; the second one
game, from what its acta prints. A game is proven when its commitment, published once and before the
sale, is the SHA-256 of the canonical JSON of label, hall, session, game, format, seed and nonce, and
when the RNG's balls, from the first on and without a gap, are the order that HMAC_DRBG (SHA-256,
NIST SP 800-90A) gives from seed, nonce and the digest of the entry announcing the draw. No seed may
come twice.

Exit code 0: all that the RNG drew is proven. 1: something is false, and named. 2: cannot be read.
3: nothing is false, but of some game the RNG drew nobody can prove the balls.
"""

import argparse
import hashlib
import hmac
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COMMITMENT, BALLS = "bingo draw commitment 1", b"bingo draw balls 1"
BLOCK = 256  # bytes the order asks its generator for at once
PROVEN, UNPROVEN, NOT_DRAWN, FALSE = "PROVEN", "UNPROVEN", "NOT DRAWN BY RNG", "FALSE"
WELL, WRONG, UNREADABLE, OPEN = 0, 1, 2, 3  # exit status
HEX = {"commitment": 64, "head": 64, "seed": 64, "nonce": 32}  # digits
RNG = "rng"
# Kinds of entries after which a game's cards are, or may be, in somebody's hands.
BEGUN = {
    "sale_announced", "cards_sold", "cards_handed_out", "second_issue_opened", "sale_closed",
    "draw_announced", "ball_announced",
}  # fmt: skip


class Broken(ValueError):
    """The journal itself is not whole."""


@dataclass
class ToldGame:
    """What a journal, or whoever types, tells of one game; `drawn` has the RNG's (place, number).

    `begun` tells whether the sale was, `out` has the source of each ball that is out, `changed` the
    one that the draw was openly changed to; `fault` and `gap` say what came out of its turn.
    """

    hall: str
    session: int
    game: int
    format: int
    commitment: str = ""
    head: str = ""
    seed: str = ""
    nonce: str = ""
    complete: bool = False
    drawn: list[tuple[int, int]] = field(default_factory=list)
    begun: bool = False
    out: list[str] = field(default_factory=list)
    changed: str = ""
    fault: str = ""
    gap: str = ""


def canonical(value: object) -> bytes:
    """Write a value so that everybody writes it alike (RFC 8785 for the values a journal holds)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")


class Generator:
    """HMAC_DRBG with SHA-256 (NIST SP 800-90A revision 1, 10.1.2), never reseeded."""

    def __init__(self, material: bytes) -> None:
        """Begin with entropy, nonce and personalisation, one after the other."""
        self.key, self.value = bytes(32), b"\x01" * 32
        self.update(material)

    def mac(self, message: bytes) -> bytes:
        """Return the HMAC of a message under the key."""
        return hmac.new(self.key, message, hashlib.sha256).digest()

    def update(self, material: bytes) -> None:
        """Move key and value on."""
        for mark in (b"\x00", b"\x01"):
            self.key = self.mac(self.value + mark + material)
            self.value = self.mac(self.value)
            if not material:
                return

    def bytes(self) -> Iterator[int]:
        """Return bytes without end, BLOCK a request."""
        while True:
            block = b""
            while len(block) < BLOCK:
                self.value = self.mac(self.value)
                block += self.value
            self.update(b"")
            yield from block


def order(seed: str, nonce: str, head: str, count: int) -> list[int]:
    """Return all the balls of a game in their order: each one taken from a place in the drum."""
    material = bytes.fromhex(seed) + bytes.fromhex(nonce) + BALLS + bytes.fromhex(head)
    stream = Generator(material).bytes()
    drum = list(range(1, count + 1))
    return [drum.pop(place(len(drum), stream)) for _ball in range(count)]


def place(count: int, stream: Iterator[int]) -> int:
    """Return a place from 0 to count - 1: the low bits of a byte, or of the next one that fits."""
    bits = (count - 1).bit_length()
    while bits:
        value = next(stream) & ((1 << bits) - 1)
        if value < count:
            return value
    return 0


def committed(game: ToldGame) -> str:
    """Return what the commitment to a game's seed and nonce must be."""
    value = {
        "label": COMMITMENT,
        "hall": game.hall,
        "session": game.session,
        "game": game.game,
        "format": game.format,
        "seed": game.seed,
        "nonce": game.nonce,
    }
    return hashlib.sha256(canonical(value)).hexdigest()


def judge(game: ToldGame) -> tuple[str, str]:
    """Return the verdict on one game and why."""
    if fault := misshapen(game):
        return FALSE, fault
    if not game.commitment:
        return judge_uncommitted(game)
    if game.fault:
        return FALSE, game.fault
    if not game.seed:
        missing = "nobody opened its commitment" if game.complete else "it is not complete yet"
        return (UNPROVEN if game.drawn else NOT_DRAWN), missing
    if committed(game) != game.commitment:
        return FALSE, "seed and nonce do not open the commitment"
    return judge_drawn(game)


def judge_drawn(game: ToldGame) -> tuple[str, str]:
    """Judge the balls of a game whose commitment was opened."""
    if not game.drawn:
        return NOT_DRAWN, "seed and nonce open the commitment; no ball was drawn from them"
    if not game.head:
        return FALSE, "balls were drawn before the draw was announced"
    if game.gap:
        return FALSE, game.gap
    right = order(game.seed, game.nonce, game.head, game.format)
    for at, number in game.drawn:
        if not 1 <= at <= game.format:
            return FALSE, f"there is no ball {at}"
        if right[at - 1] != number:
            return FALSE, f"ball {at} is {number}, the commitment gives {right[at - 1]}"
    return PROVEN, f"{len(game.drawn)} balls follow from the commitment"


def judge_uncommitted(game: ToldGame) -> tuple[str, str]:
    """Judge a game for which the RNG was not bound to anything."""
    if game.seed:
        return FALSE, "it was opened, but nothing had been committed to"
    if game.drawn:
        return UNPROVEN, "the RNG drew without a commitment"
    return NOT_DRAWN, "no commitment"


def misshapen(game: ToldGame) -> str:
    """Tell what is no hex of its length, or no number of balls."""
    if not 1 <= game.format <= BLOCK:
        return f"there is no format of {game.format} balls"
    if bool(game.seed) != bool(game.nonce):
        return "seed and nonce go together"
    for name, digits in HEX.items():
        value = getattr(game, name)
        if value and not (isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value)):
            return f"the {name} must have {digits} digits 0 to 9 and a to f"
    return ""


def read(lines: Iterable[str]) -> list[ToldGame]:
    """Return the games of a journal whose chain is whole. Raises Broken."""
    games: dict[tuple[int, int], ToldGame] = {}
    previous, number = "0" * 64, 0
    for number, line in enumerate(lines, start=1):
        try:
            previous = apply_line(games, line, number, previous)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, Broken):
                raise
            raise Broken(f"entry {number} is no journal entry") from error
    if not number:
        raise Broken("the journal is empty")
    return list(games.values())


def apply_line(
    games: dict[tuple[int, int], ToldGame], line: str, number: int, previous: str
) -> str:
    """Take a line up, and return its digest. Raises Broken, or what a line of nonsense raises."""
    entry = json.loads(line)
    digest: str = entry.pop("digest")
    right = hashlib.sha256(bytes.fromhex(previous) + canonical(entry)).hexdigest()
    if digest != right or entry["number"] != number:
        raise Broken(f"entry {number} does not follow from those before it")
    add_entry(games, entry, digest)
    return digest


def add_entry(games: dict[tuple[int, int], ToldGame], entry: dict[str, Any], digest: str) -> None:
    """Add what one entry tells of its game."""
    kind, data, key = entry["kind"], entry["data"], (entry["session"], entry["game"])
    if kind in ("game_opened", "second_half_opened"):
        add_game(games, entry, key)
    elif key in games:
        add_fact(games[key], kind, data, digest)


def add_game(
    games: dict[tuple[int, int], ToldGame], entry: dict[str, Any], key: tuple[int, int]
) -> None:
    """Open a game, which can be done only once."""
    data = entry["data"]
    if key in games:
        games[key].fault = "it was opened twice"
    elif entry["kind"] == "game_opened":
        games[key] = ToldGame(entry["hall"], *key, format=integer(data["format"]))
    else:
        # Its cards are those of the game before it, sold with them.
        first = games[key[0], key[1] - 1]
        commitment = text(data.get("commitment", ""))
        games[key] = ToldGame(entry["hall"], *key, first.format, commitment, begun=True)


def add_fact(game: ToldGame, kind: str, data: dict[str, Any], digest: str) -> None:
    """Add what happened in a game that was opened."""
    if kind == "sale_announced":
        add_commitment(game, text(data.get("commitment", "")))
    elif kind == "draw_announced":
        game.fault = "its draw was announced twice" if game.head else game.fault
        game.head = digest
    elif kind == "ball_announced":
        add_ball(game, integer(data["count"]), integer(data["number"]), text(data["source"]))
    elif kind == "ball_recalled":
        del game.out[-1:]
    elif kind == "source_changed":
        game.changed = text(data["source"]) if game.head else ""
    elif kind == "entry_completed":
        game.complete = True
        opening = data.get("opening") or {"seed": "", "nonce": ""}
        game.seed, game.nonce = text(opening["seed"]), text(opening["nonce"])
    game.begun = game.begun or kind in BEGUN


def add_commitment(game: ToldGame, commitment: str) -> None:
    """Bind a game, which can be done only once, and only before its sale."""
    if commitment and game.commitment:
        game.fault = "it was committed to twice"
    elif commitment and game.begun:
        game.fault = "its commitment came when its sale had begun"
    game.commitment = game.commitment or commitment


def add_ball(game: ToldGame, count: int, number: int, source: str) -> None:
    """Post a ball. The RNG's are one order, from the first on: others may only follow, and openly."""
    if count != len(game.out) + 1:
        game.gap = game.gap or f"ball {count} came where ball {len(game.out) + 1} was next"
    if source == RNG:
        if set(game.out) - {RNG}:
            game.gap = game.gap or f"ball {count} is the RNG's, one before it is not"
        game.drawn.append((count, number))
    elif game.out[-1:] == [RNG] and source != game.changed:
        game.gap = game.gap or f"ball {count} is not the RNG's, and its source was not changed"
    game.out.append(source)


def integer(value: object) -> int:
    """Return a value that must be an integer. Raises TypeError."""
    if type(value) is not int:
        raise TypeError("no integer")
    return value


def text(value: object) -> str:
    """Return a value that must be a string. Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError("no string")
    return value


def report(games: list[ToldGame]) -> int:
    """Print a verdict a game, and return the exit status."""
    seeds: dict[str, ToldGame] = {}
    found = set()
    for game in games:
        verdict, reason = judge(game)
        before = seeds.setdefault(game.seed, game) if game.seed else game
        if before is not game:
            verdict = FALSE
            reason = f"its seed is that of session {before.session}, game {before.game}"
        found.add(verdict)
        print(f"session {game.session}, game {game.game}: {verdict}: {reason}")
    if FALSE in found:
        return WRONG
    return OPEN if UNPROVEN in found else WELL


def typed(options: argparse.Namespace) -> ToldGame:
    """Return the game typed on the command line."""
    numbers = [int(word) for word in re.split(r"[\s,]+", options.balls.strip()) if word]
    return ToldGame(
        hall=options.hall,
        session=options.session,
        game=options.game,
        format=options.format,
        commitment=options.commitment.lower(),
        head=options.head.lower(),
        seed=options.seed.lower(),
        nonce=options.nonce.lower(),
        complete=True,
        drawn=list(enumerate(numbers, start=1)),
    )


def arguments() -> argparse.ArgumentParser:
    """Return what the command line takes."""
    parser = argparse.ArgumentParser(description="Check that balls follow from a commitment.")
    parser.add_argument("journal", nargs="?", help="the journal as JSON Lines")
    for name in ("hall", "commitment", "head", "seed", "nonce", "balls"):
        parser.add_argument(f"--{name}", default="", help=f"the {name}, as the acta has it")
    for name in ("session", "game", "format"):
        parser.add_argument(f"--{name}", type=int, default=0, help=f"the {name}'s number")
    return parser


def main() -> int:
    """Check the file named on the command line, or the game typed there."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a sign shows its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = arguments()
    options = parser.parse_args()
    if not options.journal:
        if not (options.commitment and options.seed and options.format):
            parser.error("name a journal, or give at least --commitment, --seed and --format")
        try:
            return report([typed(options)])
        except ValueError:
            parser.error("--balls takes numbers: 12,7,88")
    try:
        with Path(options.journal).open(encoding="utf-8", newline="\n") as file:
            return report(read(file))
    except Broken as error:
        print(f"BROKEN: {error}")
        return WRONG
    except (OSError, UnicodeDecodeError) as error:
        print(f"{options.journal} cannot be read: {error}", file=sys.stderr)
        return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
