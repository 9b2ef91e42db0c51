"""A shift as its settlement has it, the same at every call."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from draws.receipts.settlement import SettledGame, SettledMovement, Settlement, UnpaidPrize

ZONE = timezone(timedelta(hours=-1))
OPENED = datetime(2026, 11, 20, 20, 0, tzinfo=ZONE)
DIGEST = "9f3a12cd" * 8
TAKEN = "Excesso levado ao cofre em notas de 2000, contado por duas pessoas"
COMMENT = "Faltam duzentos escudos: troco dado a mais na quarta jogada."
FLOAT, BROUGHT, TO_SAFE, SHORT = 50_000_00, 10_000_00, 200_000_00, 200_00


def games(count: int) -> tuple[SettledGame, ...]:
    """Games that each sold fewer cards than the one before, the fourth of them void."""
    return tuple(
        SettledGame(
            game=number,
            cards=420 - number,
            sales=(420 - number) * 200_00,
            prizes=0 if number == 4 else 60_000_00,
            refunds=(420 - number) * 200_00 if number == 4 else 0,
        )
        for number in range(1, count + 1)
    )


def handover(count: int = 8, **changed: Any) -> Settlement:
    """A till that is short of 200.00, with two prizes left to pay."""
    played = games(count)
    won = sum(game.sales - game.prizes - game.refunds for game in played)
    expected = FLOAT + won + BROUGHT - TO_SAFE
    movements = (
        SettledMovement(OPENED + timedelta(hours=1), BROUGHT, "Trocos", "Chefe de sala", ""),
        SettledMovement(
            OPENED + timedelta(hours=3), -TO_SAFE, TAKEN, "Chefe de sala", "Chefe de mesa"
        ),
    )
    usual = Settlement(
        hall="Sala de Bingo",
        licence="Autorização n.º 1/2026",
        rulebook="Portaria n.º 1/2017",
        language="en",
        currency="CVE",
        session=412,
        shift=2,
        till="Caixa 1",
        cashier="Operador de caixa",
        opened_at=OPENED,
        closed_at=OPENED + timedelta(hours=6, minutes=3),
        closed_by="Operador de caixa",
        opening_float=FLOAT,
        games=played,
        movements=movements,
        expected=expected,
        counted=expected - SHORT,
        difference=-SHORT,
        comment=COMMENT,
        witness="Chefe de mesa",
        unpaid=(
            UnpaidPrize(8, "H 000431", 64, 24_444_00),
            UnpaidPrize(8, "H 000431", 203, 24_445_00),
        ),
        entry=843,
        digest=DIGEST,
    )
    return replace(usual, **changed)


def quiet() -> Settlement:
    """A till at which nothing happened."""
    return handover(
        0, movements=(), unpaid=(), witness="", comment="", expected=FLOAT, counted=FLOAT,
        difference=0,
    )  # fmt: skip
