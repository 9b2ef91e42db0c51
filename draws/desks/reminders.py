"""Reminders on the desks: the last game, cards that run short, duties of the balls (R4, R20-R23, R53).

The last game and the planned end of a session stand on the pages that tell and order them. The
warning that cards run short names the issue that may follow, on the pages that may open it. What is
due of the balls before a sale or the session's close stands on the desks and under Equipment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from bingo.rules import journal_json_and_chain
from bingo.rules.approvals_and_roll_calls_due import CLOSING, DUTIES, LONGEST_SUBJECT
from bingo.rules.equipment import LONGEST_TEXT
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Run
from bingo.rules.session_state import Phase
from bingo.rules.steps.drawing import RNG
from draws.boards.queries import session_end_last_game
from draws.equipment import labels as equipment_labels
from draws.games import randomness
from draws.games.queries import HallState
from draws.refusals import text
from draws.sales import issues_to_offer
from draws.sales.issues_to_offer import Second, Seconds, Short
from draws.web.forms import CommandForm, made, session_of, witness_of
from draws.web.page_classes import PageRequest, Success
from halls import sessions
from halls.equipment import approvals_and_roll_calls_due
from halls.models import Hall, Person, Role, Session

HOUR = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")  # as a field of type time sends it


def announce_last_game(order: CommandForm, _now: HallState) -> str:
    """Say that the last game has been announced aloud."""
    session, game = session_of(order), order.optional_integer("game")
    entry = sessions.announce_last_game(session=session, game=game, **order.who)
    return _("Game %(game)s is the last of this session") % {"game": entry.data["game"]}


def plan_last_game(order: CommandForm, _now: HallState) -> str:
    """Plan when the session ends, or move it."""
    session, ends_at = session_of(order), hour(order, "ends")
    reason = order.text("reason") if "reason" in order.fields else ""
    sessions.plan_session_end(session=session, ends_at=ends_at, reason=reason, **order.who)
    return _("The session ends at %(hour)s") % {"hour": _told(order.hall, ends_at)}


def hour(order: CommandForm, name: str) -> datetime:
    """Return the next moment at which the hall's clocks show the hour typed.

    A repeated order means the one that was next when it was carried out. Raises Refusal: bad_input,
    no_such_hour.
    """
    found = HOUR.fullmatch(order.text(name))
    if found is None:
        raise Refusal("bad_input", field=name, wanted="hour")
    done = made(order)
    told = done.data.get("moment") if done else None
    now = journal_json_and_chain.read_moment(told) if told else order.at
    return next_at(int(found[1]), int(found[2]), zone=ZoneInfo(order.hall.time_zone), now=now)


def next_at(hour: int, minute: int, *, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the next moment at which clocks of a zone show an hour; of two, the earlier one.

    Raises Refusal no_such_hour where the clocks are put forward over it before it comes.
    """
    local = now.astimezone(zone)
    for day in (0, 1):
        date = local.date() + timedelta(days=day)
        for fold in (0, 1):
            typed = datetime(date.year, date.month, date.day, hour, minute, fold=fold, tzinfo=zone)
            # Two times of one zone are compared by their hours alone: not in the night of a change.
            moment = typed.astimezone(UTC)
            if moment <= now:
                continue
            if moment.astimezone(zone).hour != hour:
                raise Refusal("no_such_hour")
            return typed
    raise Refusal("no_such_hour")


def last_game_context(now: HallState) -> dict[str, Any]:
    """Return how the session is to end, in the hall's own time."""
    ending = session_end_last_game(now, at=timezone.now())
    if ending is None:
        return {"ending": None}
    return {
        "ending": ending,
        "ends_at": _told(now.hall, ending.ends_at),
        "last_from": _told(now.hall, ending.due_at),
    }


def usual_end(hall: Hall) -> str:
    """Return the hour at which the hall's last session was planned to end, empty without one."""
    last = hall.sessions.order_by("-number").first()
    told = str(last.state["terms"].get("ends_at", "")) if last else ""
    return _hour(hall, journal_json_and_chain.read_moment(told)) if told else ""


def _hour(hall: Hall, moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo(hall.time_zone)):%H:%M}"


def _told(hall: Hall, moment: datetime) -> str:
    """Return an hour with its day where that is not today: one just past is tomorrow's."""
    if hall.day(moment) == hall.day(timezone.now()):
        return _hour(hall, moment)
    return date_format(moment.astimezone(ZoneInfo(hall.time_zone)), "SHORT_DATETIME_FORMAT")


@dataclass(frozen=True, slots=True)
class Warned:
    """A shortage in words: the issue that follows first, all that may, and why others may not.

    `issue` is the last on sale, `first_issue` the one that the game began with at this price;
    `code` and `why_not` tell why none may follow.
    """

    short: Short
    issue: str
    first_issue: str
    second: Second | None
    seconds: tuple[Second, ...]
    code: str
    why_not: str
    unfit: tuple[str, ...]


def shortage_context(now: HallState) -> dict[str, Any]:
    """Return the prices that run short; a second issue may be opened once the sale is announced."""
    return {
        "shortages": [_warned(short) for short in issues_to_offer.short(now)],
        "may_follow": now.game_state is not None and now.game_state.selling,
    }


def sold_out_context(now: HallState) -> dict[str, Any]:
    """Return, where no price has a card left to sell, what may follow at each or why nothing can.

    Till, floor sellers and manager are told it in the same words.
    """
    known = now.game_state
    if known is None or known.phase != Phase.SELLING or any(run.left for run in known.runs):
        return {"sold_out": []}
    gone = (
        Short(
            known.costs(face),
            known.runs_at(face),
            0,
            0,
            0,
            None,
            issues_to_offer.seconds(now.hall, known, face),
        )
        for face in known.prices
    )
    return {"sold_out": [_warned(one) for one in gone]}


def _warned(short: Short) -> Warned:
    follows = short.seconds or Seconds()
    return Warned(
        short=short,
        issue=_name(short.runs[-1]),
        first_issue=_name(short.runs[0]),
        second=follows.ready[0] if follows.ready else None,
        seconds=follows.ready,
        code=follows.why_not.code if follows.why_not else "",
        why_not=text.refusal(follows.why_not) if follows.why_not else "",
        unfit=tuple(f"{issue}: {text.refusal(refusal)}" for issue, refusal in follows.unfit),
    )


def _name(run: Run) -> str:
    return f"{run.letter} {run.identification}"


# Who may open the pages where it is done.
READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
# While cards are sold, a call is answered or money is paid, nothing of it can be done.
QUIET = (Phase.SELLING, Phase.STOPPED, Phase.WINDOW, Phase.PAYING, Phase.VOIDED)


@dataclass(frozen=True, slots=True)
class DueRow:
    """One duty as a page tells it; `url` is where it is done, empty where the reader may not go."""

    duty: str
    subject: str
    text: str
    url: str
    amiss: str = ""


def duties_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what is due now, for a desk; nothing in the midst of a sale or a draw.

    A draw whose RNG failed asks for the set with its first ball from the extractor (R22, R55).
    """
    if now.session is None or _is_quiet(now):
        return {"duties": []}
    linked = bool({*READERS} & {*person.roles})
    duties = duty_rows(now.session, at=timezone.now(), linked=linked)
    closing = [one for one in duties if one.duty == CLOSING]
    return {
        "duties": duties,
        "closing_duties": closing,
        "closing_only": len(closing) == len(duties),
    }


def _is_quiet(now: HallState) -> bool:
    known, state = now.game_state, now.state
    if known is None or state is None or not state.playing:
        return False
    by_rng = bool(known.balls) and known.source == RNG
    return known.phase in QUIET or state.extracting or by_rng


def duty_rows(session: Session, *, at: datetime, linked: bool = True) -> list[DueRow]:
    """Return what is due of a session, each with where it is done."""
    able = partial(randomness.can_draw, session)
    found = approvals_and_roll_calls_due.due(session, at=at, rng_draws=able)
    return [_row(one, linked=linked) for one in found]


def _row(one: approvals_and_roll_calls_due.Due, *, linked: bool) -> DueRow:
    return DueRow(
        duty=one.duty,
        subject=one.subject,
        text=equipment_labels.equipment_due(one.duty, one.subject),
        url=equipment_labels.due_url(one) if linked else "",
        amiss=equipment_labels.due_amiss(one),
    )


def leave_out(order: CommandForm, _asked: PageRequest) -> Success:
    """Leave a duty out for this session, before a second person."""
    session = session_of(order)
    duty, subject = order.choice("duty", DUTIES), order.text("subject", longest=LONGEST_SUBJECT)
    witness = witness_of(order, kind=approvals_and_roll_calls_due.KIND)
    approvals_and_roll_calls_due.leave_out(
        session=session,
        duty=duty,
        subject=subject,
        reason=order.text("reason", longest=LONGEST_TEXT),
        witness=witness,
        **order.who,
    )
    return Success(_("Left out for this session, and the acta says why"), reverse("equipment"))
