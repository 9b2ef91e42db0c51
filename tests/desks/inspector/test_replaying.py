"""The page of a replay: what it tells is the journal's, at any moment, for whoever may read."""

import json
import re
from typing import Any

import pytest

from draws import trade_words
from draws.balls import draw
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.desks.inspector.replay import SPEEDS
from draws.games import services as games_services
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import STAGES, Evening, browser_of, within
from tests.support.linked_jackpots import fund, linked, too_late
from tests.support.rng_games import void
from tests.support.service_commands.games import double_cards, voided
from tests.support.service_commands.prizes import paid
from tests.support.till_hall import dear_cards

pytestmark = pytest.mark.django_db

PATH = "/inspector/1/1/replay/"


def played(evening: Evening, query: str = "") -> dict[str, Any]:
    """What the page gives its script."""
    page = evening.at("inspector").get(f"{PATH}{query}").content.decode()
    found = re.search(
        r'<script id="played" type="application/json">(.*?)</script>', page, re.DOTALL
    )
    assert found is not None
    value: dict[str, Any] = json.loads(found[1])
    return value


@pytest.mark.slow
@pytest.mark.rule(61)
def test_steps_are_the_entries_of_the_game_in_order() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    told = played(evening)
    entries = JournalEntry.objects.filter(game=1).order_by("number")
    assert [step["n"] for step in told["steps"]] == list(entries.values_list("number", flat=True))
    times = [step["t"] for step in told["steps"]]
    assert times[0] == 0
    assert times == sorted(times)
    balls = [step["ball"]["number"] for step in told["steps"] if "ball" in step]
    assert balls == evening.numbers()
    [check] = [step["check"] for step in told["steps"] if "check" in step]
    assert (check["card"], check["valid"]) == ("1", True)
    assert told["sales"][0]["till"] == "Caixa 1"
    assert len(told["cards"]) == 6


@pytest.mark.slow
@pytest.mark.rule(43)
def test_checked_card_of_another_issue_is_none_of_the_games() -> None:
    evening = Evening().reach("stopped")
    for issue in (foreign := dear_cards(evening), evening.issue()):
        claims_services.check(
            game=evening.game, combination="bingo", issue=issue, card=1, sound=True,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    checks = [step["check"] for step in played(evening)["steps"] if "check" in step]
    assert [check["card"] for check in checks] == [f"{foreign} · 1", "1"]


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES[3:])
def test_game_is_replayed_however_far_it_has_come(stage: str) -> None:
    evening = Evening().reach(stage)
    assert played(evening)["steps"]


def test_void_game_is_replayed() -> None:
    evening = Evening().reach("sold")
    voided(evening)
    last = [step for step in played(evening)["steps"] if "money" in step][-1]
    assert last["n"] == JournalEntry.objects.get(kind="game_voided").number
    assert [label for label, _amount in last["money"]] == ["Recolhido", "Reembolsado"]


@pytest.mark.rule(15)
@pytest.mark.slow
def test_void_first_game_of_double_cards_is_replayed_with_all_that_was_collected() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    void(evening)
    last = [step["money"] for step in played(evening)["steps"] if "money" in step][-1]
    assert {amount.replace("\xa0", " ") for _label, amount in last} == {"2 400,00 CVE"}


@pytest.mark.slow
def test_link_leads_to_its_moment() -> None:
    evening = Evening().reach("paying")
    entry = JournalEntry.objects.get(kind="claim_called")
    told = played(evening, f"?at={entry.number}")
    assert told["steps"][told["from"]]["n"] == entry.number
    for hostile in ("", "?at=x", "?at=0", "?at=-1", "?at=" + "9" * 40, "?at=%00", "?at=1"):
        assert played(evening, hostile)["from"] == 0
    assert played(evening, "?at=" + "9" * 18)["from"] == len(told["steps"]) - 1


@pytest.mark.rule(57)
@pytest.mark.rule(61)
def test_ball_that_is_told_is_the_last_that_is_out_also_after_one_was_recalled() -> None:
    evening = Evening().reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    for number in (7, 41):
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
    draw.recall_ball(game=evening.game, number=41, **evening.who(Role.CALLER))
    draw.announce_ball(game=evening.game, number=14, **evening.who(Role.CALLER))
    shown: dict[str, Any] = {}
    told = []
    for step in played(evening)["steps"]:
        shown |= step
        told.append(shown["ball"]["number"] if shown.get("ball") else None)
        assert told[-1] == (shown["balls"][-1] if shown["balls"] else None), step["kind"]
    assert [number for number in told if number] == [7, 41, 7, 14]


def test_speeds_are_those_asked_for() -> None:
    assert SPEEDS == (1, 2, 5, 10, 30, 60)


@pytest.mark.slow
@pytest.mark.rule("BOE III")
@pytest.mark.rule(10)
def test_linked_jackpot_stands_as_the_board_told_it_then() -> None:
    evening, other = linked("sala", limits=within(15, formats=[90])), too_late("vizinha")
    fund(evening)
    known = {}
    # What the other game adds waits until its bingo was shared, and then counts here.
    for hall, stage in (
        (evening, "selling"), (other, "closed"), (evening, "closed"), (other, "paying"),
        (evening, "drawing"), (evening, "paying"),
    ):  # fmt: skip
        hall.reach(stage)
        if hall is evening:
            number = Hall.objects.get(code="sala").head_number
            known[number] = board("sala")[1]["prizes"]["jackpot"]
    amounts, shown = {}, None
    jackpot = str(trade_words.COMBINATIONS["jackpot"])
    for step in played(evening)["steps"]:
        shown = dict(step["money"])[jackpot] if "money" in step else shown
        amounts[step["n"]] = shown
    assert {number: amounts[number] for number in known} == known
    assert len(set(known.values())) == 3


@pytest.mark.slow
def test_replay_is_for_inspector_and_hall_manager_of_the_hall() -> None:
    evening = Evening().reach("sold")
    for role in Role:
        expected = 200 if role in (Role.INSPECTOR, Role.HALL_MANAGER) else 403
        assert browser_of(evening.person(role)).get(PATH).status_code == expected
    assert Evening("vizinha").at("inspector").get(PATH).status_code == 404
    assert evening.at("inspector").get("/inspector/1/9/replay/").status_code == 404
    assert evening.at("inspector").post(PATH).status_code == 405
