"""The announcements of a game, by language; their words stand in `words`, a file a language.

What wins each prize (R5, R66-R67, R73-R75, R84, BOE I) is said with the sale, stands on boards and
desks, and is printed in the acta in the same words. No text of law fixes words for a game's figure
(R73 b) or for a jackpot (R9, R13).
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bingo.rules.formats import Format

LANGUAGES = ("pt", "es", "gl", "ca", "en")

# The tables of each file.
WORDS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        language: tomllib.loads(
            Path(__file__).with_name("words").joinpath(f"{language}.toml").read_text("utf-8")
        )
        for language in LANGUAGES
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcements:
    """What the hall says aloud, as templates with {named} fields for `str.format`.

    `formula` is the law's own text, quoted exactly, empty where it has none; the two `sale_closed`
    say it, and `sale_closed_one` of a single card, where its language needs another number of verb
    and noun. `sale_opening` begins the sale, `beside_opening` adds an issue of another price,
    `second_opening` the issue that follows an exhausted one. `sold_in_all` sums up several prices.
    `missing` names the cards written off between sold ones, each part told by `missing_card` or
    `missing_range`, the last two joined by `conjunction`. `second_game` opens the second game of
    double cards. `prizes` says each prize, in the order they are said, after `prizes_of_each`,
    which double cards need; `more` asks for further winners of each, and in the line's and the
    bingo's case in the law's own words. Fields used: total, letter, identification, size, price,
    half, first, last, amount, limit (balls), cards, and with `second_` before them letter,
    identification, first, last of the second issue.
    """

    language: str
    sale_opening: str
    beside_opening: str
    second_opening: str
    formula: str = ""
    sale_closed: str
    sale_closed_two: str
    sale_closed_one: str = ""
    sold_in_all: str
    missing: str
    missing_card: str
    missing_range: str
    conjunction: str
    prizes_of_each: str = ""
    prizes: Mapping[str, str]
    draw_opening: str
    second_game: str = ""
    more: Mapping[str, str]
    last_game: str


@dataclass(frozen=True, slots=True)
class Speech:
    """What a rule book has said in one language, of single cards and of double ones (R15)."""

    single: Announcements
    double: Announcements


def speeches(rulebook: str, *, language: str) -> Mapping[str, Speech]:
    """Return what is said aloud under a rule book, by language, the law's own first (R54)."""
    ordered = dict.fromkeys((language, *LANGUAGES))
    return MappingProxyType({spoken: _speech(rulebook, spoken) for spoken in ordered})


def _speech(rulebook: str, language: str) -> Speech:
    """Return what one language says: what a rule book says otherwise goes before what all say."""
    words = WORDS[language]
    own = words.get(rulebook, {})
    single = {"language": language} | words["single"] | own.get("single", {})
    double = single | words["double"] | own.get("double", {})
    return Speech(Announcements(**single), Announcements(**double))


@dataclass(frozen=True, slots=True)
class FigureWords:
    """`named` says by its {name} which figure is the bingo, `shown` where it has no name."""

    named: str
    shown: str


FIGURES: Mapping[str, FigureWords] = MappingProxyType(
    {language: FigureWords(**words["figure"]) for language, words in WORDS.items()}
)


@dataclass(frozen=True, slots=True)
class JackpotWords:
    """Templates with {named} fields; `names` are those of its levels, the first first.

    `told` says with the prizes what a level is worth, `of_kind` within how many balls it is won in
    another kind of bingo, `figure` names one that has no name, `near` says that it can still be won,
    `last` that the next ball is the last one for it, `gone` that it no longer can. Fields: name, kind, amount, limit
    and left, in balls.
    """

    names: Sequence[str]
    told: str
    of_kind: str
    figure: str
    near: str
    last: str
    gone: str


JACKPOTS: Mapping[str, JackpotWords] = MappingProxyType(
    {language: JackpotWords(**words["jackpot"]) for language, words in WORDS.items()}
)


@dataclass(frozen=True, slots=True)
class WinningWords:
    """What wins each prize: phrases without a stop; sentences with {wins} are for `str.format`.

    `each` has {kinds}: the names in `kinds` of what counts as a line, in their order, the last two
    joined by `either`. `one_of_three` is the line of a card with rows alone (R5 a). `whole` and `figure` are
    the two bingos (R73). The sentences say with the sale what wins the line, the column and the
    corners.
    """

    each: str
    kinds: Mapping[str, str]
    either: str
    one_of_three: str
    column: str
    corners: str
    whole: str
    figure: str
    line_told: str
    column_told: str
    corners_told: str


WINNING: Mapping[str, WinningWords] = MappingProxyType(
    {language: WinningWords(**words["winning"]) for language, words in WORDS.items()}
)


def line_in_words(format: Format, counts: Iterable[str], *, language: str) -> str:
    """Return what counts as a line with cards of a format, as a phrase without a stop.

    `counts` as in `patterns.combination_line`, empty where no line is won: so is then the phrase.
    """
    words, counted = WINNING[language], set(counts)
    if not counted:
        return ""
    if not format.full:
        return words.one_of_three
    *others, last = (name for kind, name in words.kinds.items() if kind in counted)
    kinds = f"{', '.join(others)} {words.either} {last}" if others else last
    return words.each.format(kinds=kinds)
