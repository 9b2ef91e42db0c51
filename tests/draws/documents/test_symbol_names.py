"""The names of the symbols: one for each drawing, and none that is taken for another."""

import itertools

import pytest
from django.conf import settings
from django.utils.translation import override

from bingo.symbols import SYMBOLS
from draws.documents.symbol_names import NAMES

# Letters to change before one name is another; a gato is no cato, a pato no gato.
APART = 2


def test_names_stand_for_the_symbols_in_their_order() -> None:
    assert list(NAMES) == [symbol.code for symbol in SYMBOLS]


@pytest.mark.rule(80)
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_names_cannot_be_taken_for_one_another_when_called(language: str) -> None:
    with override(language):
        names = [str(name).casefold() for name in NAMES.values()]
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
