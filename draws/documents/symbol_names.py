"""What the thirty symbols are called when they are drawn (R80): one plain word each.

They are keyed by these names too, in whatever language the hall speaks.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import symbols
from bingo.rules.formats import THIRTY
from bingo.rules.refusal import Refusal

# No two may sound alike in any language of the hall, for they are called aloud.
NAMES: Mapping[str, Promise] = {
    "sun": _("The sun"),  # "Sun" alone is Django's Sunday
    "cloud": _("Cloud"),
    "snowflake": _("Snowflake"),
    "mountain": _("Mountain"),
    "palm": _("Palm tree"),
    "flower": _("Flower"),
    "apple": _("Apple"),
    "cherries": _("Cherries"),
    "banana": _("Banana"),
    "corn": _("Corn"),
    "fish": _("Fish"),
    "cat": _("Cat"),
    "snail": _("Snail"),
    "butterfly": _("Butterfly"),
    "crab": _("Crab"),
    "snake": _("Snake"),
    "rabbit": _("Rabbit"),
    "elephant": _("Elephant"),
    "giraffe": _("Giraffe"),
    "penguin": _("Penguin"),
    "key": _("Key"),
    "house": _("House"),
    "boat": _("Boat"),
    "umbrella": _("Umbrella"),
    "guitar": _("Guitar"),
    "bicycle": _("Bicycle"),
    "clock": _("Clock"),
    "scissors": _("Scissors"),
    "teapot": _("Teapot"),
    "chair": _("Chair"),
}

LEAST = 2  # letters of a name that are enough to key it: one is a slip of the finger


def name(number: int, *, language: str | None = None) -> str:
    """Return what the symbol that stands for a number is called, by default in the active language.

    Raises Refusal number_out_of_range.
    """
    with translation.override(language or translation.get_language()):
        return str(NAMES[symbols.code(number)])


def all_names(*, language: str | None = None) -> list[str]:
    """Return the thirty names in the order of their numbers."""
    return [name(number, language=language) for number in THIRTY.numbers]


def ball(number: int, *, of_symbols: bool) -> str:
    """Return what a ball is called: its symbol's name with its number, or the number alone."""
    if not of_symbols or number not in THIRTY.numbers:
        return str(number)
    return f"{name(number)} ({number})"


def of_code(code: str | None, number: int) -> str:
    """Return what an entry's ball is called; `code` is the symbol that the entry names, if any."""
    return f"{NAMES[code]} ({number})" if code is not None and code in NAMES else str(number)


def read(typed: str, *, languages: Sequence[str]) -> int:
    """Return the number of the symbol that somebody has typed: its name, its first letters, or digits.

    Case, accents and spaces do not matter. `languages` are the reader's and then the hall's: a
    whole name goes before the beginning of another, the reader's language before the hall's.
    Raises Refusal: symbol_unknown, symbol_ambiguous with the names it may be.
    """
    wanted = _plain(typed)
    if re.fullmatch(r"[0-9]{1,3}", wanted):
        return int(wanted)
    tongues = [
        {number: _plain(name(number, language=code)) for number in THIRTY.numbers}
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
