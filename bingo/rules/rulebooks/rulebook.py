"""What a rule book is: one regulator's dated values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.shares import Shares


@dataclass(frozen=True, slots=True)
class Announcements:
    """What the hall says aloud, as templates with {named} fields for `str.format`.

    `formula` is the law's own text, quoted exactly; the two `sale_closed` say it. Fields used:
    total, letter, identification, size, price, first, last, line, bingo, jackpot, and with
    `second_` before them letter, identification, first, last of the second issue.
    """

    language: str
    sale_opening: str
    second_opening: str
    formula: str
    sale_closed: str
    sale_closed_two: str
    prizes: str
    prizes_with_jackpot: str
    draw_opening: str
    more_lines: str
    more_bingos: str
    more_both: str
    last_game: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One regulator's rules as values.

    `column_counts` gives, a format's highest number, the least and the most numbers a column
    holds; `series_sizes` the cards of each letter (empty: as authorised). `fund`, `shares`,
    `bingo_floor` are basis points of gross and `jackpot_rate` of the fund; None means that the
    text fixes nothing and an authorisation must. `card_rule` and `series_rule` are the sources
    that a bad card and a repetition break; `acta_rule` the one whose letters an acta follows.
    """

    code: str
    title: str
    language: str
    dated: date
    card_rule: str
    series_rule: str
    column_counts: Mapping[int, tuple[int, int]]
    series_sizes: Mapping[str, int]
    fund: int | None
    shares: Shares | None
    bingo_floor: int
    jackpot_rate: int | None
    second_issue: bool
    ball_set_games: int
    winning_card_days: int | None
    acta_rule: str
    announcements: Announcements

    def column_count(self, format: Format) -> tuple[int, int]:
        """Give the least and most numbers of a column; Refusal format_not_in_rulebook."""
        if format.highest not in self.column_counts:
            raise Refusal("format_not_in_rulebook", format=format.highest, rulebook=self.code)
        return self.column_counts[format.highest]
