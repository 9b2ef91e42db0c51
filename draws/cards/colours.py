"""The colours of cards: the face tells the price, the back the series (R18).

Which colours an issue may have beside the hall's others: `bingo.rules.series.require_colours`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Colour:
    """A named colour in four strengths, each #rrggbb.

    `tint` lies under black figures (at least 12:1), `shade` fills blank cells, `strong` carries
    white letters (at least 4.5:1).
    """

    code: str
    name: Promise
    tint: str
    shade: str
    strong: str


# From the lightest tint to the darkest, so that no two are one grey; `strong` likewise, in an
# order of its own. White is for faces only: a white letter needs a dark back.
COLOURS: Mapping[str, Colour] = {
    colour.code: colour
    for colour in (
        Colour("white", _("white"), "#ffffff", "#c4c4c4", "#3a3a3a"),
        Colour("yellow", _("yellow"), "#fff7d0", "#d2b10b", "#8a7300"),
        Colour("lime", _("lime"), "#eaf9b0", "#9dba27", "#536508"),
        Colour("turquoise", _("turquoise"), "#c7f5f4", "#36bcb7", "#00514e"),
        Colour("orange", _("orange"), "#ffe3c5", "#ee8e28", "#a95700"),
        Colour("green", _("green"), "#beefc6", "#51b462", "#124a1c"),
        Colour("pink", _("pink"), "#ffd1e8", "#e777af", "#c01b6e"),
        Colour("grey", _("grey"), "#d9d9d9", "#989898", "#575757"),
        Colour("brown", _("brown"), "#e7d2bf", "#b98b63", "#3b2511"),
        Colour("blue", _("blue"), "#afd4ff", "#4f93e0", "#0c386a"),
        Colour("red", _("red"), "#ffbcb8", "#e76158", "#9b1a11"),
        Colour("purple", _("purple"), "#dabdfc", "#a371dc", "#411b6c"),
        Colour("navy", _("navy blue"), "#bdc3e9", "#7881be", "#0f1646"),
    )
}
FACES = tuple(COLOURS)
BACKS = tuple(code for code in COLOURS if code != "white")

# Neighbouring letters lie far apart, in colour and in grey.
BACK_OF_LETTER: Mapping[str, str] = {
    "A": "blue",
    "B": "orange",
    "C": "green",
    "D": "pink",
    "E": "purple",
    "F": "lime",
    "G": "brown",
    "H": "grey",
    "I": "turquoise",
    "J": "red",
    "K": "navy",
}


def face(code: str) -> Colour:
    """Return a colour of faces; Refusal not_printable."""
    return _get(code, FACES)


def back(code: str) -> Colour:
    """Return a colour of backs; Refusal not_printable."""
    return _get(code, BACKS)


def back_of(letter: str) -> str:
    """Return the usual back colour of a series letter: that of A to K, else one that is fixed."""
    if letter in BACK_OF_LETTER:
        return BACK_OF_LETTER[letter]
    return BACKS[sum(map(ord, letter)) % len(BACKS)]


def _get(code: str, among: tuple[str, ...]) -> Colour:
    if code not in among:
        raise Refusal("not_printable", what="colour")
    return COLOURS[code]
