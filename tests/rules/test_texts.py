"""Texts that everybody reads the same."""

import pytest

from bingo.rules import texts
from bingo.rules.texts import LONGEST_REASON, is_record


@pytest.mark.parametrize("text", ["Despacho n.º 7/2026", "Autorización 3-A", "L'hospitalet (2)"])
def test_plain_text_is_what_our_typeface_prints(text: str) -> None:
    assert texts.is_plain(text)


@pytest.mark.parametrize("text", ["", " a", "a\nb", "😀", "e\u0301", "١", "а", "<b>"])
def test_text_that_reads_otherwise_than_it_looks_is_not_plain(text: str) -> None:
    assert not texts.is_plain(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1001", True), ("2026/A-17", True), ("A 1", True),
        ("", False), ("A  1", False), ("-1", False), ("1-", False), ("é1", False), ("１", False),
    ],
)  # fmt: skip
def test_identification_is_letters_and_digits_in_groups(text: str, *, number: bool) -> None:
    assert texts.is_number(text) is number


def test_reason_is_kept_when_a_paper_can_show_it() -> None:
    assert is_record("água\nderramada")
    assert is_record("x" * LONGEST_REASON)
    assert not is_record("x" * (LONGEST_REASON + 1))
    assert not is_record("a\0b")
