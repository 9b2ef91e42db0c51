"""A jackpot is won within a number of balls of its own for each kind of bingo, or not at all (R9)."""

from __future__ import annotations

from itertools import product
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import (
    authorisations,
    formats,
    jackpot_chances,
    jackpots,
    journal_json_and_chain,
    patterns,
    session,
    session_state,
)
from bingo.rules.jackpot_account import JackpotAccount
from bingo.rules.jackpots import Jackpot, Limit, Schedule
from bingo.rules.refusal import Refusal
from tests.support.authorisations import USUAL as PAPER
from tests.support.rules_additional_prizes import CARDS, GRANTED, GROSS, SOLD, X, check, numbers_of
from tests.support.rules_playing import FACE, NO_TAX, WHOLE_GAMES, Play, an_issue, within

BASE, HELD = 50_000_00, 50_000_00
CORNERS = list(patterns.draw(patterns.get("four_corners").cells))
TERMS: dict[str, Any] = {"rate": 300, "base": BASE, "balance": HELD}
OLDER = TERMS | {"limit": 40}
KINDS: list[tuple[int, list[str]]] = [(90, []), (75, []), (75, CORNERS), (75, X), (30, [])]


def drawing(jackpot: dict[str, Any], format: int, figure: list[str] | None = None) -> Play:
    """Sell ten cards of a format, for a figure where one is named, and begin the draw."""
    return again(
        Play(formats=[90, 75, 30], distributions=GRANTED, jackpot=jackpot, tax=NO_TAX).till(),
        format,
        figure,
    )


def again(play: Play, format: int, figure: list[str] | None = None) -> Play:
    """Play another game in the same session."""
    asked = {"pattern": figure} if figure else {}
    issue = an_issue(last_sold=dict(play.state.last_sold).get(1, 0))
    play.do("game_opened", format=format, face=FACE, issue=issue, matrix="ab" * 32, **asked)
    play.do("sale_announced")
    play.sell(SOLD)
    return play.begin_draw()


def bingo(play: Play, *, late: int = 0) -> dict[str, int]:
    """Win it with card 1, after so many other balls; what each prize came to."""
    format = formats.get_format(play.game.format)
    card = CARDS[format.highest][0]
    cells = patterns.read(play.game.pattern) if play.game.pattern else patterns.whole(format)
    own = numbers_of(card, cells)
    others = [number for number in format.numbers if number not in own][:late]
    play.balls(*others, *own).call("bingo")
    check(play, "bingo", 1)
    return {one["combination"]: one["amount"] for one in play.window()}


def ended(play: Play) -> Play:
    """Pay the only winner and complete the game."""
    play.do("game_finished")
    play.pay(1)
    play.do("entry_completed")
    return play


@pytest.mark.rule(9)
@pytest.mark.rule(10)
def test_bingo_of_30_wins_no_jackpot_whose_number_is_that_of_90() -> None:
    play = drawing(TERMS | within(40), 30)
    assert play.game.limits == (None,)
    won = bingo(play)
    # All of the fund is the players' of this game: nothing was added to what they do not play for.
    assert won == {"bingo": GROSS * 60 // 100, "column": GROSS * 20 // 100}
    assert play.state.jackpots[0].balance == HELD
    assert not play.game.has_won("jackpot")
    after = again(ended(play), 90)
    assert after.game.limits == (40,)
    assert after.state.jackpots[0].balance == HELD + GROSS * 80 // 100 * 3 // 100
    # The account that the journal proves is what the session holds.
    account = JackpotAccount()
    moved = [one for fact in after.journal for one in account.movements(fact)]
    assert account.balances == [after.state.jackpots[0].balance]
    assert [one.kind for one in moved] == ["carried", "accrued"]
    assert session_state.load(session_state.dump(after.state)) == after.state
    assert session.replay(after.journal) == after.state


@pytest.mark.rule(9)
def test_bingo_of_30_won_every_jackpot_of_older_journals_and_is_read_so() -> None:
    play = drawing(OLDER, 30)
    won = bingo(play, late=20)
    accrued = GROSS * 80 // 100 * 3 // 100
    assert won["jackpot"] == HELD + accrued
    assert "limits" not in play.journal[0].data["jackpot"]
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(9)
@pytest.mark.rule(73)
@pytest.mark.parametrize(
    ("limits", "late", "wins"),
    [
        (within(40) | {}, 0, False),
        (within(50, format=75), 0, False),
        (within(8, format=75, figure=CORNERS), 0, True),
        (within(8, format=75, figure=CORNERS), 4, True),
        (within(8, format=75, figure=CORNERS), 5, False),
        (within(30, format=75, figure=X), 0, False),
    ],
)
def test_four_corners_win_within_their_own_number_only(
    limits: dict[str, Any], late: int, wins: bool
) -> None:
    play = drawing(TERMS | limits, 75, CORNERS)
    won = bingo(play, late=late)
    accrued = GROSS * 80 // 100 * 3 // 100 if limits["limits"][0].get("figure") == CORNERS else 0
    assert won["bingo"] == GROSS * 80 // 100 - accrued
    assert won.get("jackpot", 0) == (HELD + accrued if wins else 0)
    assert play.state.jackpots[0].balance == (BASE if wins else HELD + accrued)


@pytest.mark.rule(9)
def test_figure_is_the_same_with_its_free_centre_and_without() -> None:
    bare = list(patterns.draw(patterns.get("x").cells - formats.SEVENTY_FIVE.free))
    assert bare != X
    level = journal_json_and_chain.load(Jackpot, TERMS | within(30, format=75, figure=X))
    assert level.within(75, bare) == level.within(75, X) == 30
    with pytest.raises(Refusal, match="jackpot_limit_repeated"):
        jackpots.require_limits(
            [Limit(75, 30, figure=tuple(X)), Limit(75, 31, figure=tuple(bare))], formats=[75]
        )


@pytest.mark.slow
@given(
    limited=st.sets(st.sampled_from(range(len(KINDS))), min_size=1),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
    void=st.booleans(),
)
@WHOLE_GAMES
def test_games_add_where_they_play_and_nothing_is_made_or_lost(
    limited: set[int], kinds: list[tuple[int, list[str]]], void: bool
) -> None:
    limits = [
        {"format": format, "balls": 29 if format == 30 else 74}
        | ({"figure": figure} if figure else {})
        for format, figure in (KINDS[at] for at in sorted(limited))
    ]
    play = Play(
        formats=[90, 75, 30], distributions=GRANTED, jackpot=TERMS | {"limits": limits}, tax=NO_TAX
    ).till()
    held, sold = HELD, 0
    for format, figure in kinds:
        issue = an_issue(last_sold=sold)
        asked = {"pattern": figure} if figure else {}
        play.do("game_opened", format=format, face=FACE, issue=issue, matrix="ab" * 32, **asked)
        play.do("sale_announced")
        play.sell(SOLD)
        play.begin_draw()
        sold += SOLD
        plays = KINDS.index((format, figure)) in limited
        fixed = play.game.prizes
        assert fixed is not None
        assert fixed.jackpot == (fixed.fund * 3 // 100 if plays else 0)
        parts = fixed.line + fixed.bingo + fixed.jackpot + sum(one for _name, one in fixed.extras)
        assert parts == fixed.fund
        held += 0 if void else fixed.jackpot
        play.void()
        if not void:
            # A void takes back exactly what the game had added.
            held -= fixed.jackpot
        play.refund(sold - SOLD + 1, sold)
        play.do("entry_completed")
        assert play.state.jackpots[0].balance == HELD
    account = JackpotAccount()
    for fact in play.journal:
        list(account.movements(fact))
    assert account.balances == [play.state.jackpots[0].balance]
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(9)
@pytest.mark.parametrize(
    ("told", "code"),
    [
        ([{"format": 30, "balls": 0}], "jackpot_limit_out_of_range"),
        ([{"format": 30, "balls": 8}], "jackpot_limit_out_of_range"),
        ([{"format": 30, "balls": 30}], "jackpot_limit_out_of_range"),
        ([{"format": 30, "balls": 31}], "jackpot_limit_out_of_range"),
        ([{"format": 90, "balls": 10**9}], "jackpot_limit_out_of_range"),
        ([{"format": 75, "balls": 3, "figure": CORNERS}], "jackpot_limit_out_of_range"),
        ([{"format": 75, "balls": 75, "figure": CORNERS}], "jackpot_limit_out_of_range"),
        ([{"format": 90, "balls": 20, "figure": CORNERS}], "pattern_not_in_format"),
        ([{"format": 75, "balls": 20, "figure": ["X"]}], "pattern_wrong_shape"),
        ([{"format": 80, "balls": 40}], "format_not_authorised"),
        ([{"format": 90, "balls": "40"}], "bad_jackpot"),
        ([{"format": 90, "balls": True}], "bad_jackpot"),
        ([{"format": 90, "balls": -1}], "bad_jackpot"),
        ([{"format": 90, "balls": 40.5}], "bad_jackpot"),
        ([{"format": 90}], "bad_jackpot"),
        ([{"format": 90, "balls": 40, "cards": 1}], "bad_jackpot"),
        ([{"format": 90, "balls": 40, "figure": "X"}], "bad_jackpot"),
        ([[90, 40]], "bad_jackpot"),
        ("90", "bad_jackpot"),
        ([], "jackpot_limit_missing"),
        ([{"format": 90, "balls": 40}, {"format": 90, "balls": 41}], "jackpot_limit_repeated"),
    ],
)
def test_limit_that_no_bingo_or_any_would_be_within_is_refused(told: object, code: str) -> None:
    with pytest.raises(Refusal, match=code):
        granted([90, 75, 30], told)


def granted(kinds: list[int], limits: object, **changed: Any) -> dict[str, Any]:
    """An authorisation with these limits."""
    asked = {
        "formats": kinds,
        "jackpot_rate": 300,
        "jackpot_limit": 0,
        "jackpot_terms": {"limits": limits},
    }
    shares = {"line_share": 2000, "bingo_share": 6000}
    return authorisations.record(**(PAPER | shares | asked | changed))


@pytest.mark.rule(9)
def test_limit_that_is_won_more_often_than_not_needs_a_second_person() -> None:
    rare, often = [{"format": 30, "balls": 13}], [{"format": 30, "balls": 20}]
    assert granted([30], rare)["jackpot_terms"] == {"limits": rare}
    for wanted in (often, [{"format": 75, "balls": 30, "figure": CORNERS}]):
        with pytest.raises(Refusal) as refused:
            granted([75, 30], wanted)
        assert refused.value.code == "second_person_needed"
        assert refused.value.values["cards"] == 1_000
    told = granted([30], often, witness="mesa")
    assert told["witness"] == "mesa"
    assert authorisations.record(**(PAPER | told)) == told
    # What a schedule may raise it to counts, and not only what it begins with.
    rising = {
        "limits": [{"format": 30, "balls": 13, "most": 20}],
        "schedule": {"every": 9, "by": 1},
    }
    with pytest.raises(Refusal, match="second_person_needed"):
        granted([30], [], jackpot_terms=rising)


@pytest.mark.rule(7)
@pytest.mark.rule(9)
def test_floor_of_the_bingo_is_tested_where_the_jackpot_is_played_for() -> None:
    shares = {"line_share": 2500, "bingo_share": 5500}
    with pytest.raises(Refusal, match="bingo_below_floor"):
        granted([90, 30], [{"format": 90, "balls": 40}], **shares)
    # Where the usual shares are those of 30 alone, which gives nothing to it, they stand.
    own = {
        "format": 90, "figure": False, "counts": ["rows"],
        "shares": {"line": 2000, "bingo": 6000},
    }  # fmt: skip
    granted([90, 30], [{"format": 90, "balls": 40}], distributions=[own], **shares)


@pytest.mark.rule(10)
def test_format_gives_to_all_levels_or_to_none_where_the_law_names_the_rate() -> None:
    second = {"rate": 100, "base": 0, "limits": [{"format": 90, "balls": 30}]}
    limits = [{"format": 90, "balls": 40}, {"format": 30, "balls": 12}]
    with pytest.raises(Refusal, match="jackpot_rate_differs"):
        granted([90, 30], limits, jackpot_rate=200, jackpot_levels=[second])
    granted([90, 30], limits[:1], jackpot_rate=200, jackpot_levels=[second])


@pytest.mark.rule(9)
def test_session_opens_on_one_number_of_an_old_paper_only_where_it_can_mean_one_kind() -> None:
    old = [journal_json_and_chain.load(Jackpot, OLDER)]
    jackpots.require_by_kind(old, formats=[90], figures=False)
    jackpots.require_by_kind(
        [journal_json_and_chain.load(Jackpot, TERMS | within(40))], formats=[90, 30], figures=True
    )
    for kinds, figures in (([90, 30], False), ([30], False), ([75], True)):
        with pytest.raises(Refusal, match="jackpot_limits_missing"):
            jackpots.require_by_kind(old, formats=kinds, figures=figures)
    rising = Jackpot(300, 40, 0, 0, schedule=Schedule(1, 1, 90))
    with pytest.raises(Refusal, match="jackpot_limits_missing"):
        jackpots.require_by_kind([rising], formats=[90], figures=False)


@pytest.mark.rule(9)
@pytest.mark.parametrize("balls", [4, 9, 20, 74])
def test_chance_of_a_figure_is_counted_ball_by_ball(balls: int) -> None:
    """Four corners: two numbers of B and two of O; every way in which balls can be out of them."""
    every = comb(75, balls)
    for cards in (1, 200):
        none = sum(
            comb(15, b) * comb(15, o) * comb(45, balls - b - o)
            * (1 - comb(b, 2) * comb(o, 2) / comb(15, 2) ** 2) ** cards
            for b, o in product(range(16), repeat=2)
            if 0 <= balls - b - o <= 45
        )  # fmt: skip
        found = jackpot_chances.bingo_by(balls, cards=cards, format=75, figure=CORNERS)
        assert found == pytest.approx(1 - none / every, rel=1e-6, abs=1e-12)


@pytest.mark.rule(9)
@pytest.mark.parametrize("format", [90, 80, 75, 30])
def test_chance_of_one_card_is_the_closed_form_and_rises_with_balls_and_cards(format: int) -> None:
    kind = formats.get_format(format)
    for balls in (0, kind.per_card - 1, kind.per_card, kind.highest * 3 // 4, kind.highest):
        exact = jackpot_chances.complete_by(balls, numbers=kind.per_card, of=format)
        one = jackpot_chances.bingo_by(balls, cards=1, format=format)
        assert one == pytest.approx(float(exact), rel=1e-9)
        several = [
            jackpot_chances.bingo_by(balls, cards=cards, format=format)
            for cards in jackpot_chances.CARDS
        ]
        assert several == sorted(several)
        assert several[0] >= one
    with pytest.raises(Refusal, match="number_out_of_range"):
        jackpot_chances.bingo_by(format + 1, cards=50, format=format)
    with pytest.raises(Refusal, match="no_cards"):
        jackpot_chances.bingo_by(20, cards=0, format=format)
    if format != 75:
        with pytest.raises(Refusal, match="pattern_not_in_format"):
            jackpot_chances.bingo_by(20, cards=50, format=format, figure=CORNERS)


@pytest.mark.slow
@pytest.mark.rule(9)
def test_chance_of_many_cards_of_30_is_that_of_games_played() -> None:
    """Cards at random against balls at random; cards without anything in common would win more often."""
    chance, games, cards, balls = Random(30), 3_000, 200, 18
    kind, won = formats.THIRTY, 0
    for _game in range(games):
        out = set(chance.sample(range(1, 31), balls))
        won += any(
            all(out.issuperset(chance.sample(pool, 3)) for pool in kind.pools)
            for _card in range(cards)
        )
    expected = jackpot_chances.bingo_by(balls, cards=cards, format=30)
    spread = (expected * (1 - expected) / games) ** 0.5
    assert abs(won / games - expected) < 4 * spread
    apart = 1 - (1 - float(jackpot_chances.complete_by(balls, numbers=9, of=30))) ** cards
    assert apart > expected + 0.01
