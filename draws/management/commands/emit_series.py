"""Make a series of cards as a file, without touching the stock."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from bingo.engine import emission, random_bytes
from bingo.rules import formats, rulebooks, series, series_files
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws.refusals.text import plain_refusals
from halls.management.reporting import Report, write_file

UNNAMED = "X"  # the letter of a size that R16 does not have


class Command(Report):
    """Exit code 0: written. 1: refused or not written."""

    help = "Emit a series of cards with no card and no line repeated, as a JSON or CSV file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what the series is to be."""
        super().add_arguments(parser)
        parser.add_argument("--format", type=int, default=90, help="90, 80, 75 or 30 numbers (90)")
        parser.add_argument("--size", type=int, required=True, help="how many cards")
        parser.add_argument(
            "--letter", type=_letter, help="the letter; otherwise the rule book's for that size"
        )
        parser.add_argument(
            "--rulebook", default="cape-verde-2017", help="cape-verde-2017, spain-1979"
        )
        parser.add_argument(
            "--columns", action="store_true", help="no column twice either (80, 75, 30)"
        )
        parser.add_argument(
            "--authorised", action="store_true", help="a size that R16 does not have (R19)"
        )
        parser.add_argument("--seed", help="a seed, for tests and demonstrations only")
        parser.add_argument(
            "--csv", action="store_true", help="write CSV; otherwise as --out ends, else JSON"
        )
        parser.add_argument("--out", type=Path, required=True, help="the file to write")

    def handle(self, *, json: bool, **options: Any) -> None:
        """Emit, write, report."""
        began = time.monotonic()
        out, seed = options["out"], options["seed"]
        with plain_refusals():
            format, book, letter, cards = _emitted(options)
        as_csv = options["csv"] or out.suffix.lower() == ".csv"
        written = series_files.to_csv if as_csv else series_files.to_json
        write_file(out, written(cards, format=format, rulebook=book, letter=letter))
        document = series_files.document(cards, format=format, rulebook=book, letter=letter)
        value = {
            "file": str(out),
            "format": format.highest,
            "cards": len(cards),
            "letter": letter,
            "digest": series_files.series_document_digest(document),
            "seed": seed,
        }
        about = f"{value['cards']} cards of {value['format']}, series {letter}, in {out}"
        lines = [
            f"{about} ({time.monotonic() - began:.1f} s)",
            f"SHA-256 {value['digest']}",
        ]
        if seed is not None:
            lines.append(f"made from the seed {seed!r}: for tests and demonstrations only")
        self.report(value, lines, as_json=json)


def _letter(text: str) -> str:
    try:
        return series_files.read_letter(text)
    except Refusal:
        raise argparse.ArgumentTypeError("one to five of A-Z and 0-9") from None


def _emitted(options: dict[str, Any]) -> series_files.Series:
    format, book = formats.get_format(options["format"]), rulebooks.get(options["rulebook"])
    size = options["size"]
    series.require(size, format=format, rulebook=book, columns=options["columns"])
    letter = options["letter"] or _letter_of(book, size)
    for fault in series.size_faults(
        size, letter=letter, rulebook=book, authorised=options["authorised"]
    ):
        raise Refusal(fault.code, **fault.values)
    cards = _drawn(size, format, book, options)
    return format, book, letter, cards


def _drawn(
    size: int, format: Format, rulebook: Rulebook, options: dict[str, Any]
) -> tuple[Card, ...]:
    seed = options["seed"]
    # A seed is asked for by name, for tests and demonstrations.
    source = random_bytes.system() if seed is None else random_bytes.seeded(seed)
    drawn = emission.emit(
        size, format=format, rulebook=rulebook, source=source, columns=options["columns"]
    )
    return tuple(
        tuple(tuple(cell or None for cell in row) for row in card) for card in drawn.tolist()
    )


def _letter_of(book: Rulebook, size: int) -> str:
    for letter, cards in book.series_sizes.items():
        if cards == size:
            return letter
    return UNNAMED
