"""The names of the symbols: one for each drawing, and none that is taken for another."""

import itertools
import unicodedata

import pytest
from django.conf import settings
from django.utils.translation import override

from bingo.rules.refusal import Refusal
from bingo.symbols import SYMBOLS
from draws.boards import voice_clips
from draws.cards.labels import SYMBOL_NAMES, all_names, read_symbol
from draws.refusals import text

# Letters to change before one name is another; a gato is no cato, a pato no gato.
APART = 2


def test_names_stand_for_the_symbols_in_their_order() -> None:
    assert list(SYMBOL_NAMES) == [symbol.code for symbol in SYMBOLS]


@pytest.mark.rule(80)
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_names_cannot_be_taken_for_one_another_when_called(language: str) -> None:
    with override(language):
        names = [str(name).casefold() for name in SYMBOL_NAMES.values()]
    close = [pair for pair in itertools.combinations(names, 2) if changes(*pair) < APART]
    assert close == []


def test_names_that_sound_alike_are_found() -> None:
    assert changes("gato", "gato") == 0
    assert changes("gato", "pato") == 1
    assert changes("chave", "chávena") == 3


def changes(one: str, other: str) -> int:
    """How many letters must be put in, taken out or replaced (Levenshtein)."""
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        before, row = row, [place]
        for at, another in enumerate(other, 1):
            row.append(min(before[at] + 1, row[-1] + 1, before[at - 1] + (letter != another)))
    return row[-1]


@pytest.mark.rule(80)
@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("Cobra", 16), ("cobra", 16), ("  COB  ", 16), ("maca", 7), ("MAÇÃ", 7), ("floco", 3),
        ("Floco de neve", 3), ("floco   de  NEVE ", 3), ("guarda chuva", 24), ("Guarda‑chuva", 24),
        ("16", 16), (" 7 ", 7), ("１６", 16), ("flor", 6),
    ],
)  # fmt: skip
def test_symbol_is_keyed_by_its_name_its_first_letters_or_its_number(
    typed: str, number: int
) -> None:
    assert read_symbol(typed, languages=["pt"]) == number


@pytest.mark.rule(80)
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_name_is_keyed_in_every_language_with_and_without_accents(language: str) -> None:
    for number, told in enumerate(all_names(language=language), 1):
        assert read_symbol(told, languages=[language]) == number
        assert read_symbol(told.upper(), languages=[language]) == number
        plain = unicodedata.normalize("NFKD", told).encode("ascii", "ignore").decode()
        assert read_symbol(plain, languages=[language]) == number


@pytest.mark.rule(80)
@pytest.mark.parametrize(
    "typed", ["dragão", "", "  ", "xyz", "-", "%", "16 16", "1234", "٣", "a" * 60]
)
def test_symbol_that_does_not_exist_is_refused(typed: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_symbol(typed, languages=["pt", "es"])
    assert refused.value == Refusal("symbol_unknown", typed=typed.strip())


@pytest.mark.rule(80)
def test_letters_that_may_be_several_are_refused_with_their_names() -> None:
    with pytest.raises(Refusal) as refused, override("pt"):
        read_symbol("ca", languages=["pt"])
    assert refused.value.values["symbols"] == [13, 15, 22, 30]
    with override("pt"):
        told = text.refusal(refused.value)
    assert "Caracol, Caranguejo, Casa, Cadeira" in told


def test_one_letter_is_never_enough_even_where_one_name_begins_so() -> None:
    with pytest.raises(Refusal) as refused:
        read_symbol("e", languages=["pt"])
    assert refused.value == Refusal("symbol_ambiguous", typed="e", symbols=[18])
    assert read_symbol("el", languages=["pt"]) == 18


@pytest.mark.rule(54)
@pytest.mark.rule(80)
def test_hall_of_two_languages_is_keyed_in_both() -> None:
    both = ["pt", "es"]
    assert read_symbol("Serpiente", languages=both) == read_symbol("Cobra", languages=both) == 16
    # The reader's own beginnings go before those of the hall's other language.
    assert read_symbol("ser", languages=both) == 16
    # A whole name in one language goes before the beginning of another in the other.
    assert read_symbol("pez", languages=["ca", "es"]) == 11
    assert read_symbol("silla", languages=both) == 30
    with pytest.raises(Refusal) as refused:
        read_symbol("Serpiente", languages=["pt"])
    assert refused.value.code == "symbol_unknown"


@pytest.mark.slow
@pytest.mark.rule(80)
def test_no_name_of_one_language_is_another_symbol_s_in_another() -> None:
    """A whole name that is typed never announces another symbol, whatever the hall speaks."""
    spoken = [code for code, _name in settings.LANGUAGES]
    for language in spoken:
        for number, told in enumerate(all_names(language=language), 1):
            others = [code for code in spoken if code != language]
            assert read_symbol(told, languages=[language, *others]) == number, (language, told)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_recorded_voice_says_the_names_of_the_pages(language: str) -> None:
    said = [text.removesuffix(".") for text in voice_clips.symbols(language).values()]
    assert said == all_names(language=language)
