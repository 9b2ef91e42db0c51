"""What may be asked for as an archive, and how far one is."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal

DAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("first", "last", "refused"),
    [
        (DAY, date(2026, 11, 21), Refusal("bad_period")),
        (date(26, 11, 21), DAY, Refusal("bad_input", field="first", wanted="day")),
        (DAY, date.max, Refusal("bad_input", field="last", wanted="day")),
    ],
)
def test_days_that_are_no_period_are_refused_by_what_is_wrong_with_them(
    first: date, last: date, refused: Refusal
) -> None:
    with pytest.raises(Refusal) as raised:
        actas_after_sealing.ask_export(first=first, last=last, under_way=False)
    assert raised.value == refused


def test_one_is_under_way_at_a_time() -> None:
    actas_after_sealing.ask_export(first=DAY, last=DAY, under_way=False)
    with pytest.raises(Refusal, match="export_under_way"):
        actas_after_sealing.ask_export(first=DAY, last=DAY, under_way=True)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_what_still_runs_is_never_whole(done: int, total: int) -> None:
    assert 0 <= actas_after_sealing.percent(done, total) <= 99


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("journal.jsonl", "journal"), ("manifest.json", "signing"), ("rows/halls_hall.jsonl", "rows"),
        ("certificates/seal.pem", "papers"), ("README.txt", "papers"), ("actas/x.pdf", "actas"),
    ],
)  # fmt: skip
def test_every_file_belongs_to_a_step(name: str, step: str) -> None:
    assert actas_after_sealing.step(name) == step
    assert step in actas_after_sealing.STEPS
