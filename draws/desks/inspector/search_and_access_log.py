"""The inspector's search and access log.

Search: one field that looks up cards, amounts, games, days, names and kinds.

One text may mean several things, and all are looked for: 500 is a card, a sum and a session. An
address is read with care: what is no day or no number asks for nothing.

Access log: who looked at what, for the inspector and the hall manager.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo import money_and_dates
from bingo.rules import cards, texts
from bingo.rules.authorisations import LETTER
from bingo.rules.refusal import Refusal
from draws import trade_words
from draws.cards import stock_queries
from draws.games.queries import collected_of
from draws.models import Game
from draws.office import admission_register_and_exclusions as admission_pages
from draws.record import journal_text
from draws.record import queries as record_queries
from draws.record.queries import Hits
from draws.web import forms, listing
from draws.web.forms import for_roles
from draws.web.page_classes import READERS, Context, PageRequest, reading
from halls import inspection
from halls.models import Hall, JournalEntry, Look, Person, Session
from halls.web.fields import LONGEST_SEARCH

FEWEST = 2  # letters of a name or a word that are looked for
NUMBER = re.compile(r"[0-9]{1,9}")
GAME = re.compile(r"([0-9]{1,9}) ?[/.-] ?([0-9]{1,5})")
CARD = re.compile(
    rf"(?:({LETTER.pattern}) )?({texts.NUMBER.pattern}) (?:· )?([0-9]{{1,6}})",
    re.ASCII | re.IGNORECASE,
)
DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
DAY_FIRST = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")

PER_PAGE = 100
SEARCHES = ("inspector-search", admission_pages.ROUTE)
CHECKPOINT = "checkpoint"  # the one file whose address has no ending
PICTURES = (".jpg", ".png")
LARGEST = 2**63 - 1  # number of an entry, as the database keeps it


@dataclass(frozen=True, slots=True)
class Meaning:
    """All that a text may mean; what it cannot mean is None or empty.

    `card` with `issue`, the identification named with it, after its `letter`, which may be the
    beginning of the identification, or with `issue_key` where a code was scanned.
    """

    text: str
    card: int | None = None
    letter: str = ""
    issue: str = ""
    issue_key: int | None = None
    amount: int | None = None
    session: int | None = None
    game: int | None = None
    day: date | None = None
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    words: str = ""


def read_search_parser(typed: str, *, hall: Hall) -> Meaning:
    """Return what a text may mean in a hall; nothing is too strange to be read."""
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in typed).split())
    text = text[:LONGEST_SEARCH]
    named = _card(text) | _game(text) | _words(text)
    return Meaning(text=text, amount=_amount(text, hall), day=_day(text), **named)


def _card(text: str) -> dict[str, Any]:
    try:
        issue, card = cards.read_code(text)
    except Refusal:
        pass
    else:
        return {"card": card, "issue_key": issue}
    if NUMBER.fullmatch(text) and len(text) <= len(str(cards.HIGHEST_CARD)):
        return {"card": int(text) or None}
    found = CARD.fullmatch(text)
    if found is None:
        return {}
    return {"letter": found[1] or "", "issue": found[2], "card": int(found[3]) or None}


def _game(text: str) -> dict[str, Any]:
    found = GAME.fullmatch(text)
    if found and int(found[1]) <= forms.LARGEST:
        return {"session": int(found[1]), "game": int(found[2])}
    return {"session": int(text)} if NUMBER.fullmatch(text) and int(text) <= forms.LARGEST else {}


def _amount(text: str, hall: Hall) -> int | None:
    try:
        return money_and_dates.read_amounts(text, currency=hall.currency) or None
    except Refusal:
        return None


def _day(text: str) -> date | None:
    found, turned = DAY.fullmatch(text), DAY_FIRST.fullmatch(text)
    parts = found.groups() if found else turned.groups()[::-1] if turned else ()
    try:
        return date(*map(int, parts)) if parts else None
    except ValueError:
        return None


def _words(text: str) -> dict[str, Any]:
    if sum(sign.isalpha() for sign in text) < FEWEST:
        return {}
    return {
        "words": text,
        "kinds": _called(text, trade_words.KINDS),
        "categories": _called(text, trade_words.CATEGORIES),
    }


def _called(text: str, labels: Mapping[str, trade_words.Text]) -> tuple[str, ...]:
    """Return the codes whose words, in the reader's language, have in them each word of the text."""
    asked = plain(text).split()
    return tuple(
        code
        for code, label in labels.items()
        if code == text or all(_stem(word) in plain(str(label)) for word in asked)
    )


def plain(text: str) -> str:
    """Return a text without accents and capitals."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


def _stem(word: str) -> str:
    """Return what a noun, a verb and a plural have in common: anulação finds what is anulada."""
    return word if len(word) <= 5 else word[: max(5, len(word) - 4)]


FEW, MANY = 8, 50

Finder = Callable[[int, int | None], Hits]


@dataclass(frozen=True, slots=True)
class FoundEntry:
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
    rows: list[FoundEntry] = field(default_factory=list)
    more: str = ""


@require_GET
@for_roles(*READERS)
def search_page(request: HttpRequest, person: Person) -> HttpResponse:
    """Show the field, and what was found of what stands in it."""
    asks = PageRequest(person, {}, request.GET)
    meant = read_search_parser(asks.query.get("q", ""), hall=asks.hall)
    # Before the role is taken: the hall that printed a card is no business of this one's.
    issues = _issues(asks.hall, meant)
    with inspection.reading(asks.hall):
        return render(request, "desks/inspector/search.html", _context(asks, meant, issues))


def _context(asks: PageRequest, meant: Meaning, issues: list[int] | None) -> Context:
    only = asks.query.get("only", "")
    before = listing.number(asks.query, "before", most=LARGEST)
    context: Context = {"q": meant.text}
    if meant.text:
        context["groups"] = list(_groups(asks.hall, meant, issues, only=only, before=before))
        if not only:
            context |= {"games": _games(asks.hall, meant), "held": _sessions(asks.hall, meant)}
    return context


def address_of(entry: JournalEntry) -> str:
    """Return where an entry is seen at its moment: the replay of its game, or its session's journal."""
    if entry.session is None:
        return ""
    if entry.game is None:
        place = reverse("inspector-session", args=[entry.session.number])
        return f"{place}?from={entry.number}"
    place = reverse("inspector-replay", args=[entry.session.number, entry.game])
    return f"{place}?at={entry.number}"


def _groups(
    hall: Hall, meant: Meaning, issues: list[int] | None, *, only: str, before: int | None
) -> Iterator[Group]:
    for name, title, look in _looks(hall, meant, issues):
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


def _row(entry: JournalEntry) -> FoundEntry:
    return FoundEntry(
        entry, trade_words.kind(entry.kind), journal_text.describe_entry(entry), address_of(entry)
    )


def _looks(
    hall: Hall, meant: Meaning, issues: list[int] | None
) -> Iterator[tuple[str, str, Finder]]:
    """Return each search that the text may ask for: its name, its title, and the search itself."""
    if meant.card and record_queries.has_card(hall, meant.card):
        title = _("Card %(card)s") % {"card": meant.card}
        yield "card", title, partial(record_queries.of_card, hall, meant.card, issues)
    if meant.amount:
        yield "amount", _("Amount"), partial(record_queries.of_amount, hall, meant.amount)
    if not meant.words:
        return
    for person in record_queries.people(hall, meant.words):
        yield f"person-{person.pk}", person.name, partial(record_queries.of_person, hall, person)
    if meant.kinds or meant.categories:
        kinds = partial(record_queries.of_kinds, hall, meant.kinds, meant.categories)
        yield "kind", _("What happened"), kinds
    yield "words", _("Notes"), partial(record_queries.of_words, hall, meant.words)


def _issues(hall: Hall, meant: Meaning) -> list[int] | None:
    """Return the issues that the card is named with, None where it is only a number."""
    if meant.issue_key is not None:
        way = stock_queries.way_of(meant.issue_key)
        return [issue.pk for issue in way if issue.hall_id == hall.pk]
    if meant.issue:
        named, letter = meant.issue, meant.letter
        return record_queries.issues_of(hall, card=meant.card or 0, named=named, letter=letter)
    return None


def _games(hall: Hall, meant: Meaning) -> list[Game]:
    """Return the games that the text names by number, or that were opened on its day."""
    found = Game.objects.filter(session__hall=hall).annotate(collected=collected_of())
    games = found.select_related("session", "issue__series")
    if meant.session is not None and meant.game is not None:
        return list(games.filter(session__number=meant.session, number=meant.game))
    if meant.day is not None:
        keys = [held.session.pk for held in _sessions(hall, meant)]
        return list(games.filter(session__in=keys).order_by("session__number", "number"))
    return []


def _sessions(hall: Hall, meant: Meaning) -> list[record_queries.SessionSummary]:
    """Return the session of that number, and those opened on that day."""
    if meant.day is not None:
        return list(record_queries.sessions(hall, begins=meant.day, ends=meant.day).held)
    if (
        meant.session is None
        or not Session.objects.filter(hall=hall, number=meant.session).exists()
    ):
        return []
    return list(record_queries.sessions(hall, before=meant.session + 1, per_page=1).held)


@reading
def access_log_page(request: HttpRequest, asks: PageRequest) -> HttpResponse:
    """Show looks of a day or of all, the newest first."""
    query = asks.query
    on = listing.day(query, "day")
    found, older = inspection.look_page(
        asks.hall,
        begins=asks.hall.begins(on) if on else None,
        ends=asks.hall.ends(on) if on else None,
        before=listing.number(query, "before", most=LARGEST),
        pictures=query.get("pictures") == "on",
        per_page=PER_PAGE,
    )
    context = {
        "looks": [(look, _kind(look)) for look in found],
        "older": older,
        "day": on,
        "pictures": query.get("pictures") == "on",
    }
    return render(request, "desks/inspector/access_log.html", context)


def _kind(look: Look) -> str | Promise:
    """Say what was looked at, in a word."""
    name = look.path.partition("?")[0].rpartition("/")[2]
    if look.route in SEARCHES:
        return gettext_lazy("Search")
    if look.method not in ("GET", "HEAD"):
        return gettext_lazy("Command")
    if look.route == inspection.PICTURE or name.endswith(PICTURES):
        return gettext_lazy("Picture")
    is_file = "." in name or look.route == CHECKPOINT
    return gettext_lazy("Download") if is_file else gettext_lazy("Page")


search_and_access_log_urls = [
    path("inspector/search/", never_cache(search_page), name="inspector-search"),
    path("inspector/looks/", never_cache(access_log_page), name="inspector-looks"),
]
