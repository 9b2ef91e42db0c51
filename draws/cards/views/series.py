"""The pages of series of cards: list, publish, take in from a file, look at one card.

A series that another program made is judged like a stranger's. A letter has the size that the law
or the hall's grant gives it. A matrix is shown a page at a time; one card is shown large with its
numbers, its strip, and where it stands in every issue.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from bingo.http_server import MEBIBYTE
from bingo.money_and_dates import Whole
from bingo.rules import cards, formats, rulebooks, series
from bingo.rules.refusal import Refusal
from bingo.rules.series import in_strips
from bingo.rules.series_files import HEAD
from draws.authorisations import labels as authorisations_labels
from draws.cards import labels as cards_labels
from draws.cards import series as cards_series
from draws.cards import series_queries, stock_queries
from draws.cards.labels import IN_CSV, IN_JSON
from draws.cards.series_queries import as_rows
from draws.models import Issue, Series
from draws.record.archive.views import streamed
from draws.refusals import text
from draws.web import listing
from draws.web.forms import WHOLE, CommandForm, for_roles
from draws.web.listing import Column, FilterChoice
from draws.web.page_classes import READERS, WRITERS, Context, Page, PageRequest, Success, reading
from halls import inspection
from halls.models import Authorisation, Hall, Person

COLUMNS = (
    Column("format", gettext_lazy("Format"), ("format",), number=True),
    Column("letter", gettext_lazy("Letter"), ("letter", "version")),
    Column("version", gettext_lazy("Version"), ("version",), number=True),
    Column("size", gettext_lazy("Cards"), ("size",), number=True),
    Column("source", gettext_lazy("Source"), ("source",)),
    Column("seed", gettext_lazy("Made for"), ("seed",)),
    Column("digest", "SHA-256"),
    Column("published", gettext_lazy("Published"), ("published_at",)),
)


def series_context(asked: PageRequest) -> Context:
    """Return the list that the address asks for."""
    found = Series.objects.filter(hall=asked.hall).order_by("-published_at", "-pk")
    kinds = [(str(highest), str(highest)) for highest in formats.FORMATS]
    kind = listing.chosen(asked.query, "format", dict(kinds))
    if kind:
        found = found.filter(format=int(kind))
    if text := listing.text(asked.query):
        found = found.filter(digest__startswith=text.lower()) | found.filter(letter__iexact=text)
    choices = [FilterChoice("format", _("Format"), kinds, kind)]
    return {
        "tab": "series",
        "listing": listing.listed(found, columns=COLUMNS, query=asked.query, choices=choices),
        "granted": authorisations_labels.today(asked.hall),
    }


SERIES_PAGE = Page("cards-series", "cards/series/", "cards/series.html", series_context)


PER_PAGE = 24
ISSUES = 20  # shown beside the cards; the rest is in the stock


def series_of(asked: PageRequest) -> Series:
    """Return the series that the address names. Raises Http404."""
    return get_object_or_404(Series, hall=asked.hall, pk=asked.place["series"])


def matrix_context(asked: PageRequest) -> Context:
    """Return a page of cards and what is known of the whole."""
    series = series_of(asked)
    page = Paginator(range(1, series.size + 1), PER_PAGE).get_page(asked.query.get("page"))
    issues = series_queries.issues(series, most=ISSUES + 1)
    return {
        "tab": "series",
        "series": series,
        "page": page,
        "cards": series_queries.between(series, page[0], page[-1]),
        "issues": issues[:ISSUES],
        "more_issues": len(issues) > ISSUES,
        "strips": formats.get_format(series.format).strip > 1,
    }


@require_GET
@for_roles(*READERS)
def find_matrix(request: HttpRequest, person: Person, **place: int) -> HttpResponseBase:
    """Go to the card of a number, or of the code that a scanner read, whichever series has it.

    Not under the inspector's role: the hall that printed a card is no business of this one's.
    """
    asked = PageRequest(person, place, request.GET)
    series = series_of(asked)
    try:
        there, number = _meant(asked, series)
    except Refusal as refusal:
        messages.error(request, text.refusal(refusal))
        return redirect("cards-matrix", series.pk)
    return redirect("cards-card", there, number)


def _meant(asked: PageRequest, series: Series) -> tuple[int, int]:
    """Return series and card of what was typed. Raises Refusal."""
    typed = asked.query.get("card", "").strip()
    if stock_queries.is_code(typed):
        issue, number = stock_queries.card_of(asked.hall, typed)
        return issue.series_id, number
    number = int(typed) if WHOLE.fullmatch(typed) else 0
    if not 1 <= number <= series.size:
        raise Refusal("no_such_card", card=typed[:20])
    return series.pk, number


@reading
def as_json(_request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the published document: the SHA-256 of this file is the series' own."""
    series = series_of(asked)
    name = _name(series, "json")
    blocks = inspection.read_on(asked.hall, series_queries.canonical(series))
    return streamed(blocks, kind="application/json", name=name)


@reading
def matrix_as_csv(_request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the cards as a table for other programs."""
    series = series_of(asked)
    name = _name(series, "csv")
    blocks = inspection.read_on(asked.hall, series_queries.series_file_table(series))
    return streamed(blocks, kind="text/csv; charset=utf-8", name=name)


def _name(series: Series, ending: str) -> str:
    return f"{series.format}-{series.letter}-v{series.version}.{ending}"


MATRIX_PAGE = Page(
    "cards-matrix", "cards/series/<int:series>/", "cards/series_matrix.html", matrix_context
)

FILES: list[URLPattern] = [
    path(f"{MATRIX_PAGE.route}find/", find_matrix, name="cards-find"),
    path(f"{MATRIX_PAGE.route}series.json", as_json, name="cards-json"),
    path(f"{MATRIX_PAGE.route}series.csv", matrix_as_csv, name="cards-csv"),
]


@dataclass(frozen=True, slots=True)
class CardInIssue:
    """A card in one issue: sold, retired or left, and the code that is printed on it."""

    issue: Issue
    kind: str
    code: str


def card_context(asked: PageRequest) -> Context:
    """Return the card with everything about it."""
    series, number = series_of(asked), asked.place["card"]
    if not 1 <= number <= series.size:
        raise Http404
    format = formats.get_format(series.format)
    first, last = series_queries.strip(series, number, length=format.strip)
    near = {card.number: card for card in series_queries.between(series, first, last)}
    strip = list(near.values())
    drawn = [as_rows(card.rows) for card in strip]
    is_strip = len(strip) == format.strip and in_strips(drawn, format=format)
    rows = as_rows(near[number].rows)
    issues = series_queries.issues(series, most=ISSUES + 1)
    return {
        "tab": "series",
        "series": series,
        "card": near[number],
        "numbers": sorted(cards.numbers(rows)),
        "strip": strip if is_strip else [],
        "strip_number": (number - 1) // format.strip + 1,
        "before": number - 1,
        "after": number + 1 if number < series.size else 0,
        "page_number": (number - 1) // PER_PAGE + 1,
        "held": [_held(issue, number) for issue in issues[:ISSUES]],
        "more_issues": len(issues) > ISSUES,
    }


def _held(issue: Issue, number: int) -> CardInIssue:
    retired = any(one.first <= number <= one.last for one in stock_queries.retirements(issue))
    kind = "retired" if retired else "sold" if number <= issue.last_sold else "left"
    return CardInIssue(
        issue,
        kind,
        cards.grouped_code(cards.code_of(stock_queries.issue_in_each_hall(issue)[-1], number)),
    )


CARD_PAGE = Page(
    "cards-card", "cards/series/<int:series>/<int:card>/", "cards/one_card.html", card_context
)


LONGEST_SEED = 100  # as Series keeps it


@dataclass(frozen=True, slots=True)
class Size:
    """A letter with its number of cards; `own` when the authorisation grants it (R19)."""

    letter: str
    cards: int
    own: bool

    @property
    def value(self) -> str:
        """What the form sends."""
        return f"{self.letter}-{self.cards}"


def publish_series(order: CommandForm, asked: PageRequest) -> Success:
    """Make the matrix and publish it."""
    size = _size(order, asked)
    published = cards_series.publish(
        hall=order.hall,
        format=order.integer("format"),
        letter=size.letter,
        size=size.cards,
        columns=order.ticked("columns"),
        seed=_seed(order) if order.ticked("demonstration") else "",
        **order.who,
    )
    values = {"letter": published.letter, "size": Whole(published.size)}
    text = _("Series %(letter)s is published: %(size)s cards") % values
    return Success(text, reverse("cards-matrix", args=[published.pk]))


def _seed(order: CommandForm) -> str:
    """Return the seed of a demonstration; without one its cards would be real and unmarked."""
    seed = order.text("seed", longest=LONGEST_SEED)
    if not seed:
        raise Refusal("seed_missing", field="seed")
    return seed


def _size(order: CommandForm, asked: PageRequest) -> Size:
    offered = {
        size.value: size for size in sizes(asked.hall, authorisations_labels.today(asked.hall))
    }
    value = order.text("size")
    if value not in offered:
        raise Refusal("bad_input", field="size", wanted="choice")
    return offered[value]


def sizes(hall: Hall, allowed: Authorisation | None) -> list[Size]:
    """Return the sizes that a series of the hall may have: the law's, then the authorisation's."""
    of_law = rulebooks.get(hall.rulebook).series_sizes
    law = [Size(letter, cards, own=False) for letter, cards in of_law.items()]
    of_hall = allowed.sizes.items() if allowed else ()
    return law + [Size(letter, cards, own=True) for letter, cards in of_hall]


def publish_context(asked: PageRequest) -> Context:
    """Return the form."""
    allowed = authorisations_labels.today(asked.hall)
    kinds = [one for one in formats.FORMATS if allowed and one in allowed.formats]
    return {
        "tab": "series",
        "granted": allowed,
        "series": None,
        "kinds": [(kind, cards_labels.FORMATS[kind], _most(kind)) for kind in kinds],
        "kind": asked.fields.get("format") or (str(kinds[0]) if kinds else ""),
        "columns_matter": any(formats.get_format(kind).full for kind in kinds),
        "sizes": sizes(asked.hall, allowed),
        "letters_of_law": bool(rulebooks.get(asked.hall.rulebook).series_sizes),
        "size": asked.fields.get("size", ""),
    }


def _most(kind: int) -> tuple[int, int] | None:
    """Return the most cards of a format, and the most when no column may repeat either.

    None where the bound lies far above what anybody prints.
    """
    format = formats.get_format(kind)
    if not format.full:
        return None
    return series.limit(format)[0], series.limit(format, columns=True)[0]


PUBLISH_PAGE = Page(
    "cards-publish",
    "cards/series/publish/",
    "cards/publish_series.html",
    publish_context,
    {"publish": publish_series},
    readers=WRITERS,
)


SHORT = re.compile(r"-?[0-9]{1,6}")  # no more of a stranger's file is said again
DEPTH = 3  # card, row, column
LARGEST = 64 * MEBIBYTE  # bytes; bingo/asgi.py lets no more in


def take_in(order: CommandForm, _asked: PageRequest) -> Success:
    """Read the file, judge its cards, and publish them as a series of the hall."""
    columns = order.ticked("columns")
    text = _text(order)
    try:
        taken = cards_series.take_in(hall=order.hall, text=text, columns=columns, **order.who)
    except Refusal as refusal:
        raise _with_number_there(refusal, text) from None
    values = {"letter": taken.letter, "size": Whole(taken.size)}
    done = _("Series %(letter)s is taken in: %(size)s cards, without a fault") % values
    return Success(done, reverse("cards-matrix", args=[taken.pk]))


def _text(order: CommandForm) -> str:
    file = order.files.get("file")
    if file is None:
        raise Refusal("file_missing")
    try:
        text = bytes(file.read()).decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("bad_series_file", where="text") from None
    if text.startswith("\ufeff"):
        raise Refusal("bad_series_file", where="mark")
    if text.startswith("format;"):
        raise Refusal("bad_series_file", where="semicolons")
    return text


def _with_number_there(refusal: Refusal, text: str) -> Refusal:
    """Add to the refusal of a square the number that stands there, where it is one."""
    if refusal.code != "bad_series_file":
        return refusal
    where = str(refusal.values["where"])
    found = _standing(text, where)
    return Refusal(refusal.code, **{**refusal.values, "found": found}) if found else refusal


def _standing(text: str, where: str) -> str:
    """Return the short number at a square of the file, nothing for what is none."""
    if at := IN_JSON.fullmatch(where):
        places = [int(part) for part in at.groups() if part]
        if len(places) < DEPTH:
            return ""
        value = json.loads(text)["cards"]
        for place in places:
            value = value[place]
        return str(value) if isinstance(value, int) and SHORT.fullmatch(str(value)) else ""
    if (at := IN_CSV.fullmatch(where)) and at[2]:
        heading = where.partition(":")[2]
        lines = text.replace("\r", "").split("\n")
        column = lines[HEAD - 1].split(",").index(heading)
        found = lines[int(at[1]) - 1].split(",")[column]
        return found if SHORT.fullmatch(found) else ""
    return ""


def take_in_context(asked: PageRequest) -> Context:
    """Return the form."""
    return {
        "tab": "series",
        "granted": authorisations_labels.today(asked.hall),
        "rulebook": rulebooks.title(asked.hall.rulebook),
        "largest": LARGEST // MEBIBYTE,
    }


TAKE_IN_PAGE = Page(
    "cards-take-in",
    "cards/series/take-in/",
    "cards/take_in.html",
    take_in_context,
    {"take-in": take_in},
    readers=WRITERS,
)


def take_in_address() -> str:
    """Return the address that takes the file, the one that needs more than a form does."""
    return reverse(f"{TAKE_IN_PAGE.name}-do", kwargs={"verb": "take-in"})
