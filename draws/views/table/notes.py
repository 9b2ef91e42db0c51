"""Notes for the acta."""

from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.queries.standing import Standing
from draws.views.meant import card_of
from draws.views.order import Order
from halls.queries.sessions import the_open_session
from halls.services import notes

# Complaints are opened by themselves: numbered, printed, decided. Only old notes are such.
OFFERED = {code: label for code, label in words.CATEGORIES.items() if code != "complaint"}


def note(order: Order, _now: Standing) -> str:
    """Write a note for the acta."""
    category = order.text("category")
    if category not in OFFERED:
        raise Refusal("unknown_category", category=category[:40])
    about = card_of(order) if order.fields.get("card") else None
    notes.record(
        session=the_open_session(order.hall),
        category=category,
        text=order.text("text"),
        decision=order.text("decision"),
        issue=about[0].pk if about else None,
        card=about[1] if about else None,
        **order.who,
    )
    return _("Noted for the acta")
