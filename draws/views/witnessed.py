"""Who stands for an order beside the person that gives it, read from the order's own fields."""

from __future__ import annotations

from bingo.rules.refusal import Refusal
from draws.views.order import Order
from halls.models import Person
from halls.services import witnesses

LONGEST_PASSWORD = 1000  # hashing a longer one would only keep the hall waiting


def witness_of(order: Order, *, kind: str) -> Person | None:
    """Give the second person of an order of that kind, or None when nobody was named.

    Raises Refusal: bad_input, or what `witnesses.witness` refuses.
    """
    username = order.text("witness_username") if "witness_username" in order.fields else ""
    # A password is taken as it was typed: its spaces are part of it.
    password = order.fields.get("witness_password", "")
    if not username and not password:
        return None
    if len(password) > LONGEST_PASSWORD:
        raise Refusal("witness_unknown")
    return witnesses.witness(
        hall=order.hall, username=username, password=password, request=order.request,
        by=order.person, kind=kind,
    )  # fmt: skip
