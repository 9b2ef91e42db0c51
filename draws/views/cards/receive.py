"""Receiving an issue: a series, an identification, a price and the colours that tell them (R16-R19)."""

from __future__ import annotations

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules.stock import LONGEST_IDENTIFICATION, Place
from draws.documents import stock_words
from draws.documents.cards import palette
from draws.models import Issue, Series
from draws.services import stock
from draws.views.cards import figures, granted, inks
from draws.views.meant import series_of
from draws.views.order import Order
from draws.views.page import WRITERS, Asked, Context, Done, Page


def receive(order: Order, _asked: Asked) -> Done:
    """Take the issue in; without a count it waits to be counted or printed."""
    counted = order.optional_integer("counted")
    issue = stock.receive(
        hall=order.hall,
        series=series_of(order),
        identification=order.text("identification", longest=LONGEST_IDENTIFICATION),
        face=order.integer("face"),
        face_colour=order.choice("face_colour", palette.FACES),
        back_colour=order.choice("back_colour", palette.BACKS),
        double=order.ticked("double"),
        symbols=order.ticked("symbols"),
        figure=order.text("figure") if "figure" in order.fields else "",
        counted=counted,
        **order.who,
    )
    address = reverse("cards-issue", args=[issue.pk])
    if issue.place == Place.RECEIVED and counted is not None:
        text = stock_words.miscounted(issue.identification, counted, issue.series.size)
        return Done(text, address, warning=True)
    return Done(_told(issue), address)


def _told(issue: Issue) -> str:
    values = {"issue": issue.identification}
    if issue.place == Place.SHELF:
        return _("Issue %(issue)s is in stock") % values
    return _("Issue %(issue)s is received: count it before it is sold") % values


def context(asked: Asked) -> Context:
    """Give the form with everything proposed that can be."""
    hall, fields = asked.hall, asked.fields
    known = list(Series.objects.filter(hall=hall, rulebook=hall.rulebook).order_by("-pk"))
    chosen = _chosen(known, fields)
    allowed = granted.today(hall)
    prices = allowed.faces if allowed else []
    price = next((one for one in prices if str(one) == fields.get("face")), None)
    price = price or next(iter(prices), 0)
    letter = chosen.letter if chosen else ""
    return {
        "tab": "stock",
        "longest": LONGEST_IDENTIFICATION,
        "series": known,
        "chosen": chosen,
        "granted": allowed,
        "prices": prices,
        "price": price,
        "face_inks": inks.faces(hall, price, wanted=fields.get("face_colour")),
        "back_inks": inks.backs(hall, letter, wanted=fields.get("back_colour")),
        "may_double": bool(allowed and allowed.double_cards),
        "may_symbols": bool(chosen and chosen.format == stock.WITH_SYMBOLS),
        "figures": figures.every(hall) if chosen and chosen.format == stock.WITH_FIGURES else [],
    }


def _chosen(known: list[Series], fields: QueryDict) -> Series | None:
    asked = fields.get("series", "")
    return next((one for one in known if str(one.pk) == asked), known[0] if known else None)


PAGE = Page(
    "cards-receive",
    "cards/receive/",
    "cards/receive.html",
    context,
    {"receive": receive},
    readers=WRITERS,
)
