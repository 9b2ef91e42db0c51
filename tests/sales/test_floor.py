"""Blocks handed out, settled, handed over, written off: the rows they leave, and who may not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from bingo.rules import cards
from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.cards import stock
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Card, Issue, Retirement, Sale, Taking
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import floor
from draws.sales import services as sales_services
from halls import tills
from halls.models import CashMovement, Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.evening import FACE, FLOAT, Evening, authorise
from tests.support.floor_hall import (
    CALLER,
    CASHIER,
    CHIEF,
    DEAR,
    DOUBLE,
    MANAGER,
    OTHER,
    begin,
    box,
    hand_out,
    second_till,
    sellers,
    settle,
    stocked,
)
from tests.support.planting_rows import plant_row
from tests.support.playing import everything, refuses
from tests.support.service_commands import games, prizes
from tests.support.sql_audit import faults

pytestmark = pytest.mark.django_db

Row = tuple[int, int, str]
HERE, RUI, BIA, GONE = "here", "rui", "bia", "gone"


@pytest.fixture
def evening() -> Evening:
    """A game on sale, nothing sold yet."""
    return Evening().reach("selling")


def rows(evening: Evening) -> list[Row]:
    """The takings, each with who has it: nobody, one of the sellers, or gone for good."""
    names = {None: HERE} | dict(
        zip([seller.pk for seller in sellers(evening)], (RUI, BIA), strict=True)
    )
    found = Taking.objects.filter(issue=evening.game.issue).order_by("first")
    return [(row.first, row.last, GONE if row.passed else names[row.seller_id]) for row in found]


def sell(evening: Evening, quantity: int) -> list[Sale]:
    return sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=quantity, **evening.who(CASHIER)
    )


def hand_over(evening: Evening, first: int, last: int, **changed: Any) -> JournalEntry:
    rui, bia = sellers(evening)
    asked: dict[str, Any] = {
        "game": evening.game,
        "issue": evening.game.issue,
        "seller": rui,
        "to": bia,
    }
    return floor.hand_over(first=first, last=last, **(asked | evening.who(CASHIER) | changed))


def write_off(evening: Evening, first: int, last: int, **changed: Any) -> JournalEntry:
    asked: dict[str, Any] = {"game": evening.game, "issue": evening.game.issue, "reason": "molhado"}
    return floor.write_off(first=first, last=last, **(asked | evening.who(CHIEF) | changed))


def last_sold(evening: Evening) -> int:
    return Issue.objects.get(pk=evening.game.issue_id).last_sold


def agree(evening: Evening) -> None:
    assert audit(Hall.objects.get(pk=evening.hall.pk)) == []
    assert faults() == {}


@pytest.mark.rule(36)
def test_block_is_taken_by_its_seller_and_not_sold(evening: Evening) -> None:
    sell(evening, 12)
    hand_out(evening, 12)
    sell(evening, 1)
    assert rows(evening) == [(1, 12, HERE), (13, 24, RUI), (25, 25, HERE)]
    assert (evening.game.cards, last_sold(evening)) == (13, 25)
    assert CashMovement.objects.filter(kind="sale").count() == 2
    agree(evening)


@pytest.mark.rule(36)
@pytest.mark.rule(39)
@pytest.mark.slow
def test_settled_block_is_sold_for_cash_but_for_what_came_back(evening: Evening) -> None:
    hand_out(evening, 12)
    sell(evening, 3)
    entry = settle(evening, 1, 12, returned=[(9, 12)])

    assert rows(evening) == [(1, 8, HERE), (9, 12, HERE), (13, 15, HERE)]
    [sale] = Sale.objects.filter(entry=entry)
    assert (sale.first, sale.last, sale.amount) == (1, 8, 8 * FACE)
    assert sale.seller == sellers(evening)[0]
    assert CashMovement.objects.get(entry=entry).amount == 8 * FACE
    agree(evening)
    assert [(sale.first, sale.last) for sale in sell(evening, 6)] == [(9, 12), (16, 17)]
    agree(evening)


@pytest.mark.slow
def test_block_is_settled_bit_by_bit(evening: Evening) -> None:
    hand_out(evening, 12)
    sell(evening, 1)
    settle(evening, 4, 6)
    assert rows(evening) == [(1, 3, RUI), (4, 6, HERE), (7, 12, RUI), (13, 13, HERE)]
    settle(evening, 1, 3, returned=[(1, 1), (3, 3)])
    settle(evening, 7, 12)
    agree(evening)
    with refuses(Refusal("cards_back", first=1, last=1)):
        games_services.close_sale(game=evening.game, **evening.who(CALLER))
    assert [(sale.first, sale.last) for sale in sell(evening, 2)] == [(1, 1), (3, 3)]
    games_services.close_sale(game=evening.game, **evening.who(CALLER))
    agree(evening)


@pytest.mark.rule(37)
def test_what_comes_back_last_lies_on_the_stack_again(evening: Evening) -> None:
    sell(evening, 4)
    hand_out(evening, 6)
    settle(evening, 5, 10, returned=[(8, 10)])
    assert (rows(evening), last_sold(evening)) == ([(1, 4, HERE), (5, 7, HERE)], 7)
    agree(evening)

    hand_out(evening, 6)
    entry = settle(evening, 8, 13, returned=[(8, 13)])
    assert (rows(evening), last_sold(evening)) == ([(1, 4, HERE), (5, 7, HERE)], 7)
    assert CashMovement.objects.get(entry=entry).amount == 0
    agree(evening)


def test_block_handed_over_is_the_colleagues(evening: Evening) -> None:
    hand_out(evening, 6)
    hand_over(evening, 3, 4)
    assert rows(evening) == [(1, 2, RUI), (3, 4, BIA), (5, 6, RUI)]
    with refuses("not_handed_out"):
        settle(evening, 1, 6)
    settle(evening, 3, 4, seller=1)
    assert Sale.objects.get().seller == sellers(evening)[1]
    agree(evening)


@pytest.mark.rule(36)
@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (2, 3, [(1, 1, RUI), (2, 3, GONE), (4, 6, RUI), (7, 8, HERE)]),
        (9, 10, [(1, 6, RUI), (7, 8, HERE)]),
        (1, 6, [(1, 6, GONE), (7, 8, HERE)]),
    ],
)
def test_damaged_cards_are_written_off_wherever_they_are(
    evening: Evening, first: int, last: int, expected: list[Row]
) -> None:
    hand_out(evening, 6)
    sell(evening, 2)
    entry = write_off(evening, first, last)
    assert rows(evening) == expected
    retired = Retirement.objects.get()
    assert (retired.first, retired.last, retired.entry_id) == (first, last, entry.pk)
    agree(evening)


@pytest.mark.slow
def test_damaged_cards_are_written_off_from_the_sellers_hands_into_the_stack(
    evening: Evening,
) -> None:
    hand_out(evening, 6)
    write_off(evening, 5, 9)
    assert (rows(evening), last_sold(evening)) == ([(1, 4, RUI)], 4)
    agree(evening)
    assert sell(evening, 1)[0].first == 10
    assert rows(evening) == [(1, 4, RUI), (5, 9, GONE), (10, 10, HERE)]
    agree(evening)


@pytest.mark.rule(37)
@pytest.mark.slow
def test_damaged_cards_on_top_of_the_stack_stay_there_until_the_next_is_taken() -> None:
    evening = Evening().reach("prepared")
    write_off(evening, 1, 3)
    assert (rows(evening), last_sold(evening)) == ([], 0)
    agree(evening)
    evening.reach("selling")
    assert sell(evening, 1)[0].first == 4
    assert rows(evening) == [(1, 3, GONE), (4, 4, HERE)]
    agree(evening)


@pytest.mark.rule(37)
@pytest.mark.slow
def test_game_without_a_buyer_leaves_the_next_game_where_it_was() -> None:
    evening = Evening().reach("sold")
    chief = evening.who(CHIEF)
    games_services.void(game=evening.game, cause="other", reason="luz", **chief)
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=6, shift=evening.shift,
        **evening.who(CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **chief)
    for _time in range(2):
        begin(evening, "sala-1")
        if not Retirement.objects.exists():
            write_off(evening, 7, 8)
        hand_out(evening, 3)
        settle(evening, 9, 11, returned=[(9, 11)])
        games_services.void(game=evening.game, cause="nothing_sold", reason="vazia", **chief)
        games_services.complete(game=evening.game, **chief)
        assert last_sold(evening) == 6
        agree(evening)


@pytest.mark.rule(57)
def test_void_waits_for_the_sellers_and_refunds_by_number(evening: Evening) -> None:
    void = {"game": evening.game, "cause": "other", "reason": "luz", **evening.who(CHIEF)}
    hand_out(evening, 6)
    with refuses(Refusal("blocks_out", seller=sellers(evening)[0].username, first=1, last=6)):
        games_services.void(**void)
    settle(evening, 1, 6)
    games_services.void(**void)
    asked: dict[str, Any] = {"game": evening.game, "issue": evening.issue(), "shift": evening.shift}
    prizes_services.refund(first=2, last=4, **asked, **evening.who(CASHIER))
    with refuses(Refusal("already_refunded", card=4)):
        prizes_services.refund(first=4, last=6, **asked, **evening.who(CASHIER))
    with refuses(Refusal("refunds_due", left=3)):
        games_services.complete(game=evening.game, **evening.who(CHIEF))
    prizes_services.refund(first=1, last=1, **asked, **evening.who(CASHIER))
    prizes_services.refund(first=5, last=6, **asked, **evening.who(CASHIER))
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    agree(evening)


@pytest.mark.rule(37)
@pytest.mark.slow
def test_issue_begun_in_another_hall_lies_as_it_came_when_all_comes_back() -> None:
    here, there = Evening("sul").reach("sold"), Evening("norte").reach("shift")
    games.void(here, here.who(CHIEF))
    prizes.refund(here, here.who(CASHIER))
    games_services.complete(game=here.game, **here.who(CHIEF))
    stock.retire(issue=here.issue(), first=7, last=8, reason="molhado", **here.who(MANAGER))
    sent = stock.send_transfer(
        issue=here.issue(), to=there.hall, reason="falta lá", **here.who(MANAGER)
    )
    stock.accept(transfer=sent, counted=82, **there.who(MANAGER))

    begin(there, "sul-1")
    hand_out(there, 3)
    assert rows(there) == [(1, 8, GONE), (9, 11, RUI)]
    agree(there)
    settle(there, 9, 11, returned=[(9, 11)])
    assert (rows(there), last_sold(there)) == ([(1, 6, GONE)], 6)
    agree(there)
    assert sell(there, 1)[0].first == 9
    assert rows(there) == [(1, 6, GONE), (7, 8, GONE), (9, 9, HERE)]
    agree(there)


# Two prices, two halves


def test_block_of_a_price_is_settled_at_that_price() -> None:
    evening = stocked().reach("prepared")
    games_services.add_issue(game=evening.game, issue=box(evening, OTHER), **evening.who(CHIEF))
    evening.reach("selling")
    hand_out(evening, 4, face=DEAR)
    entry = settle(evening, 1, 4, returned=[(4, 4)], issue=box(evening, OTHER))
    assert CashMovement.objects.get(entry=entry).amount == 3 * DEAR
    assert evening.game.gross == 3 * DEAR
    agree(evening)


@pytest.mark.rule(15)
@pytest.mark.rule(57)
@pytest.mark.parametrize(("half", "each"), [(1, 2 * FACE), (2, FACE)])
@pytest.mark.slow
def test_void_of_a_half_refunds_what_is_left_of_double_cards(half: int, each: int) -> None:
    evening = begin(stocked().reach("shift"), DOUBLE)
    hand_out(evening, 6)
    settle(evening, 1, 6)
    assert evening.game.gross == 6 * FACE
    if half == 2:
        _finish_first_half(evening)
        games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
        assert (evening.game.first_half_id, evening.game.cards) == (evening.game.pk - 1, 6)
    games_services.void(game=evening.game, cause="other", reason="luz", **evening.who(CHIEF))
    refund = prizes_services.refund(
        game=evening.game, issue=box(evening, DOUBLE), first=1, last=6, shift=evening.shift,
        **evening.who(CASHIER),
    )  # fmt: skip
    assert refund.amount == 6 * each
    if half == 2:
        prizes_services.pay_payment(
            game=evening.game, issue=box(evening, DOUBLE), card=1, shift=evening.shift,
            **evening.who(CASHIER),
        )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    with refuses(Refusal("no_second_half")):
        games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    agree(evening)


@pytest.mark.rule(15)
@pytest.mark.rule(38)
@pytest.mark.slow
def test_nothing_more_is_put_on_sale_in_the_second_game_of_double_cards() -> None:
    evening = Evening().reach("shift")
    games.first_half(evening)
    games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    others = {"game": evening.game, **evening.who(CHIEF)}
    for number in (1, 2, 3):
        for put in (games_services.open_second_issue, games_services.add_issue):
            with refuses("unknown_issue", "double_and_single", "wrong_phase", "other_series"):
                put(issue=evening.issue(number), **others)


def _finish_first_half(evening: Evening) -> None:
    """Close the sale and let card 1 win everything; its prizes wait for the second game (R45)."""
    evening.equip()
    game, issue = evening.game, box(evening, DOUBLE)
    games_services.close_sale(game=game, **evening.who(CALLER))
    games_services.announce_draw(game=game, **evening.who(CALLER))
    shown = Card.objects.get(series=issue.series_id, number=1).rows
    for number in sorted(cards.numbers(tuple(tuple(row) for row in shown))):
        draw.announce_ball(game=game, number=number, **evening.who(CALLER))
    draw.call_claim(game=game, combination="bingo", **evening.who(CALLER))
    claims_services.check(
        game=game, combination="bingo", issue=issue, card=1, sound=True, **evening.who(CHIEF)
    )
    claims_services.open_window(game=game, **evening.who(CHIEF))
    claims_services.close_window(game=game, **evening.who(CHIEF))
    games_services.finish(game=game, **evening.who(CHIEF))
    with refuses(Refusal("paid_after_second_game", card=1)):
        prizes_services.pay_payment(
            game=game, issue=issue, card=1, shift=evening.shift, **evening.who(CASHIER)
        )
    games_services.complete(game=game, **evening.who(CHIEF))


def test_issue_that_does_not_go_with_the_others_is_not_added() -> None:
    evening = stocked().reach("prepared")
    asked: dict[str, Any] = {"game": evening.game, **evening.who(CHIEF)}
    with refuses(Refusal("double_and_single")):
        games_services.add_issue(issue=box(evening, DOUBLE), **asked)
    with refuses("price_on_sale_already"):
        games_services.add_issue(issue=evening.issue(2), **asked)
    elsewhere = Evening("norte").issue()
    with refuses(Refusal("unknown_issue")):
        games_services.add_issue(issue=elsewhere, **asked)
    games_services.add_issue(issue=box(evening, OTHER), **asked)
    assert [issue.identification for issue in games_services.on_sale(evening.game)] == [
        "sala-1",
        OTHER,
    ]


# Once more


@pytest.mark.parametrize("verb", ["hand_out", "settle", "hand_over", "write_off"])
def test_command_repeated_with_its_key_is_told_again_and_done_once(
    evening: Evening, verb: str
) -> None:
    given = {**evening.who(CASHIER), "key": uuid4()}
    doing: dict[str, Callable[[], JournalEntry]] = {
        "hand_out": lambda: hand_out(evening, 4, **given),
        "settle": lambda: settle(evening, 1, 3, returned=[(2, 2)], **given),
        "hand_over": lambda: hand_over(evening, 1, 3, **given),
        "write_off": lambda: write_off(evening, 2, 2, **given),
    }
    hand_out(evening, 6)
    first = doing[verb]()
    sell(evening, 1)
    before = everything()
    assert doing[verb]() == first
    assert everything() == before
    with refuses(Refusal("key_reused")):
        hand_out(evening, 5, **given)


# Who, and when


def test_floor_is_served_by_the_cashier_of_an_open_till(evening: Evening) -> None:
    other = second_till(evening).cashier
    hand_out(evening, 2)
    for person in (other, evening.person(MANAGER)):
        with refuses(Refusal("not_your_shift")):
            hand_out(evening, 1, by=person)
        with refuses(Refusal("not_your_shift")):
            settle(evening, 1, 2, by=person)
    shift = evening.shift
    tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(CASHIER))
    closed = Refusal("shift_not_open", till=shift.till.name)
    with refuses(closed):
        hand_out(evening, 1, shift=shift)
    with refuses(closed):
        settle(evening, 1, 2, shift=shift)


def test_cards_are_given_to_floor_sellers_of_the_hall_only(evening: Evening) -> None:
    stranger, nobody = sellers(Evening("norte"))[0], evening.person(CASHIER)
    hand_out(evening, 2)
    for person in (stranger, nobody):
        with refuses(Refusal("unknown_seller")):
            floor.hand_out(
                game=evening.game, shift=evening.shift, seller=person, quantity=1,
                **evening.who(CASHIER),
            )  # fmt: skip
        with refuses(Refusal("unknown_seller")):
            hand_over(evening, 1, 2, to=person)
    with refuses(Refusal("unknown_seller")):
        hand_over(evening, 1, 2, seller=stranger)
    with refuses("not_handed_out"):
        hand_over(evening, 1, 2, seller=nobody)


def test_seller_who_is_none_any_more_still_settles_and_hands_on(evening: Evening) -> None:
    hand_out(evening, 4)
    gone, colleague = sellers(evening)[:2]
    gone.is_active, gone.roles = False, [Role.CALLER.value]
    plant_row(gone, "is_active", "roles")
    where: dict[str, Any] = {"game": evening.game, "issue": evening.game.issue}
    cashier = evening.who(CASHIER)
    floor.hand_over(**where, first=1, last=2, seller=gone, to=colleague, **cashier)
    floor.settle(**where, shift=evening.shift, first=3, last=4, seller=gone, **cashier)
    with refuses(Refusal("unknown_seller")):
        floor.hand_over(**where, first=1, last=2, seller=colleague, to=gone, **cashier)


@pytest.mark.parametrize("role", [Role.SELLER, Role.CALLER, Role.INSPECTOR])
def test_others_neither_hand_over_nor_write_off(evening: Evening, role: Role) -> None:
    hand_out(evening, 2)
    person = evening.person(role)
    with refuses("not_allowed"):
        hand_over(evening, 1, 2, by=person)
    with refuses("not_allowed"):
        write_off(evening, 1, 1, by=person)


def test_write_off_that_needs_two_names_the_second() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["cards_written_off"], **evening.who(MANAGER))
    evening.reach("selling")
    with refuses(Refusal("second_person_needed", command="cards_written_off")):
        write_off(evening, 1, 1)
    witness = evening.person(MANAGER)
    entry = write_off(evening, 1, 1, witness=witness)
    assert entry.data["witness"] == witness.username
    agree(evening)


@pytest.mark.rule(35)
def test_settled_block_is_sold_to_each_of_its_players() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", player_limit=4)
    evening.reach("selling")
    hand_out(evening, 9)
    with refuses(Refusal("player_needed", limit=4)):
        settle(evening, 1, 9, returned=[(8, 9)])
    with refuses(Refusal("buyer_over_limit", player="Mesa 2", limit=4, had=0, left=4)):
        settle(evening, 1, 9, returned=[(8, 9)], players=[("Mesa 1", 2), ("Mesa 2", 5)])
    with refuses(Refusal("players_unlike_cards", cards=7, named=6)):
        settle(evening, 1, 9, returned=[(8, 9)], players=[("Mesa 1", 2), ("Mesa 2", 4)])
    key = uuid4()
    for _again in range(2):
        settle(
            evening, 1, 9, returned=[(8, 9)], key=key,
            players=[("Mesa 1", 2), ("Mesa 2", 4), ("Mesa 3", 1)],
        )  # fmt: skip
    assert list(Sale.objects.order_by("first").values_list("first", "last", "player", "amount")) == [
        (1, 2, "Mesa 1", 2 * FACE), (3, 6, "Mesa 2", 4 * FACE), (7, 7, "Mesa 3", FACE),
    ]  # fmt: skip
    with refuses(Refusal("over_player_limit", limit=4, had=4, left=0)):
        sales_services.sell(
            game=evening.game, shift=evening.shift, quantity=1, player="mesa 2",
            **evening.who(CASHIER),
        )  # fmt: skip
    assert audit(Hall.objects.get()) == []
    assert faults() == {}
