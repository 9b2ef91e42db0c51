"""A repeated request gets what the first one got, whatever has happened in between."""

from datetime import timedelta
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Prize
from draws.sales import services as sales_services
from halls import tills
from halls.models import Role
from tests.support.evening import FLOAT, Evening
from tests.support.playing import everything, refuses
from tests.support.service_commands.sales import sell
from tests.support.service_commands.second_issues import exhausted

pytestmark = pytest.mark.django_db

CASHIER, CALLER, CHIEF = Role.CASHIER, Role.CALLER, Role.TABLE_CHIEF


def test_game_opened_again_after_sales_is_the_same_game() -> None:
    evening = Evening().reach("shift")
    who = {**evening.who(CHIEF), "key": uuid4()}
    game = games_services.open_game(session=evening.session, issue=evening.issue(), **who)
    games_services.announce_sale(game=game, **evening.who(CALLER))
    sell(evening, evening.who(CASHIER))
    assert games_services.open_game(session=evening.session, issue=evening.issue(), **who) == game


def test_second_issue_opened_again_after_sales_is_open_once() -> None:
    evening = Evening().reach("sold")
    exhausted(evening)
    who = {**evening.who(CHIEF), "key": uuid4()}
    games_services.open_second_issue(game=evening.game, issue=evening.issue(2), **who)
    sell(evening, evening.who(CASHIER))
    before = everything()
    games_services.open_second_issue(game=evening.game, issue=evening.issue(2), **who)
    assert everything() == before
    assert list(evening.game.further.all()) == [evening.issue(2)]


def test_shift_opened_again_after_its_count_is_the_same_shift() -> None:
    evening = Evening().reach("session")
    cashier = evening.who(CASHIER)
    session, till = evening.session, evening.hall.tills.order_by("pk")[0]
    who = {**cashier, "key": uuid4()}
    shift = tills.open_shift(session=session, till=till, float=5, **who)
    tills.close_shift(shift=shift, counted=5, comment="", **cashier)
    assert tills.open_shift(session=session, till=till, float=5, **who) == shift


def test_ball_announced_again_after_its_recall_is_told_and_not_posted() -> None:
    evening = Evening().reach("drawing")
    caller = evening.who(CALLER)
    number = next(one for one in range(1, 91) if one not in evening.numbers())
    who = {**caller, "key": uuid4()}
    draw.announce_ball(game=evening.game, number=number, **who)
    draw.recall_ball(game=evening.game, number=number, **caller)
    told = draw.announce_ball(game=evening.game, number=number, **who)
    assert (told.number, told.order) == (number, 16)
    assert evening.game.balls.count() == 15


@pytest.mark.rule(46)
def test_window_closed_again_after_the_next_gives_its_own_prizes() -> None:
    evening = Evening().reach("stopped")
    chief, who = evening.who(CHIEF), {**evening.who(CHIEF), "key": uuid4()}

    def check(combination: str) -> None:
        claims_services.check(
            game=evening.game, combination=combination, issue=evening.issue(), card=1,
            sound=True, **chief,
        )  # fmt: skip
        claims_services.open_window(game=evening.game, **chief)

    check("line")
    line = claims_services.close_window(game=evening.game, **who)
    check("bingo")
    claims_services.close_window(game=evening.game, **chief)
    assert claims_services.close_window(game=evening.game, least=3, **who) == line
    assert [prize.combination for prize in line] == ["line"]
    assert Prize.objects.count() > 1


def test_shift_that_was_counted_is_not_taken_for_its_tills_next_one() -> None:
    evening = Evening().reach("selling")
    old, cashier = evening.shift, evening.who(CASHIER)
    tills.close_shift(shift=old, counted=FLOAT, comment="", **cashier)
    tills.open_shift(session=evening.session, till=old.till, float=FLOAT, **cashier)
    with refuses(Refusal("shift_not_open", till=old.till.name)):
        sales_services.sell(game=evening.game, shift=old, quantity=1, **cashier)
    with refuses("shift_not_open"):
        tills.move_cash(shift=old, amount=5, reason="x", **evening.who(Role.HALL_MANAGER))
    with refuses("shift_not_open"):
        tills.close_shift(shift=old, counted=FLOAT, comment="", **cashier)


def test_clock_that_stands_still_or_goes_back_repeats_nothing() -> None:
    evening = Evening().reach("selling")
    who = {**evening.who(CASHIER), "key": uuid4()}
    first = sell(evening, who)
    assert sell(evening, {**who, "at": who["at"] - timedelta(hours=1)}) == first
