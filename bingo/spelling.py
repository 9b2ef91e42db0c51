"""Portuguese in one spelling: as the law of Cape Verde is written, or by the agreement of 1990.

Portaria n.º 1/2017 writes "acta", "extracção", "infracção": the spelling from before the agreement,
which a hall has unless it chooses the other. The catalogue may hold a word in either; what Django
reads has them all in one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from types import MappingProxyType

BEFORE, AGREED = "1945", "1990"
SPELLINGS = (BEFORE, AGREED)
VARIABLE = "BINGO_PORTUGUESE"

# Beginnings of words, by the agreement → before it; those with a mark at their end are whole words.
STEMS: Mapping[str, str] = MappingProxyType(
    {
        "ata|": "acta", "atas|": "actas", "ação|": "acção", "ações|": "acções",
        "adot": "adopt", "afet": "afect", "aspeto": "aspecto", "ativ": "activ", "atual": "actual",
        "caráter": "carácter", "coleç": "colecç", "conceç": "concepç", "correç": "correcç",
        "correto": "correcto", "correta": "correcta", "desativ": "desactiv",
        "desatualiz": "desactualiz", "detet": "detect", "direç": "direcç", "direta": "directa",
        "direto": "directo", "efetiv": "efectiv", "efetu": "efectu", "eletr": "electr",
        "exata": "exacta", "exato": "exacto", "exceç": "excepç", "excet": "except",
        "extraç": "extracç", "extrator": "extractor", "fatur": "factur", "fraç": "fracç",
        "incorret": "incorrect", "infraç": "infracç", "inspecion": "inspeccion",
        "inspeç": "inspecç", "inspet": "inspect", "leem|": "lêem", "objet": "object",
        "perceç": "percepç", "percetív": "perceptív", "projet": "project", "proteç": "protecç",
        "receç": "recepç", "respetiv": "respectiv", "retific": "rectific",
        "seleç": "selecç", "selecion": "seleccion", "setor": "sector",
        "suscetív": "susceptív", "teto|": "tecto", "tetos|": "tectos", "veem|": "vêem",
    }
)  # fmt: skip


def chosen() -> str:
    """Return the spelling that this installation has. Raises ValueError for one that does not exist."""
    spelling = os.environ.get(VARIABLE) or BEFORE
    if spelling not in SPELLINGS:
        raise ValueError(f"{VARIABLE} is one of {', '.join(SPELLINGS)}, not {spelling}")
    return spelling


def respelled(text: str, *, spelling: str) -> str:
    """Return a Portuguese text with all its words in one spelling; those in it already stay."""
    pattern, words = _WAYS[spelling]
    return pattern.sub(lambda found: _cased(words[found[0].lower()], found[0]), text)


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[0].upper() + word[1:] if like[0].isupper() else word


def _way(stems: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the words of one spelling, and the other's by them."""
    sides = [re.escape(one.removesuffix("|")) + r"\b" * one.endswith("|") for one in stems]
    # Neither an address nor a place for a value is a word.
    pattern = re.compile(r"(?<![\w@.\-/{])(?<!%\()(?:" + "|".join(sides) + ")", re.IGNORECASE)
    return pattern, {one.removesuffix("|"): word.removesuffix("|") for one, word in stems.items()}


_CHANGED = {one: word for one, word in STEMS.items() if one.removesuffix("|") != word}
_BACK = {word + "|" * one.endswith("|"): one.removesuffix("|") for one, word in _CHANGED.items()}
_WAYS = MappingProxyType({BEFORE: _way(_CHANGED), AGREED: _way(_BACK)})
