"""The stock: where an issue stands, what may be done with it, and what may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import stock
from bingo.rules.refusal import Refusal
from bingo.rules.stock import BoxPlace, IssueStage, IssueState

FRESH = IssueState("A", "1001", 90)
BEGUN = replace(FRESH, last_sold=40, retired=((20, 22), (50, 59), (60, 60)))
SPENT = replace(FRESH, last_sold=80, retired=((81, 90),))
NAMED = {"letter": "A", "identification": "1001"}


def at(place: BoxPlace, issue: IssueState = BEGUN) -> IssueState:
    """The issue in another place."""
    return replace(issue, place=place)


def playing(issue: IssueState = BEGUN) -> IssueState:
    """The issue in a game."""
    return replace(issue, on_sale=True)


def refused(decide: Callable[..., object], *given: Any, **asked: Any) -> Refusal:
    """Ask for what must be refused, and give why it was."""
    with pytest.raises(Refusal) as caught:
        decide(*given, **asked)
    return caught.value


@pytest.mark.parametrize(
    ("issue", "state"),
    [
        (at(BoxPlace.RECEIVED), IssueStage.RECEIVED),
        (FRESH, IssueStage.IN_STOCK),
        (BEGUN, IssueStage.IN_STOCK),
        (playing(), IssueStage.ON_SALE),
        (playing(SPENT), IssueStage.ON_SALE),
        (SPENT, IssueStage.EXHAUSTED),
        (replace(FRESH, last_sold=90), IssueStage.EXHAUSTED),
        (at(BoxPlace.WITHDRAWN), IssueStage.WITHDRAWN),
        (at(BoxPlace.SENT), IssueStage.SENT),
    ],
)
def test_state_that_people_are_told(issue: IssueState, state: IssueStage) -> None:
    assert stock.state_of(issue) is state


def test_cards_left_are_neither_sold_nor_retired() -> None:
    assert (FRESH.left, BEGUN.left, SPENT.left) == (90, 39, 0)
    assert BEGUN.passed_over == ((50, 60),)


@pytest.mark.parametrize(
    ("counted", "place", "difference"),
    [(90, "shelf", 0), (None, "received", None), (89, "received", -1), (91, "received", 1)],
)
def test_received_box_is_on_the_shelf_once_counted_right(
    counted: int | None, place: str, difference: int | None
) -> None:
    told = {"counted": counted, "difference": difference, "place": place}
    assert stock.receive(expected=90, counted=counted) == told


def test_count_tells_the_difference_and_shelves_what_was_received() -> None:
    right = stock.count(at(BoxPlace.RECEIVED), counted=39, comment="")
    assert right == {
        "counted": 39, "comment": "", "expected": 39, "difference": 0, "place": "shelf",
    }  # fmt: skip
    wrong = stock.count(at(BoxPlace.RECEIVED), counted=38, comment="Falta um")
    assert (wrong["difference"], wrong["place"]) == (-1, "received")
    assert stock.count(BEGUN, counted=38, comment="Falta um")["place"] == "shelf"
    assert stock.count(at(BoxPlace.WITHDRAWN), counted=39, comment="")["place"] == "withdrawn"


@pytest.mark.parametrize(
    ("issue", "counted", "comment", "expected"),
    [
        (BEGUN, 38, "  ", Refusal("difference_needs_comment")),
        (BEGUN, -1, "x", Refusal("bad_count", counted=-1, most=1_000_000)),
        (BEGUN, 1_000_001, "x", Refusal("bad_count", counted=1_000_001, most=1_000_000)),
        (playing(), 39, "", Refusal("issue_on_sale", **NAMED)),
        (at(BoxPlace.SENT), 39, "", Refusal("issue_sent", **NAMED)),
        (SPENT, 0, "", Refusal("issue_exhausted", **NAMED)),
    ],
)
def test_count_refuses(issue: IssueState, counted: int, comment: str, expected: Refusal) -> None:
    assert refused(stock.count, issue, counted=counted, comment=comment) == expected


def test_retired_cards_are_told_and_count_no_more() -> None:
    data = stock.retire(BEGUN, first=41, last=49, reason="Rasgados")
    assert data == {"first": 41, "last": 49, "reason": "Rasgados", "cards": 9}
    after = stock.apply_fact(BEGUN, "cards_retired", data)
    assert after.left == BEGUN.left - 9
    assert after.passed_over == ((41, 60),)


@pytest.mark.rule(41)
@pytest.mark.parametrize(
    ("issue", "first", "last", "expected"),
    [
        (BEGUN, 0, 1, Refusal("card_out_of_range", first=0, last=1, size=90)),
        (BEGUN, 90, 91, Refusal("card_out_of_range", first=90, last=91, size=90)),
        (BEGUN, 43, 42, Refusal("card_out_of_range", first=43, last=42, size=90)),
        (BEGUN, 40, 41, Refusal("card_already_sold", card=40, last_sold=40)),
        (BEGUN, 45, 55, Refusal("card_already_retired", card=50)),
        (BEGUN, 60, 61, Refusal("card_already_retired", card=60)),
        (playing(), 41, 41, Refusal("issue_on_sale", **NAMED)),
        (at(BoxPlace.SENT), 41, 41, Refusal("issue_sent", **NAMED)),
    ],
)
def test_retire_refuses(issue: IssueState, first: int, last: int, expected: Refusal) -> None:
    assert refused(stock.retire, issue, first=first, last=last, reason="x") == expected


def test_withdrawn_issue_is_counted_before_it_is_back_on_the_shelf() -> None:
    away = stock.apply_fact(BEGUN, "issue_withdrawn", stock.withdraw(BEGUN, reason="Molhados"))
    assert away.place is BoxPlace.WITHDRAWN
    back = stock.apply_fact(away, "issue_reinstated", stock.reinstate(away, reason="Secos"))
    assert back.place is BoxPlace.RECEIVED
    counted = stock.count(back, counted=39, comment="")
    assert stock.apply_fact(back, "issue_counted", counted) == BEGUN


def test_sent_issue_called_back_is_counted_before_it_is_on_the_shelf() -> None:
    data = stock.send(BEGUN, to="norte", reason="Falta lá")
    assert data == {"to": "norte", "reason": "Falta lá", "cards": 39, "place": "sent"}
    away = stock.apply_fact(BEGUN, "issue_sent", data)
    called = stock.recall(away, sent=7, reason="Engano")
    assert stock.apply_fact(away, "transfer_recalled", called).place is BoxPlace.RECEIVED


MOVES: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
    (stock.retire, {"first": 41, "last": 41}),
    (stock.withdraw, {}),
    (stock.send, {"to": "norte"}),
)


@pytest.mark.parametrize(("decide", "asked"), MOVES)
def test_every_move_needs_its_reason(decide: Callable[..., Any], asked: dict[str, Any]) -> None:
    assert refused(decide, BEGUN, reason="  ", **asked) == Refusal("reason_missing")


def test_way_back_needs_its_reason() -> None:
    missing = Refusal("reason_missing")
    assert refused(stock.reinstate, at(BoxPlace.WITHDRAWN), reason="") == missing
    assert refused(stock.recall, at(BoxPlace.SENT), sent=7, reason="") == missing


@pytest.mark.parametrize(
    ("decide", "issue", "code"),
    [
        (stock.withdraw, at(BoxPlace.WITHDRAWN), "already_withdrawn"),
        (stock.withdraw, at(BoxPlace.SENT), "issue_sent"),
        (stock.withdraw, playing(), "issue_on_sale"),
        (stock.withdraw, SPENT, "issue_exhausted"),
        (stock.reinstate, BEGUN, "not_withdrawn"),
        (stock.reinstate, at(BoxPlace.SENT), "not_withdrawn"),
    ],
)
def test_withdrawal_is_refused(decide: Callable[..., Any], issue: IssueState, code: str) -> None:
    assert refused(decide, issue, reason="x") == Refusal(code, **NAMED)


@pytest.mark.parametrize(
    ("issue", "code"),
    [
        (at(BoxPlace.RECEIVED), "issue_not_in_stock"),
        (at(BoxPlace.WITHDRAWN), "issue_withdrawn"),
        (at(BoxPlace.SENT), "issue_sent"),
        (playing(), "issue_on_sale"),
        (SPENT, "issue_exhausted"),
    ],
)
def test_sending_is_refused(issue: IssueState, code: str) -> None:
    assert refused(stock.send, issue, to="norte", reason="x") == Refusal(code, **NAMED)


def test_issue_that_was_not_sent_is_not_called_back() -> None:
    assert refused(stock.recall, BEGUN, sent=7, reason="x") == Refusal("issue_not_sent", **NAMED)


@pytest.mark.parametrize(
    ("issue", "code"),
    [
        (at(BoxPlace.RECEIVED), "issue_not_in_stock"),
        (at(BoxPlace.WITHDRAWN), "issue_withdrawn"),
        (at(BoxPlace.SENT), "issue_sent"),
        (SPENT, "issue_exhausted"),
    ],
)
def test_opening_is_refused(issue: IssueState, code: str) -> None:
    assert refused(stock.may_open, issue) == Refusal(code, **NAMED)


@pytest.mark.rule(15)
def test_issue_on_the_shelf_may_be_opened_and_any_at_hand_printed() -> None:
    stock.may_open(FRESH)
    stock.may_open(BEGUN)
    stock.may_open(replace(BEGUN, double=True))
    for issue in (FRESH, SPENT, playing(), at(BoxPlace.RECEIVED)):
        stock.may_print(issue)
    assert refused(stock.may_print, at(BoxPlace.SENT)) == Refusal("issue_sent", **NAMED)
    assert refused(stock.may_print, at(BoxPlace.WITHDRAWN)) == Refusal("issue_withdrawn", **NAMED)


@pytest.mark.rule(16)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "identification_missing"),
        ("  ", "identification_missing"),
        ("1" * 13, "bad_identification"),
        ("😀", "bad_identification"),
        ("١٢", "bad_identification"),
        ("1  2", "bad_identification"),
        ("é1", "bad_identification"),
        ("1\n2", "bad_identification"),
        (" 12", "bad_identification"),
        ("1\u202e2", "bad_identification"),
    ],
)
def test_identification_that_nobody_can_read_is_refused(text: str, code: str) -> None:
    assert refused(stock.require_identification, text).code == code


def test_identification_is_letters_and_digits_in_groups() -> None:
    for text in ("1", "2026/A-17", "Lote 3", "W" * 12):
        stock.require_identification(text)


@pytest.mark.parametrize(
    "forged",
    [{"expected": 38}, {"difference": 0}, {"place": "shelf"}, {"counted": 39}, {"comment": ""}],
)
def test_fact_that_does_not_follow_from_its_inputs_is_refused(forged: dict[str, Any]) -> None:
    data = stock.count(at(BoxPlace.RECEIVED), counted=38, comment="Falta um")
    caught = refused(stock.apply_fact, at(BoxPlace.RECEIVED), "issue_counted", data | forged)
    assert caught.code in ("fact_disagrees", "difference_needs_comment")


RANGE = st.tuples(st.integers(-1, 92), st.integers(0, 9)).map(lambda one: (one[0], sum(one)))
MOVE = st.one_of(
    st.tuples(st.just("cards_retired"), RANGE),
    st.tuples(
        st.sampled_from(
            [
                "issue_counted",
                "issue_withdrawn",
                "issue_reinstated",
                "issue_sent",
                "transfer_recalled",
            ]
        ),
        RANGE,
    ),
)


@given(st.integers(0, 90), st.lists(MOVE, max_size=25))
def test_any_row_of_moves_keeps_every_card_counted_once(
    last_sold: int, moves: list[tuple[str, tuple[int, int]]]
) -> None:
    issue, retired = replace(FRESH, last_sold=last_sold), set[int]()
    for kind, (first, last) in moves:
        asked: dict[str, Any] = {
            "first": first, "last": last, "counted": issue.left, "comment": "", "to": "norte",
            "reason": "x", "sent": 7,
        }  # fmt: skip
        step = stock.STEPS[kind]
        names = [name for name in asked if name in step.decide.__annotations__]
        try:
            data = step.decide(issue, **{name: asked[name] for name in names})
        except Refusal:
            continue
        issue = stock.apply_fact(issue, kind, data)
        if kind == "cards_retired":
            cards = set(range(first, last + 1))
            assert not cards & retired
            assert min(cards) > last_sold
            retired |= cards
    assert issue.left == 90 - last_sold - len(retired)
    assert stock.state_of(issue) in IssueStage
