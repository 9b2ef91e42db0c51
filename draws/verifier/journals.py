"""A journal read once from end to end: its chain, the draws of its games, the actas it recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from draws.verifier.verdicts import Check, false, good, training, unknown
from draws.verify_draw import FALSE, PROVEN, UNPROVEN, Game, judge, tell
from halls.verify_journal import START, read_entry

TRAINING_BEGUN = "training_begun"
LONGEST = 4 * 1024 * 1024  # bytes of a line; the longest entry has some ten thousand
NONSENSE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a journal says of an acta's file: where, and which head the acta carries."""

    number: int
    head_number: object
    head_digest: object


@dataclass(slots=True)
class Journal:
    """A journal as far as it holds; `digests` are 32 bytes each, one after the other."""

    hall: str = ""
    entries: int = 0
    digests: bytearray = field(default_factory=bytearray)
    actas: dict[str, Recorded] = field(default_factory=dict)
    removals: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    games: dict[tuple[int, int], Game] = field(default_factory=dict)
    set_back: list[tuple[int, int]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    training: bool = False

    @property
    def whole(self) -> bool:
        """Whether the chain holds to the end of the file."""
        return self.checks[0].name == "chain" and self.checks[0].verdict == "good"

    def digest(self, number: int) -> str | None:
        """Give the digest of an entry, or None where the journal ends before."""
        if not 0 < number <= self.entries:
            return None
        return self.digests[32 * (number - 1) : 32 * number].hex()


def read(file: Path) -> Journal:
    """Check a journal in a file; what is wrong with it stands in its checks. Raises OSError."""
    with file.open("rb") as lines:
        return check(lines)


def check(lines: BinaryIO) -> Journal:
    """Check a journal as it is read, until the first entry that is wrong."""
    journal = Journal()
    fault = ""
    try:
        for entry in _followed(lines, journal):
            _take(entry, journal)
    except NONSENSE as error:
        fault = f"entry {journal.entries + 1} {_told(error)}"
    if fault:
        journal.checks.append(
            false("chain", f"{fault}; the {journal.entries} entries before it hold")
        )
        return journal
    if not journal.entries:
        journal.checks.append(false("chain", "the journal is empty"))
        return journal
    head = journal.digest(journal.entries)
    words = f"whole: {journal.entries} entries of {journal.hall}, head {head}"
    journal.checks.append(good("chain", words))
    if journal.training:
        journal.checks.append(training())
    for number, signed in journal.set_back:
        told = f"entry {number} says that the history was set back: it had been signed to entry {signed}"
        journal.checks.append(unknown("set_back", told))
    journal.checks += _draws(journal)
    return journal


def _followed(lines: BinaryIO, journal: Journal) -> Iterator[dict[str, Any]]:
    previous, hall = START, None
    while line := lines.readline(LONGEST):
        if len(line) == LONGEST:
            raise ValueError("is too long")
        entry = read_entry(line.decode("utf-8"), journal.entries + 1, previous, hall)
        previous, hall = entry["digest"], entry["hall"]
        journal.hall = hall
        journal.digests += bytes.fromhex(previous)
        yield entry
        journal.entries += 1


def _take(entry: dict[str, Any], journal: Journal) -> None:
    kind, data = entry["kind"], entry["data"]
    if entry["game"] is not None:
        tell(journal.games, entry, entry["digest"])
    # Whatever game an entry claims to be of, it is judged by what it says.
    if kind == "checkpoint_history_set_back":
        journal.set_back.append((entry["number"], data["number"]))
    # Remarks name an acta by its digest too; only what made it tells its head.
    elif kind.startswith("acta_") and "head_number" in data and isinstance(data["digest"], str):
        recorded = Recorded(entry["number"], data.get("head_number"), data.get("head_digest"))
        journal.actas[data["digest"]] = recorded
    elif kind == TRAINING_BEGUN:
        journal.training = True
    elif kind == "retention_applied":
        journal.removals.append((entry["number"], data))


def _told(error: Exception) -> str:
    return str(error) if type(error) is ValueError else "is no journal entry"


def _draws(journal: Journal) -> Iterator[Check]:
    """Judge what the RNG drew; of games that it did not draw there is nothing to say."""
    seeds: dict[str, Game] = {}
    proven = 0
    for game in journal.games.values():
        verdict, reason = judge(game)
        before = seeds.setdefault(game.seed, game) if game.seed else game
        where = f"session {game.session}, game {game.game}"
        if before is not game:
            verdict, reason = (
                FALSE,
                f"its seed is that of session {before.session}, game {before.game}",
            )
        if verdict == FALSE:
            yield false("draw", f"{where}: {reason}")
        elif verdict == UNPROVEN:
            yield unknown("draw", f"{where}: {reason}")
        proven += verdict == PROVEN
    if proven:
        yield good("draw", f"the balls of {proven} games follow from their commitments")
