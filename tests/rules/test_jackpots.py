"""Levels, ceilings and schedules of the progressive prize (R9-R13)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import jackpots, session_opening, session_state
from bingo.rules.jackpots import Jackpot, Limit, Schedule
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import JACKPOT, NO_TAX, WHOLE_GAMES, Play, numbers, terms, within

# Three per cent of the fund in two levels (R10), the second within fewer balls.
FIRST = JACKPOT | {"rate": 200}
SECOND = {"rate": 100, "base": 100_00, "balance": 40_00} | within(20)
ONE = Jackpot(300, 0, base=100_00, balance=100_00, limits=(Limit(90, 40),))
RISING = (Limit(90, 40, most=41),)
OLDER = Jackpot(rate=300, limit=40, base=100_00, balance=100_00)


def two_levels(**changes: Any) -> Play:
    return Play(jackpot=FIRST | changes, levels=[SECOND], tax=NO_TAX).till()


@pytest.mark.rule(10)
def test_each_level_takes_its_own_rate_and_together_they_are_the_authorised_one() -> None:
    play = two_levels().drawing(10)
    fixed = play.game.prizes
    assert fixed is not None
    # 2 % and 1 % of 80 % of 20.00
    assert play.game.jackpot_balances == (800_00 + 32, 40_00 + 16)
    assert (fixed.jackpot, fixed.line + fixed.bingo + fixed.jackpot) == (48, fixed.fund)
    assert [one.balance for one in play.state.jackpots] == [800_32, 40_16]


@pytest.mark.rule(9)
@pytest.mark.rule(11)
@pytest.mark.parametrize(
    ("others", "won"),
    [(5, ["jackpot", "jackpot_2"]), (6, ["jackpot"]), (30, ["jackpot"]), (31, [])],
)
def test_each_level_is_won_within_its_own_number_of_balls(others: int, won: list[str]) -> None:
    play = two_levels().drawing(10)
    play.balls(*[number for number in range(1, 91) if number not in numbers(1)][:others]).bingo()
    assert [a.combination for a in play.game.awards if a.combination.startswith("j")] == won
    held = (500_00 if won else 800_32, 100_00 if len(won) == 2 else 40_16)
    assert play.game.jackpot_balances == held
    play.pay(1)
    paid = play.do("entry_completed")["paid"]
    assert paid["jackpot"] == (800_32 if won else 0)
    assert paid["jackpot_2"] == (40_16 if len(won) == 2 else 0)


@pytest.mark.rule(57)
def test_void_gives_back_what_every_level_was_given() -> None:
    play = two_levels().drawing(10).void("other")
    assert play.game.jackpot_balances == (800_00, 40_00)


@pytest.mark.rule(10)
def test_ceiling_leaves_to_the_prizes_what_no_longer_fits() -> None:
    capped = Play(jackpot=JACKPOT | {"ceiling": 800_10}, tax=NO_TAX).till().drawing(10)
    free = Play(jackpot=JACKPOT, tax=NO_TAX).till().drawing(10)
    fixed, usual = capped.game.prizes, free.game.prizes
    assert fixed is not None
    assert usual is not None
    assert (fixed.jackpot, usual.jackpot) == (10, 48)
    assert fixed.line + fixed.bingo == usual.line + usual.bingo + 38
    assert capped.game.jackpot_balance == 800_10


@pytest.mark.rule(10)
def test_jackpot_above_its_ceiling_takes_nothing_and_gives_nothing_back() -> None:
    above = Play(jackpot=JACKPOT | {"ceiling": 799_00}, tax=NO_TAX).till().drawing(10)
    fixed = above.game.prizes
    assert fixed is not None
    assert (fixed.jackpot, fixed.line + fixed.bingo) == (0, 16_00)
    assert above.game.jackpot_balance == 800_00


@pytest.mark.rule(10)
@pytest.mark.parametrize("source", ["line", "bingo"])
def test_jackpot_may_be_taken_from_one_prize(source: str) -> None:
    play = Play(jackpot=JACKPOT | {"source": source}, tax=NO_TAX).till().drawing(10)
    fixed = play.game.prizes
    assert fixed is not None
    whole = {"line": 4_00, "bingo": 12_00}
    assert {"line": fixed.line, "bingo": fixed.bingo} == whole | {source: whole[source] - 48}


@pytest.mark.rule(9)
def test_limit_rises_on_its_schedule_until_it_is_won_and_holds_for_the_session() -> None:
    rising = replace(ONE, schedule=Schedule(every=3, by=2), limits=(Limit(90, 40, most=45),))
    assert [replace(rising, dry=dry).within(90) for dry in (0, 2, 3, 6, 9, 300)] == [
        40, 40, 42, 44, 45, 45,
    ]  # fmt: skip
    assert rising.waited == 1
    assert replace(rising, dry=5, won=True).waited == 0
    scheduled = JACKPOT | within(15, most=16) | {"schedule": {"every": 1, "by": 1}, "dry": 1}
    play = Play(jackpot=scheduled, tax=NO_TAX).till().drawing()
    play.balls(*[number for number in range(1, 91) if number not in numbers(1)][:1]).bingo()
    assert play.game.has_won("jackpot")
    assert play.state.jackpots[0].waited == 0
    assert session_state.load(session_state.dump(play.state)) == play.state


def test_session_without_levels_is_written_as_it_always_was() -> None:
    play = Play(jackpot=JACKPOT).till().drawing().bingo()
    assert session_state.dump(play.state)["jackpot"] == JACKPOT | {"balance": 500_00}
    assert not {"levels", "until"} & session_state.dump(play.state).keys()


@pytest.mark.rule(9)
@pytest.mark.rule(12)
@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"limits": ()}, "jackpot_limit_missing"),
        ({"limit": 40}, "bad_jackpot"),
        ({"limits": (Limit(90, 14),)}, "jackpot_limit_out_of_range"),
        ({"limits": (Limit(90, 90),)}, "jackpot_limit_out_of_range"),
        ({"limits": (Limit(90, 10**9),)}, "jackpot_limit_out_of_range"),
        ({"limits": (Limit(90, 40), Limit(90, 41))}, "jackpot_limit_repeated"),
        ({"limits": (Limit(30, 20),)}, "format_not_authorised"),
        ({"limits": (Limit(90, 40, most=41),)}, "jackpot_rises_never"),
        ({"base": -1}, "bad_jackpot"),
        ({"ceiling": 100_00}, "jackpot_ceiling_below_base"),
        ({"ceiling": -1}, "jackpot_ceiling_below_base"),
        ({"source": "house"}, "unknown_source_of_jackpot"),
        ({"schedule": Schedule(0, 1), "limits": RISING}, "bad_jackpot_schedule"),
        ({"schedule": Schedule(1, 0), "limits": RISING}, "bad_jackpot_schedule"),
        ({"schedule": Schedule(1, 1, 45), "limits": RISING}, "bad_jackpot_schedule"),
        ({"schedule": Schedule(1, 1)}, "bad_jackpot_schedule"),
        ({"schedule": Schedule(1, 1), "limits": (Limit(90, 40, 40),)}, "bad_jackpot_schedule"),
        ({"schedule": Schedule(1, 1), "limits": (Limit(90, 40, 90),)}, "bad_jackpot_schedule"),
    ],
)
def test_jackpot_that_nobody_could_play_for_is_refused(changed: dict[str, Any], code: str) -> None:
    jackpots.check(
        [replace(ONE, ceiling=200_00, schedule=Schedule(1, 1), limits=RISING)], formats=[90]
    )
    with pytest.raises(Refusal, match=code):
        jackpots.check([replace(ONE, **changed)], formats=[90])


@pytest.mark.rule(9)
def test_level_that_takes_nothing_is_told_apart_from_numbers_that_cannot_be() -> None:
    for levels in ([replace(ONE, rate=0)], [ONE, replace(ONE, rate=0, limits=())]):
        with pytest.raises(Refusal, match="jackpot_takes_nothing"):
            jackpots.check(levels, formats=[90])


@pytest.mark.rule(9)
@pytest.mark.parametrize("most", [0, 75])
def test_refused_schedule_names_the_format_and_the_bound_that_hold_for_its_limit(most: int) -> None:
    level = replace(ONE, schedule=Schedule(3, 1), limits=(Limit(75, 40, most), Limit(90, 45)))
    with pytest.raises(Refusal) as raised:
        jackpots.check([level], formats=[75, 90])
    assert raised.value == Refusal(
        "bad_jackpot_schedule", sessions=1000, format=75, limit=40, most=74
    )


@pytest.mark.rule(9)
@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"limit": 91}, "bad_jackpot"),
        ({"limit": 0}, "jackpot_limit_missing"),
        ({"schedule": Schedule(1, 1, 40)}, "bad_jackpot_schedule"),
        ({"schedule": Schedule(1, 1, 91)}, "bad_jackpot_schedule"),
    ],
)
def test_one_limit_of_older_journals_is_judged_as_it_was(
    changed: dict[str, Any], code: str
) -> None:
    jackpots.check([replace(OLDER, schedule=Schedule(1, 1, 41))], formats=[90])
    with pytest.raises(Refusal, match=code):
        jackpots.check([replace(OLDER, **changed)], formats=[90])


def test_levels_are_few_and_each_has_its_rate() -> None:
    with pytest.raises(Refusal, match="too_many_levels"):
        jackpots.check([ONE] * 4, formats=[90])
    with pytest.raises(Refusal, match="jackpot_takes_nothing"):
        jackpots.check([ONE, replace(ONE, rate=0)], formats=[90])
    with pytest.raises(Refusal, match="jackpot_rate_differs"):
        session_opening.open_session(**terms(jackpot=JACKPOT, levels=[SECOND]))


@pytest.mark.rule(12)
def test_jackpot_is_not_played_for_after_its_last_day() -> None:
    jackpots.require_in_time(None, "2026-05-01")
    jackpots.require_in_time("2026-05-01", "2026-05-01")
    with pytest.raises(Refusal, match="jackpot_time_over"):
        jackpots.require_in_time("2026-05-01", "2026-05-02")


@pytest.mark.slow
@given(
    sales=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    ends=st.lists(st.sampled_from(["won", "late", "void"]), min_size=5, max_size=5),
    ceiling=st.sampled_from([0, 800_01, 801_00]),
    source=st.sampled_from(["proportional", "line", "bingo"]),
)
@WHOLE_GAMES
def test_what_is_taken_for_cards_is_the_halls_the_winners_or_still_held(
    sales: list[int], ends: list[str], ceiling: int, source: str
) -> None:
    """Gross = the hall's part + prizes paid + what the levels hold more; no cent made or lost."""
    play = two_levels(ceiling=ceiling, source=source)
    held = sum(one.balance for one in play.state.jackpots)
    sold = 0
    for cards, end in zip(sales, ends, strict=False):
        play.selling(last_sold=sold).sell(cards)
        play.begin_draw()
        fund, gross = play.game.growing.fund, play.game.gross
        if end == "late":
            play.balls(*range(1, 91))
        if end == "void":
            play.void()
            play.refund(sold + 1, sold + cards)
        else:
            play.bingo(sold + 1)
            play.pay(sold + 1)
        sold += cards
        done = play.do("entry_completed")
        paid = sum(done["paid"].values())
        restored = sum(
            one.base
            for level, one in enumerate(play.game.jackpots)
            if play.game.has_won(jackpots.prize(level))
        )
        now = sum(one.balance for one in play.state.jackpots)
        assert gross - fund * (end != "void") + paid + (now - held) - restored == gross
        held = now
