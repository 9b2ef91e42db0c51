"""One game: what may follow what, and money that is neither made nor lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import game_flow
from bingo.rules.game_flow import FOLLOWS, STEPS, Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from tests.support.game import WAYS
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    NO_TAX,
    WHOLE_GAMES,
    Data,
    Play,
    an_issue,
    numbers,
    top_line,
    within,
)

OPENING: Data = {
    "number": 1,
    "format": 90,
    "rulebook": "cape-verde-2017",
    "face": FACE,
    "shares": {"line": 2000, "bingo": 6000},
    "jackpot": None,
    "tax": NO_TAX,
    "issue": an_issue(),
}


FORBIDDEN = [(phase, kind) for phase in Phase for kind in STEPS if kind not in FOLLOWS[phase]]


def test_table_names_every_phase_and_only_known_facts() -> None:
    assert list(FOLLOWS) == list(Phase)
    assert {kind for facts in FOLLOWS.values() for kind in facts} == set(STEPS)
    assert len(FORBIDDEN) == len(Phase) * len(STEPS) - sum(map(len, FOLLOWS.values()))


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_can_be_reached(phase: Phase) -> None:
    assert WAYS[phase]().game.phase is phase


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_a_way_to_its_end(phase: Phase) -> None:
    reached = {phase}
    for _ in Phase:
        reached |= {target for known in reached for target in FOLLOWS[known].values()}

    assert Phase.COMPLETE in reached


@pytest.mark.rule(42)
@pytest.mark.rule(44)
@pytest.mark.rule(60)
@pytest.mark.parametrize(("phase", "kind"), FORBIDDEN)
def test_fact_out_of_its_phase_is_refused(phase: Phase, kind: str) -> None:
    # The phase is refused before the inputs are even looked at.
    with pytest.raises(Refusal) as caught:
        game_flow.decide(WAYS[phase]().game, kind)
    # Once cards are sold, why their price is not given back is said (R41, R56).
    sold = "cards_transferred" in game_flow.FOLLOWS[phase]
    if kind == "cards_refunded" and sold:
        assert caught.value == Refusal("no_money_back")
    else:
        assert caught.value == Refusal("wrong_phase", phase=phase.value, command=kind)


def test_unknown_fact_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        game_flow.decide(WAYS[Phase.DRAWING]().game, "ball_stolen")
    assert caught.value == Refusal("unknown_fact", kind="ball_stolen")


def test_fact_moves_the_game_to_the_phase_of_the_table() -> None:
    before = WAYS[Phase.PREPARED]().game
    after = game_flow.apply(before, game_flow.decide(before, "sale_announced"))

    assert after.phase is FOLLOWS[before.phase]["sale_announced"] is Phase.SELLING
    assert before.phase is Phase.PREPARED


@pytest.mark.rule(37)
def test_game_opens_at_the_next_card_of_its_issue() -> None:
    opened = game_flow.open_game(**(OPENING | {"issue": an_issue(last_sold=41)}))

    assert [(run.issue, run.first, run.next) for run in opened.runs] == [(1, 42, 42)]
    assert (opened.phase, opened.jackpot, opened.gross) == (Phase.PREPARED, None, 0)


def test_game_opens_with_the_jackpot_it_was_given() -> None:
    opened = game_flow.open_game(**(OPENING | {"jackpot": JACKPOT}))

    assert opened.jackpot_balance == 800_00


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"format": 91}, Refusal("unknown_format", format=91)),
        ({"rulebook": "atlantis"}, Refusal("unknown_rulebook", rulebook="atlantis")),
        ({"face": 0}, Refusal("bad_face", face=0)),
        ({"face": -1}, Refusal("bad_face", face=-1)),
        (
            {"issue": an_issue(last_sold=90)},
            Refusal("issue_exhausted", letter="A", identification="001"),
        ),
    ],
)
def test_game_does_not_open_on_what_is_not_there(change: Data, refusal: Refusal) -> None:
    with pytest.raises(Refusal) as caught:
        game_flow.open_game(**(OPENING | change))
    assert caught.value == refusal


@pytest.mark.slow
@pytest.mark.rule(6)
@pytest.mark.rule(7)
@pytest.mark.rule(10)
@WHOLE_GAMES
@given(
    face=st.integers(1, 10**6),
    quantity=st.integers(3, 60),
    lines=st.sets(st.integers(1, 3), min_size=1),
    bingos=st.sets(st.integers(1, 3), min_size=1),
    jackpot=st.sampled_from([None, JACKPOT, JACKPOT | within(89)]),
    rate=st.integers(0, 10_000),
)
def test_money_of_a_game_is_conserved_to_the_unit(
    face: int,
    quantity: int,
    lines: set[int],
    bingos: set[int],
    jackpot: dict[str, int] | None,
    rate: int,
) -> None:
    taxed = {"rate": rate, "threshold": 0}
    play = Play(jackpot=jackpot, tax=taxed).till(float=10**9).selling(face=face)
    play.sell(quantity)
    play.begin_draw()
    for card in sorted(lines):
        play.balls(*top_line(card))
    play.call("line")
    for card in sorted(lines):
        play.check("line", card)
    play.window()
    play.do("draw_resumed")
    for card in sorted(bingos):
        play.balls(*sorted(numbers(card)))
    play.call("bingo")
    for card in sorted(bingos):
        play.check("bingo", card)
    play.window()
    play.do("game_finished")
    for issue, card in play.game.unpaid:
        play.pay(card, issue=issue)

    known = play.game
    assert known.prizes is not None
    fixed = known.prizes
    assert known.gross == quantity * face == fixed.gross
    assert fixed.line + fixed.bingo + fixed.jackpot == fixed.fund
    assert 0 <= 10 * fixed.fund - 8 * known.gross < 10
    assert total(known, "line") == fixed.line
    assert total(known, "bingo") == fixed.bingo
    assert fair(known, "line")
    assert fair(known, "bingo")
    before = 800_00 if jackpot else 0
    won = total(known, "jackpot")
    base = 500_00 if won else 0
    assert known.jackpot_balance - base + won == before + fixed.jackpot

    paid = sum(award.amount - award.tax for award in known.awards)
    assert play.state.shifts[0].cash == 10**9 + known.gross - paid
    assert all(0 <= award.tax <= award.amount for award in known.awards)


def paid_to_winners(lines: set[int], bingos: set[int], *, quantity: int) -> tuple[int, int]:
    """Play a game that these cards win; return what they won, and what the drawer keeps."""
    play = Play(jackpot=None).till(float=0).selling()
    play.sell(quantity)
    play.begin_draw()
    for card in sorted(lines):
        play.balls(*top_line(card))
    play.call("line")
    for card in sorted(lines):
        play.check("line", card)
    play.window()
    play.do("draw_resumed")
    for card in sorted(bingos):
        play.balls(*sorted(numbers(card)))
    play.call("bingo")
    for card in sorted(bingos):
        play.check("bingo", card)
    play.window()
    play.do("game_finished")
    for issue, card in play.game.unpaid:
        play.pay(card, issue=issue)
    return sum(award.amount for award in play.game.awards), play.state.shifts[0].cash


@pytest.mark.slow
@pytest.mark.rule(1)
@WHOLE_GAMES
@given(
    quantity=st.integers(6, 60),
    lines=st.sets(st.integers(1, 6), min_size=1),
    bingos=st.sets(st.integers(1, 6), min_size=1),
)
def test_hall_plays_against_nobody_it_keeps_the_same_whoever_wins(
    quantity: int, lines: set[int], bingos: set[int]
) -> None:
    gross = quantity * FACE
    alone = paid_to_winners({1}, {1}, quantity=quantity)
    assert alone == paid_to_winners(lines, bingos, quantity=quantity)
    assert alone == (gross * 80 // 100, gross - gross * 80 // 100)


def total(known: GameState, combination: str) -> int:
    return sum(award.amount for award in known.awards if award.combination == combination)


def fair(known: GameState, combination: str) -> bool:
    """Whether no sharer has more than one unit above another, and the first ones have it (R6)."""
    shares = [award.amount for award in known.awards if award.combination == combination]
    return shares == sorted(shares, reverse=True) and max(shares) - min(shares) <= 1


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.rule(37)
@WHOLE_GAMES
@given(
    sales=st.lists(st.lists(st.integers(1, 9), max_size=4), max_size=5),
    voided=st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_cards_are_sold_in_order_without_gap_or_repetition_through_all_games(
    sales: list[list[int]], voided: list[bool]
) -> None:
    play = Play().till()
    sold: list[int] = []
    for quantities, void in zip(sales, voided, strict=False):
        last = len(sold)
        if last == 90:
            break
        play.selling(last_sold=last)
        for quantity in quantities:
            if quantity <= play.game.runs[0].left:
                for part in play.sell(quantity)["ranges"]:
                    sold += range(part["first"], part["last"] + 1)
        finish(play, first=last + 1, void=void)

    assert sold == list(range(1, len(sold) + 1))


def finish(play: Play, *, first: int, void: bool) -> None:
    """Bring a game to its end; a void does not give the numbers back (R37)."""
    if void or not play.game.cards:
        play.void()
        if play.game.cards:
            play.refund(first, first + play.game.cards - 1)
    else:
        play.begin_draw().bingo(first)
        play.pay(first)
    play.do("entry_completed")


def test_fact_is_compared_by_kind_and_data() -> None:
    assert Fact("a", {"x": 1}) == Fact("a", {"x": 1})
    assert Fact("a", {"x": 1}) != Fact("b", {"x": 1})
    assert Fact("a", {"x": 1}) != Fact("a", {"x": 2})
