"""A sale as its receipt has it, the same at every call."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from draws.receipts.documents import Receipt, ReceiptLine

ZONE = timezone(timedelta(hours=-1))
DIGEST = "9f3a12cd" * 8


def purchase(**changed: Any) -> Receipt:
    """Six cards at 200.00 paid with 2000.00, on paper in Portuguese."""
    usual = Receipt(
        hall="Sala de Bingo",
        licence="Autorização n.º 1/2026",
        language="pt",
        currency="CVE",
        session=412,
        game=7,
        at=datetime(2026, 11, 20, 21, 14, 3, tzinfo=ZONE),
        till="Caixa 1",
        cashier="Operador de caixa",
        lines=(ReceiptLine("H 000431", 17, 22, 6, 200_00, 1200_00),),
        total=1200_00,
        given=2000_00,
        change=800_00,
        double=False,
        entry=843,
        digest=DIGEST,
    )
    return replace(usual, **changed)


def of_two_issues(**changed: Any) -> Receipt:
    """The last cards of an issue and the first of the next, in Spanish and euros."""
    lines = (
        ReceiptLine("A 0431", 419, 420, 2, 200, 400),
        ReceiptLine("A 0432", 1, 1, 1, 200, 200),
    )
    return purchase(
        **{
            "hall": "Bingo La Peña", "licence": "Autorización 1/2026", "language": "es",
            "currency": "EUR", "lines": lines, "total": 600, "given": 1000, "change": 400,
        }
        | changed
    )  # fmt: skip
