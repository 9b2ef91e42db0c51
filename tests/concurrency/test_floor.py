"""Floor sellers, tills and the caller at the same moment: each card has one fate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules import session as rules
from bingo.rules import session_state
from bingo.rules.refusal import Refusal
from draws.games import services as games_services
from draws.models import Game, Issue, Refund, Retirement, Sale, Taking
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import floor
from draws.sales import services as sales_services
from halls.models import Hall, JournalEntry, Person, Shift
from tests.support.database import FreshDatabase
from tests.support.evening import SIZE, Evening, authorise
from tests.support.floor_hall import CALLER, CHIEF, hand_out, second_till, sellers
from tests.support.sql_audit import faults
from tests.support.threads import at_once

THREADS = 16


class Floor:
    """A game on sale with two tills, and everybody with a game of their own in hand."""

    def __init__(self, *, limit: int | None = None) -> None:
        self.evening = Evening()
        if limit is not None:
            authorise(self.evening.hall, reference="2/2026", player_limit=limit)
        self.evening.reach("selling")
        self.tills = [self.evening.shift, second_till(self.evening)]
        self.sellers = sellers(self.evening)
        self.issue = self.evening.issue()
        self.chief, self.caller = self.evening.person(CHIEF), self.evening.person(CALLER)

    @property
    def game(self) -> Game:
        known = Game.objects.select_related("session__hall", "issue__series")
        return known.get(pk=self.evening.game.pk)

    def asked(self, place: int = 0) -> dict[str, Any]:
        """A command at one of the tills."""
        shift = self.tills[place % 2]
        return {"game": self.game, "shift": shift, **by(shift.cashier)}

    def agrees(self) -> bool:
        hall = Hall.objects.get(pk=self.evening.hall.pk)
        return audit(hall) == [] and faults() == {}


def by(person: Person) -> dict[str, Any]:
    """Who does it, with a key of their own."""
    return {"by": person, "at": timezone.now(), "key": uuid4()}


def codes(results: list[Any]) -> list[str]:
    """What came of each, in any order: "done" or the refusal's code, and nothing else."""
    assert all(isinstance(one, Refusal | JournalEntry | Refund | list | None) for one in results), (
        results
    )
    return sorted(one.code if isinstance(one, Refusal) else "done" for one in results)


def doing(service: Callable[..., Any], **asked: Any) -> Callable[[], Any]:
    return lambda: service(**asked)


@pytest.fixture
def hall(fresh_database: FreshDatabase) -> Floor:
    return Floor()


@pytest.mark.rule(36)
def test_blocks_and_sales_at_once_leave_no_gap_and_no_overlap(hall: Floor) -> None:
    doings = [
        doing(sales_services.sell, quantity=3, **hall.asked(place))
        if place % 4
        else doing(floor.hand_out, quantity=5, seller=hall.sellers[place % 8 // 4], **hall.asked())
        for place in range(THREADS)
    ]
    assert codes(at_once(doings)) == ["done"] * THREADS

    rows = list(Taking.objects.order_by("first"))
    assert sum(row.last - row.first + 1 for row in rows if row.seller_id) == 4 * 5
    assert [row.previous for row in rows] == [None, *(row.last for row in rows)][:-1]
    assert rows[-1].last == 4 * 5 + 12 * 3
    assert hall.agrees()


@pytest.mark.slow
@pytest.mark.rule(35)
def test_two_tills_and_a_seller_at_once_never_pass_a_players_limit(
    fresh_database: FreshDatabase,
) -> None:
    hall = Floor(limit=6)
    hand_out(hall.evening, 3)
    # The race: each of them alone would be within the limit, all together are not.
    block = {"seller": hall.sellers[0], "issue": hall.issue, "first": 1, "last": 3}
    now = session_state.load(hall.evening.session.state)
    told = {"till": hall.tills[0].till.name, "seller": None, "first": None}
    for name in ("Mesa 4", "mesa 4"):
        rules.decide(now, "cards_sold", quantity=6, player=name, **told)
    doings = [
        doing(sales_services.sell, quantity=2, player=name, **hall.asked(place))
        for place, name in enumerate(["Mesa 4", "mesa 4", "MESA 4", "Mesa  4"])
    ]
    doings.append(doing(floor.settle, players=[("mesa 4", 3)], **block, **hall.asked(1)))
    came = codes(at_once(doings))
    sold = sum(sale.last - sale.first + 1 for sale in Sale.objects.all())
    assert sold in (5, 6)
    assert came.count("done") == len({sale.entry_id for sale in Sale.objects.all()})
    assert set(came) <= {"done", "over_player_limit", "buyer_over_limit"}
    assert hall.agrees()


@pytest.mark.slow
@pytest.mark.rule(36)
def test_block_is_settled_once_by_two_tills_at_the_same_moment(hall: Floor) -> None:
    hand_out(hall.evening, 12)
    block = {"seller": hall.sellers[0], "issue": hall.issue, "first": 1, "last": 12}
    doings = [doing(floor.settle, **block, **hall.asked(place)) for place in range(6)]

    assert codes(at_once(doings)) == ["done", *["not_handed_out"] * 5]
    assert Sale.objects.count() == 1
    assert hall.agrees()


@pytest.mark.slow
def test_card_is_handed_over_or_settled_and_never_both(hall: Floor) -> None:
    hand_out(hall.evening, 4)
    block = {"seller": hall.sellers[0], "issue": hall.issue, "first": 2, "last": 3}
    over = by(hall.tills[0].cashier)
    doings = [
        doing(floor.settle, **block, **hall.asked()),
        doing(floor.hand_over, **block, game=hall.game, to=hall.sellers[1], **over),
    ]
    assert codes(at_once(doings)) == ["done", "not_handed_out"]
    sold = Sale.objects.filter(first=2).exists()
    passed = Taking.objects.filter(first=2, last=3, seller=hall.sellers[1]).exists()
    assert sold is not passed
    assert hall.agrees()


@pytest.mark.slow
@pytest.mark.rule(36)
def test_damaged_card_is_sold_or_written_off_and_never_both(hall: Floor) -> None:
    chief = hall.chief
    doings = [
        doing(sales_services.sell, quantity=2, **hall.asked(place))
        if place % 2
        else doing(
            floor.write_off, game=hall.game, issue=hall.issue, first=place + 1, last=place + 1,
            reason="molhado", **by(chief),
        )
        for place in range(THREADS)
    ]  # fmt: skip
    results = at_once(doings)
    assert set(codes(results)) <= {"done", "card_already_sold"}

    gone = set(Retirement.objects.values_list("first", flat=True))
    sold = {n for sale in Sale.objects.all() for n in range(sale.first, sale.last + 1)}
    assert not gone & sold
    assert len(sold) == 16
    assert gone | sold >= set(range(1, max(sold) + 1))
    assert hall.agrees()


@pytest.mark.slow
def test_same_key_five_times_at_once_hands_out_settles_and_refunds_once(hall: Floor) -> None:
    evening, seller = hall.evening, hall.sellers[0]
    out = {**hall.asked(), "seller": seller, "quantity": 6}
    first = at_once([doing(floor.hand_out, **out)] * 5)
    assert {entry.pk for entry in first} == {JournalEntry.objects.get(kind="cards_handed_out").pk}

    block = {"seller": seller, "issue": hall.issue, "first": 1, "last": 6, "returned": [(5, 6)]}
    settled = {**hall.asked(), **block}
    results = at_once([doing(floor.settle, **settled)] * 5)
    assert len({entry.pk for entry in results}) == Sale.objects.count() == 1

    games_services.void(game=hall.game, cause="other", reason="luz", **evening.who(CHIEF))
    back = {**hall.asked(), "issue": hall.issue, "first": 1, "last": 4}
    results = at_once([doing(prizes_services.refund, **back)] * 5)
    assert {refund.pk for refund in results} == {Refund.objects.get().pk}
    assert hall.agrees()


@pytest.mark.slow
@pytest.mark.rule(57)
def test_card_is_refunded_once_whoever_asks_where(hall: Floor) -> None:
    evening = hall.evening
    sales_services.sell(quantity=12, **hall.asked())
    games_services.void(game=hall.game, cause="other", reason="luz", **evening.who(CHIEF))
    doings = [
        doing(
            prizes_services.refund, issue=hall.issue, first=place % 6 + 1, last=place % 6 + 2,
            **hall.asked(place),
        )
        for place in range(THREADS)
    ]  # fmt: skip
    results = at_once(doings)
    assert set(codes(results)) == {"done", "already_refunded"}
    given = [n for one in Refund.objects.all() for n in range(one.first, one.last + 1)]
    assert len(given) == len(set(given))
    assert hall.agrees()


@pytest.mark.slow
@pytest.mark.rule(40)
def test_sale_closes_over_whole_blocks_or_not_at_all(hall: Floor) -> None:
    hand_out(hall.evening, 12)
    settled = {"seller": hall.sellers[0], "issue": hall.issue}
    doings: list[Callable[[], Any]] = [
        doing(floor.settle, **settled, first=first, last=first + 2, **hall.asked(first))
        for first in (1, 4, 7, 10)
    ]
    doings += [doing(sales_services.sell, quantity=2, **hall.asked(place)) for place in range(4)]
    doings += [
        doing(games_services.close_sale, game=hall.game, **by(hall.caller)) for _time in range(4)
    ]
    results = at_once(doings)

    assert set(codes(results)) <= {"done", "blocks_out", "wrong_phase"}
    known = hall.game
    if known.phase == "closed":
        assert not Taking.objects.filter(seller__isnull=False).exists()
    sold = sum(sale.last - sale.first + 1 for sale in Sale.objects.all())
    assert known.cards == sold
    assert hall.agrees()


@pytest.mark.slow
@pytest.mark.rule(36)
def test_hall_full_of_sellers_agrees_in_the_end(hall: Floor) -> None:
    """Each thread takes a block, brings a part of it back, and sells at the till, until all is gone."""

    def work(place: int) -> int:
        shift: Shift = hall.tills[place % 2]
        seller, done = hall.sellers[place // 2 % 2], 0
        for _time in range(6):
            try:
                asked: dict[str, Any] = {"game": hall.game, "shift": shift, "seller": seller}
                entry = floor.hand_out(quantity=3, **asked, **by(shift.cashier))
                for part in entry.data["ranges"]:
                    first, last = part["first"], part["last"]
                    issue = Issue.objects.get(pk=part["issue"])
                    back = [(last, last)] if place % 3 else []
                    asked |= {"issue": issue, "first": first, "last": last, "returned": back}
                    floor.settle(**asked, **by(shift.cashier))
                done += 1
            except Refusal as refusal:
                if refusal.code not in ("only_left", "sold_out"):
                    raise
        return done

    results = at_once([doing(work, place=place) for place in range(THREADS)])
    assert all(isinstance(result, int) for result in results), results
    left = SIZE - hall.game.cards
    if left:
        sales_services.sell(quantity=left, **hall.asked())
    assert hall.game.cards == SIZE
    games_services.close_sale(game=hall.game, **by(hall.caller))
    assert hall.agrees()
