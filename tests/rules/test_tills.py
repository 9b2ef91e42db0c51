"""Which tills a hall works with: what may become of one, and what is refused."""

from __future__ import annotations

import pytest

from bingo.rules import till_cash_and_shifts
from bingo.rules.refusal import Refusal
from bingo.rules.setup import MOST_TILLS
from bingo.rules.till_cash_and_shifts import TillState, change_till


def refused(known: dict[str, TillState], what: str, *, till: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        change_till(known, what, till=till)
    return caught.value


KNOWN = {
    "Caixa 1": TillState(),
    "Caixa 2": TillState(taken=True),
    "Caixa 3": TillState(in_use=False),
}


@pytest.mark.parametrize(
    ("what", "till"), [("added", "Balcão"), ("retired", "Caixa 1"), ("restored", "Caixa 3")]
)
def test_till_is_added_taken_out_of_use_and_taken_back(what: str, till: str) -> None:
    assert change_till(KNOWN, what, till=till) == {"change": what, "till": till}


@pytest.mark.parametrize(
    ("what", "till", "refusal"),
    [
        ("added", "", Refusal("bad_till_name", most=50)),
        ("added", " Caixa 4", Refusal("bad_till_name", most=50)),
        ("added", "Caixa\x004", Refusal("bad_till_name", most=50)),
        ("added", "Caixa\u202e4", Refusal("bad_till_name", most=50)),
        ("added", "Сaixa 4", Refusal("bad_till_name", most=50)),  # a Cyrillic letter
        ("added", "C" * 51, Refusal("bad_till_name", most=50)),
        ("added", "caixa 1", Refusal("till_exists", till="caixa 1")),
        ("added", "Caixa 3", Refusal("till_exists", till="Caixa 3")),
        ("retired", "Caixa 9", Refusal("unknown_till")),
        ("restored", "Caixa 9", Refusal("unknown_till")),
        ("retired", "Caixa 3", Refusal("nothing_changed")),
        ("restored", "Caixa 1", Refusal("nothing_changed")),
        ("retired", "Caixa 2", Refusal("shift_still_open", till="Caixa 2")),
        ("deleted", "Caixa 1", Refusal("bad_input", field="change")),
    ],
)
def test_what_cannot_be_is_refused(what: str, till: str, refusal: Refusal) -> None:
    assert refused(KNOWN, what, till=till) == refusal


def test_a_hall_keeps_one_till_and_has_no_more_than_it_can_open_with() -> None:
    alone = {"Caixa 1": TillState(), "Caixa 2": TillState(in_use=False)}
    assert refused(alone, till_cash_and_shifts.RETIRED, till="Caixa 1") == Refusal("last_till")
    full = {f"Caixa {number}": TillState() for number in range(MOST_TILLS)} | {
        "Z": TillState(in_use=False)
    }
    for what, till in (
        (till_cash_and_shifts.ADDED, "Balcão"),
        (till_cash_and_shifts.RESTORED, "Z"),
    ):
        assert refused(full, what, till=till) == Refusal("too_many_tills", most=MOST_TILLS)
    assert change_till(full, till_cash_and_shifts.RETIRED, till="Caixa 0")
