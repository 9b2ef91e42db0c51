"""Over any run of payments, cases, destructions and days, a card leaves the shelf once and in time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bingo.rules import custody, rulebooks
from bingo.rules.custody import DESTROYED, HANDED_OVER, Card, CaseState, KeptCard
from bingo.rules.refusal import Refusal

BEGIN = date(2026, 11, 1)
DAYS = rulebooks.get("cape-verde-2017").winning_card_days
NINTH = 9


def kept(card: int = 1, **changed: Any) -> KeptCard:
    """A card paid in the first game of the first session."""
    usual = KeptCard(1, card, session=1, game=1, play=1, played=BEGIN, paid=BEGIN)
    return replace(usual, **changed)


def shelf(*cards: KeptCard) -> dict[Card, KeptCard]:
    return {one.key: one for one in cards}


def destroyed(there: dict[Card, KeptCard], *asked: Card, **changed: Any) -> Any:
    usual: dict[str, Any] = {"cases": (), "open_session": None, "days": DAYS}
    usual["on"] = BEGIN + timedelta(days=NINTH)
    return custody.destroy(there, asked, **(usual | changed))


@pytest.mark.rule(52)
def test_rule_book_of_cape_verde_keeps_a_card_for_eight_days_after_its_own() -> None:
    assert custody.free_from(kept(), days=DAYS) == date(2026, 11, 10)
    assert custody.free_from(kept(), days=None) == date(2026, 11, 2)
    assert custody.free_from(kept(paid=None), days=DAYS) == BEGIN


@pytest.mark.rule(52)
def test_a_kept_card_that_is_lost_is_a_fact_and_nothing_awaits_its_destruction() -> None:
    there = shelf(kept(1), kept(2))
    told = custody.lose(there, [(1, 2)], reason=" not in the box ")
    assert told == {
        "cards": [
            {
                "session": 1,
                "game": 1,
                "issue": 1,
                "card": 2,
                "day": "2026-11-01",
                "paid": "2026-11-01",
            }
        ],
        "reason": "not in the box",
    }
    custody.leave(there, told["cards"], custody.GONE_MISSING)
    with pytest.raises(Refusal, match="lost_already"):
        destroyed(there, (1, 2))
    with pytest.raises(Refusal, match="lost_already"):
        custody.lose(there, [(1, 2)], reason="still not")
    with pytest.raises(Refusal, match="reason_missing"):
        custody.lose(there, [(1, 1)], reason=" ")
    with pytest.raises(Refusal, match="nothing_lost"):
        custody.lose(there, [], reason="none")
    with pytest.raises(Refusal, match="not_on_shelf"):
        custody.lose(there, [(1, 3)], reason="never there")


@pytest.mark.rule(52)
def test_cards_are_told_in_order_and_once() -> None:
    there = shelf(kept(2), kept(1), kept(3, session=2, game=1, paid=None))
    told = destroyed(there, (1, 3), (1, 2), (1, 1), (1, 2))
    first = {"session": 1, "game": 1, "issue": 1, "day": "2026-11-01", "paid": "2026-11-01"}
    assert told == {
        "cards": [
            first | {"card": 1},
            first | {"card": 2},
            {"session": 2, "game": 1, "issue": 1, "card": 3, "day": "2026-11-01"},
        ]
    }


@pytest.mark.parametrize("asked", [[], [(2, 1)], [(1, 1), (1, 2)]])
def test_what_never_lay_there_is_refused(asked: list[Card]) -> None:
    with pytest.raises(Refusal) as refused:
        destroyed(shelf(kept()), *asked)
    assert refused.value.code == ("not_on_shelf" if asked else "nothing_to_destroy")


def test_more_than_one_record_holds_are_refused() -> None:
    most = custody.MOST_AT_ONCE
    there = shelf(*(kept(number) for number in range(1, most + 2)))
    assert len(destroyed(there, *list(there)[:most])["cards"]) == most
    with pytest.raises(Refusal) as refused:
        destroyed(there, *there)
    assert refused.value == Refusal("too_many_cards", most=most)


def test_texts_are_short_and_shown() -> None:
    case = CaseState(1, 1, 1)
    there = shelf(kept())
    for wrong in ("x" * 121, "a\u202eb"):
        with pytest.raises(Refusal, match="bad_text"):
            custody.open_case(case=1, session=1, game=1, reference=wrong, reason="x")
        with pytest.raises(Refusal, match="bad_text"):
            custody.hand_over_cards(there, [(1, 1)], case=case, acta="d", to=wrong)
    with pytest.raises(Refusal, match="bad_text"):
        custody.close_case(case, outcome="x" * 501)
    with pytest.raises(Refusal, match="bad_text"):
        custody.destroy_used(session=1, game=1, used=1, cards=1, note="\x00")


class Shelf(RuleBasedStateMachine):
    """A hall's shelf beside a plain account of it: what was paid, and what has left when."""

    @initialize()
    def begin(self) -> None:
        self.day, self.session = BEGIN, 1
        self.shelf: dict[Card, KeptCard] = {}
        self.cases: dict[int, CaseState] = {}
        self.came: dict[Card, tuple[int, int, date | None]] = {}
        self.left: list[tuple[Card, str, date]] = []

    @rule(days=st.sampled_from((1, NINTH - 1, NINTH)))
    def days_go_by(self, days: int) -> None:
        self.day += timedelta(days=days)
        self.session += bool(days)

    @rule(game=st.integers(1, 2), winning=st.sampled_from((True, True, False)))
    def card_comes(self, game: int, winning: bool) -> None:
        card = (1, len(self.came) + 1)
        paid = self.day if winning else None
        self.shelf[card] = KeptCard(*card, self.session, game, game, self.day, paid)
        self.came[card] = (self.session, game, paid)

    @precondition(lambda self: self.came)
    @rule(data=st.data())
    def case_is_opened(self, data: st.DataObject) -> None:
        session, game, _paid = self.came[data.draw(st.sampled_from(sorted(self.came)))]
        number = len(self.cases) + 1
        told = custody.open_case(case=number, session=session, game=game, reference="1", reason="x")
        self.cases[number] = CaseState(told["case"], told["session"], told["game"])

    @precondition(lambda self: self.cases)
    @rule(data=st.data())
    def case_is_closed(self, data: st.DataObject) -> None:
        case = self.cases[data.draw(st.sampled_from(sorted(self.cases)))]
        if not case.open:
            with pytest.raises(Refusal, match="case_closed"):
                custody.close_case(case, outcome="x")
            return
        custody.close_case(case, outcome="x")
        self.cases[case.number] = replace(case, open=False)

    @precondition(lambda self: self.came)
    @rule(data=st.data())
    def cards_are_destroyed(self, data: st.DataObject) -> None:
        asked = data.draw(st.lists(st.sampled_from(sorted(self.came)), min_size=1, max_size=2))
        try:
            told = custody.destroy(
                self.shelf, asked, cases=self.cases.values(), open_session=self.session,
                days=DAYS, on=self.day,
            )  # fmt: skip
        except Refusal:
            assert not all(self._free(card) for card in asked)
            return
        assert all(self._free(card) for card in asked)
        self._leave(told["cards"], DESTROYED)

    @precondition(lambda self: self.cases)
    @rule(data=st.data(), sealed=st.booleans())
    def cards_are_handed_over(self, data: st.DataObject, sealed: bool) -> None:
        case = self.cases[data.draw(st.sampled_from(sorted(self.cases)))]
        asked = data.draw(st.lists(st.sampled_from([*sorted(self.came), (2, 1)]), max_size=3))
        acta = "digest" if sealed else None
        may = sealed and case.open and bool(asked) and all(self._of(card, case) for card in asked)
        try:
            told = custody.hand_over_cards(self.shelf, asked, case=case, acta=acta, to="IGJ")
        except Refusal:
            assert not may
            return
        assert may
        self._leave(told["cards"], HANDED_OVER)

    def _there(self, card: Card) -> bool:
        return card in self.came and card not in [gone for gone, _how, _day in self.left]

    def _of(self, card: Card, case: CaseState) -> bool:
        return self._there(card) and self.came[card][:2] == (case.session, case.play)

    def _free(self, card: Card) -> bool:
        if not self._there(card) or self.came[card][0] == self.session:
            return False
        if any(case.open and self._of(card, case) for case in self.cases.values()):
            return False
        paid = self.came[card][2]
        return paid is None or (self.day - paid).days >= NINTH

    def _leave(self, cards: list[dict[str, Any]], how: str) -> None:
        custody.leave(self.shelf, cards, how)
        self.left += [((one["issue"], one["card"]), how, self.day) for one in cards]

    @invariant()
    def each_card_left_once_and_in_time(self) -> None:
        gone = [card for card, _how, _day in self.left]
        assert len(gone) == len(set(gone))
        for card, how, day in self.left:
            paid = self.came[card][2]
            assert how != DESTROYED or paid is None or (day - paid).days >= NINTH

    @invariant()
    def shelf_is_what_came_less_what_left(self) -> None:
        lies = {card for card, one in self.shelf.items() if not one.gone}
        assert lies == set(self.came) - {card for card, _how, _day in self.left}


@pytest.mark.slow
@pytest.mark.rule(52)
def test_no_card_is_destroyed_early_or_held_or_twice() -> None:
    run_state_machine_as_test(
        Shelf,
        settings=settings(
            max_examples=100, stateful_step_count=20, deadline=None, derandomize=True
        ),
    )


@pytest.mark.slow
def test_rule_that_forgets_its_days_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def hasty(one: KeptCard, *, days: int | None) -> date:
        return (one.paid or one.played) + timedelta(days=1)

    monkeypatch.setattr(custody, "free_from", hasty)
    with pytest.raises(AssertionError):
        test_no_card_is_destroyed_early_or_held_or_twice()


@pytest.mark.slow  # what is found is made short first
def test_rule_that_forgets_its_cases_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custody, "holding", lambda _one, _cases: None)
    with pytest.raises(AssertionError):
        test_no_card_is_destroyed_early_or_held_or_twice()
