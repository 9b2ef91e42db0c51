"""Every refusal that the services document, stage by stage; none leaves a trace in any table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.cards import series
from draws.claims import services as claims_services
from draws.games import progress
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.models import Hall, Role
from tests.support.evening import FACE, FLOAT, Evening, tonight
from tests.support.playing import refuses
from tests.support.service_commands.cards import publish, receive
from tests.support.service_commands.games import voided
from tests.support.service_commands.prizes import paid, pay
from tests.support.service_commands.second_issues import exhausted

pytestmark = pytest.mark.django_db

Case = tuple[Refusal | str, Callable[[Evening], Any]]

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER


def each(evening: Evening, cases: list[Case], subtests: pytest.Subtests) -> None:
    """Try case by case in the same evening: a refusal changes nothing for the next."""
    for place, (expected, act) in enumerate(cases):
        with subtests.test(case=place, expected=str(expected)), refuses(expected):
            act(evening)


def of_game(service: Callable[..., Any], role: Role, **inputs: Any) -> Callable[[Evening], Any]:
    return lambda evening: service(game=evening.game, **inputs, **evening.who(role))


def sell(**inputs: Any) -> Callable[[Evening], Any]:
    return lambda e: sales_services.sell(game=e.game, shift=e.shift, **inputs, **e.who(CASHIER))


def check(combination: str, card: int, *, issue: int = 1) -> Callable[[Evening], Any]:
    return lambda e: claims_services.check(
        game=e.game, combination=combination, issue=e.issue(issue), card=card, sound=True,
        **e.who(CHIEF),
    )  # fmt: skip


def open_session(*, checked: bool) -> Callable[[Evening], Any]:
    return lambda e: sessions.open_session(
        hall=e.hall, checked=checked, ends_at=tonight(), **e.who(MANAGER)
    )


def open_shift(till: int, amount: int, *, cashier: int = 0) -> Callable[[Evening], Any]:
    def act(evening: Evening) -> None:
        by = evening.hall.people.filter(roles=[CASHIER]).order_by("username")[cashier]
        tills.open_shift(
            session=evening.session, till=evening.hall.tills.order_by("pk")[till], float=amount,
            **(evening.who(CASHIER) | {"by": by}),
        )  # fmt: skip

    return act


def note(category: str, text: str) -> Callable[[Evening], Any]:
    return lambda e: sessions.record_note(
        session=e.session, category=category, text=text, decision="", **e.who(MANAGER)
    )


def move(amount: int, reason: str) -> Callable[[Evening], Any]:
    return lambda e: tills.move_cash(shift=e.shift, amount=amount, reason=reason, **e.who(MANAGER))


def count(counted: int, comment: str = "") -> Callable[[Evening], Any]:
    return lambda e: tills.close_shift(
        shift=e.shift, counted=counted, comment=comment, **e.who(CASHIER)
    )


def open_game(issue: int) -> Callable[[Evening], Any]:
    return lambda e: games_services.open_game(
        session=e.session, issue=e.issue(issue), **e.who(CHIEF)
    )


def second(issue: int) -> Callable[[Evening], Any]:
    return lambda e: games_services.open_second_issue(
        game=e.game, issue=e.issue(issue), **e.who(CHIEF)
    )


def void(cause: str, reason: str) -> Callable[[Evening], Any]:
    return of_game(games_services.void, CHIEF, cause=cause, reason=reason)


def refund(first: int, last: int, *, issue: int = 1) -> Callable[[Evening], Any]:
    return lambda e: prizes_services.refund(
        game=e.game, issue=e.issue(issue), first=first, last=last, shift=e.shift, **e.who(CASHIER)
    )


def emit(letter: str, size: int, *, format: int = 90) -> Callable[[Evening], Any]:
    return lambda e: series.publish(
        hall=e.hall, format=format, letter=letter, size=size, seed="1", **e.who(MANAGER)
    )  # fmt: skip


@pytest.mark.rule(16)
@pytest.mark.rule(17)
def test_stock_is_refused(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        (Refusal("size_not_of_letter", letter="A", size=96), emit("A", 96)),
        ("size_not_of_letter", emit("Z", 90)),
        ("unknown_format", emit("A", 90, format=91)),
        (
            Refusal("face_not_authorised", face=3, faces=[FACE]),
            lambda e: receive(e, e.who(MANAGER), face=3),
        ),
        ("identification_missing", lambda e: receive(e, e.who(MANAGER), identification="  ")),
        (
            Refusal("identification_used", identification="sala-1"),
            lambda e: receive(e, e.who(MANAGER), identification="sala-1"),
        ),
    ]
    each(Evening(), cases, subtests)


@pytest.mark.rule(32)
def test_session_without_tried_equipment_or_authorisation_is_refused() -> None:
    evening = Evening()
    with refuses("equipment_not_checked"):
        open_session(checked=False)(evening)
    before = evening.who(MANAGER)
    before["at"] = before["at"].replace(year=2000)
    Hall.objects.update(head_at=None)  # no entry bears an earlier time than the one before it
    with refuses("no_authorisation"):
        sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **before)
    with refuses("no_authorisation"):
        receive(evening, before)


def test_open_session_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        ("session_already_open", open_session(checked=True)),
        (Refusal("unknown_category", category="gossip"), note("gossip", "x")),
        ("text_missing", note("other", " ")),
        (Refusal("bad_amount", amount=-1), open_shift(0, -1)),
    ]
    each(Evening().reach("session"), cases, subtests)


@pytest.mark.rule(39)
@pytest.mark.slow
def test_open_shift_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        ("shift_already_open", open_shift(0, 1, cashier=1)),
        ("cashier_has_a_shift", open_shift(1, 1)),
        (Refusal("bad_amount", amount=0), move(0, "x")),
        ("reason_missing", move(1, " ")),
        (Refusal("cash_short", left=FLOAT, taken=FLOAT + 1), move(-FLOAT - 1, "x")),
        (Refusal("bad_amount", amount=-1), count(-1)),
        ("difference_needs_comment", count(FLOAT + 1)),
        (Refusal("shifts_open", left=1), lambda e: sessions.close_session(
            session=e.session, **e.who(MANAGER)
        )),
    ]  # fmt: skip
    each(Evening().reach("shift"), cases, subtests)


@pytest.mark.rule(60)
@pytest.mark.slow
def test_prepared_game_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        ("game_not_complete", open_game(2)),
        ("wrong_phase", sell(quantity=1)),
        ("wrong_phase", of_game(games_services.close_sale, CALLER)),
        ("unknown_issue", second(1)),
        (Refusal("unknown_cause", cause="rain"), void("rain", "x")),
        ("reason_missing", void("other", "  ")),
        ("game_not_complete", lambda e: sessions.close_session(
            session=e.session, **e.who(MANAGER)
        )),
    ]  # fmt: skip
    each(Evening().reach("prepared"), cases, subtests)


@pytest.mark.rule(36)
@pytest.mark.rule(38)
@pytest.mark.rule(39)
@pytest.mark.slow
def test_selling_game_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        (Refusal("quantity_not_positive", quantity=0), sell(quantity=0)),
        (Refusal("quantity_not_positive", quantity=-2), sell(quantity=-2)),
        (Refusal("only_left", left=90), sell(quantity=91)),
        (Refusal("out_of_order", asked=2, next=1), sell(quantity=1, first=2)),
        (Refusal("cash_too_little", due=1), sell(quantity=2, given=2 * FACE - 1)),
        (Refusal("no_room_for_second"), second(2)),
        ("nothing_sold", of_game(games_services.close_sale, CALLER)),
        ("wrong_phase", of_game(draw.draw_ball, CALLER)),
    ]
    each(Evening().reach("selling"), cases, subtests)


def test_seller_who_is_none_of_ours_is_refused() -> None:
    evening = Evening().reach("selling")
    seller, cashier = evening.person(Role.SELLER), evening.person(CASHIER)
    with refuses("unknown_seller"):
        sell(quantity=1, seller=cashier)(evening)
    seller.is_active = False
    with refuses("unknown_seller"):
        sell(quantity=1, seller=seller)(evening)
    seller.is_active = True
    [sold] = sell(quantity=1, seller=seller)(evening)
    assert sold.seller == seller


@pytest.mark.rule(38)
def test_second_issue_is_refused_at_card_one_and_when_it_was_begun() -> None:
    evening = Evening().reach("selling")
    sell(quantity=90)(evening)
    with refuses("no_room_for_second"):
        second(2)(evening)
    with refuses("sold_out"):
        sell(quantity=1)(evening)


@pytest.mark.slow
@pytest.mark.rule(38)
def test_second_issue_ends_before_the_first_card_of_the_first() -> None:
    evening = Evening().reach("sold")
    exhausted(evening)
    second(2)(evening)
    with refuses(Refusal("only_left", left=6)):
        sell(quantity=7)(evening)
    assert [(sale.issue, sale.first, sale.last) for sale in sell(quantity=6)(evening)] == [
        (evening.issue(2), 1, 6)
    ]


@pytest.mark.rule(42)
@pytest.mark.rule(55)
@pytest.mark.slow
def test_drawing_game_refuses(subtests: pytest.Subtests) -> None:
    evening = Evening().reach("drawing")
    come = evening.numbers()
    free = next(number for number in range(1, 91) if number not in come)
    cases: list[Case] = [
        (Refusal("ball_out_of_range", number=0, highest=90), of_game(draw.announce_ball, CALLER, number=0)),
        ("ball_out_of_range", of_game(draw.announce_ball, CALLER, number=91)),
        ("ball_already_drawn", of_game(draw.announce_ball, CALLER, number=come[0])),
        ("stale_page", of_game(draw.announce_ball, CALLER, number=free, order=3)),
        ("source_not_of_game", of_game(draw.draw_ball, CALLER, order=3)),
        ("only_last_ball", of_game(draw.recall_ball, CALLER, number=come[0])),
        ("unknown_combination", of_game(draw.call_claim, CALLER, combination="corners")),
        ("fault_after_first_ball", void("fault", "Máquina parada")),
        ("wrong_phase", check("bingo", 1)),
        ("wrong_phase", of_game(games_services.complete, CHIEF)),
    ]  # fmt: skip
    each(evening, cases, subtests)


@pytest.mark.rule(43)
@pytest.mark.rule(46)
@pytest.mark.slow
def test_stopped_game_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        (Refusal("no_such_card", card=91), check("bingo", 91)),
        ("unknown_combination", check("corners", 1)),
        ("no_valid_claim", of_game(claims_services.open_window, CHIEF)),
        ("bingo_not_awarded", of_game(games_services.finish, CHIEF)),
        ("wrong_phase", of_game(claims_services.close_window, CHIEF)),
    ]
    each(Evening().reach("stopped"), cases, subtests)


@pytest.mark.slow
@pytest.mark.rule(46)
def test_checked_claim_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        ("already_right", check("bingo", 1)),
        ("window_not_held", of_game(claims_services.resume, CHIEF)),
    ]
    each(Evening().reach("checked"), cases, subtests)


@pytest.mark.rule(47)
@pytest.mark.rule(57)
@pytest.mark.slow
def test_awarded_bingo_refuses(subtests: pytest.Subtests) -> None:
    cases: list[Case] = [
        ("prize_closed", check("bingo", 2)),
        ("bingo_already_awarded", of_game(claims_services.resume, CHIEF)),
        ("bingo_already_awarded", void("announcement_error", "tarde")),
    ]
    each(Evening().reach("awarded"), cases, subtests)


@pytest.mark.rule(44)
@pytest.mark.rule(50)
@pytest.mark.rule(60)
@pytest.mark.slow
def test_paying_game_refuses(subtests: pytest.Subtests) -> None:
    evening = Evening().reach("paying")
    cases: list[Case] = [
        (Refusal("no_prize", card=2), lambda e: pay(e, e.who(CASHIER), card=2)),
        (Refusal("prizes_unpaid", left=1), of_game(games_services.complete, CHIEF)),
    ]
    each(evening, cases, subtests)
    paid(evening)
    with refuses(Refusal("already_paid", card=1)):
        pay(evening, evening.who(CASHIER))


@pytest.mark.slow
@pytest.mark.rule(44)
def test_prize_is_not_paid_out_of_an_empty_drawer() -> None:
    evening = Evening().reach("paying")
    move(-FLOAT, "cofre")(evening)
    with refuses("cash_short"):
        pay(evening, evening.who(CASHIER))


@pytest.mark.rule(55)
@pytest.mark.rule(57)
@pytest.mark.slow
def test_voided_game_refuses(subtests: pytest.Subtests) -> None:
    evening = Evening().reach("sold")
    voided(evening)
    refund(1, 6)(evening)
    cases: list[Case] = [
        (Refusal("already_refunded", card=1), refund(1, 1)),
        (Refusal("already_refunded", card=6), refund(6, 7)),
        (Refusal("not_sold", card=10), refund(9, 10)),
        (Refusal("not_sold", card=7), refund(7, 9, issue=2)),
        (Refusal("not_sold", card=9), refund(9, 8)),
        (Refusal("refunds_due", left=3), of_game(games_services.complete, CHIEF)),
        (Refusal("no_prize", card=1), lambda e: pay(e, e.who(CASHIER))),
        ("wrong_phase", sell(quantity=1)),
    ]
    each(evening, cases, subtests)


def test_no_game_and_no_shift_are_refused() -> None:
    evening = Evening().reach("session")
    with refuses("no_game"):
        progress.current(evening.hall)
    with refuses("no_shift"):
        tills.shift_of(evening.session, evening.person(CASHIER))


@pytest.mark.slow
def test_complete_game_takes_no_command_of_its_own() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    old = evening.game
    games_services.complete(game=old, **evening.who(CHIEF))
    with refuses("wrong_phase"):
        games_services.announce_sale(game=old, **evening.who(CALLER))
    open_game(2)(evening)
    with refuses("stale_page"):
        games_services.announce_sale(game=old, **evening.who(CALLER))


def test_publishing_needs_a_hall_manager_of_the_hall() -> None:
    evening = Evening()
    with refuses("not_allowed"):
        publish(evening, evening.who(CASHIER))
