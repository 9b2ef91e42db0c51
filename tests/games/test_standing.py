"""How a hall stands, at every stage, read from rows that PostgreSQL holds."""

import pytest

from draws.balls import draw
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.games.queries import get_hall_state, last_check
from draws.sales import issues_to_offer
from halls.models import Hall, Role
from tests.support.evening import STAGES, Evening
from tests.support.planting_rows import plant
from tests.support.service_commands.second_issues import exhausted

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_hall_stands_at_its_stage_and_head() -> None:
    evening = Evening()
    phases = []
    for stage in STAGES:
        evening.reach(stage)
        now = get_hall_state("sala")
        assert now.number == Hall.objects.get().head_number
        assert (now.session is None, now.game is None) == (stage == "none", now.game_state is None)
        phases.append(now.phase)
    assert phases == [
        "none", "none", "none", "prepared", "selling", "selling", "closed", "drawing", "stopped",
        "stopped", "window", "stopped", "paying",
    ]  # fmt: skip


def test_unknown_hall_stands_nowhere() -> None:
    with pytest.raises(Hall.DoesNotExist):
        get_hall_state("nowhere")


@pytest.mark.slow
@pytest.mark.rule(43)
def test_card_looked_at_is_shown_until_the_draw_goes_on() -> None:
    evening = Evening().reach("drawing")
    chief, caller = evening.who(Role.TABLE_CHIEF), evening.who(Role.CALLER)
    assert last_check(get_hall_state("sala")) is None
    draw.call_claim(game=evening.game, combination="bingo", **caller)
    assert last_check(get_hall_state("sala")) is None
    entry = claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=90, sound=True, **chief
    )
    assert last_check(get_hall_state("sala")) == entry
    shown = board("sala")[1]["check"]
    assert (shown["card"], shown["verdict"]) == (90, "wrong")
    claims_services.resume(game=evening.game, **chief)
    assert last_check(get_hall_state("sala")) is None
    assert board("sala")[1]["check"] is None


@pytest.mark.rule(29)
def test_board_shows_prizes_growing_while_cards_are_sold() -> None:
    evening = Evening().reach("selling")
    nothing = board("sala")[1]
    evening.reach("sold")
    number, shown = board("sala")
    assert number == Hall.objects.get().head_number
    assert (nothing["cards"], shown["cards"]) == (0, 6)
    assert nothing["prizes"] != shown["prizes"]
    evening.reach("closed")
    fixed = board("sala")[1]["prizes"]
    assert [fixed[name] for name in ("line", "bingo")] == [
        shown["prizes"][name] for name in ("line", "bingo")
    ]
    # The jackpot grows at that moment, not before.
    assert nothing["prizes"]["jackpot"] == shown["prizes"]["jackpot"] != fixed["jackpot"]


@pytest.mark.slow
def test_board_of_a_hall_with_no_session_is_empty() -> None:
    evening = Evening()
    assert board("sala")[1]["phase"] == "none"
    evening.reach("paying")
    shown = board("sala")[1]
    assert shown["balls"] == evening.numbers()
    assert [one["cards"] for one in shown["winners"]] == [["1"]] * len(shown["winners"])


def followers(evening: Evening) -> tuple[issues_to_offer.Second, ...]:
    """Return what may follow the first issue of the game."""
    game = get_hall_state("sala").game_state
    assert game is not None
    return issues_to_offer.seconds(evening.hall, game, evening.issue().face).ready


@pytest.mark.slow
@pytest.mark.rule(38)
def test_second_issue_is_offered_when_it_is_fresh_and_alike() -> None:
    evening = Evening().reach("sold")
    exhausted(evening)
    assert [one.issue for one in followers(evening)] == [evening.issue(2)]
    plant(evening.hall.issues.filter(identification="sala-2"), face=1)
    assert followers(evening) == ()
