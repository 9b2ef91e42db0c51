"""Complaints at the table: opened in seconds about what stands, and printed for the player (R61 j)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.complaints import LONGEST
from bingo.rules.refusal import Refusal
from bingo.rules.state import Phase
from draws.models import Game
from draws.queries import complaints as queries
from draws.queries.standing import Standing, last_check
from draws.services import complaints
from draws.views.complaints import send_slip
from draws.views.desk import Told
from draws.views.meant import card_of
from draws.views.order import Order
from halls.models import Session
from halls.queries import policies
from halls.queries.sessions import the_open_session

DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)


def complain(order: Order, _now: Standing) -> Told:
    """Open a complaint about the game, the ball and the card that its form names."""
    session = the_open_session(order.hall)
    issue, card = card_of(order) if order.fields.get("card") else (None, None)
    opened = complaints.open_complaint(
        session=session,
        text=order.text("text", longest=LONGEST),
        game=_game(order, session),
        ball=order.optional_integer("ball"),
        issue=issue.pk if issue else None,
        card=card,
        **order.who,
    )
    told = _("Complaint %(number)s is open: print its slip for the player")
    return Told(told % {"number": opened.number}, "ok")


def _game(order: Order, session: Session) -> Game | None:
    """Give the game that the page showed, None before the first."""
    number = order.optional_integer("game")
    if number is None:
        return None
    found = Game.objects.filter(session=session, number=number)
    game = found.select_related("session", "issue", "first_half").first()
    if game is None:
        raise Refusal("unknown_game")
    return game


def print_slip(order: Order, _now: Standing) -> str:
    """Print a complaint's slip at a till."""
    return send_slip(order)


def standing(now: Standing) -> dict[str, Any]:
    """Give the complaints that nobody has decided yet, the newest first."""
    found = list(queries.still_open(now.hall))
    mine = now.session.pk if now.session else None
    return {
        "complaints": found,
        "left_open": sum(one.session_id == mine for one in found),
        "slip_printers": list(policies.in_force(now.hall).printers),
    }


def shown(now: Standing) -> dict[str, Any]:
    """Give those, and what a complaint opened now is about: the last ball, the card looked at."""
    check = last_check(now)
    drawn = len(now.known.balls) if now.known and now.phase in DRAWN else None
    about = {
        "ball": drawn or "",
        "card": check.data["card"] if check else "",
        "issue": check.data["issue"] if check else None,
    }
    return standing(now) | {"complaint_about": about, "longest_complaint": LONGEST}
