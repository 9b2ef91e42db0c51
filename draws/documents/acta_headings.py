"""The headings of the acta, in the hall's language and beside it in those authorised (R54)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Paragraph, Table
from draws.documents.beside import known

TITLE = _("Acta of session %(number)s")
GAME = _("Game %(number)s")

SECTIONS: Mapping[str, Promise] = MappingProxyType(
    {
        "session": _("Session"),
        "staff": _("Staff on duty"),
        "equipment": _("Equipment and balls"),
        "games": _("Games"),
        "summary": _("Summary of the games"),
        "jackpot": _("Progressive jackpot"),
        "notes": _("Notes"),
        "tills": _("Tills"),
        "custody": _("Cards after their games"),
        "journal": _("Journal and clock"),
        "signatures": _("Signatures"),
    }
)

PARTS: Mapping[str, Promise] = MappingProxyType(
    {
        "checks": _("Equipment tried before the session"),
        "waivers": _("Failing equipment accepted, duties left out"),
        "ball_sets": _("Ball sets and their games"),
        "roll_calls": _("Roll calls of the balls"),
        "voided": _("Void games and reasons"),
        "complaint": _("Complaints of players and decisions"),
        "ball_set": _("Replacement of ball sets"),
        "breakdown": _("Breakdowns of gaming equipment"),
        "occurrence": _("Occurrences that may be an administrative offence or a crime"),
        "other": _("Other notes"),
        "witnessed": _("Done before a second person"),
        "kept": _("Winning cards kept"),
        "used": _("Used cards destroyed"),
        "set_aside": _("Prizes and refunds that nobody fetched"),
        "unclaimed": _("Unclaimed money paid, or past its period"),
        "admission": _("Who came to the door"),
        "departures": _("Cases, and kept cards destroyed or handed over"),
    }
)


def beside(text: Promise, languages: Sequence[str], **named: object) -> str:
    """Give a text in each of these languages, those that say the same as the hall's left out."""
    told = [str(text) % named if named else str(text)]
    for language in known(languages):
        with translation.override(language):
            said = str(text) % named if named else str(text)
        if said not in told:
            told.append(said)
    return " · ".join(told[1:])


def section(
    number: int, name: str, languages: Sequence[str], *, room: float = 100
) -> list[Flowable]:
    """A numbered heading, on the next page unless `room` points are left for what follows."""
    title = SECTIONS[name]
    return kit.heading(f"{number}\N{EN SPACE}{title}", beside(title, languages), room=room)


def part(
    name: str, reference: str, languages: Sequence[str], body: Paragraph | Table
) -> list[Flowable]:
    """A smaller heading with the rule of law it answers to, never parted from what it heads."""
    title = PARTS[name]
    beside_it = beside(title, languages)
    marks = "\N{EN SPACE}".join(mark for mark in (reference, beside_it) if mark)
    return kit.headed(str(title), marks, body)
