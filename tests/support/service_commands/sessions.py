"""The commands of a session and of its tills' shifts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from halls import sessions, tills
from halls.models import JournalEntry, Role
from tests.support.evening import FLOAT, Evening, tonight
from tests.support.service_commands.command import CALLER, CASHIER, MANAGER, Command

TEXT = "Uma queixa"


def plan_end(evening: Evening, who: dict[str, Any], *, minutes: int = 5) -> JournalEntry:
    """Plan the end of the session in a few minutes, counted from the opening's own time."""
    ends_at = evening.session.opened_at + timedelta(minutes=minutes)
    return sessions.plan_session_end(
        session=evening.session, ends_at=ends_at, reason="Sala vazia", **who
    )


def drop(evening: Evening, who: dict[str, Any], *, amount: int) -> None:
    """Take cash to the safe before the table chief."""
    witness = evening.person(Role.TABLE_CHIEF)
    tills.move_cash(shift=evening.shift, amount=amount, reason="cofre", witness=witness, **who)


def counted(evening: Evening) -> None:
    """Close the only shift."""
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **evening.who(Role.CASHIER))


COMMANDS = (
    Command(
        "session_opened", MANAGER, "none",
        lambda e, w: sessions.open_session(hall=e.hall, checked=True, ends_at=tonight(w["at"]), **w),
        lambda e, w: sessions.open_session(hall=e.hall, checked=False, ends_at=tonight(w["at"]), **w),
    ),
    Command(
        "shift_opened", CASHIER, "session",
        lambda e, w: tills.open_shift(session=e.session, till=e.hall.tills.order_by("pk")[0], float=5, **w),
        lambda e, w: tills.open_shift(session=e.session, till=e.hall.tills.order_by("pk")[1], float=5, **w),
    ),
    Command(
        "cash_moved", MANAGER, "shift",
        lambda e, w: tills.move_cash(shift=e.shift, amount=-500, reason="cofre", **w),
        lambda e, w: tills.move_cash(shift=e.shift, amount=500, reason="cofre", **w),
    ),
    Command(
        "cash_moved", CASHIER, "shift",
        lambda e, w: drop(e, w, amount=-500), lambda e, w: drop(e, w, amount=-600),
    ),
    Command(
        "shift_closed", CASHIER, "shift",
        lambda e, w: tills.close_shift(
            shift=e.hall.sessions.get().shifts.get(), counted=FLOAT - 1, comment="Falta 1", **w
        ),
        lambda e, w: tills.close_shift(
            shift=e.hall.sessions.get().shifts.get(), counted=FLOAT, comment="", **w
        ),
    ),
    Command(
        "note_recorded", MANAGER, "session",
        lambda e, w: sessions.record_note(
            session=e.session, category="complaint", text=TEXT, decision="", **w
        ),
        lambda e, w: sessions.record_note(
            session=e.session, category="breakdown", text=TEXT, decision="", **w
        ),
    ),
    Command(
        "session_closed", MANAGER, "shift",
        lambda e, w: sessions.close_session(session=e.hall.sessions.get(), **w), prepare=counted,
    ),
    Command(
        "session_end_planned", MANAGER, "session", plan_end,
        lambda e, w: plan_end(e, w, minutes=6),
    ),
    Command(
        "last_game_announced", CALLER, "session",
        lambda e, w: sessions.announce_last_game(session=e.session, **w),
        prepare=lambda e: plan_end(e, e.who(MANAGER)),
    ),
)  # fmt: skip
