"""What the journal is told of the system's clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import STEP, TOO_FAR, ClockReading
from bingo.rules.refusal import Refusal

KEPT = ClockReading(True, 20_000, "run-1", 1_000_000_000)
readings = st.builds(
    ClockReading,
    st.none() | st.booleans(),
    st.none() | st.integers(0, 3 * TOO_FAR),
    st.sampled_from(["", "run-1", "run-2"]),
    st.integers(0, 10 * STEP),
)


@pytest.mark.rule(58)
def test_first_reading_of_a_session_is_told_whatever_it_is() -> None:
    for synchronised in (True, False, None):
        data = checkpoints_and_clock.describe_clock(None, replace(KEPT, synchronised=synchronised))
        assert data is not None
        assert (data["synchronised"], "step" in data) == (synchronised, False)


@pytest.mark.rule(58)
@pytest.mark.parametrize(
    ("change", "step"),
    [
        ({"synchronised": False}, None),
        ({"synchronised": None, "error": None}, None),
        ({"error": TOO_FAR}, None),
        ({"boot": "run-2", "began": 5}, None),
        ({"began": KEPT.began + STEP}, STEP),
        ({"began": KEPT.began - 3_600_000_000}, -3_600_000_000),
        ({"synchronised": False, "began": KEPT.began + 2 * STEP}, 2 * STEP),
    ],
)
def test_what_is_new_is_told(change: dict[str, object], step: int | None) -> None:
    data = checkpoints_and_clock.describe_clock(KEPT, replace(KEPT, **change))  # type: ignore[arg-type]
    assert data is not None
    assert data.get("step") == step


@pytest.mark.rule(58)
def test_step_is_told_of_one_run_alone_and_of_none_without_a_name() -> None:
    nameless = replace(KEPT, boot="")
    data = checkpoints_and_clock.describe_clock(nameless, replace(nameless, began=5))
    assert data is not None
    assert (data["began"], "step" in data) == (5, False)


@pytest.mark.parametrize(
    "change", [{}, {"error": 30_000}, {"began": KEPT.began + STEP - 1}, {"began": KEPT.began - 900}]
)
def test_what_is_not_new_is_not_told(change: dict[str, object]) -> None:
    assert checkpoints_and_clock.describe_clock(KEPT, replace(KEPT, **change)) is None  # type: ignore[arg-type]


@given(st.lists(readings, min_size=1, max_size=12))
def test_no_step_goes_unseen_however_small_its_parts(seen: list[ClockReading]) -> None:
    """Between two readings of one run the clock moved by the steps told, but for less than one."""
    last: ClockReading | None = None
    for one in seen:
        data = checkpoints_and_clock.describe_clock(last, one)
        if data is None:
            assert last is not None
            assert one.boot == last.boot
            assert abs(one.began - last.began) < STEP
            assert (one.synchronised, one.exact) == (last.synchronised, last.exact)
            continue
        if last and last.boot == one.boot and "step" in data:
            assert last.began + data["step"] == one.began
        last = checkpoints_and_clock.read_clock(data)
        assert last == one


@pytest.mark.parametrize(
    "wrong", [{"synchronised": 1}, {"error": -1}, {"error": True}, {"boot": None}, {"began": "1"}]
)
def test_entry_that_is_no_reading_is_refused(wrong: dict[str, object]) -> None:
    data = checkpoints_and_clock.describe_clock(None, KEPT)
    assert data is not None
    with pytest.raises(Refusal, match="fact_disagrees"):
        checkpoints_and_clock.read_clock(data | wrong)
