"""The words of the trade in Portuguese and Spanish stand, and the ones that they replaced are gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parents[2] / "locale"
WORDS = {
    "pt": {
        "Any more?": "Aguardam-se mais anúncios",
        "Claim not accepted": "Anúncio não aceite",
        "Command refused": "Operação recusada",
        "Decided by each game's first ball": "A definir na primeira bola",
        "First unsold card": "Primeiro cartão não vendido",
        "History": "Histórico",
        "How long things are kept": "Prazos de conservação",
        "Nobody has called": "Ainda ninguém anunciou",
        "None": "Não há",
        "Perpetual totals": "Totais desde a abertura",
        "Recall ball %(last)s": "Anular a bola %(last)s",
        "Refund": "Reembolsar",
        "Remark on it": "Observações à acta",
        "Resume the draw": "Retomar a extração",
        "Sale not made": "Venda não efetuada",
        "Signed heads": "Últimos registos assinados",
        "Take a picture with a ball": "Tirar fotografia com uma bola",
        "This amount cannot be read with certainty: type it like 5000 or 5000,50.": "Valor inválido: escreva 5000 ou 5000,50.",
        "This page follows by itself.": "Esta página atualiza-se automaticamente.",
        "Winners still to be paid": "Prémios por pagar",
        "Your last order was not carried out": "A sua última operação não foi efetuada",
    },
    "es": {
        "Cancel": "Cancelar",
        "How long things are kept": "Plazos de conservación",
        "Perpetual totals": "Totales desde la apertura",
        "Recall ball %(last)s": "Anular la bola %(last)s",
        "Resume the draw": "Reanudar la extracción",
        "Sale not made": "Venta no realizada",
        "Save the pattern": "Guardar la figura",
        "Set": "Guardar",
        "This amount cannot be read with certainty: type it like 5000 or 5000,50.": "Importe no válido: escriba 5000 o 5000,50.",
    },
}
# What no bingo manager says, by language: a pattern, and why it is not said.
UNSAID = {
    "pt": (
        r"\b[Rr]eat(a|e|am|ado|ada|ar)\b",  # the draw is resumed: retomar
        r"\bjackpot\b",  # prémio acumulado
        r"\bgerente\b",  # chefe de sala
        r"\bsinais simples\b",  # caracteres
        r"\bpor si (a partir|só desde)",  # automaticamente
        r"devolv\w+ o (dinheiro|preço) d",  # reembolsar
    ),
    "es": (
        r"\bencargado\b",
        r"\bjackpot\b",
        r"\bsignos simples\b",
        r"\basiento del registro\b",
        r"\bcartón entero\b",  # cartón completo, as the voice says it
        r"\brind\w+ cuentas?\b",  # a block is settled: liquidar
        r"[“”]",  # «»
    ),
    "gl": (r"\bcabeza asinada\b", r"\bjackpot\b", r"\bencargado\b"),
    "ca": (r"\bcapçalera signada\b", r"\bjackpot\b"),
}
SERIES = "The series are A to K, each with its own number of cards: from 90 to 1,680."


def catalogue(language: str) -> dict[str, str]:
    """Return what a language says for each English text, plurals one after the other."""
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        found = read_po(file)
    return {
        one.id if isinstance(one.id, str) else one.id[0]: one.string
        if isinstance(one.string, str)
        else " | ".join(one.string or ())
        for one in found
        if one.id
    }


@pytest.mark.parametrize("language", WORDS)
def test_words_of_the_trade_stand(language: str) -> None:
    said = catalogue(language)
    assert {english: said.get(english) for english in WORDS[language]} == WORDS[language]


@pytest.mark.parametrize("language", UNSAID)
def test_nothing_is_said_that_nobody_in_a_hall_says(language: str) -> None:
    told = [
        (pattern, text)
        for text in catalogue(language).values()
        for pattern in UNSAID[language]
        if re.search(pattern, text)
    ]
    assert told == []


def test_thousands_are_parted_as_amounts_are() -> None:
    assert "1\xa0680" in catalogue("pt")[SERIES]
    for language in ("es", "gl", "ca"):
        assert "1.680" in catalogue(language)[SERIES]
