"""What the tests of custody record share with others."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from draws.custody.documents import CustodyRecord, RecordedCard

ZONE = timezone(timedelta(hours=-1))


GAME, PAID = date(2026, 11, 11), date(2026, 11, 12)


def cards(n: int) -> tuple[RecordedCard, ...]:
    return tuple(
        RecordedCard(GAME, 412, number, "A 1/2026", 700 + number, PAID, 1_500_00 + number)
        for number in range(1, n + 1)
    )


def destroyed(n: int = 3) -> CustodyRecord:
    """What a hall destroyed on the first day it could."""
    return CustodyRecord(
        hall="Sala de Bingo", licence="Autorização n.º 1/2026", rulebook="Portaria n.º 1/2017",
        language="en", currency="CVE", at=datetime(2026, 11, 21, 18, 30, tzinfo=ZONE),
        by="Chefe de sala", days=8, evidence_rule="R51", witness="Chefe de mesa", to="", case=None, reference="",
        acta="", acta_session=None, cards=cards(n), entry=9_431, digest="4f" * 32,
    )  # fmt: skip
