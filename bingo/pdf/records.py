"""What all A4 records of a hall share: letterhead, opening, digests, and their journal entry."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.pages import OfHall
from bingo.pdf.tagging import TaggedTable

LETTERHEAD = (
    *kit.BARE,
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
    ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
)


def letterhead(values: OfHall) -> TaggedTable:
    """Return the hall at the left, its licence and law at the right."""
    right = f"{values.licence}\n{values.rulebook}".split("\n")
    cells = [
        kit.paragraph(values.hall, kit.VALUE),
        [kit.paragraph(line, kit.SMALL_RIGHT) for line in right],
    ]
    widths = [kit.WIDTH * 0.5, kit.WIDTH * 0.5]
    return TaggedTable([cells], colWidths=widths, style=TableStyle(list(LETTERHEAD)))


def opening(
    values: OfHall,
    title: str,
    told: str,
    facts: Sequence[tuple[str, str]],
    shares: Sequence[float],
) -> list[Flowable]:
    """Return letterhead, title, a sentence, and the facts in columns of these shares of the width."""
    return [
        letterhead(values),
        Spacer(0, 14),
        kit.paragraph(title, kit.TITLE),
        Spacer(0, 4),
        kit.paragraph(told),
        Spacer(0, 10),
        kit.facts(facts, shares),
    ]


def amounts_note(values: OfHall) -> list[Flowable]:
    """Say what the amounts are of."""
    told = _("Amounts in %(currency)s.") % {"currency": values.currency}
    return [Spacer(0, 6), kit.paragraph(told, kit.LABEL)]


def digest(name: str, of: str) -> list[Flowable]:
    """Return a digest below its name."""
    return [Spacer(0, 5), kit.labelled(name), Spacer(0, 2), kit.Digest(of)]


def journal_entry(number: int, of: str, told: str = "") -> list[Flowable]:
    """Name the journal's entry that a record is of, with its digest; `told` says so otherwise."""
    usual = _(
        "This is entry %(number)s of the hall's journal. Its digest covers all entries before it, "
        "so that none can change without changing this one."
    ) % {"number": number}
    named = _("Digest (SHA-256) of entry %(number)s") % {"number": number}
    return [kit.paragraph(told or usual, kit.SMALL), *digest(named, of)]
