"""The window: the hall is given time before a prize is closed for good."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.boards.queries import board
from draws.cards import series, stock
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.models import ClaimCheck, Prize
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales.issues_to_offer import seconds
from halls.models import Hall, Role
from tests.support.evening import BACK_COLOUR, FACE, FACE_COLOUR, SIZE, Evening
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


@pytest.mark.rule(46)
def test_window_stays_open_for_the_least_time() -> None:
    evening = Evening().reach("window")
    chief, now = evening.person(Role.TABLE_CHIEF), timezone.now()
    with pytest.raises(Refusal) as refused:
        claims_services.close_window(game=evening.game, least=3, by=chief, at=now)
    assert refused.value == Refusal("window_too_short", left=3)
    assert not Prize.objects.exists()
    later = now + timedelta(seconds=3)
    assert claims_services.close_window(game=evening.game, least=3, by=chief, at=later)


def test_ball_of_the_rng_cannot_be_recalled_and_one_by_hand_can() -> None:
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    draw.announce_ball(game=evening.game, number=1, **caller)
    draw.recall_ball(game=evening.game, number=1, **caller)
    drawn = draw.draw_ball(game=evening.game, **caller)
    with pytest.raises(Refusal) as refused:
        draw.recall_ball(game=evening.game, number=drawn.number, **caller)
    assert refused.value == Refusal("drawn_by_rng", number=drawn.number)
    assert [ball.number for ball in evening.game.balls.all()] == [drawn.number]


@pytest.mark.rule(46)
def test_window_closes_though_the_clock_was_set_back() -> None:
    evening = Evening().reach("window")
    chief, now = evening.person(Role.TABLE_CHIEF), timezone.now()
    assert claims_services.close_window(
        game=evening.game, least=3, by=chief, at=now - timedelta(hours=1)
    )


@pytest.mark.rule(43)
@pytest.mark.slow
def test_card_of_another_kind_is_a_claim_refused_on_record_and_in_the_acta() -> None:
    evening = Evening().reach("stopped")
    manager, chief = evening.who(Role.HALL_MANAGER), evening.who(Role.TABLE_CHIEF)
    matrix = series.publish(hall=evening.hall, format=80, letter="B", size=120, **manager)
    box = stock.receive(
        hall=evening.hall, series=matrix, identification="80", face=FACE, face_colour=FACE_COLOUR,
        back_colour="green", counted=120, **manager,
    )  # fmt: skip
    entry = claims_services.check(
        game=evening.game, combination="bingo", issue=box, card=5, sound=True, **chief
    )
    verdict = (entry.data["valid"], entry.data["reason"], entry.data["why"], entry.data["format"])
    assert verdict == (False, "not_sold", "other_format", 80)
    check = ClaimCheck.objects.get()
    assert (check.valid, check.reason, check.issue) == (False, "not_sold", box)
    assert board(evening.hall.code)[1]["check"]["verdict"] == "wrong"
    for desk in ("table", "caller"):
        assert evening.at(desk).get(f"/{desk}/").status_code == 200
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(38)
@pytest.mark.slow
def test_issue_of_symbols_is_no_second_issue_of_one_of_numbers() -> None:
    evening = Evening(format=30)
    manager, chief = evening.who(Role.HALL_MANAGER), evening.who(Role.TABLE_CHIEF)
    box = stock.receive(
        hall=evening.hall, series=evening.issue().series, identification="sinais", face=FACE,
        face_colour=FACE_COLOUR, back_colour=BACK_COLOUR, counted=SIZE, symbols=True, **manager,
    )  # fmt: skip
    evening.reach("sold").reach("closed")
    games_services.void(game=evening.game, cause="other", reason="Falha", **chief)
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=6, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    with refuses(Refusal("symbols_and_numbers", identification="sinais")):
        games_services.open_second_issue(game=evening.game, issue=box, **chief)
    known = get_hall_state(evening.hall.code).game_state
    assert known is not None
    offered = seconds(evening.hall, known, FACE)
    assert [one.issue for one in offered.ready] == [evening.issue(2)]
    assert box not in [issue for issue, _why in offered.unfit]
    games_services.open_second_issue(game=evening.game, issue=evening.issue(2), **chief)
    assert audit(Hall.objects.get()) == []
