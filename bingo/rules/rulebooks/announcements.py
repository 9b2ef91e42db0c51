"""What a hall says aloud in a game, in one language: templates with {named} fields."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
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
    formula: str
    sale_closed: str
    sale_closed_two: str
    sold_in_all: str
    missing: str
    missing_card: str
    missing_range: str
    conjunction: str
    prizes_of_each: str
    prizes: Mapping[str, str]
    draw_opening: str
    second_game: str
    more: Mapping[str, str]
    last_game: str
    sale_closed_one: str = ""


@dataclass(frozen=True, slots=True)
class Speech:
    """What a rule book has said in one language, of single cards and of double ones (R15)."""

    single: Announcements
    double: Announcements
