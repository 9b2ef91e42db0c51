"""Halls that add to one jackpot at the same moment: not a cent is lost, nobody waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Prize
from draws.prizes import services as prizes_services
from draws.record.audit import audit, jackpots
from draws.sales import services as sales_services
from halls import jackpots as halls_jackpots
from halls import sessions
from halls.models import Hall, JournalEntry, Link, LinkMovement, Role
from tests.support.evening import tonight
from tests.support.linked_jackpots import BASE, CODE, Linked, fund, linked
from tests.support.threads import at_once

pytestmark = pytest.mark.usefixtures("fresh_database")

ACCRUAL = 6 * 200_00 * 80 // 100 * 300 // 10_000
CODES = ("a", "b", "c", "d")


def whole() -> bool:
    """Whether each hall's journal proves its part, and all of them the link."""
    found = [one for hall in Hall.objects.all() for one in audit(hall)]
    return found + jackpots.audit(Link.objects.get()) == []


def closing(evenings: list[Linked]) -> list[Callable[[], Any]]:
    """Return what closes each hall's sale."""
    for evening in evenings:
        evening.reach("sold")
    return [
        lambda one=one: games_services.close_sale(game=one.game, **one.who(Role.CALLER))  # type: ignore[misc]
        for one in evenings
    ]


@pytest.mark.slow
@pytest.mark.rule(10)
def test_halls_that_close_their_sales_at_once_add_every_cent() -> None:
    halls = [linked(code) for code in CODES]
    fund(halls[0])
    assert at_once(closing(halls)) == [None] * len(halls)
    assert Link.objects.get().balance == BASE + len(halls) * ACCRUAL
    told = LinkMovement.objects.order_by("number")
    assert list(told.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    assert whole()


@pytest.mark.slow
def test_without_the_lock_halls_would_fall_over_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The negative control: the race is there, and PostgreSQL refuses what the lock prevents."""
    halls = [linked(code) for code in CODES]
    doings = closing(halls)
    monkeypatch.setattr(halls_jackpots, "lock", lambda code: Link.objects.get(code=code))
    met: list[Any] = at_once(doings)
    monkeypatch.undo()
    failed = [one for one in met if isinstance(one, IntegrityError)]
    assert failed
    assert all("link_movement" in str(one) for one in failed)
    # A sale that could not be booked was not closed either: the books are whole all the same.
    done = len(met) - len(failed)
    assert Link.objects.get().balance == done * ACCRUAL
    assert JournalEntry.objects.filter(kind="sale_closed").count() == done
    assert whole()


@pytest.mark.rule(6)
@pytest.mark.rule(11)
def test_two_bingos_at_the_same_moment_share_out_what_there_is_once() -> None:
    halls = [linked(code) for code in CODES[:2]]
    fund(halls[0])
    for evening in halls:
        evening.reach("window")
    told = at_once(
        [
            lambda one=one: claims_services.close_window(game=one.game, **one.who(Role.TABLE_CHIEF))  # type: ignore[misc]
            for one in halls
        ]
    )
    assert all(isinstance(one, list) for one in told)
    won = Prize.objects.filter(combination="jackpot").values_list("amount", flat=True)
    # The first takes what was there and its own; the second the restored base and its own.
    assert sorted(won) == [BASE + ACCRUAL, BASE + ACCRUAL]
    assert Link.objects.get().balance == BASE
    assert whole()


@pytest.mark.slow
@pytest.mark.rule(57)
def test_void_here_and_bingo_there_at_the_same_moment_both_find_their_money() -> None:
    here, there = linked("a"), linked("b")
    fund(here)
    here.reach("closed")
    there.reach("window")
    told = at_once(
        [
            lambda: games_services.void(
                game=here.game, cause="other", reason="announced wrongly",
                **here.who(Role.TABLE_CHIEF),
            ),
            lambda: claims_services.close_window(game=there.game, **there.who(Role.TABLE_CHIEF)),
        ]
    )  # fmt: skip
    assert told[0] is None
    assert [one.amount for one in told[1] if one.combination == "jackpot"] == [BASE + ACCRUAL]
    assert Link.objects.get().balance == BASE
    assert whole()


@pytest.mark.slow
@pytest.mark.rule(12)
def test_link_ends_or_a_session_opens_on_it_but_not_both() -> None:
    here, there = linked("a"), linked("b")
    fund(here)
    ended, opened = at_once(
        [
            lambda: halls_jackpots.end_jackpot(
                hall=here.hall, link=CODE, to="Caritas", reference="9/2026",
                **here.who(Role.HALL_MANAGER),
            ),
            lambda: sessions.open_session(
                hall=there.hall, checked=True, ends_at=tonight(), **there.who(Role.HALL_MANAGER)
            ),
        ]
    )  # fmt: skip
    refused = [str(one).split("(")[0] for one in (ended, opened) if isinstance(one, Exception)]
    assert refused in (["link_in_play"], ["link_over"])
    assert whole()


@pytest.mark.slow
def test_two_halls_that_begin_the_link_at_once_take_part_in_the_same() -> None:
    halls = at_once([lambda: linked("a"), lambda: linked("b")])
    assert all(isinstance(one, Linked) for one in halls)
    assert Link.objects.get().members.count() == 2
    assert whole()


@pytest.mark.slow
@pytest.mark.rule(10)
def test_evenings_of_several_halls_at_once_prove_the_link() -> None:
    """Each hall plays its games on a thread of its own, as chance will have it."""
    halls = [linked(code) for code in CODES]
    fund(halls[0])
    for evening in halls:
        evening.reach("shift").equip()
    told = at_once(
        [lambda one=one: _evening(one, Random(one.hall.code)) for one in halls]  # type: ignore[misc]
    )
    assert told == [None] * len(halls)
    assert whole()
    link = Link.objects.get()
    assert link.balance == sum(link.movements.values_list("amount", flat=True))
    assert not any(link.members.values_list("waiting", flat=True))


def _evening(evening: Linked, chance: Random) -> None:
    """Play games until each has ended, in a void or a bingo, in time or too late."""
    for _game in range(3):
        chief, caller = evening.who(Role.TABLE_CHIEF), evening.who(Role.CALLER)
        games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
        games_services.announce_sale(game=evening.game, **caller)
        cards = chance.randint(1, 9)
        sold = sales_services.sell(
            game=evening.game, shift=evening.shift, quantity=cards, **evening.who(Role.CASHIER)
        )
        games_services.close_sale(game=evening.game, **caller)
        card = sold[0].first
        if chance.random() < 0.4:
            _void(evening, card, sold[-1].last)
        else:
            _bingo(evening, card, late=chance.random() < 0.4)
        games_services.complete(game=evening.game, **chief)


def _void(evening: Linked, first: int, last: int) -> None:
    games_services.void(
        game=evening.game, cause="other", reason="wrong", **evening.who(Role.TABLE_CHIEF)
    )
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=first, last=last, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip


def _bingo(evening: Linked, card: int, *, late: bool) -> None:
    chief, caller = evening.who(Role.TABLE_CHIEF), evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    mine = evening.numbers(card)
    others = [one for one in range(1, 91) if one not in mine]
    for number in (others[:30] if late else []) + mine:
        draw.announce_ball(game=evening.game, number=number, by=caller["by"], at=timezone.now())
    draw.call_claim(game=evening.game, combination="bingo", **caller)
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=card, sound=True,
        **chief,
    )  # fmt: skip
    claims_services.open_window(game=evening.game, **chief)
    claims_services.close_window(game=evening.game, **chief)
    games_services.finish(game=evening.game, **chief)
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=card, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
