"""What a hall says aloud in a game, in one language: templates with {named} fields.

What is said aloud of a game's figure, in each language: no text of law fixes words for it (R73 b).

What is said aloud of a jackpot, in each language: no text of law fixes words for it (R9, R13).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


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


@dataclass(frozen=True, slots=True)
class FigureWords:
    """`named` says by its {name} which figure is the bingo, `shown` where it has no name."""

    named: str
    shown: str


FIGURES: Mapping[str, FigureWords] = MappingProxyType(
    {
        "pt": FigureWords(
            named="Nesta jogada o bingo é a figura que se vê no painel: {name}.",
            shown="Nesta jogada o bingo é a figura que se vê no painel.",
        ),
        "es": FigureWords(
            named="En esta partida el bingo es la figura que se ve en el panel: {name}.",
            shown="En esta partida el bingo es la figura que se ve en el panel.",
        ),
        "gl": FigureWords(
            named="Nesta partida o bingo é a figura que se ve no panel: {name}.",
            shown="Nesta partida o bingo é a figura que se ve no panel.",
        ),
        "ca": FigureWords(
            named="En aquesta partida el bingo és la figura que es veu al tauler: {name}.",
            shown="En aquesta partida el bingo és la figura que es veu al tauler.",
        ),
        "en": FigureWords(
            named="In this game the bingo is the figure shown on the board: {name}.",
            shown="In this game the bingo is the figure shown on the board.",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class JackpotWords:
    """Templates with {named} fields; `names` are those of its levels, the first first.

    `told` says with the prizes what a level is worth, `near` that it can still be won, `last` that
    the next ball is the last one for it, `gone` that it no longer can. Fields: name, amount, limit
    and left, in balls.
    """

    names: tuple[str, ...]
    told: str
    near: str
    last: str
    gone: str


JACKPOTS: Mapping[str, JackpotWords] = MappingProxyType(
    {
        "pt": JackpotWords(
            names=("Prémio acumulado", "Segundo prémio acumulado", "Terceiro prémio acumulado"),
            told="{name}, com {limit} bolas no máximo: {amount}.",
            near="{name}: faltam {left} bolas até ao limite.",
            last="{name}: a próxima bola é a última para o ganhar.",
            gone="{name}: já não pode sair nesta jogada.",
        ),
        "es": JackpotWords(
            names=("Acumulado", "Segundo acumulado", "Tercer acumulado"),
            told="{name}, con {limit} bolas como máximo: {amount}.",
            near="{name}: faltan {left} bolas hasta el límite.",
            last="{name}: la próxima bola es la última para ganarlo.",
            gone="{name}: ya no puede salir en esta partida.",
        ),
        "gl": JackpotWords(
            names=("Acumulado", "Segundo acumulado", "Terceiro acumulado"),
            told="{name}, con {limit} bólas como máximo: {amount}.",
            near="{name}: faltan {left} bólas até o límite.",
            last="{name}: a próxima bóla é a última para gañalo.",
            gone="{name}: xa non pode saír nesta partida.",
        ),
        "ca": JackpotWords(
            names=("Acumulat", "Segon acumulat", "Tercer acumulat"),
            told="{name}, amb {limit} boles com a màxim: {amount}.",
            near="{name}: falten {left} boles fins al límit.",
            last="{name}: la pròxima bola és l’última per guanyar-lo.",
            gone="{name}: ja no pot sortir en aquesta partida.",
        ),
        "en": JackpotWords(
            names=("Jackpot", "Second jackpot", "Third jackpot"),
            told="{name}, within {limit} balls: {amount}.",
            near="{name}: {left} balls left to the limit.",
            last="{name}: the next ball is the last one for it.",
            gone="{name}: it can no longer be won in this game.",
        ),
    }
)
