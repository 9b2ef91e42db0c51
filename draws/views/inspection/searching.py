"""One field that looks everything up: what was found, in words, and the way to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from draws.documents import facts, words
from draws.models import Game, Issue
from draws.queries import period, search
from draws.queries.search import Hits
from draws.views.inspection import asked, meaning
from draws.views.inspection.meaning import Meaning
from draws.views.page import Asked, reading
from halls.models import Hall, JournalEntry, Session

FEW, MANY = 8, 50
GAMES = 20
LARGEST = 2**63 - 1

Look = Callable[[int, int | None], Hits]


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in words, and where it is shown at its moment."""

    entry: JournalEntry
    label: str | Promise
    told: str
    address: str


@dataclass(frozen=True, slots=True)
class Group:
    """What one meaning of the text has found; `more` leads to the older ones."""

    name: str
    title: str
    rows: list[Row] = field(default_factory=list)
    more: str = ""


@reading
def page(request: HttpRequest, asks: Asked) -> HttpResponse:
    """Show the field, and what was found of what stands in it."""
    meant = meaning.read(asks.query.get("q", ""), hall=asks.hall)
    only = asks.query.get("only", "")
    before = asked.number(asks.query, "before", most=LARGEST)
    context: dict[str, Any] = {"q": meant.text}
    if meant.text:
        context["groups"] = list(_groups(asks.hall, meant, only=only, before=before))
        if not only:
            context |= {"games": _games(asks.hall, meant), "held": _sessions(asks.hall, meant)}
    return render(request, "inspection/search.html", context)


def address_of(entry: JournalEntry) -> str:
    """Give where an entry is seen at its moment: the replay of its game, or its session's journal."""
    if entry.session is None:
        return ""
    if entry.game is None:
        place = reverse("inspector-session", args=[entry.session.number])
        return f"{place}?from={entry.number}"
    place = reverse("inspector-replay", args=[entry.session.number, entry.game])
    return f"{place}?at={entry.number}"


def _groups(hall: Hall, meant: Meaning, *, only: str, before: int | None) -> Iterator[Group]:
    for name, title, look in _looks(hall, meant):
        if only and only != name:
            continue
        found = look(MANY, before) if only else look(FEW, None)
        if found.entries:
            yield Group(
                name, title, [_row(entry) for entry in found.entries], _more(meant, name, found)
            )


def _more(meant: Meaning, name: str, found: Hits) -> str:
    if found.older is None:
        return ""
    return "?" + urlencode({"q": meant.text, "only": name, "before": found.older})


def _row(entry: JournalEntry) -> Row:
    return Row(entry, words.kind(entry.kind), facts.told(entry), address_of(entry))


def _looks(hall: Hall, meant: Meaning) -> Iterator[tuple[str, str, Look]]:
    """Give each search that the text may ask for: its name, its title, and the search itself."""
    if meant.card and search.has_card(hall, meant.card):
        title = _("Card %(card)s") % {"card": meant.card}
        issues = _issues(hall, meant)
        yield "card", title, partial(search.of_card, hall, meant.card, issues)
    if meant.amount:
        yield "amount", _("Amount"), partial(search.of_amount, hall, meant.amount)
    if not meant.words:
        return
    for person in search.people(hall, meant.words):
        yield f"person-{person.pk}", person.name, partial(search.of_person, hall, person)
    if meant.kinds or meant.categories:
        kinds = partial(search.of_kinds, hall, meant.kinds, meant.categories)
        yield "kind", _("What happened"), kinds
    yield "words", _("Notes"), partial(search.of_words, hall, meant.words)


def _issues(hall: Hall, meant: Meaning) -> list[int] | None:
    """Give the issues that the card is named with, None where it is only a number."""
    if meant.issue_key is not None:
        ours = Issue.objects.filter(hall=hall, pk=meant.issue_key)
        return list(ours.values_list("pk", flat=True))
    if meant.issue:
        return search.issues_of(hall, card=meant.card or 0, named=meant.issue)
    return None


def _games(hall: Hall, meant: Meaning) -> list[Game]:
    """Give the games that the text names by number, or that were opened on its day."""
    games = Game.objects.filter(session__hall=hall).select_related("session", "issue__series")
    if meant.session is not None and meant.game is not None:
        return list(games.filter(session__number=meant.session, number=meant.game))
    if meant.day is not None:
        keys = [held.session.pk for held in _sessions(hall, meant)]
        return list(games.filter(session__in=keys).order_by("session__number", "number"))
    return []


def _sessions(hall: Hall, meant: Meaning) -> list[period.Held]:
    """Give the session of that number, and those opened on that day."""
    if meant.day is not None:
        return list(period.sessions(hall, begins=meant.day, ends=meant.day).held)
    if (
        meant.session is None
        or not Session.objects.filter(hall=hall, number=meant.session).exists()
    ):
        return []
    return list(period.sessions(hall, before=meant.session + 1, per_page=1).held)


urls = [path("inspector/search/", never_cache(page), name="inspector-search")]
