"""A session: its terms, its games one after another, its tills, and the replay of its journal."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import game_flow, session, session_opening, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SessionState
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    WHOLE_GAMES,
    Play,
    an_issue,
    claim,
    numbers,
    terms,
    top_line,
    within,
)

Path = tuple[str | int, ...]


def evening() -> Play:
    """Three games: a shared line and a bingo; a void with refunds; a bingo without a line."""
    play = Play(jackpot=JACKPOT, tax={"rate": 1000, "threshold": 1_00})
    play.till("T1").till("T2", float=200_00).selling(last_sold=80)
    play.sell(6, first=81)
    play.sell(4, till="T2")
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    play.sell(8)
    play.begin_draw().balls(*top_line(81), *top_line(3))
    last = play.game.balls[-1]
    play.do("ball_recalled", number=last)
    play.balls(last).call("line").check("line", 90)
    play.check("line", 81)
    play.do("window_opened")
    play.check("line", 3, issue=2)
    play.do("window_closed")
    play.do("draw_resumed")
    play.bingo(85).pay(81)
    play.pay(3, issue=2)
    play.do("note_recorded", category="complaint", text="a late line", decision="R47")
    play.do("cash_moved", till="T1", amount=-500_00, reason="to the safe")
    play.pay(85)
    play.do("entry_completed")

    play.selling(2, last_sold=8).sell(5)
    play.begin_draw().balls(9, 8, 7).void("announcement_error")
    play.refund(9, 10, issue=2)
    play.refund(11, 13, issue=2, till="T2")
    play.do("entry_completed")
    play.do("shift_closed", till="T2", counted=202_00, comment="")

    play.selling(2, last_sold=13).sell(10)
    play.begin_draw().balls(*sorted(numbers(15))).call("bingo").check("bingo", 15, issue=2)
    play.window()
    play.do("game_finished")
    play.pay(15, issue=2)
    play.do("entry_completed")
    due = play.state.shifts[0].cash
    play.do("shift_closed", till="T1", counted=due - 5, comment="a coin under the mat")
    play.do("session_closed")
    return play


EVENING = evening()
JOURNAL = EVENING.journal


def refused_replay(facts: list[Fact]) -> Refusal | None:
    try:
        session.replay(facts)
    except Refusal as refusal:
        return refusal
    return None


def through_json(known: SessionState) -> SessionState:
    return session_state.load(json.loads(json.dumps(session_state.dump(known))))


# Opening


def opening_refused(**changes: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        session_opening.open_session(**terms(**changes))
    return caught.value


@pytest.mark.rule(32)
@pytest.mark.rule("BOE IV")
def test_session_opens_only_with_its_equipment_checked() -> None:
    assert opening_refused(checked=False) == Refusal("equipment_not_checked")
    assert session_opening.open_session(**terms()) == terms()


@pytest.mark.rule(7)
def test_session_opens_only_on_shares_that_the_rule_book_allows() -> None:
    below = {"line": 2501, "bingo": 5499}
    assert opening_refused(shares=below).code == "bingo_below_floor"
    assert opening_refused(rulebook="atlantis").code == "unknown_rulebook"
    assert opening_refused(jackpot=JACKPOT | {"rate": 299}).code == "jackpot_rate_differs"


@pytest.mark.parametrize("tax", [{"rate": -1}, {"rate": 10_001}, {"threshold": -1}])
def test_session_opens_only_on_a_tax_that_leaves_a_prize(tax: dict[str, int]) -> None:
    assert opening_refused(tax={"rate": 0, "threshold": 0} | tax).code == "bad_tax"


@pytest.mark.parametrize("name", ["limit", "base", "balance"])
def test_session_opens_only_on_a_jackpot_that_owes_nothing(name: str) -> None:
    assert opening_refused(jackpot=JACKPOT | {name: -1}) == Refusal("bad_jackpot")


def test_session_begins_with_its_opening_and_nothing_else() -> None:
    opened = JOURNAL[0]
    assert session_opening.begin(opened).terms == opened.data

    with pytest.raises(Refusal) as caught:
        session_opening.begin(JOURNAL[1])
    assert caught.value == Refusal("fact_disagrees", kind="shift_opened")


@pytest.mark.rule(9)
def test_jackpot_s_terms_hold_for_the_whole_session() -> None:
    games = [fact for fact in JOURNAL if fact.kind == "game_opened"]
    assert len(games) == 3

    assert EVENING.state.terms["jackpot"] == JACKPOT
    assert EVENING.game.jackpot is not None
    assert EVENING.game.limits == (45,)


# Games


@pytest.mark.rule(60)
def test_next_game_opens_only_after_the_entry_of_the_last() -> None:
    play = Play().till().opened()
    again = {"format": 90, "face": FACE, "issue": an_issue(), "matrix": ""}

    assert play.refused("game_opened", **again) == Refusal("game_not_complete")
    play.void().do("entry_completed")
    assert play.do("game_opened", **again)["number"] == 2


@pytest.mark.rule(37)
def test_next_game_goes_on_where_the_last_left_the_issue() -> None:
    play = Play().till().drawing(6).bingo()
    play.pay(1)
    play.do("entry_completed")

    for last_sold, first in ((0, 1), (5, 6), (7, 8)):
        on_sale = an_issue(last_sold=last_sold)
        wrong = play.refused("game_opened", format=90, face=FACE, issue=on_sale, matrix="")
        assert wrong == Refusal("out_of_order", asked=first, next=7)
    play.opened(last_sold=6)


@pytest.mark.rule(37)
@pytest.mark.rule(57)
def test_next_game_goes_on_after_the_cards_of_a_void_one() -> None:
    play = Play().till().drawing(6).void()
    play.refund(1, 6)
    play.do("entry_completed")
    on_sale = an_issue(last_sold=0)

    wrong = play.refused("game_opened", format=90, face=FACE, issue=on_sale, matrix="")
    assert wrong == Refusal("out_of_order", asked=1, next=7)


@pytest.mark.rule(38)
def test_second_issue_that_this_session_has_used_is_not_fresh() -> None:
    play = Play().till().selling(2)
    play.sell(3)
    play.void().refund(1, 3, issue=2)
    play.do("entry_completed")
    play.selling(1, last_sold=88).sell(2)

    wrong = play.refused("second_issue_opened", issue=an_issue(2), face=FACE)
    assert wrong == Refusal("out_of_order", asked=1, next=4)
    play.do("second_issue_opened", issue=an_issue(3), face=FACE)


@pytest.mark.rule(10)
@pytest.mark.rule(11)
def test_jackpot_runs_through_the_games() -> None:
    play = Play(jackpot=JACKPOT | within(15)).till()
    play.selling().sell(10)
    play.begin_draw().balls(*range(1, 91)).bingo()
    play.pay(1)
    play.do("entry_completed")
    assert play.state.jackpot is not None
    assert play.state.jackpot.balance == 800_48

    play.selling(last_sold=10).sell(10)
    play.begin_draw().bingo(11)
    assert play.game.awards[-1].amount == 800_96
    assert play.state.jackpot.balance == 500_00


def test_command_of_a_game_needs_a_game() -> None:
    play = Play()

    assert play.refused("sale_announced") == Refusal("no_game")
    assert play.refused("claim_checked", **claim("line", 1)) == Refusal("no_game")


# Notes and the close


@pytest.mark.rule(61)
@pytest.mark.parametrize("category", session.NOTES)
def test_note_is_kept_with_the_number_of_its_game(category: str) -> None:
    play = Play().opened()
    before = play.state
    noted = play.do("note_recorded", category=category, text="ball 6 is scratched", decision="")

    assert (noted["category"], noted["game"]) == (category, 1)
    assert play.state == before


def test_note_needs_a_known_category_and_a_text() -> None:
    play = Play()

    unknown = play.refused("note_recorded", category="gossip", text="x", decision="")
    assert unknown == Refusal("unknown_category", category="gossip")
    empty = play.refused("note_recorded", category="other", text="  ", decision="x")
    assert empty == Refusal("text_missing")


def test_session_closes_when_game_and_tills_are_done_and_takes_no_more() -> None:
    play = Play().till(float=0).opened()
    assert play.refused("session_closed") == Refusal("game_not_complete")
    play.void().do("entry_completed")
    assert play.refused("session_closed") == Refusal("shifts_open", left=1)
    play.do("shift_closed", till="T1", counted=0, comment="")

    assert play.do("session_closed") == {"games": 1}
    late = play.refused("note_recorded", category="other", text="x", decision="")
    assert late == Refusal("session_closed")


# Replay


def test_replay_gives_the_state_that_was_lived() -> None:
    assert session.replay(JOURNAL) == EVENING.state
    assert session.replay([]) is None


def test_state_comes_back_from_json_after_every_fact() -> None:
    state: SessionState | None = None
    for fact in JOURNAL:
        state = session.judge(state, fact)
        assert through_json(state) == state


def test_inputs_of_a_fact_are_those_its_command_takes() -> None:
    asked = ["quantity", "first", "till", "seller", "face", "player"]
    assert session.inputs("cards_sold") == asked
    assert session.inputs("shift_opened") == ["till", "cashier", "float"]
    assert session.inputs("session_closed") == ["totals", "roll_calls"]
    with pytest.raises(Refusal) as caught:
        session.inputs("session_opened")
    assert caught.value == Refusal("unknown_fact", kind="session_opened")


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every plain value inside JSON data, and the way to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path, value


def with_changed(at: int, path: Path, value: Any) -> list[Fact]:
    data = copy.deepcopy(JOURNAL[at].data)
    inside: Any = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return [*JOURNAL[:at], Fact(JOURNAL[at].kind, data), *JOURNAL[at + 1 :]]


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


NUMBERS = [
    (at, path, value)
    for at, fact in enumerate(JOURNAL)
    for path, value in leaves(fact.data)
    if is_number(value)
]
# What the rules decided themselves; the rest is what people chose.
DECIDED = [
    (at, path, value)
    for at, path, value in NUMBERS
    if at > 0 and path[0] not in session.inputs(JOURNAL[at].kind)
]
TAMPERING = st.integers(-(10**6), 10**6).filter(bool)


@pytest.mark.slow
@WHOLE_GAMES
@given(st.sampled_from(DECIDED), TAMPERING)
def test_replay_refuses_a_decided_number_that_was_changed(
    where: tuple[int, Path, int], by: int
) -> None:
    at, path, value = where
    facts = with_changed(at, path, value + by)

    assert refused_replay(facts) == Refusal("fact_disagrees", kind=JOURNAL[at].kind)
    assert refused_replay(JOURNAL) is None


def test_tampered_award_would_pass_if_it_were_only_applied() -> None:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    play.do("window_opened")
    fact = session.decide(play.state, "window_closed")
    tampered = Fact(fact.kind, copy.deepcopy(fact.data))
    tampered.data["awards"][0]["amount"] += 100_00

    assert game_flow.apply(play.game, tampered).awards[0].amount == 102_40
    with pytest.raises(Refusal) as caught:
        session.apply_fact(play.state, tampered)
    assert caught.value == Refusal("fact_disagrees", kind="window_closed")


# A chosen number that nothing later depends upon: replay alone cannot know that it was another,
# and the hash chain covers it. Each kind with the input's first key.
FREE = {
    ("session_opened", "number"),  # the title of the session
    ("session_opened", "jackpot"),  # a limit moved to where no bingo falls on the other side
    ("session_opened", "tax"),  # a threshold moved by less than a unit of tax
    ("ball_announced", "number"),  # a ball that no checked card asked for
    ("claim_checked", "rows"),  # a number outside the line that was judged, if it is still a card
    ("claim_checked", "card"),  # of a card that was wrong in any case
}


@WHOLE_GAMES
@given(st.sampled_from([one for one in NUMBERS if one not in DECIDED]), TAMPERING)
def test_replay_refuses_a_chosen_number_that_was_changed_unless_nothing_depends_on_it(
    where: tuple[int, Path, int], by: int
) -> None:
    at, path, value = where
    facts = with_changed(at, path, value + by)

    if refused_replay(facts) is None:
        assert (JOURNAL[at].kind, path[0]) in FREE


# Taken out or told twice, these leave a journal that is just as lawful: only the chain shows it.
UNNOTICED = {"note_recorded", "claim_checked"}
# Two of these side by side, or one of a drawer or a note beside anything, know nothing of each other.
APART = {
    frozenset(["prize_paid"]),
    frozenset(["cards_refunded"]),
    frozenset(["claim_checked"]),
    frozenset(["claim_checked", "window_opened"]),
    frozenset(["cards_sold", "second_issue_opened"]),  # it may be put up before it is needed
}
BESIDE = {"note_recorded", "cash_moved", "shift_opened", "shift_closed"}
POSITIONS = st.integers(0, len(JOURNAL) - 1)


@WHOLE_GAMES
@given(POSITIONS)
def test_replay_refuses_a_journal_with_a_fact_removed(at: int) -> None:
    facts = [*JOURNAL[:at], *JOURNAL[at + 1 :]]

    if at == len(JOURNAL) - 1:
        # The journal of a session that is not over yet: the chain's head tells.
        assert refused_replay(facts) is None
    elif refused_replay(facts) is None:
        assert JOURNAL[at].kind in UNNOTICED
        assert JOURNAL[at].data.get("valid") is not True


@pytest.mark.slow
@WHOLE_GAMES
@given(POSITIONS)
def test_replay_refuses_a_journal_with_a_fact_told_twice(at: int) -> None:
    facts = [*JOURNAL[: at + 1], *JOURNAL[at:]]

    if refused_replay(facts) is None:
        assert JOURNAL[at].kind in UNNOTICED
        assert JOURNAL[at].data.get("valid") is not True


@WHOLE_GAMES
@given(st.integers(0, len(JOURNAL) - 2))
def test_replay_refuses_two_facts_in_the_other_order_unless_neither_knew_of_the_other(
    at: int,
) -> None:
    one, other = JOURNAL[at], JOURNAL[at + 1]
    swapped = [*JOURNAL[:at], other, one, *JOURNAL[at + 2 :]]
    kinds = frozenset([one.kind, other.kind])

    if refused_replay(swapped) is None:
        assert kinds in APART or kinds & BESIDE


@pytest.mark.parametrize("kind", ["cards_sold", "prize_paid", "cards_refunded", "window_closed"])
@pytest.mark.parametrize("how", ["removed", "twice"])
def test_replay_refuses_every_fact_of_money_removed_or_told_twice(kind: str, how: str) -> None:
    places = [at for at, fact in enumerate(JOURNAL) if fact.kind == kind]
    assert places

    for at in places:
        again = [JOURNAL[at]] * (2 if how == "twice" else 0)
        assert refused_replay([*JOURNAL[:at], *again, *JOURNAL[at + 1 :]]) is not None


@WHOLE_GAMES
@given(
    POSITIONS,
    st.sampled_from(["nothing", "number", "list", "text", "more", "less", "stranger"]),
)
def test_judge_answers_any_malformed_fact_with_a_refusal(at: int, how: str) -> None:
    fact = JOURNAL[at]
    first = next(iter(fact.data), None)
    wrong: dict[str, Any] = {
        "nothing": {},
        "number": fact.data | {first: 0.5},
        "list": fact.data | {first: [[]]},
        "text": fact.data | {first: "?"},
        "more": fact.data | {"bribe": 1},
        "less": {key: value for key, value in fact.data.items() if key != first},
        "stranger": fact.data,
    }
    bad = Fact("safe_robbed" if how == "stranger" else fact.kind, wrong[how])
    if bad == fact or (fact.kind, first) in UNTYPED:
        return

    assert refused_replay([*JOURNAL[:at], bad]) is not None


# Titles, which the rules take as they come.
UNTYPED = {("session_opened", "number"), ("shift_opened", "till")}


CARDS = {"formats": [90, 75], "faces": [FACE, 500]}


@pytest.mark.rule(3)
@pytest.mark.rule(17)
def test_game_is_of_the_cards_that_were_authorised_when_the_session_opened() -> None:
    play = Play(**CARDS).till()
    wrong = play.refused("game_opened", format=90, face=100, issue=an_issue(), matrix="ab")
    assert wrong == Refusal("face_not_authorised", face=100, faces=[FACE, 500])
    wrong = play.refused("game_opened", format=80, face=FACE, issue=an_issue(), matrix="ab")
    assert wrong == Refusal("format_not_authorised", format=80, formats=[90, 75])
    play.opened(face=500)
    assert session.replay(play.journal) == play.state


def test_session_older_than_these_terms_replays_and_keeps_its_state_as_it_was() -> None:
    play = Play().till().selling()
    assert {"formats", "faces"} & set(play.journal[0].data) == set()
    assert "retired" not in session_state.dump(play.state)["game"]["runs"][0]
    assert session.replay(play.journal) == play.state


def test_state_with_retired_cards_comes_back_from_json() -> None:
    play = Play().till().selling(retired=[(3, 4), (8, 8)])
    play.sell(4)
    assert session_state.load(json.loads(json.dumps(session_state.dump(play.state)))) == play.state
    assert session.replay(play.journal) == play.state
