"""What the tests of payment share with others."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from draws.receipts.documents import PaidPrize, PaymentReceipt


def payment(**changed: Any) -> PaymentReceipt:
    """A line and a bingo of one card, a tenth of each above 1000.00 withheld."""
    usual = PaymentReceipt(
        hall="Sala de Bingo",
        licence="Autorização n.º 1/2026",
        language="en",
        currency="EUR",
        session=412,
        game=7,
        at=datetime(2026, 11, 20, 21, 14, 3, tzinfo=timezone(timedelta(hours=-1))),
        till="Caixa 1",
        cashier="Operador de caixa",
        witness="Chefe de mesa",
        issue="H 000431",
        card=64,
        prizes=(PaidPrize(7, "line", 900_00, 0), PaidPrize(7, "bingo", 2_700_00, 170_00)),
        gross=3_600_00,
        tax=170_00,
        rate=1000,
        threshold=1_000_00,
        net=3_430_00,
        entry=843,
        digest="9f3a12cd" * 8,
        copy=False,
    )
    return replace(usual, **changed)
