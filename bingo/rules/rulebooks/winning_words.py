"""What wins each prize of a game, in words and in each language (R5, R66-R67, R73-R75, R84, BOE I).

The same words are said with the sale, stand on boards and desks, and are printed in the acta.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bingo.rules.formats import Format
from bingo.rules.patterns import COLUMNS, DIAGONALS, LINES, ROWS


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
    {
        "pt": WinningWords(
            each="qualquer {kinds} do cartão",
            kinds=MappingProxyType(
                {ROWS: "linha horizontal", COLUMNS: "coluna", DIAGONALS: "diagonal"}
            ),
            either="ou",
            one_of_three="qualquer das três linhas do cartão",
            column="qualquer das três colunas do cartão",
            corners="os quatro cantos do cartão",
            whole="o cartão completo",
            figure="a figura que se vê no painel",
            line_told="Vale como linha {wins}.",
            column_told="Ganha o prémio de coluna {wins}.",
            corners_told="Ganham o prémio de quatro cantos {wins}.",
        ),
        "es": WinningWords(
            each="cualquier {kinds} del cartón",
            kinds=MappingProxyType(
                {ROWS: "línea horizontal", COLUMNS: "columna", DIAGONALS: "diagonal"}
            ),
            either="o",
            one_of_three="cualquiera de las tres líneas del cartón",
            column="cualquiera de las tres columnas del cartón",
            corners="las cuatro esquinas del cartón",
            whole="el cartón completo",
            figure="la figura que se ve en el panel",
            line_told="Vale como línea {wins}.",
            column_told="Gana el premio de columna {wins}.",
            corners_told="Ganan el premio de cuatro esquinas {wins}.",
        ),
        "gl": WinningWords(
            each="calquera {kinds} do cartón",
            kinds=MappingProxyType(
                {ROWS: "liña horizontal", COLUMNS: "columna", DIAGONALS: "diagonal"}
            ),
            either="ou",
            one_of_three="calquera das tres liñas do cartón",
            column="calquera das tres columnas do cartón",
            corners="as catro esquinas do cartón",
            whole="o cartón completo",
            figure="a figura que se ve no panel",
            line_told="Vale como liña {wins}.",
            column_told="Gaña o premio de columna {wins}.",
            corners_told="Gañan o premio de catro esquinas {wins}.",
        ),
        "ca": WinningWords(
            each="qualsevol {kinds} del cartró",
            kinds=MappingProxyType(
                {ROWS: "línia horitzontal", COLUMNS: "columna", DIAGONALS: "diagonal"}
            ),
            either="o",
            one_of_three="qualsevol de les tres línies del cartró",
            column="qualsevol de les tres columnes del cartró",
            corners="les quatre cantonades del cartró",
            whole="el cartró complet",
            figure="la figura que es veu al tauler",
            line_told="Val com a línia {wins}.",
            column_told="Guanya el premi de columna {wins}.",
            corners_told="Guanyen el premi de quatre cantonades {wins}.",
        ),
        "en": WinningWords(
            each="any {kinds} of the card",
            kinds=MappingProxyType({ROWS: "row", COLUMNS: "column", DIAGONALS: "diagonal"}),
            either="or",
            one_of_three="any of the three rows of the card",
            column="any of the three columns of the card",
            corners="the four corners of the card",
            whole="the whole card",
            figure="the figure shown on the board",
            line_told="The line is {wins}.",
            column_told="The prize of the column is won with {wins}.",
            corners_told="The prize of four corners is won with {wins}.",
        ),
    }
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
