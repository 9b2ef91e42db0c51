"""Judge a file of cards: whether the series is legal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import translation

from bingo.rules import rulebooks, series, series_files
from bingo.rules.refusal import Refusal
from bingo.rules.series import SeriesFault
from draws.cards import labels as cards_labels
from draws.cards import series_queries
from draws.refusals import text
from halls.management.reporting import Report

SHOWN = 100  # faults told to a person
NAMED = 10  # cards of a fault told to a person


@dataclass(frozen=True, slots=True)
class Judged:
    """What is told of a file, and its first faults of `count`."""

    told: dict[str, Any]
    faults: list[SeriesFault]
    count: int


class Command(Report):
    """Exit code 0: legal. 1: it has faults. 2: it cannot be read as a series."""

    help = "Judge a series of cards, JSON or CSV (docs/series.md): exit 0 when it is legal."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file and what it is judged by."""
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="the series, JSON or CSV")
        parser.add_argument("--rulebook", help="the rule book; otherwise the one the file names")
        parser.add_argument(
            "--columns", action="store_true", help="no column may be found twice either"
        )
        parser.add_argument(
            "--authorised", action="store_true", help="its number of cards is authorised (R19)"
        )

    def handle(self, *, json: bool, **options: Any) -> None:
        """Read, judge, report."""
        file = options["file"]
        with translation.override("en"):
            try:
                judged = _judged(options, most=None if json else SHOWN)
            except Refusal as refusal:
                said = f"{file} cannot be judged: {text.refusal(refusal)}"
                raise CommandError(said, returncode=series_queries.UNREADABLE) from refusal
            if json:
                value = {"file": str(file), **judged.told, "faults": _values(judged.faults)}
                self.report(value, [], as_json=True)
            else:
                self.report(None, _lines(judged), as_json=False)
        if judged.count:
            raise SystemExit(1)


def _judged(options: dict[str, Any], *, most: int | None) -> Judged:
    """Read a file and judge it, keeping `most` faults. Raises Refusal, CommandError."""
    format, own, letter, cards = series.parse(series_queries.read_series_path(options["file"]))
    document = series_files.document(cards, format=format, rulebook=own, letter=letter)
    digest = series_files.series_document_digest(document)
    del document  # a large one is in the way of the judgement
    book = rulebooks.get(options["rulebook"]) if options["rulebook"] else own
    size = len(cards)
    found = chain(
        series.size_faults(size, letter=letter, rulebook=book, authorised=options["authorised"]),
        series.find_breaches(cards, format=format, rulebook=book, columns=options["columns"]),
    )
    kept = list(islice(found, most))
    count = len(kept) + sum(1 for _fault in found)
    told = {
        "format": format.highest,
        "rulebook": book.code,
        "letter": letter,
        "cards": size,
        "digest": digest,
        "strips": series.in_strips(cards, format=format),
        "legal": not count,
        "count": count,
    }
    return Judged(told, kept, count)


def _values(faults: list[SeriesFault]) -> list[dict[str, Any]]:
    return [
        {
            "cards": fault.cards,
            "rule": fault.rule,
            "code": fault.code,
            "values": dict(fault.values),
            "says": cards_labels.series_fault(fault),
        }
        for fault in faults
    ]


def _lines(judged: Judged) -> list[str]:
    told = judged.told
    about = f"format {told['format']}, series {told['letter']}, {told['cards']} cards"
    lines = [
        f"{about}, judged by {told['rulebook']}",
        f"SHA-256 {told['digest']}",
        f"in strips: {STRIPS[told['strips']]}",
        *(
            f"{_cards(fault)}{fault.rule}: {cards_labels.series_fault(fault)}"
            for fault in judged.faults
        ),
    ]
    if more := judged.count - len(judged.faults):
        lines.append(f"and {more} more")
    return [*lines, f"NOT LEGAL, faults: {judged.count}" if judged.count else "LEGAL"]


STRIPS = {True: "yes", False: "no", None: "not in this format"}


def _cards(fault: SeriesFault) -> str:
    """Name the cards of a fault; of very many, the first."""
    if not fault.cards:
        return ""
    named = ", ".join(map(str, fault.cards[:NAMED]))
    rest = len(fault.cards) - NAMED
    return f"card {named}{f' and {rest} more' if rest > 0 else ''}: "
