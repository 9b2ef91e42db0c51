"""The word of the first hall: good once, kept as a digest alone, closed to whoever guesses."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import RequestFactory
from django.utils import timezone

from bingo.rules.refusal import Refusal
from halls import setup

pytestmark = pytest.mark.django_db
REQUEST = RequestFactory().post("/first/")


@pytest.fixture(autouse=True)
def data(settings: LazySettings, tmp_path: Path) -> Path:
    """A data folder of the test's own."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def code_of(typed: str) -> str:
    try:
        setup.require(typed, request=REQUEST, at=timezone.now())
    except Refusal as refusal:
        return refusal.code
    return ""


def test_word_has_128_bits_and_is_kept_as_a_digest_that_its_owner_alone_reads(data: Path) -> None:
    word = setup.give()
    assert len(bytes.fromhex(word.replace("-", ""))) == 16
    [kept] = list((data / "first").iterdir())
    assert word.replace("-", "") not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert setup.give() != word


def test_word_is_taken_however_it_is_written() -> None:
    word = setup.give()
    for typed in (word, word.upper(), f" {word.replace('-', ' ')} ", word.replace("-", "")):
        assert code_of(typed) == ""


@pytest.mark.parametrize("typed", ["", "\x00", "a" * 32, "a" * 100_000, "ção", "\ud800"[:0]])
def test_another_word_is_refused(typed: str) -> None:
    setup.give()
    assert code_of(typed) == "setup_word_wrong"


def test_newer_word_takes_the_place_of_the_older() -> None:
    older = setup.give()
    newer = setup.give()
    assert (code_of(older), code_of(newer)) == ("setup_word_wrong", "")


def test_where_none_was_given_none_is_right() -> None:
    assert code_of("") == "setup_word_wrong"
    word = setup.give()
    setup.forget()
    setup.forget()
    assert code_of(word) == "setup_word_wrong"


def test_guessing_closes_it_even_to_the_right_word() -> None:
    word = setup.give()
    assert [code_of("x") for _n in range(5)] == ["setup_word_wrong"] * 5
    assert code_of(word) == "setup_word_locked"
