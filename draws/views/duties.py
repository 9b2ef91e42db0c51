"""What is due of the balls before a sale or the session's close, on the desks and under Equipment (R4, R20-R23)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.duties import CLOSING, DUTIES, LONGEST_SUBJECT
from bingo.rules.equipment import LONGEST_TEXT
from bingo.rules.state import Phase
from draws.documents import equipment_words
from draws.queries.standing import Standing
from draws.views.order import Order
from draws.views.page import Asked, Done
from draws.views.witnessed import witness_of
from halls.models import Person, Role, Session
from halls.queries import duties as queries
from halls.queries.sessions import the_open_session
from halls.services import duties

# Who may open the pages where it is done.
READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
# While cards are sold or a ball is out, nothing of it can be due.
QUIET = (Phase.SELLING, Phase.STOPPED, Phase.WINDOW, Phase.PAYING, Phase.VOIDED)


@dataclass(frozen=True, slots=True)
class DueRow:
    """One duty as a page tells it; `url` is where it is done, empty where the reader may not go."""

    duty: str
    subject: str
    text: str
    url: str
    amiss: str = ""


def shown(person: Person, now: Standing) -> dict[str, Any]:
    """Return what is due now, for a desk; nothing in the midst of a sale or a draw."""
    known = now.known
    playing = known is not None and now.state is not None and now.state.playing
    if now.session is None or (playing and known is not None and _is_quiet(now)):
        return {"duties": []}
    linked = bool({*READERS} & {*person.roles})
    return {"duties": rows(now.session, at=timezone.now(), linked=linked)}


def _is_quiet(now: Standing) -> bool:
    known = now.known
    return known is not None and (known.phase in QUIET or bool(known.balls))


def rows(session: Session, *, at: datetime, linked: bool = True) -> list[DueRow]:
    """Return what is due of a session, each with where it is done."""
    return [_row(one, linked=linked) for one in queries.due(session, at=at)]


def _row(one: queries.Due, *, linked: bool) -> DueRow:
    if one.ball_set is None:
        url = f"{reverse('equipment')}#sets"
    elif one.duty == "approval" and one.subject != one.ball_set.serial:
        url = f"{reverse('equipment')}#approval-form"
    else:
        moment = "closing" if one.duty == CLOSING else "opening"
        place = "#approval-form" if one.duty == "approval" else f"?when={moment}#call-form"
        url = reverse("equipment-set", args=[one.ball_set.pk]) + place
    return DueRow(
        duty=one.duty,
        subject=one.subject,
        text=equipment_words.due(one.duty, one.subject),
        url=url if linked else "",
        amiss=_amiss(one),
    )


def _amiss(one: queries.Due) -> str:
    told = []
    if one.missing:
        told.append(_("missing: %(numbers)s") % {"numbers": equipment_words.numbers(one.missing)})
    if one.foreign:
        numbers = equipment_words.numbers(one.foreign)
        told.append(_("of another set: %(numbers)s") % {"numbers": numbers})
    return "; ".join(told)


def leave_out(order: Order, _asked: Asked) -> Done:
    """Leave a duty out for this session, before a second person."""
    session = the_open_session(order.hall)
    duty, subject = order.choice("duty", DUTIES), order.text("subject", longest=LONGEST_SUBJECT)
    witness = witness_of(order, kind=duties.KIND)
    duties.leave_out(
        session=session,
        duty=duty,
        subject=subject,
        reason=order.text("reason", longest=LONGEST_TEXT),
        witness=witness,
        **order.who,
    )
    return Done(_("Left out for this session, and the acta says why"), reverse("equipment"))
