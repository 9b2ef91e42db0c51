"""What is said aloud of a jackpot, in each language: no text of law fixes words for it (R9, R13)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


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
