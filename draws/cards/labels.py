"""The words of cards and stock: states, symbols, figures of 75, faults of a series.

Also sources, papers, codes and formats. Symbols are called by one plain word each when they are
drawn (R80), and keyed by it too, in whatever language the hall speaks. It is said what keeps a
series from being larger; faults of a series file are put in words from the place that a refusal
names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo import catalogues
from bingo.money_and_dates import Whole
from bingo.rules import formats
from bingo.rules.formats import THIRTY
from bingo.rules.refusal import Refusal
from bingo.rules.series import SeriesFault
from bingo.rules.series_files import HEAD

Text = Promise | str
_WORDS = catalogues.words_beside(__file__)

STATES: Mapping[str, Text] = _WORDS["states"]

ALL_RETIRED = _("All retired")

SOURCES: Mapping[str, Text] = _WORDS["sources"]
PAPERS: Mapping[str, Text] = _WORDS["papers"]

PAPERS_SHORT: Mapping[str, Text] = {
    "a4": "A4",
    "letter": "Letter",
    "roll": _("Roll of 80 mm"),
}

CODES: Mapping[str, Text] = _WORDS["codes"]
PRINTS: Mapping[str, Text] = _WORDS["prints"]

FORMATS: Mapping[int, Text] = {
    90: _("90 numbers: 3 rows of 5"),
    80: _("80 numbers: 4 rows of 4"),
    75: _("75 numbers: B-I-N-G-O, free centre"),
    30: _("30 numbers or symbols: 3 rows of 3"),
}


def miscounted(identification: str, counted: int, expected: int) -> str:
    """Say how far a count is from what is due, and what to do, in the active language."""
    values = {
        "issue": identification,
        "counted": Whole(counted),
        "expected": Whole(expected),
        "left": Whole(abs(expected - counted)),
    }
    if counted < expected:
        text = gettext(
            "Issue %(issue)s: %(counted)s counted, %(expected)s expected, %(left)s missing. Find the"
            " others, or retire the missing ones, then count again."
        )
    else:
        text = gettext(
            "Issue %(issue)s: %(counted)s counted, %(expected)s expected, %(left)s too many. Take out"
            " what is of another issue, then count again."
        )
    return text % values


# No two may sound alike in any language of the hall, for they are called aloud.
SYMBOL_NAMES: Mapping[str, Promise] = _WORDS["symbols"]

LEAST = 2  # letters of a name that are enough to key it: one is a slip of the finger


def symbol_name(number: int, *, language: str | None = None) -> str:
    """Return what the symbol that stands for a number is called, by default in the active language.

    Raises Refusal number_out_of_range.
    """
    with translation.override(language or translation.get_language()):
        return str(SYMBOL_NAMES[formats.code(number)])


def all_names(*, language: str | None = None) -> list[str]:
    """Return the thirty names in the order of their numbers."""
    return [symbol_name(number, language=language) for number in THIRTY.numbers]


def ball(number: int, *, of_symbols: bool) -> str:
    """Return what a ball is called: its symbol's name with its number, or the number alone."""
    if not of_symbols or number not in THIRTY.numbers:
        return str(number)
    return f"{symbol_name(number)} ({number})"


def of_code(code: str | None, number: int) -> str:
    """Return what an entry's ball is called; `code` is the symbol that the entry names, if any."""
    return (
        f"{SYMBOL_NAMES[code]} ({number})"
        if code is not None and code in SYMBOL_NAMES
        else str(number)
    )


def read_symbol(typed: str, *, languages: Sequence[str]) -> int:
    """Return the number of the symbol that somebody has typed: its name, its first letters, or digits.

    Case, accents and spaces do not matter. `languages` are the reader's and then the hall's: a
    whole name goes before the beginning of another, the reader's language before the hall's.
    Raises Refusal: symbol_unknown, symbol_ambiguous with the names it may be.
    """
    wanted = _plain(typed)
    if re.fullmatch(r"[0-9]{1,3}", wanted):
        return int(wanted)
    tongues = [
        {number: _plain(symbol_name(number, language=code)) for number in THIRTY.numbers}
        for code in dict.fromkeys(languages)
    ]
    whole = [_matching(one, wanted.__eq__) for one in tongues]
    begun = [_matching(one, lambda name: name.startswith(wanted)) for one in tongues]
    if len(wanted) < LEAST:
        raise _refusal(typed, set().union(*begun) if wanted else set())
    for found in (whole[0], set().union(*whole), begun[0], set().union(*begun)):
        if len(found) == 1:
            return found.pop()
        if found:
            raise _refusal(typed, found)
    raise _refusal(typed, set())


def _matching(names: Mapping[int, str], matches: Callable[[str], bool]) -> set[int]:
    return {number for number, name in names.items() if matches(name)}


def _refusal(typed: str, found: Collection[int]) -> Refusal:
    if not found:
        return Refusal("symbol_unknown", typed=typed.strip())
    return Refusal("symbol_ambiguous", typed=typed.strip(), symbols=sorted(found))


def _plain(text: str) -> str:
    """Return a name without case, accents and further spaces, with one kind of hyphen."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in parted if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[\-\u2010-\u2015]", " ", letters).split())


PATTERN_NAMES: Mapping[str, Promise] = _WORDS["patterns"]
# Values of the fault are named in braces; rows and columns count from 1.
FAULTS: Mapping[str, Promise] = _WORDS["faults"]
BOUNDS: Mapping[str, Promise] = _WORDS["bounds"]


def series_fault(found: SeriesFault) -> str:
    """Say what a fault of a series is, in the active language."""
    return series_says(found.code, found.values)


def series_says(code: str, values: Mapping[str, object]) -> str:
    """Say a fault known by its code and values, in the active language; raises KeyError."""
    listed = {
        name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in values.items()
    }
    return str(FAULTS[code]).format(**listed)


IN_JSON = re.compile(r"cards\[(\d+)\](?:\[(\d+)\])?(?:\[(\d+)\])?")
IN_CSV = re.compile(r"(\d+):(?:card|r(\d+)c(\d+))")
IN_TEXT = re.compile(r"(\d+):(\d+)")

WHOLE_FILE: Mapping[str, Promise] = _WORDS["whole_file"]


def series_file_says(where: str, found: str = "", *, free: str = "") -> str:
    """Say what is wrong at a place of `bad_series_file`.

    `found` is what stands there, if known; `free` what should stand there, in a free square alone.
    """
    if where in WHOLE_FILE:
        return str(WHOLE_FILE[where])
    if at := IN_JSON.fullmatch(where):
        card, row, column = (int(part) + 1 if part else 0 for part in at.groups())
        return _of_card(card, row, column, found, free)
    if at := IN_CSV.fullmatch(where):
        line, row, column = (int(part or 0) for part in at.groups())
        return _of_card(line - HEAD, row, column, found, free)
    if at := IN_TEXT.fullmatch(where):
        values = {"line": at[1], "column": at[2]}
        text = gettext("The file is no series as JSON or CSV: line %(line)s, sign %(column)s.")
        return text % values
    return str(WHOLE_FILE["document"])


def _of_card(card: int, row: int, column: int, found: str, free: str) -> str:
    values = {"card": card, "row": row, "column": column, "found": found, "free": free}
    if card < 1:
        return gettext("The heading above the cards is not that of the format.")
    if free:
        return gettext("Card %(card)s, row %(row)s, column %(column)s: this square is free, and %(free)s is written in it.") % values  # fmt: skip
    if column and found:
        return gettext("Card %(card)s, row %(row)s, column %(column)s: %(found)s is no number of this game.") % values  # fmt: skip
    if column:
        return gettext("Card %(card)s, row %(row)s, column %(column)s: what stands there is no number of this game.") % values  # fmt: skip
    if row:
        return gettext("Card %(card)s, row %(row)s: it has not as many squares as the format.") % values  # fmt: skip
    return gettext("Card %(card)s is missing, out of order, or not of the shape of the format.") % values  # fmt: skip
