"""The class `Rulebook`: one regulator's dated values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bingo.rules.formats import Format
from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks.announcement_words import Announcements, Speech


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One regulator's rules as values.

    By a format's highest number: `column_counts` gives the least and the most cells of a column
    that are not blank (a free cell is one of them); `card_rules` and `series_rules` are the
    sources that a bad card and a repetition break. `series_sizes` gives the cards of each letter
    by `size_rule` (empty: as authorised). `fund`, `shares`, `bingo_floor` are basis points of
    gross and `jackpot_rate` of the fund; None means that the text fixes nothing and an
    authorisation must. `double_paid_at_once`: what a double card wins in its first game may be
    paid before the second. `ball_set_games` is the most games of a ball set, in the kinds of
    extractor that `ball_sets_wear_in` names; None: in all. `least_age` is how old, in
    years, whoever is let in must be. `identity_asked` is whether a document is asked of whoever
    comes in, `admission_days` for how many days at least the register of it is kept, `country` the
    one whose documents are the usual ones. `check_rule` is the one that has all
    equipment checked before a session; empty: none does. `evidence_rule` is the one by which cards
    that prove an offence go to the regulator; empty: none does. `equipment` is what no hall may be
    without, as `equipment.CHECKED` names it. `rng_interval` is the least number of
    seconds between two balls of the RNG in the hall. `acta_rule` is the one whose letters an
    acta follows. `speeches` are what is said aloud, by language: the law's own, and our
    translations of it (R54). `language_rule` is the one that has `language` used in everything,
    beside whatever other; empty: none does. `currency` and `time_zone` are those of its country today.
    """

    code: str
    title: str
    language: str
    dated: date
    column_counts: Mapping[int, tuple[int, int]]
    card_rules: Mapping[int, str]
    series_rules: Mapping[int, str]
    series_sizes: Mapping[str, int]
    size_rule: str
    fund: int | None
    shares: Shares | None
    bingo_floor: int
    jackpot_rate: int | None
    second_issue: bool
    double_paid_at_once: bool
    ball_set_games: int
    least_age: int
    identity_asked: bool
    admission_days: int
    country: str
    rng_interval: int
    winning_card_days: int | None
    acta_rule: str
    speeches: Mapping[str, Speech]
    currency: str
    time_zone: str
    ball_sets_wear_in: frozenset[str] | None = None
    check_rule: str = ""
    evidence_rule: str = ""
    language_rule: str = ""
    equipment: frozenset[str] = frozenset()

    @property
    def announcements(self) -> Announcements:
        """What is said aloud of single cards, in the rule book's own language."""
        return self.speeches[self.language].single

    def column_count(self, format: Format) -> tuple[int, int]:
        """Return the least and most cells of a column not blank; Refusal format_not_in_rulebook."""
        return self.column_counts[self._known(format)]

    def card_rule(self, format: Format) -> str:
        """Name the rule that a bad card breaks; Refusal format_not_in_rulebook."""
        return self.card_rules[self._known(format)]

    def series_rule(self, format: Format) -> str:
        """Name the rule that a repetition breaks; Refusal format_not_in_rulebook."""
        return self.series_rules[self._known(format)]

    def _known(self, format: Format) -> int:
        if format.highest not in self.column_counts:
            raise Refusal("format_not_in_rulebook", format=format.highest, rulebook=self.code)
        return format.highest
