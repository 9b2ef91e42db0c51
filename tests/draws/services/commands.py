"""Every command of a hall once: who gives it, at which stage, how, and how a slip of it looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from draws.models import Sale
from draws.services import claims, draws, games, payments, sales, series
from halls.models import Role
from halls.services import notes, sessions, tills
from tests.draws.views.evening import FACE, FLOAT, Evening

Act = Callable[[Evening, dict[str, Any]], Any]

TEXT = "Uma queixa"


@dataclass(frozen=True, slots=True)
class Command:
    """One command; `other` is the same one with another input, where it has inputs."""

    kind: str
    role: Role
    stage: str
    act: Act
    other: Act | None = None
    prepare: Callable[[Evening], None] = lambda _evening: None

    def ready(self) -> Evening:
        """Give an evening in which the command is due."""
        evening = Evening().reach(self.stage)
        self.prepare(evening)
        return evening


def publish(evening: Evening, who: dict[str, Any], *, seed: str = "7") -> object:
    """Publish a matrix."""
    return series.publish(
        hall=evening.hall, format=90, letter="A", size=90, rng=Random(seed), seed=seed, **who
    )


def receive(evening: Evening, who: dict[str, Any], *, identification: str = "9001") -> object:
    """Receive an issue."""
    matrix = evening.issue().series
    return series.receive(
        hall=evening.hall, series=matrix, identification=identification, face=FACE, **who
    )


def sell(evening: Evening, who: dict[str, Any], *, quantity: int = 3) -> object:
    """Sell cards."""
    return sales.sell(game=evening.game, shift=evening.shift, quantity=quantity, **who)


def key_ball(evening: Evening, who: dict[str, Any], *, place: int = 0) -> object:
    """Announce a ball by hand: the first number, or another, that has not come."""
    come = set(evening.numbers())
    left = [number for number in range(1, 91) if number not in come]
    return draws.announce(game=evening.game, number=left[place], **who)


def recall(evening: Evening, who: dict[str, Any], *, place: int = -1) -> None:
    """Recall the last ball of card 1."""
    draws.recall(game=evening.game, number=evening.numbers()[place], **who)


def check(evening: Evening, who: dict[str, Any], *, card: int = 1) -> object:
    """Check a card."""
    issue = evening.issue()
    return claims.check(
        game=evening.game, combination="bingo", issue=issue, card=card, sound=True, **who
    )


def pay(evening: Evening, who: dict[str, Any], *, card: int = 1) -> object:
    """Pay a card."""
    return payments.pay(
        game=evening.game, issue=evening.issue(), card=card, shift=evening.shift, **who
    )


def void(evening: Evening, who: dict[str, Any], *, reason: str = "Som cortado") -> None:
    """Void the game."""
    games.void(game=evening.game, cause="announcement_error", reason=reason, **who)


def refund(evening: Evening, who: dict[str, Any], *, first: int = 1) -> object:
    """Refund a sale."""
    sale = Sale.objects.select_related("game__session__hall").get(first=first)
    return payments.refund(sale=sale, shift=evening.shift, **who)


def voided(evening: Evening) -> None:
    """Void the game, which sold cards 1 to 6 and 7 to 9."""
    sell(evening, evening.who(Role.CASHIER))
    void(evening, evening.who(Role.TABLE_CHIEF))


def paid(evening: Evening) -> None:
    """Pay the winning card."""
    pay(evening, evening.who(Role.CASHIER))


def exhausted(evening: Evening) -> None:
    """Sell the first issue out in a second game, which began at card 7 of it."""
    cashier, chief = evening.who(Role.CASHIER), evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    refund(evening, cashier)
    games.complete(game=evening.game, **chief)
    games.open_game(session=evening.session, issue=evening.issue(), **chief)
    games.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, cashier, quantity=84)


def counted(evening: Evening) -> None:
    """Close the only shift."""
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **evening.who(Role.CASHIER))


def of_game(service: Callable[..., Any]) -> Act:
    """Give a service that asks for nothing but the game."""
    return lambda evening, who: service(game=evening.game, **who)


CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER

COMMANDS = (
    Command("series_published", MANAGER, "none", publish, lambda e, w: publish(e, w, seed="8")),
    Command(
        "issue_received", MANAGER, "none", receive,
        lambda e, w: receive(e, w, identification="9002"),
    ),
    Command(
        "session_opened", MANAGER, "none",
        lambda e, w: sessions.open_session(hall=e.hall, checked=True, **w),
        lambda e, w: sessions.open_session(hall=e.hall, checked=False, **w),
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
        lambda e, w: notes.record(
            session=e.session, category="complaint", text=TEXT, decision="", **w
        ),
        lambda e, w: notes.record(
            session=e.session, category="breakdown", text=TEXT, decision="", **w
        ),
    ),
    Command(
        "session_closed", MANAGER, "shift",
        lambda e, w: sessions.close_session(session=e.hall.sessions.get(), **w), prepare=counted,
    ),
    Command(
        "game_opened", CHIEF, "shift",
        lambda e, w: games.open_game(session=e.session, issue=e.issue(), **w),
        lambda e, w: games.open_game(session=e.session, issue=e.issue(2), **w),
    ),
    Command("sale_announced", CALLER, "prepared", of_game(games.announce_sale)),
    Command("cards_sold", CASHIER, "selling", sell, lambda e, w: sell(e, w, quantity=4)),
    Command(
        "second_issue_opened", CHIEF, "sold",
        lambda e, w: games.open_second_issue(game=e.game, issue=e.issue(2), **w),
        prepare=exhausted,
    ),
    Command("sale_closed", CALLER, "sold", of_game(games.close_sale)),
    Command("draw_announced", CALLER, "closed", of_game(games.announce_draw)),
    Command("ball_announced", CALLER, "drawing", key_ball, lambda e, w: key_ball(e, w, place=1)),
    Command("ball_announced", CALLER, "drawing", of_game(draws.draw), key_ball),
    Command("ball_recalled", CALLER, "drawing", recall, lambda e, w: recall(e, w, place=-2)),
    Command(
        "claim_called", CALLER, "drawing",
        lambda e, w: draws.call(game=e.game, combination="line", **w),
        lambda e, w: draws.call(game=e.game, combination="bingo", **w),
    ),
    Command("claim_checked", CHIEF, "stopped", check, lambda e, w: check(e, w, card=2)),
    Command("window_opened", CHIEF, "checked", of_game(claims.open_window)),
    Command("window_closed", CHIEF, "window", of_game(claims.close_window)),
    Command("draw_resumed", CHIEF, "stopped", of_game(claims.resume)),
    Command("game_finished", CHIEF, "awarded", of_game(games.finish)),
    Command("game_voided", CHIEF, "window", void, lambda e, w: void(e, w, reason="Outra")),
    Command("prize_paid", CASHIER, "paying", pay, lambda e, w: pay(e, w, card=2)),
    Command(
        "cards_refunded", CASHIER, "sold", refund, lambda e, w: refund(e, w, first=7),
        prepare=voided,
    ),
    Command("entry_completed", CHIEF, "paying", of_game(games.complete), prepare=paid),
)  # fmt: skip
