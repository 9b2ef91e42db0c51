"""What the tests of complaint slip share with others."""

from __future__ import annotations

from datetime import UTC, datetime

from draws.complaints.slip import ComplaintSlip

OPEN = ComplaintSlip(
    hall="Sala Azul", licence="Licença 1/2026", language="en", currency="CVE", session=12,
    of_session=12,     complaint=2, at=datetime(2026, 11, 20, 22, 14, 9, tzinfo=UTC), taken_by="Ana Chefe", game=3,
    ball=14, number=77, card="A 431 · 17", picture="ab" * 32, text="A linha não foi ouvida",
    decision="", reason="", decided_by="", entry=400, digest="9f3a12cd" * 8,
)  # fmt: skip
