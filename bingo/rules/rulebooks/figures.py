"""What is said aloud of a game's figure, in each language: no text of law fixes words for it (R73 b)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


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
