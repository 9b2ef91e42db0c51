"""The table chief's page: open the game, check cards, hold the window, resume, finish, void."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from draws.balls import queries as balls_queries
from draws.desks import reminders
from draws.desks.table import claims, games
from draws.games.queries import HallState
from draws.prizes import views as prizes_views
from draws.web import forms as web_forms
from draws.web.page_classes import Desk
from halls.models import Person


def context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what the table chief sees."""
    shown: dict[str, Any] = {"categories": games.NOTE_OFFERED, "policy": web_forms.policy(now)}
    shown |= games.complaints_context(now) | reminders.duties_context(person, now)
    shown |= (
        games.opening_context(now)
        | reminders.shortage_context(now)
        | reminders.last_game_context(now)
    )
    if now.game_state is None or now.game is None:
        return shown
    known = now.game_state
    shown |= games.seconding_context(person, now, known)
    shown |= games.suspending_context(now, known, at=timezone.now())
    shown |= (
        claims.wins_with_cards(now, known)
        | prizes_views.setting_aside_context(now)
        | {"runs": known.runs}
    )
    overdue = shown.get("overdue", False)
    return (
        shown
        | claims.claims_context(now, known)
        | {"numbers": balls_queries.number_grid(known)}
        | games.ending_context(now.game, known, overdue=overdue)
    )


DESK = Desk(
    name="table",
    context=context,
    verbs={
        "open-game": games.open_game,
        "open-half": games.open_half,
        "add-issue": games.add_issue,
        "open-second": games.open_second,
        "check": claims.check_card,
        "show": claims.show_card,
        "reverse-refusal": claims.reverse_refusal,
        "open-window": claims.open_window,
        "close-window": claims.close_window,
        "resume": claims.resume_checking,
        "withdraw-call": claims.withdraw_call,
        "finish": games.finish_ending,
        "void": games.void,
        "complete": games.complete,
        "set-aside": prizes_views.prize,
        "set-refunds-aside": prizes_views.refunds,
        "note": games.add_note,
        "complain": games.complain,
        "print-complaint": games.print_slip,
        "countersign": games.countersign,
        "deny": games.deny,
        "suspend": games.suspend,
        "resume-game": games.resume_game,
        "announce-last": reminders.announce_last_game,
    },
)
