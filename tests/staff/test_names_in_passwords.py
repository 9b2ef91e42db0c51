"""A password that holds what its owner is called is none."""

import pytest

from bingo.rules.refusal import Refusal
from draws.demonstration.evening import CAPE_VERDE, SPAIN
from draws.management.commands import load_demonstration
from halls import second_person


@pytest.mark.parametrize(
    "password", ["maria-lima-2026", "xx-Lima-2026-xx", "MARIA.LIMA", "2026maria2026"]
)
def test_password_with_a_name_is_weak(password: str) -> None:
    with pytest.raises(Refusal, match="password_weak"):
        second_person.require_good(password, username="maria.lima", name="Maria Lima")


@pytest.mark.parametrize("password", ["evora-2026-xx", "ÉVORA-2026-xx", "e\u0301vora-2026-xx"])
def test_name_is_one_with_or_without_its_accents(password: str) -> None:
    with pytest.raises(Refusal, match="password_weak"):
        second_person.require_good(password, username="c.e", name="Carlos Évora")


def test_password_without_any_is_taken() -> None:
    second_person.require_good("sete-bolas-42", username="maria.lima", name="Maria de Lima")


@pytest.mark.parametrize("word", load_demonstration.WORDS)
def test_words_of_the_demonstration_s_password_are_no_part_of_a_name(word: str) -> None:
    for country in (CAPE_VERDE, SPAIN):
        for username, name in country.staff.items():
            second_person.require_good(f"{word}-{word}-1979", username=username, name=name)
