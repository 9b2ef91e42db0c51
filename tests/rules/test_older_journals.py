"""Journals written before a fact told all that it tells today are read as they were."""

from typing import Any

import pytest

from bingo.rules import session
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from tests.rules.playing import Play


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
