"""Publishing a series: the format, and a letter with the size that the law or the hall's grant gives it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules import formats, rulebooks, series
from bingo.rules.refusal import Refusal
from draws.documents import stock_words
from draws.services import series as services
from draws.views.cards import granted
from draws.views.order import Order
from draws.views.page import WRITERS, Asked, Context, Done, Page
from halls.models import Authorisation, Hall

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


def publish(order: Order, asked: Asked) -> Done:
    """Make the matrix and publish it."""
    size = _size(order, asked)
    published = services.publish(
        hall=order.hall,
        format=order.integer("format"),
        letter=size.letter,
        size=size.cards,
        columns=order.ticked("columns"),
        seed=_seed(order) if order.ticked("demonstration") else "",
        **order.who,
    )
    values = {"letter": published.letter, "size": published.size}
    text = _("Series %(letter)s is published: %(size)s cards") % values
    return Done(text, reverse("cards-matrix", args=[published.pk]))


def _seed(order: Order) -> str:
    """Give the seed of a demonstration; without one its cards would be real and unmarked."""
    seed = order.text("seed", longest=LONGEST_SEED)
    if not seed:
        raise Refusal("seed_missing", field="seed")
    return seed


def _size(order: Order, asked: Asked) -> Size:
    offered = {size.value: size for size in sizes(asked.hall, granted.today(asked.hall))}
    value = order.text("size")
    if value not in offered:
        raise Refusal("bad_input", field="size", wanted="choice")
    return offered[value]


def sizes(hall: Hall, allowed: Authorisation | None) -> list[Size]:
    """Give the sizes that a series of the hall may have: the law's, then the authorisation's."""
    of_law = rulebooks.get(hall.rulebook).series_sizes
    law = [Size(letter, cards, own=False) for letter, cards in of_law.items()]
    of_hall = allowed.sizes.items() if allowed else ()
    return law + [Size(letter, cards, own=True) for letter, cards in of_hall]


def context(asked: Asked) -> Context:
    """Give the form."""
    allowed = granted.today(asked.hall)
    kinds = [one for one in formats.FORMATS if allowed and one in allowed.formats]
    return {
        "tab": "series",
        "granted": allowed,
        "series": None,
        "kinds": [(kind, stock_words.FORMATS[kind], _most(kind)) for kind in kinds],
        "kind": asked.fields.get("format") or (str(kinds[0]) if kinds else ""),
        "sizes": sizes(asked.hall, allowed),
        "size": asked.fields.get("size", ""),
    }


def _most(kind: int) -> tuple[int, int] | None:
    """Give the most cards of a format, and the most when no column may repeat either.

    None where the bound lies far above what anybody prints.
    """
    format = formats.get(kind)
    if not format.full:
        return None
    return series.limit(format)[0], series.limit(format, columns=True)[0]


PAGE = Page(
    "cards-publish",
    "cards/series/publish/",
    "cards/publish.html",
    context,
    {"publish": publish},
    readers=WRITERS,
)
