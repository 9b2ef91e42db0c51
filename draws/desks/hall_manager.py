"""The hall manager's page: open and close sessions, the sale as it goes, tills, pending tasks.

Cash is brought to the tills and taken from them, and a till counted for whoever has gone. Pending
tasks are cards to be destroyed (R52), money owed (R44), faults of checkpoints, and programs that
ended by themselves. An acta that is not sealed raises an alarm, with the order to try again (R58).
The sale shows tills, sellers and games of the session, and how long the cards last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo import program_ends
from bingo.program_ends import End
from bingo.rules import jackpots, rulebooks
from bingo.rules import till_cash_and_shifts as shift_rules
from bingo.rules.policies import pace
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SessionState
from bingo.rules.steps import paying_and_completing
from draws import trade_words
from draws.balls import queries as balls_queries
from draws.balls.labels import draw_log_sure
from draws.balls.views import rng_state_and_ball_pictures
from draws.balls.vision import third_look
from draws.custody import custody_list
from draws.desks import floor_staff, reminders
from draws.desks.reminders import hour, usual_end
from draws.desks.table import games
from draws.desks.till import shift as till_shift
from draws.desks.till.payments import PAYABLE
from draws.equipment import labels as equipment_labels
from draws.games.queries import HallState
from draws.office import first_steps
from draws.prizes import unclaimed
from draws.receipts.queries import Count, counts
from draws.record import rectifications, seal_queries, sealing
from draws.refusals import text
from draws.sales import issues_to_offer
from draws.sales.live import sale_live
from draws.sales.queries import evening_chart
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, made, session_of, witness_of
from draws.web.page_classes import Desk, Notice
from halls import sessions, tills
from halls.checkpoints import queries as checkpoints_queries
from halls.equipment import check_before_session
from halls.models import Hall, Person, Session, Shift
from halls.policy import queries as policy_queries


def open_session(order: CommandForm, _now: HallState) -> str:
    """Open a session once the equipment has been checked, item by item where the rules ask for it."""
    checked = not _must_check(order.hall) and order.ticked("checked")
    if not order.fields.get("ends", "").strip():
        raise Refusal("session_end_missing")
    ends_at = hour(order, "ends")
    opened = sessions.open_session(hall=order.hall, checked=checked, ends_at=ends_at, **order.who)
    return _("Session %(number)s is open") % {"number": opened.number}


def close_session(order: CommandForm, _now: HallState) -> str:
    """Close the session; the acta is sealed within moments."""
    closed = sessions.close_session(session=session_of(order), **order.who)
    return _("Session %(number)s is closed: its acta is being sealed") % {"number": closed.number}


def _must_check(hall: Hall) -> bool:
    return bool(rulebooks.get(hall.rulebook).check_rule)


def session_context(now: HallState) -> dict[str, Any]:
    """Return the terms of the open session; without one, the last with its acta and settlements."""
    if now.session is not None and now.state is not None:
        return {
            "granted": now.session.authorisation,
            "playing": now.state.playing,
            "jackpots": [
                (trade_words.COMBINATIONS[jackpots.prize(level)], one)
                for level, one in enumerate(now.jackpots)
            ],
        }
    found = check_before_session.checked(now.hall, at=timezone.now())
    check = {
        "check": found.check,
        "stands": found.stands,
        "must_check": _must_check(now.hall),
        "usual_end": usual_end(now.hall),
        "in_the_way": [
            (
                equipment_labels.equipment_item(*one.item),
                one.why,
                equipment_labels.note_equipment(one.note),
            )
            for one in found.in_the_way
        ],
        "let_pass": [
            (equipment_labels.equipment_item(*one.item), one.waived.data["reason"])
            for one in found.findings
            if one.waived is not None
        ],
    }
    closed = Session.objects.filter(hall=now.hall, closed_at__isnull=False)
    last = closed.select_related("acta").order_by("-number").first()
    if last is None:
        return check
    return check | {
        "last": last,
        "last_acta": getattr(last, "acta", None),
        "last_rectified": [
            (number, f"{last.number}/{number}")
            for number, _digest, _sealed_at in rectifications.files(last)
            if number
        ],
        "settled": _settled(last),
        "totals": sessions.carried(now.hall).items(),
    }


def _settled(session: Session) -> list[tuple[Shift, Count]]:
    """Return the shifts of a session with how they were counted."""
    found = list(session.shifts.select_related("till", "cashier").order_by("number"))
    counted = counts(session, found)
    return [(shift, counted.get(shift.number, Count())) for shift in found]


def close_shift(order: CommandForm, _now: HallState) -> Notice:
    """Count a till whose cashier has gone."""
    shift, counted, comment = _shift(order), order.amount("counted"), order.text("comment")
    witness = witness_of(order, kind="shift_closed")
    tills.close_shift(shift=shift, counted=counted, comment=comment, witness=witness, **order.who)
    return till_shift.closed(shift, order)


def move_cash(order: CommandForm, _now: HallState) -> str:
    """Bring cash to a till, or take it to the safe."""
    shift, amount, reason = _shift(order), order.amount("amount"), order.text("reason")
    signed = -amount if order.choice("direction", ("in", "out")) == "out" else amount
    witness = witness_of(order, kind="cash_moved")
    tills.move_cash(shift=shift, amount=signed, reason=reason, witness=witness, **order.who)
    return till_shift.cash_moved(order, shift, signed)


def bring_cash(order: CommandForm, now: HallState) -> str:
    """Bring a till what it lacks for the money that is due. Raises Refusal stale_page."""
    shift, amount = _shift(order), order.integer("lacks")
    lacks = {one["shift"].pk: one["lacks"] for one in cash_lacking(now)}
    if lacks.get(shift.pk) != amount and not made(order):
        raise Refusal("stale_page")
    witness = witness_of(order, kind="cash_moved")
    # It stands in the hall's acta, whatever language whoever brings it reads.
    with translation.override(order.hall.language):
        reason = _("for the prizes and refunds that are due")
    tills.move_cash(shift=shift, amount=amount, reason=reason, witness=witness, **order.who)
    return till_shift.cash_moved(order, shift, amount)


def cash_lacking(now: HallState) -> list[dict[str, Any]]:
    """Return each open till with what it lacks, where none can pay what is due next (R8, R44)."""
    known = now.game_state
    if now.session is None or now.state is None or known is None or known.phase not in PAYABLE:
        return []
    found = shift_rules.lacking(now.state.shifts, paying_and_completing.payments_due(known))
    rows = {one.number: one for one in now.session.shifts.select_related("till", "cashier")}
    return [{"shift": rows[one.shift], "lacks": lacks} for one, lacks in found]


def _shift(order: CommandForm) -> Shift:
    found = Shift.objects.filter(session=session_of(order), pk=order.integer("shift"))
    shift = found.select_related("till", "session__hall").first()
    if shift is None:
        raise Refusal("shift_not_open", till="")
    return shift


def pending_tasks_context(now: HallState, *, at: datetime) -> dict[str, Any]:
    """Count them, and tell what keeps checkpoints from their places, what is owed, what readers lack.

    While a game is played there is other work, and the page is made at every ball.
    """
    if now.state is not None and now.state.playing:
        return {}
    return {
        "to_destroy": custody_list.due_today(now.hall, at=at),
        "unclaimed": unclaimed.balance(now.hall).owed,
        "faults": [
            checkpoints_queries.checkpoint_fault(one)
            for one in checkpoints_queries.faults(now.hall)
        ],
        "signing_stopped": checkpoints_queries.stopped(now.hall),
        "third_look_missing": third_look.is_missing() and bool(balls_queries.cameras(now.hall)),
    }


def unsealed_again(order: CommandForm, _now: HallState) -> str:
    """Let what is not sealed be tried at once."""
    sealing.again(hall=order.hall, by=order.who["by"], at=order.who["at"])
    return _("Sealing is tried again: look here in a moment")


def unsealed_sessions(hall: Hall, *, at: datetime) -> dict[str, Any]:
    """Return the sessions whose acta is not sealed, each with why and what to do."""
    return {"unsealed": add_reasons(seal_queries.unsealed_of_hall(hall, at=at))}


def add_reasons(found: list[seal_queries.Unsealed]) -> list[tuple[seal_queries.Unsealed, object]]:
    """Put beside each why it is not sealed."""
    return [(one, seal_queries.seal_fault(one.code)) for one in found]


HOUR = 3600
TOLD = 3 * HOUR  # seconds; what lasts longer need not be told


def sale_context(session: Session, state: SessionState, *, at: datetime) -> dict[str, Any]:
    """Return the session's sale `at` this moment."""
    sale = sale_live(session, state, at=at)
    counted = counts(session, [till.shift for till in sale.tills])
    lasts = sale.pace.lasts(at) if sale.pace else None
    return {
        "sale": sale,
        "tills": [(till, counted.get(till.shift.number, Count())) for till in sale.tills],
        "per_minute": round(sale.pace.per_minute) if sale.pace else None,
        "minutes_left": None if lasts is None else -(-lasts // 60),
        "lasts_long": lasts is not None and lasts > TOLD,
        "evening": evening_chart(session, at=at),
        "second_half_due": text.refusal(Refusal("second_half_due")) if state.half_due else "",
        # Asked for where the session may be closed.
        "totals": partial(sessions.totals_of_session, session),
    }


SHOWN = 20  # issues beside the orders; the rest is in the stock


def manager_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what the hall manager sees."""
    policy = (
        web_forms.policy(now) if now.session else policy_queries.in_force(now.hall, timezone.now())
    )
    shown: dict[str, Any] = {"categories": games.NOTE_OFFERED, "policy": policy}
    shown |= {
        "source": policy_queries.SOURCES[policy.source],
        "pace": pace(policy, rulebooks.get(now.hall.rulebook)),
        "automatic": draw_log_sure(policy.automatic) if policy.automatic else "",
    }
    shown |= games.opening_context(now) | reminders.shortage_context(now) | session_context(now)
    shown |= reminders.duties_context(person, now)
    shown |= reminders.last_game_context(now) | {"remarks": rectifications.unanswered(now.hall)}
    shown |= rng_state_and_ball_pictures.of_hall(now, policy.source)
    shown |= games.open_complaints(now)
    shown |= floor_staff.door_of_hall(now.hall)
    shown |= pending_tasks_context(now, at=timezone.now())
    shown |= {
        "lacking": cash_lacking(now),
        "due_now": sum(paying_and_completing.payments_due(now.game_state)) if now.game_state else 0,
    }
    shown |= unsealed_sessions(now.hall, at=timezone.now())
    shown["ended"] = ended(at=timezone.now())
    issues = list(issues_to_offer.to_open(now.hall)[: SHOWN + 1])
    if now.session is None:
        shown |= first_steps.progress(now.hall)
    shown |= {"shelf": issues[:SHOWN], "more_issues": len(issues) > SHOWN}
    if now.session is None or now.state is None:
        return shown
    at = timezone.now()
    if now.game_state is not None:
        shown |= games.seconding_context(person, now, now.game_state) | games.suspending_context(
            now, now.game_state, at=at
        )
    return shown | sale_context(now.session, now.state, at=at)


DESK = Desk(
    name="manager",
    context=manager_context,
    verbs={
        "open-session": open_session,
        "close-session": close_session,
        "plan-end": reminders.plan_last_game,
        "seal-again": unsealed_again,
        "open-game": games.open_game,
        "open-half": games.open_half,
        "open-second": games.open_second,
        "move-cash": move_cash,
        "bring-cash": bring_cash,
        "close-till": close_shift,
        "decide-source": rng_state_and_ball_pictures.decide,
        "note": games.add_note,
        "countersign": games.countersign,
        "deny": games.deny,
    },
)


ENDS_TOLD = timedelta(hours=12)  # an evening, and whoever comes in the morning
MOST = 5
# As `serve` and the supervisor of the servers call them.
PROGRAMS: Mapping[str, Promise | str] = MappingProxyType(
    {
        "PostgreSQL": "PostgreSQL",
        "Valkey": "Valkey",
        "the page server": gettext_lazy("the page server"),
        "the worker": gettext_lazy("the worker"),
        "the sealing worker": gettext_lazy("the sealing worker"),
        "the archive worker": gettext_lazy("the archive worker"),
        "the timer": gettext_lazy("the timer"),
        "the number drawer": gettext_lazy("the RNG"),
        "the camera watch": gettext_lazy("the watch of the cameras"),
    }
)


@dataclass(frozen=True, slots=True)
class Ended:
    """A program's end: when, what it was and how in a sentence, and its last lines as they were."""

    at: datetime
    words: str
    lines: tuple[str, ...]


def ended(*, at: datetime) -> list[Ended]:
    """Return the last ends of programs of the hall, the newest first."""
    found = program_ends.read(settings.DATA_DIR, since=(at - ENDS_TOLD).timestamp())
    return [
        Ended(datetime.fromtimestamp(one.at, UTC), _sentence(one), one.lines)
        for one in reversed(found[-MOST:])
    ]


def _sentence(end: End) -> str:
    values = {"program": PROGRAMS.get(end.program, end.program), "how": _how(end.how)}
    if end.pause is None:
        return _("%(program)s: %(how)s. It ended too often, and the hall begins anew.") % values
    if end.is_too_often:
        said = _("%(program)s: %(how)s. It ended too often, and is started again within a minute.")
        return said % values
    return _("%(program)s: %(how)s. It was started again.") % values


def _how(how: str) -> str:
    kind, _space, value = how.rpartition(" ")
    if kind == "signal":
        return _("stopped by the signal %(name)s") % {"name": value}
    if kind == "exit status":
        return _("ended with the status %(status)s") % {"status": value}
    return _("did not answer")
