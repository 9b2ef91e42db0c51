"""The last game is announced ten minutes before the planned end, and no sale follows it (R53)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import (
    journal_json_and_chain,
    rulebooks,
    session,
    session_end_and_totals,
    session_state,
)
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from tests.support.double_cards import between, sold, won
from tests.support.rules_playing import ENDS, FACE, WHOLE_GAMES, Play, an_issue

pytestmark = pytest.mark.rule(53)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
NEXT: dict[str, Any] = {"format": 90, "face": 200, "issue": an_issue(2), "matrix": "ab" * 32}


def at(minutes: float) -> str:
    """A moment so many minutes after noon."""
    return journal_json_and_chain.written_moment(NOON + timedelta(minutes=minutes))


def unplanned() -> Play:
    """A session of the days when its end was planned after its opening, or not at all."""
    return Play(duties=None, ends_at=None, moment=None)


def plan(play: Play, minutes: float, *, now: float = 0, reason: str = "") -> dict[str, Any]:
    return play.do("session_end_planned", ends_at=at(minutes), reason=reason, moment=at(now))


def announce(play: Play, minutes: float) -> int:
    number: int = play.do("last_game_announced", moment=at(minutes))["game"]
    return number


def test_words_are_the_rule_books_own() -> None:
    said = rulebooks.get("cape-verde-2017").announcements.last_game
    assert said == "É a última jogada desta sessão."


def test_last_game_is_announced_ten_minutes_before_the_end_and_not_earlier() -> None:
    play = unplanned()
    plan(play, 60)
    early = play.refused("last_game_announced", moment=at(50 - 1 / 60))
    assert early == Refusal("last_game_too_early", left=1)
    assert announce(play, 50) == 1
    again = play.refused("last_game_announced", moment=at(51))
    assert again == Refusal("last_game_announced", game=1)


def test_nothing_is_announced_where_no_end_is_planned() -> None:
    assert unplanned().refused("last_game_announced", moment=at(0)).code == "no_session_end"


def test_announced_game_is_played_whatever_the_hour_and_none_follows() -> None:
    play = unplanned().till()
    plan(play, 60)
    play.drawing()
    assert announce(play, 55) == 1
    play.bingo(1).pay(1)
    play.do("entry_completed")
    assert play.refused("game_opened", **NEXT) == Refusal("last_game_played", game=1)
    assert session.replay(play.journal) == play.state
    play.do("shift_closed", till="T1", counted=play.state.shifts[0].cash, comment="")
    play.do("session_closed")


def test_between_games_the_next_one_is_the_last() -> None:
    play = unplanned().till()
    plan(play, 60)
    play.drawing().bingo(1)
    # Its balls are over: nobody can say of it that it is the last.
    assert announce(play, 50) == 2
    play.pay(1)
    play.do("entry_completed")
    play.opened(2).do("sale_announced")
    play.do("game_voided", cause="nothing_sold", reason="ninguém")
    play.do("entry_completed")
    assert play.refused("game_opened", **NEXT | {"issue": an_issue(3)}).code == "last_game_played"


@pytest.mark.rule(15)
def test_second_game_of_double_cards_belongs_to_the_last() -> None:
    for play in (sold(), between()):
        plan(play, 60, reason="Sala cheia")
        assert announce(play, 50) == 2
        assert play.refused("game_opened", **NEXT).code in ("game_not_complete", "second_half_due")
    play.do("second_half_opened")
    play.do("game_voided", cause="other", reason="x")


def test_end_is_moved_with_a_reason_until_the_last_game_is_announced() -> None:
    play = unplanned()
    assert "before" not in plan(play, 60)
    moved = {"ends_at": at(90), "moment": at(5)}
    assert play.refused("session_end_planned", **moved, reason=" ").code == "reason_missing"
    assert plan(play, 90, now=55, reason="Sala cheia")["before"] == at(60)
    assert play.refused("last_game_announced", moment=at(79)).code == "last_game_too_early"
    announce(play, 80)
    told = play.refused("session_end_planned", **moved, reason="Mais um pouco")
    assert told == Refusal("last_game_announced", game=1)
    assert session.replay(play.journal) == play.state


@pytest.mark.parametrize("minutes", [0, -1, 24 * 60 + 1])
def test_end_is_later_than_now_and_within_a_day(minutes: int) -> None:
    told = unplanned().refused("session_end_planned", ends_at=at(minutes), reason="", moment=at(0))
    assert told == Refusal("bad_session_end")
    plan(unplanned(), 24 * 60)


@pytest.mark.parametrize(
    "text",
    ["", "x", "2026-11-20", "2026-11-20T12:00:00", "2026-11-20T12:00:00Z", 7, None,
     "2026-11-20T12:00:00+01:00", "2026-11-20T12:00:00.5+00:00", "0001-01-01T00:00:00+23:59"],
)  # fmt: skip
def test_moment_that_cannot_be_read_is_refused(text: Any) -> None:
    for changed in ({"ends_at": text, "moment": at(0)}, {"ends_at": at(9), "moment": text}):
        told = unplanned().refused("session_end_planned", reason="", **changed)
        assert told == Refusal("bad_moment")


def test_session_without_an_end_is_kept_as_it_always_was() -> None:
    play = unplanned()
    assert "ending" not in session_state.dump(play.state)
    plan(play, 60)
    assert session_state.load(session_state.dump(play.state)) == play.state
    assert session_state.dump(play.state)["ending"] == {"ends_at": at(60), "last_game": 0}


def test_announcement_of_another_game_is_not_followed() -> None:
    play = unplanned()
    plan(play, 60)
    announce(play, 50)
    *before, last = play.journal
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay([*before, Fact(last.kind, last.data | {"game": 9})])


@WHOLE_GAMES
@given(
    end=st.integers(1, 120),
    tries=st.lists(st.integers(0, 150), min_size=1, max_size=6),
)
def test_no_game_is_announced_as_the_last_before_its_time(end: int, tries: list[int]) -> None:
    play = unplanned()
    plan(play, end)
    for minute in sorted(tries):
        if minute < end - 10:
            assert play.refused("last_game_announced", moment=at(minute)).code == (
                "last_game_too_early"
            )
        else:
            assert announce(play, minute) == 1
            return


def bound(minutes: float = 60) -> Play:
    """A session opened at noon that ends so many minutes later, with a till."""
    return Play(ends_at=at(minutes), moment=at(0)).till()


@pytest.mark.slow
def test_session_opens_with_its_end_planned() -> None:
    assert Play().state.ending == session_state.Ending(ends_at=ENDS)
    for missing in ({"ends_at": None}, {"moment": None}):
        with pytest.raises(Refusal, match="session_end_missing"):
            Play(**missing)
    for minutes in (0, -1, 24 * 60 + 1):
        with pytest.raises(Refusal, match="bad_session_end"):
            bound(minutes)
    for text in ("", "22:00", "2026-11-20T13:00:00+01:00"):
        with pytest.raises(Refusal, match="bad_moment"):
            Play(ends_at=text, moment=at(0))


def test_sale_of_the_last_ten_minutes_is_announced_as_the_last() -> None:
    play = bound().opened()
    play.do("sale_announced", moment=at(50 - 1 / 60))
    late = bound().opened()
    assert late.refused("sale_announced", moment=at(50)) == Refusal("last_game_due")
    assert late.refused("sale_announced", moment=at(200)) == Refusal("last_game_due")
    assert announce(late, 50) == 1
    late.do("sale_announced", moment=at(51))
    late.do("game_voided", cause="nothing_sold", reason="ninguém")
    late.do("entry_completed")
    assert late.refused("game_opened", **NEXT) == Refusal("last_game_played", game=1)
    assert session.replay(late.journal) == late.state


def test_sale_does_not_begin_without_its_moment() -> None:
    assert bound().opened().refused("sale_announced", moment=None) == Refusal("bad_moment")


def test_end_moved_before_the_announcement_lets_the_next_sale_begin() -> None:
    play = bound().opened()
    plan(play, 90, now=52, reason="Sala cheia")
    play.do("sale_announced", moment=at(53))


def test_session_older_than_its_duties_sells_without_an_announcement() -> None:
    play = unplanned()
    plan(play, 60)
    play.opened().do("sale_announced", moment=None)
    assert session.replay(play.journal) == play.state


@WHOLE_GAMES
@given(end=st.integers(1, 300), said=st.integers(0, 400), told=st.integers(0, 400))
def test_no_sale_of_the_last_ten_minutes_begins_unannounced(end: int, said: int, told: int) -> None:
    play = bound(end).opened()
    if said >= end - 10:
        announce(play, said)
    if told < end - 10 or said >= end - 10:
        play.do("sale_announced", moment=at(told))
    else:
        assert play.refused("sale_announced", moment=at(told)) == Refusal("last_game_due")


@pytest.mark.rule(15)
def test_void_first_half_of_the_last_game_is_followed_by_no_sale() -> None:
    play = sold()
    plan(play, 60, reason="The hall is full")
    assert announce(play, 50) == 2
    play.void().refund(1, 6)
    play.do("entry_completed")
    assert play.refused("game_opened", **NEXT).code == "last_game_played"
    assert session_end_and_totals.is_over(play.state)


@pytest.mark.rule(15)
def test_last_game_of_double_cards_is_over_with_its_second_half() -> None:
    """It was said before the game was opened: nobody knew yet that it would be two."""
    play = Play().till()
    plan(play, 60, reason="The hall is full")
    assert announce(play, 50) == 1
    issue = an_issue() | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=issue, matrix="ab" * 32)
    play.do("sale_announced")
    play.sell(6)
    won(play.begin_draw(), line=1, bingo=2).do("entry_completed")
    assert play.state.half_due
    assert not session_end_and_totals.is_over(play.state)
    play.do("second_half_opened")
    assert not session_end_and_totals.is_over(play.state)
