"""Makes a series of cards as a file, without touching the stock."""

from __future__ import annotations

import json as json_format
import time
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import translation

from bingo.rules import formats, rulebooks, series
from bingo.rules.refusal import Refusal
from draws.documents import words
from halls.management.reporting import Report


class Command(Report):
    """Exit code 0: written. 1: refused or not written."""

    help = "Emit a series of cards with no card and no line repeated, as a JSON file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what the series is to be."""
        super().add_arguments(parser)
        parser.add_argument("--format", type=int, default=90, help="how many numbers (90)")
        parser.add_argument("--size", type=int, required=True, help="how many cards")
        parser.add_argument("--letter", help="the letter; otherwise the rule book's for that size")
        parser.add_argument(
            "--rulebook", default="cape-verde-2017", help="cape-verde-2017, spain-1979"
        )
        parser.add_argument("--seed", help="a seed, for tests and demonstrations only")
        parser.add_argument("--out", type=Path, required=True, help="the file to write")

    def handle(self, *, json: bool, **options: Any) -> None:
        """Emit, judge by the rules, write, report."""
        began = time.monotonic()
        try:
            document = _emitted(options)
        except Refusal as refusal:
            with translation.override("en"):
                told = f"refused: {refusal.code}: {words.refusal(refusal)}"
            raise CommandError(told) from refusal
        try:
            options["out"].write_text(json_format.dumps(document, separators=(",", ":")))
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}") from error
        value = {
            "file": str(options["out"]),
            "cards": len(document["cards"]),
            "letter": document["letter"],
            "digest": series.digest(document),
        }
        seconds = time.monotonic() - began
        lines = [
            f"{value['cards']} cards, series {value['letter']}, in {value['file']} ({seconds:.1f} s)",
            f"SHA-256 {value['digest']}",
        ]
        self.report(value, lines, as_json=json)


def _emitted(options: dict[str, Any]) -> dict[str, Any]:
    format, book = formats.get(options["format"]), rulebooks.get(options["rulebook"])
    letter = options["letter"] or _letter(book, options["size"])
    if book.series_sizes and book.series_sizes.get(letter) != options["size"]:
        raise Refusal("size_not_of_letter", letter=letter, size=options["size"])
    seed = options["seed"]
    # A seed is asked for by name, for tests and demonstrations.
    rng = SystemRandom() if seed is None else Random(seed)  # nosec B311
    cards = series.emit(options["size"], format=format, rulebook=book, rng=rng)
    return series.document(cards, format=format, rulebook=book, letter=letter)


def _letter(book: rulebooks.Rulebook, size: int) -> str:
    for letter, cards in book.series_sizes.items():
        if cards == size:
            return letter
    return "X"
