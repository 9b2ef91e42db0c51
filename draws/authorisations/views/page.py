"""The page of authorisations: record one as it is written on paper, and list what was granted.

A recorded authorisation stays as it is, once and for all.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from babel.numbers import get_currency_precision
from django.conf import settings
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo import money_and_dates
from bingo.money_and_dates import Whole
from bingo.rules import jackpot_chances, prize_distributions, rulebooks
from bingo.rules.authorisations import LONGEST_REFERENCE
from bingo.rules.equipment import CHECKED
from bingo.rules.equipment import NAMED as OF_THE_LAW
from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from bingo.rules.unclaimed import DESTINATIONS
from draws.authorisations import labels as authorisations_labels
from draws.authorisations.labels import ink_money
from draws.authorisations.labels import percent as _percent
from draws.authorisations.views import jackpot_fields, prize_fields
from draws.cards import labels as cards_labels
from draws.equipment import labels as equipment_labels
from draws.prizes import labels as prizes_labels
from draws.web import listing
from draws.web.forms import CommandForm, FormFields, witness_of
from draws.web.listing import Column
from draws.web.page_classes import WRITERS, Context, Page, PageRequest, Preview, Success
from halls import authorisations
from halls.models import Authorisation, Hall

# What the law names, in the order of the check (R2).
EQUIPMENT = tuple(kind for kind in CHECKED if kind in OF_THE_LAW)
# A letter and its number of cards, as "L 60" or "M 6 000"; no count has a fraction, so that whatever
# a language parts thousands with does nothing else.
SIZE = re.compile(r"([A-Za-z0-9]{1,5})[ :=\t]+([0-9]{1,3}(?:[\s.,]?[0-9]{3})*|[0-9]{1,7})")


def record_authorise(order: CommandForm, _asked: PageRequest) -> Success:
    """Write the authorisation down."""
    order.require_sure()
    book = rulebooks.get(order.hall.rulebook)
    recorded = authorisations.record(
        hall=order.hall,
        reference=order.text("reference", longest=LONGEST_REFERENCE),
        valid_from=order.day("valid_from"),
        valid_until=order.day("valid_until") if order.fields.get("valid_until") else None,
        formats=prize_fields.formats_of(order),
        faces=[
            money_and_dates.read_amounts(line, currency=order.hall.currency)
            for line in order.lines("faces")
        ],
        sizes=_sizes(order.lines("sizes")),
        double_cards=order.ticked("double_cards"),
        line_share=order.points("line_share"),
        bingo_share=order.points("bingo_share"),
        **jackpot_fields.read(order),
        witness=witness_of(order, kind="authorisation_recorded"),
        tax_rate=order.points("tax_rate") if order.ticked("tax") else 0,
        tax_threshold=order.amount("tax_threshold") if order.ticked("tax") else 0,
        tax_on_sales=order.ticked("tax") and order.ticked("tax_on_sales"),
        player_limit=order.optional_integer("player_limit"),
        capacity=order.optional_integer("capacity"),
        identity_asked=order.ticked("identity_asked"),
        several_prices=order.ticked("several_prices"),
        languages=[one for one, _name in settings.LANGUAGES if order.ticked(f"language-{one}")],
        unclaimed_terms=_unclaimed(order),
        exempt=[kind for kind in EQUIPMENT if order.ticked(f"exempt-{kind}")],
        distributions=[
            prize_fields.read_kind(order, kind) for kind in prize_fields.wanted(order, book)
        ],
        **order.who,
    )
    text = _("Authorisation %(reference)s is recorded") % {"reference": recorded.reference}
    return Success(text, reverse("cards-authorisation", args=[recorded.pk]))


def preview_authorise(_order: CommandForm, _asked: PageRequest) -> Preview:
    """Show what the form pays; nothing is recorded."""
    return Preview()


def _unclaimed(order: CommandForm) -> dict[str, Any]:
    """Return the period of unclaimed money and where it goes then, nothing where none is named."""
    days = order.optional_integer("unclaimed_days")
    if days is None:
        return {}
    return {"days": days, "to": order.choice("unclaimed_to", DESTINATIONS)}


def _sizes(lines: list[str]) -> dict[str, int]:
    """Return the cards of each letter. Raises Refusal: bad_input, letter_repeated."""
    sizes: dict[str, int] = {}
    for letter, cards in map(_size, lines):
        if letter in sizes:
            raise Refusal("letter_repeated", letter=letter, field="sizes")
        sizes[letter] = cards
    return sizes


def _size(line: str) -> tuple[str, int]:
    """Return letter and cards of a line such as "L 60". Raises Refusal bad_input."""
    found = SIZE.fullmatch(line)
    if found is None:
        raise Refusal("bad_input", field="sizes", wanted="size")
    return found[1].upper(), int(re.sub(r"[\s.,]", "", found[2]))


def authorise_context(asked: PageRequest) -> Context:
    """Return the form, filled with what the last authorisation says, which the next mostly repeats."""
    hall, book = asked.hall, rulebooks.get(asked.hall.rulebook)
    last = authorisations_labels.today(hall)
    first = _first(hall, last)
    granted_formats = last.formats if last else [90]
    granted_languages = last.languages if last else []
    granted_without = last.exempt if last else []
    terms = last.jackpot_terms if last else {}
    typed = FormFields(asked.person, asked.typed) if asked.typed else None
    tried = prize_fields.sample(typed) if typed else None
    wrong = tried.wrong if tried else {}
    return {
        # What was typed to be tried stands in the form that records it.
        "verb": "record" if typed else "",
        "sample": tried,
        "sample_cards": prize_fields.CARDS,
        "beside": wrong,
        "blocks": prize_fields.blocks(
            book, typed=typed, granted=last.distributions if last else [], wrong=wrong
        ),
        "tab": "authorisations",
        "places": get_currency_precision(hall.currency),
        "kinds": [
            (f"format-{one}", cards_labels.FORMATS[one], one in granted_formats)
            for one in book.column_counts
        ],
        "sizes_of_law": ", ".join(
            f"{letter} {Whole(size)}" for letter, size in book.series_sizes.items()
        ),
        "languages": [
            (one, name, one in granted_languages)
            for one, name in settings.LANGUAGES
            if one != book.language
        ],
        "equipment": [
            (kind, equipment_labels.equipment_item(kind, ""), kind in granted_without)
            for kind in EQUIPMENT
            if kind in book.equipment
        ],
        "jackpot_levels": jackpot_fields.levels(
            asked.person, typed=asked.typed, last=last, wrong=wrong
        ),
        "chance_cards": jackpot_chances.CARDS,
        "jackpot_links": jackpot_fields.links(hall),
        "jackpot_sources": jackpot_fields.SOURCE_NAMES.items(),
        "jackpot_source": terms.get("source", ""),
        "jackpot_until": terms.get("until", ""),
        "destinations": prizes_labels.DESTINATIONS.items(),
        "first": first,
        "last": last,
        "floor": book.bingo_floor,
    }


def _first(hall: Hall, last: Authorisation | None) -> dict[str, object]:
    """Return what stands in the fields at first."""
    shares = rulebooks.get(hall.rulebook).shares
    if last is None:
        return {
            "line_share": _percent(shares.line) if shares else "",
            "bingo_share": _percent(shares.bingo) if shares else "",
        }
    return {
        "faces": "\n".join(ink_money(hall, face) for face in last.faces),
        "sizes": "\n".join(f"{letter} {size}" for letter, size in last.sizes.items()),
        "double_cards": last.double_cards,
        "line_share": _percent(last.line_share),
        "bingo_share": _percent(last.bingo_share),
        "jackpot": bool(last.jackpot_rate),
        "tax": bool(last.tax_rate),
        "tax_rate": _percent(last.tax_rate),
        "tax_threshold": ink_money(hall, last.tax_threshold),
        "tax_on_sales": last.tax_on_sales,
        "player_limit": last.player_limit or "",
        "capacity": last.capacity or "",
        "identity_asked": last.identity_asked,
        "several_prices": last.several_prices,
        "unclaimed_days": last.unclaimed_terms.get("days", ""),
        "unclaimed_to": last.unclaimed_terms.get("to", ""),
    }


AUTHORISE_PAGE = Page(
    "cards-authorise",
    "cards/authorisations/record/",
    "authorisations/authorise.html",
    authorise_context,
    {"record": record_authorise, "preview": preview_authorise},
    readers=WRITERS,
)


COLUMNS = (
    Column("reference", gettext_lazy("Reference"), ("reference",)),
    Column("from", gettext_lazy("Valid from"), ("valid_from",)),
    Column("until", gettext_lazy("Until"), ("valid_until",)),
    Column("formats", gettext_lazy("Formats")),
    Column("prices", gettext_lazy("Prices")),
    Column("line", gettext_lazy("Line"), ("line_share",), number=True),
    Column("bingo", gettext_lazy("Bingo"), ("bingo_share",), number=True),
    Column("jackpot", gettext_lazy("Jackpot"), number=True),
)


def authorisations_context(asked: PageRequest) -> Context:
    """Return the list, the one in force marked."""
    found = Authorisation.objects.filter(hall=asked.hall).order_by("-valid_from", "-pk")
    if text := listing.text(asked.query):
        found = found.filter(Q(reference__icontains=text))
    return {
        "tab": "authorisations",
        "listing": listing.listed(found, columns=COLUMNS, query=asked.query),
        "in_force": authorisations_labels.today(asked.hall),
    }


def one_context(asked: PageRequest) -> Context:
    """Return one grant whole."""
    found = Authorisation.objects.select_related("entry__by")
    shown = get_object_or_404(found, hall=asked.hall, pk=asked.place["authorisation"])
    until = shown.jackpot_terms.get("until")
    return {
        "tab": "authorisations",
        "one": shown,
        "in_force": authorisations_labels.today(asked.hall),
        "fund": shown.line_share + shown.bingo_share,
        "without": [equipment_labels.equipment_item(kind, "") for kind in shown.exempt],
        "languages": [name for one, name in settings.LANGUAGES if one in shown.languages],
        "levels": authorisations.levels_of(shown),
        "jackpot_until": date.fromisoformat(until) if until else None,
        "unclaimed_to": prizes_labels.DESTINATIONS.get(shown.unclaimed_terms.get("to", ""), ""),
        "usual": prizes_labels.of_shares(Shares(shown.line_share, shown.bingo_share)),
        "own": [_own(data) for data in shown.distributions],
    }


def _own(data: dict[str, Any]) -> dict[str, Any]:
    """Return the shares of a kind of game that has its own, and what counts as a line in it."""
    granted = prize_distributions.load(data)
    return {
        "name": authorisations_labels.KINDS[granted.format, granted.figure],
        "counts": [authorisations_labels.LINES[one] for one in granted.counts],
        "parts": prizes_labels.of_shares(granted.shares),
        "limit": max((one.limit for one in granted.shares.extras), default=0),
    }


AUTHORISATIONS_PAGE = Page(
    "cards-authorisations",
    "cards/authorisations/",
    "authorisations/authorisations.html",
    authorisations_context,
)
ONE = Page(
    "cards-authorisation",
    "cards/authorisations/<int:authorisation>/",
    "authorisations/authorisation.html",
    one_context,
)
