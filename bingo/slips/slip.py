"""A slip that a hall prints at a till, as values: all that it says, in its reader's language.

A new paper is one function that returns a `TillSlip`; `bingo.slips.page` draws it as a PDF and
`bingo.slips.printer` puts it into the commands of a thermal printer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from django.utils.translation import gettext as _

DIGITS, GROUP = 12, 4  # hexadecimal digits of a digest, as many as a slip has room for


class LineStyle(Enum):
    """What a line is to its reader, from which page and printer take its size."""

    TITLE = auto()  # which paper it is, of which game
    NUMBER = auto()  # what is looked for first: the cards bought, a complaint's number
    TEXT = auto()
    NOTICE = auto()  # what the reader should know
    SMALL = auto()
    REFERENCE = auto()  # where in the journal it stands


@dataclass(frozen=True, slots=True)
class Line:
    """A line in the middle, broken where it is too long."""

    text: str
    style: LineStyle = LineStyle.TEXT


@dataclass(frozen=True, slots=True)
class Amounts:
    """Names at the left and amounts at the right; the row `total` is the sum, set large."""

    rows: tuple[tuple[str, str], ...]
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code of `text`; `named` says to whoever cannot see it what it is."""

    text: str
    named: str


Part = Line | Amounts | Code


@dataclass(frozen=True, slots=True)
class TillSlip:
    """One paper of a hall: `sections` follow its name and licence, each below a line across.

    `title` names it as a file, `at` is the aware time that it is of.
    """

    title: str
    hall: str
    licence: str
    language: str
    at: datetime
    sections: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TillPaper:
    """What all papers of a till are made from: whose they are, in what language, money and time."""

    hall: str
    licence: str
    language: str
    currency: str
    at: datetime

    def slip(self, title: str, *sections: tuple[Part, ...]) -> TillSlip:
        """Return the slip with these sections."""
        return TillSlip(title, self.hall, self.licence, self.language, self.at, sections)


def journal_reference(entry: int, digest: str) -> Line:
    """Say where in the hall's journal it stands what a slip is of."""
    shown = digest[:DIGITS]
    groups = " ".join(shown[place : place + GROUP] for place in range(0, len(shown), GROUP))
    told = _("Journal entry %(number)s · %(digest)s") % {"number": entry, "digest": groups}
    return Line(told, LineStyle.REFERENCE)
