"""Colours that stay apart, and letters that stay legible, also in black and white (R18)."""

import colorsys
from itertools import combinations

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import RULEBOOKS
from draws.cards import colours
from draws.cards.printing import press

BLACK, WHITE = "#000000", "#ffffff"


def contrast(one: str, other: str) -> float:
    dark, light = sorted((press.luminance(one), press.luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def apart(colours: list[str]) -> float:
    greys = [press.lightness(colour) for colour in colours]
    return min(abs(one - other) for one, other in combinations(greys, 2))


@pytest.mark.parametrize("code", colours.FACES)
def test_black_figures_stand_out_on_every_face(code: str) -> None:
    face = colours.face(code)
    assert contrast(face.tint, BLACK) >= 12
    assert all(contrast(tone, BLACK) >= 12 for tone in press.tones(press.ink_of(face)))


@pytest.mark.parametrize("code", colours.FACES)
def test_blank_cells_are_told_from_figures_in_grey(code: str) -> None:
    face = colours.face(code)
    assert press.lightness(press.lighter(face.tint, 0.5)) - press.lightness(face.shade) > 20


@pytest.mark.parametrize("code", colours.BACKS)
def test_white_letters_stand_out_on_every_back(code: str) -> None:
    assert contrast(colours.back(code).strong, WHITE) >= 4.5


@pytest.mark.rule(18)
def test_no_two_colours_are_one_grey() -> None:
    assert apart([colours.face(code).tint for code in colours.FACES]) > 1
    assert apart([colours.back(code).strong for code in colours.BACKS]) > 2


@pytest.mark.rule(64)
@pytest.mark.parametrize("code", colours.FACES)
def test_columns_of_80_differ_in_colour_and_in_grey(code: str) -> None:
    tones = press.tones(press.ink_of(colours.face(code)))
    assert len(set(tones)) == 4
    assert apart(list(tones)) > 4


@pytest.mark.rule(64)
@pytest.mark.parametrize("code", colours.FACES)
def test_columns_of_80_are_coloured_on_every_face(code: str) -> None:
    hues = []
    for tone in press.tones(press.ink_of(colours.face(code))):
        red, green, blue = press.ink_parts(tone)
        assert max(red, green, blue) - min(red, green, blue) > 0.01
        hues.append(colorsys.rgb_to_hls(red, green, blue)[0])
    turns = [abs(one - other) for one, other in combinations(hues, 2)]
    assert min(min(turn, 1 - turn) for turn in turns) > 20 / 360


@pytest.mark.rule(18)
def test_every_letter_has_a_back_of_its_own() -> None:
    letters = RULEBOOKS["cape-verde-2017"].series_sizes
    assert set(colours.BACK_OF_LETTER) == set(letters)
    assert len(set(colours.BACK_OF_LETTER.values())) == len(letters)
    assert set(colours.BACK_OF_LETTER.values()) <= set(colours.BACKS)


def test_other_letters_have_a_back_that_never_changes() -> None:
    assert colours.back_of("K") == "navy"
    assert colours.back_of("A100") == colours.back_of("A100")
    assert colours.back_of("A100") in colours.BACKS


@pytest.mark.parametrize("code", ["", "white ", "gold"])
def test_unknown_colour_is_refused(code: str) -> None:
    with pytest.raises(Refusal, match="not_printable"):
        colours.face(code)


def test_white_is_no_back() -> None:
    with pytest.raises(Refusal, match="not_printable"):
        colours.back("white")
