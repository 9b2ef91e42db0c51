"""What one print is made with: the press, what its cards say, where and in which ink."""

from collections.abc import Mapping
from dataclasses import dataclass

from bingo.rules.formats import Format
from draws.documents.cards.ink import Ink
from draws.documents.cards.places import Places
from draws.documents.cards.press import Press
from draws.documents.cards.values import CodeName, Printed


@dataclass(frozen=True, slots=True)
class Job:
    """`symbols` are the operators that show each, empty where numbers are printed."""

    press: Press
    values: Printed
    format: Format
    places: Places
    code: CodeName
    ink: Ink
    symbols: Mapping[int, str]

    @property
    def halves(self) -> int:
        """How many faces a card has (R15)."""
        return 2 if self.values.double else 1
