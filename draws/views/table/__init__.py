"""The table chief's page: open the game, check cards, hold the window, resume, finish, void."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from draws.queries.standing import Standing
from draws.views import duties, last_game, setting_aside, shortage, terms, uncalled
from draws.views.desk import Desk
from draws.views.table import (
    checking,
    complaining,
    ending,
    notes,
    opening,
    seconding,
    showing,
    suspending,
)
from halls.models import Person


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give what the table chief sees."""
    shown: dict[str, Any] = {"categories": notes.OFFERED, "policy": terms.policy(now)}
    shown |= complaining.shown(now) | duties.shown(person, now)
    shown |= opening.shown(now) | shortage.shown(now) | last_game.shown(now)
    if now.known is None or now.game is None:
        return shown
    known = now.known
    shown |= seconding.shown(person, now, known)
    shown |= suspending.shown(now, known, at=timezone.now())
    shown |= uncalled.named(now, known) | setting_aside.shown(now) | {"runs": known.runs}
    overdue = shown.get("overdue", False)
    return shown | checking.shown(now, known) | ending.shown(now.game, known, overdue=overdue)


DESK = Desk(
    name="table",
    context=context,
    verbs={
        "open-game": opening.open_game,
        "open-half": opening.open_half,
        "add-issue": opening.add_issue,
        "open-second": opening.open_second,
        "check": checking.check,
        "show": showing.show,
        "reverse-refusal": checking.reverse_refusal,
        "open-window": checking.open_window,
        "close-window": checking.close_window,
        "resume": checking.resume,
        "finish": ending.finish,
        "void": ending.void,
        "complete": ending.complete,
        "set-aside": setting_aside.prize,
        "set-refunds-aside": setting_aside.refunds,
        "note": notes.note,
        "complain": complaining.complain,
        "print-complaint": complaining.print_slip,
        "countersign": seconding.countersign,
        "deny": seconding.deny,
        "suspend": suspending.suspend,
        "resume-game": suspending.resume_game,
        "announce-last": last_game.announce,
    },
)
