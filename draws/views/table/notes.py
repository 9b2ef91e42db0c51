"""Notes for the acta."""

from django.utils.translation import gettext as _

from draws.queries.standing import Standing
from draws.views.meant import card_of
from draws.views.order import Order
from halls.queries.sessions import the_open_session
from halls.services import notes


def note(order: Order, _now: Standing) -> str:
    """Write a note for the acta."""
    about = card_of(order) if order.fields.get("card") else None
    notes.record(
        session=the_open_session(order.hall),
        category=order.text("category"),
        text=order.text("text"),
        decision=order.text("decision"),
        issue=about[0].pk if about else None,
        card=about[1] if about else None,
        **order.who,
    )
    return _("Noted for the acta")
