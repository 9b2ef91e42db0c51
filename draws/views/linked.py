"""The linked jackpots on the jackpot's page: how they stand, and what the hall manager may do."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules import jackpots, rulebooks
from bingo.rules import links as rules
from draws.documents import jackpot_facts, limit_words
from draws.queries import links as queries
from draws.queries.links import Told
from draws.views import receiving
from draws.views.cards import limit_fields
from draws.views.cards.inks import money
from draws.views.order import Order
from draws.views.page import Asked, Done
from draws.views.witnessed import witness_of
from halls.models import Hall
from halls.services import links


def take_part(order: Order, _asked: Asked) -> Done:
    """Let the hall take part in a link; the first to do so begins it."""
    links.link(
        hall=order.hall,
        code=order.text("code").strip(),
        name=order.text("name").strip(),
        limits=limit_fields.read(order, limit_fields.LINK, rulebooks.get(order.hall.rulebook)),
        base=order.amount("base"),
        reference=order.text("reference"),
        **order.who,
    )
    return Done(_("The hall takes part in the linked jackpot"), reverse("jackpot"))


def fund(order: Order, _asked: Asked) -> Done:
    """Put a base, or more, into a link."""
    links.fund(
        hall=order.hall,
        code=order.text("link"),
        amount=order.amount("amount"),
        reference=order.text("reference"),
        witness=witness_of(order, kind=rules.FUNDED),
        **order.who,
    )
    return Done(_("The base is in the linked jackpot"), reverse("jackpot"))


def move(order: Order, _asked: Asked) -> Done:
    """Move what a link holds to a level of a hall's own jackpot."""
    order.require_sure()
    links.move(
        hall=order.hall,
        code=order.text("link"),
        to=receiving.hall(order),
        to_level=order.integer("to_level"),
        reference=order.text("reference"),
        witness=witness_of(order, kind=rules.MOVED),
        **order.who,
    )
    return Done(_("The linked jackpot is moved"), reverse("jackpot"))


def end(order: Order, _asked: Asked) -> Done:
    """Hand over what a link holds, as the regulator says."""
    order.require_sure()
    links.end(
        hall=order.hall,
        code=order.text("link"),
        to=order.text("to"),
        reference=order.text("reference"),
        witness=witness_of(order, kind=rules.ENDED),
        **order.who,
    )
    return Done(_("The linked jackpot has ended: hand the money over now"), reverse("jackpot"))


def shown(hall: Hall) -> list[dict[str, Any]]:
    """Give each link of a hall as the page shows it."""
    return [_shown(hall, one) for one in queries.told(hall)]


def _shown(hall: Hall, one: Told) -> dict[str, Any]:
    return {
        "link": one.link,
        "worth": money(hall, one.worth),
        "held": money(hall, one.link.balance),
        "waiting": money(hall, one.waiting) if one.waiting else "",
        "base": money(hall, one.link.base),
        "limits": limit_words.within(jackpots.read_limits(one.link.limits))
        or limit_words.any_bingo(one.link.limit),
        "halls": ", ".join(member.hall.name for member in one.members),
        "movements": [
            {
                "moved": moved,
                "kind": jackpot_facts.LINKED[moved.kind],
                "amount": money(hall, moved.amount),
                "balance": money(hall, moved.balance),
            }
            for moved in one.movements
        ],
    }
