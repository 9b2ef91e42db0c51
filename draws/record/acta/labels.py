"""Labels of the acta: law paragraphs, hours, form version, headings in each language (R54, R59).

Hours carry their date after midnight, and their offset on a night of two. The form of the acta goes
by version and day, as the regulator approves it (R59). Fixed words stand in the hall's language,
and beside it in those authorised (R54).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache, partial

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from reportlab.platypus import Flowable

from bingo import catalogues, money_and_dates
from bingo.money_and_dates import Writing, number_range
from bingo.pdf import kit
from bingo.pdf.tagging import Paragraph, TaggedTable
from draws.record.acta.session_values import TemplateValues
from draws.record.acta.values import ActaValues

NONE = "\N{EN DASH}"


def letter(article: str, name: str) -> str:
    """The paragraph of the law an item answers to: "R61 c", nothing where no rule or letter is named."""
    return f"{article}\N{NO-BREAK SPACE}{name}" if article and name else ""


def rule(article: str, name: str) -> str:
    """Another rule of the same law, nothing of a law whose rules the acta does not name."""
    return name if article else ""


def stretches(numbers: Iterable[int]) -> str:
    """Write numbers in their order, those in a row as one stretch: "1–3, 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(number_range(first, last) for first, last in runs)


def writing(values: ActaValues) -> Writing:
    """Return how an acta writes its money and hours: those of another day have their date."""
    evening = values.opened_at.date()
    return money_and_dates.writing_of(
        values.language, values.currency, _instants(values), evening=evening
    )


def zones(values: ActaValues, writing: Writing) -> str:
    """Return the session's offsets in their order: "UTC+02:00 → UTC+01:00"."""
    return money_and_dates.offsets_of(_instants(values), writing)


def _instants(values: ActaValues) -> list[datetime]:
    """Return every instant of the session; when the acta was made is after it, and not of it."""
    return list(money_and_dates.instants_of(replace(values, made_at=values.closed_at)))


# Whoever changes what the page looks like or says adds a line here; docs/acta.md tells what changed.
VERSIONS = (
    TemplateValues(1, date(2026, 11, 21)),
    TemplateValues(2, date(2026, 11, 22)),
    TemplateValues(3, date(2026, 11, 23)),
    TemplateValues(4, date(2026, 11, 26)),
    TemplateValues(5, date(2026, 11, 29)),
    TemplateValues(6, date(2026, 11, 30)),
)
CURRENT = VERSIONS[-1]


SOURCE = "en"  # what the catalogues translate from
_others: ContextVar[tuple[str, ...]] = ContextVar("others", default=())


@contextmanager
def also_in(languages: Sequence[str]) -> Iterator[None]:
    """Set words also in these languages, of those that there are words in."""
    before = _others.set(languages_with_words(languages))
    try:
        yield
    finally:
        _others.reset(before)


def languages_with_words(languages: Sequence[str]) -> tuple[str, ...]:
    """Return those of some languages that there are words in."""
    there = {code for code, _name in settings.LANGUAGES}
    return tuple(one for one in languages if one in there)


def both(text: str, **named: object) -> str:
    """Return a label in the hall's language and in each other, one a line; `text` is English."""
    return "\n".join(_in_languages(partial(_said, text), named))


def along(text: str, **named: object) -> str:
    """Return a sentence in the hall's language and in each other, one after the other."""
    return " \N{MIDDLE DOT} ".join(_in_languages(partial(_said, text), named))


def in_other_languages(text: Promise, **named: object) -> str:
    """Return a text in the other languages, those that say the same as the hall's left out."""
    return " \N{MIDDLE DOT} ".join(_in_languages(partial(_translated, text), named)[1:])


def _in_languages(say: Callable[[str], str], named: Mapping[str, object]) -> list[str]:
    told: list[str] = []
    for language in (translation.get_language() or SOURCE, *_others.get()):
        # What is named may have words in each language too.
        with translation.override(language):
            said = say(language) % named if named else say(language)
        if said not in told:
            told.append(said)
    return told


@lru_cache(maxsize=1_000)
def _said(text: str, language: str) -> str:
    with translation.override(language):
        return translation.gettext(text)


def _translated(text: Promise, language: str) -> str:
    with translation.override(language):
        return str(text)


TITLE = _("Acta of session %(number)s")
GAME = _("Game %(number)s")

_WORDS = catalogues.words_beside(__file__)
SECTIONS: Mapping[str, Promise] = _WORDS["sections"]
PARTS: Mapping[str, Promise] = _WORDS["parts"]


def heading_section(number: int, name: str, *, room: float = 100) -> list[Flowable]:
    """A numbered heading, on the next page unless `room` points are left for what follows."""
    title = SECTIONS[name]
    return kit.heading(f"{number}\N{EN SPACE}{title}", in_other_languages(title), room=room)


def heading_part(name: str, reference: str, body: Paragraph | TaggedTable) -> list[Flowable]:
    """A smaller heading with the rule of law it answers to, never parted from what it heads."""
    title = PARTS[name]
    marks = "\N{EN SPACE}".join(filter(None, (reference, in_other_languages(title))))
    return kit.headed(str(title), marks, body)
