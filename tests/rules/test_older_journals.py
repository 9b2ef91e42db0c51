"""Journals written before a fact told all that it tells today are read as they were."""

import json
from pathlib import Path
from typing import Any

import pytest

from bingo.rules import policies, session, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import Play

JOURNALS = Path(__file__).parent / "journals"


def journal(name: str) -> list[Fact]:
    """A session's journal as it was written then, a fact a line."""
    lines = (JOURNALS / f"{name}.jsonl").read_text().splitlines()
    return [Fact(**json.loads(line)) for line in lines]


def closed_with_a_prize_unpaid() -> Play:
    """A till counted while a winning card waits for its money."""
    play = Play().till().till("T2").drawing().bingo(1)
    due = next(one.cash for one in play.state.shifts if one.till == "T1")
    told = play.do("shift_closed", till="T1", counted=due, comment="")
    assert [one["card"] for one in told["unpaid"]] == [1]
    return play


def told_otherwise(play: Play, **changed: Any) -> list[Fact]:
    """The journal with its last fact changed; what is None is left out."""
    *before, last = play.journal
    data = {name: told for name, told in (last.data | changed).items() if told is not None}
    return [*before, Fact(last.kind, data)]


@pytest.mark.rule(44)
def test_till_closed_before_unpaid_prizes_were_told_is_read_as_it_was() -> None:
    play = closed_with_a_prize_unpaid()
    assert session.replay(told_otherwise(play, unpaid=None)) == play.state
    play.pay(1, till="T2")
    play.do("entry_completed")


@pytest.mark.parametrize("changed", [{"unpaid": []}, {"difference": None}, {"expected": 1}])
def test_till_closed_with_something_else_missing_is_not(changed: dict[str, Any]) -> None:
    play = closed_with_a_prize_unpaid()
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay(told_otherwise(play, **changed))


@pytest.mark.rule(6)
@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("name", "lines", "taxes", "held"),
    [
        # Coin 50.00 and 20 %: whole coins one by one, the tax down to a coin, nothing carried.
        ("coin_by_coin_no_jackpot", [100_00, 100_00, 50_00, 400_00, 350_00], 550_00 + 150_00, 0),
        ("coin_by_coin_jackpot", [275_00, 250_00], 400_00, 523_00),
    ],
)
def test_prizes_shared_coin_by_coin_are_read_as_they_were(
    name: str, lines: list[int], taxes: int, held: int
) -> None:
    facts = journal(name)
    state = session.replay(facts)
    assert state is not None
    assert not state.open
    awards = [one for fact in facts if fact.kind == "window_closed" for one in fact.data["awards"]]
    assert [one["amount"] for one in awards if one["combination"] == "line"] == lines
    assert sum(one["tax"] for one in awards) == taxes
    assert sum(one.balance for one in state.jackpots) + state.carried == held
    assert session_state.load(json.loads(json.dumps(session_state.dump(state)))) == state


@pytest.mark.rule(6)
def test_older_prizes_are_not_read_by_the_terms_of_today() -> None:
    opened, *later = journal("coin_by_coin_no_jackpot")
    today = Fact(opened.kind, opened.data | {"cash_rounding": "each_winner"})
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay([today, *later])


def test_session_of_today_is_not_read_as_an_older_one() -> None:
    policy = policies.record(tills=("T1",), cash_step=50_00)
    play = Play(policy=policy).till().selling(face=250_00)
    play.sell(5)
    play.begin_draw().balls(*range(1, 91)).call("line")
    for card in (1, 2, 3):
        play.check("line", card)
    play.window()
    opened, *later = play.journal
    older = Fact(opened.kind, {k: v for k, v in opened.data.items() if k != "cash_rounding"})
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay([older, *later])
