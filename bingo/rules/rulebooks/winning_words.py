"""What wins each prize, in words of each language (R5, R66-R67, R73-R75, R84, BOE I).

The same words are said with the sale, stand on boards and desks, and are printed in the acta.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bingo.rules.formats import Format
from bingo.rules.patterns import LINES, ROWS
from bingo.rules.rulebooks.announcement_words import WORDS


@dataclass(frozen=True, slots=True)
class WinningWords:
    """Phrases that end without a stop; sentences with {wins} are for `str.format`.

    `each` has {kinds}: the names in `kinds` of what counts as a line, the last two joined by
    `either`. `one_of_three` is the line of a card with rows alone (R5 a). `whole` and `figure` are
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


def line(format: Format, counts: Iterable[str], *, language: str) -> str:
    """Return what counts as a line with cards of a format, as a phrase without a stop.

    `counts` as in `patterns.combination_line`, empty where no line is won: so is then the phrase.
    """
    words, counted = WINNING[language], set(counts)
    if not counted:
        return ""
    if counted == {ROWS} and not format.full:
        return words.one_of_three
    *others, last = (words.kinds[kind] for kind in LINES if kind in counted)
    kinds = f"{', '.join(others)} {words.either} {last}" if others else last
    return words.each.format(kinds=kinds)
