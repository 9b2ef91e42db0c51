"""Passwords of the trade's words, of the hall's name and of breaches are none."""

from __future__ import annotations

import pytest

from bingo.rules.refusal import Refusal
from draws.demonstration.evening import CAPE_VERDE
from draws.management.commands import load_demonstration
from halls import passwords


@pytest.mark.parametrize(
    "password",
    [
        "bingo2026", "Bingo-2026!", "cartao-linha", "CARTÃO.LINHA", "linha-bingo-2468", "cartela1979",
        "casacasacasa", "portugues1", "Catalán!!", "galego2026", "english-card", "bingo123456",
        "senhadobingo1", "demonstracao1", "locutor-mesa-9",
    ],
)  # fmt: skip
def test_words_of_the_trade_alone_are_guessed(password: str) -> None:
    with pytest.raises(Refusal, match="password_weak"):
        passwords.require_good(password, username="maria.lima", name="Maria Lima")


@pytest.mark.parametrize("password", ["estoril-1979", "Grande.Estoril.7", "ESTORIL ESTORIL"])
def test_name_of_the_hall_is_guessed_in_that_hall(password: str) -> None:
    assert passwords.is_guessable(password, hall="Sala Grande Estoril")
    assert not passwords.is_guessable(password, hall="Sala Nova")


@pytest.mark.parametrize(
    "password", ["sete-bolas-42", "nove bolas pretas", "Vim assistir 1979", "barco-areia-7261"]
)
def test_word_of_the_trade_among_others_does_no_harm(password: str) -> None:
    assert not passwords.is_guessable(password, hall="Sala Nova")


@pytest.mark.parametrize(
    "password",
    ["password123", "PASSWORD123", "qwertyuiop", "barcelona1", "iloveyou2"],
)
def test_password_of_a_breach_is_known(password: str) -> None:
    assert passwords.is_breached(password)


def test_passwords_drawn_by_chance_are_not_taken_for_breached_ones() -> None:
    drawn = [f"barco {number} areia" for number in range(2000)]
    assert sum(map(passwords.is_breached, drawn)) < 5


@pytest.mark.slow
def test_list_is_whole_and_in_order() -> None:
    content = passwords.BREACHED.read_bytes()
    heads = [content[at : at + passwords.WIDTH] for at in range(0, len(content), passwords.WIDTH)]
    assert len(heads) == 474_717
    assert heads == sorted(set(heads))


@pytest.mark.parametrize("password", ["", "\ud800" * 8, "x" * 1000, "ﬁ" * 20])
def test_odd_texts_are_judged_without_an_error(password: str) -> None:
    passwords.is_guessable(password, hall="Sala [a-z]+ (")


def test_eight_signs_are_the_least_and_a_hundred_are_taken() -> None:
    about = {"username": "maria.lima", "name": "Maria Lima"}
    with pytest.raises(Refusal, match="password_weak"):
        passwords.require_good("xq7-vk2", **about)
    passwords.require_good("xq7-vk2p", **about)
    passwords.require_good("vento pedra " * 9, **about)


@pytest.mark.parametrize(
    "password", ["maria-lima-2026", "xx-Lima-2026-xx", "MARIA.LIMA", "2026maria2026"]
)
def test_password_with_a_name_is_weak(password: str) -> None:
    with pytest.raises(Refusal, match="password_weak"):
        passwords.require_good(password, username="maria.lima", name="Maria Lima")


@pytest.mark.parametrize("password", ["evora-2026-xx", "ÉVORA-2026-xx", "e\u0301vora-2026-xx"])
def test_name_is_one_with_or_without_its_accents(password: str) -> None:
    with pytest.raises(Refusal, match="password_weak"):
        passwords.require_good(password, username="c.e", name="Carlos Évora")


def test_password_without_any_is_taken() -> None:
    passwords.require_good("sete-bolas-42", username="maria.lima", name="Maria de Lima")


def test_password_of_the_demonstration_is_good_for_each_of_its_staff() -> None:
    password = load_demonstration.draw_password()
    for username, name in CAPE_VERDE.staff.items():
        passwords.require_good(password, username=username, name=name)
