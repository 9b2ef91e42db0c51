"""A rectification as its acta has it, the same at every call."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from draws.record.rectifications import RectificationValues

ZONE = timezone(timedelta(hours=-1))


def rectified(**changed: Any) -> RectificationValues:
    """Another hour is to be read in the acta of the seventh session."""
    at = datetime(2026, 11, 22, 12, 30, tzinfo=ZONE)
    values = RectificationValues(
        hall="Sala de Bingo", licence="Autorização 1/2026", rulebook="Portaria n.º 1/2017",
        language="pt", currency="CVE", session=7, opened_at=at, number=1, rectifies=0,
        rectifies_digest="ab" * 32, rectifies_sealed_at=at, reason="Um engano", what="Outra hora",
        by="Ana", witness="Rui", at=at, journal_last=9, journal_head="cd" * 32, made_at=at,
    )  # fmt: skip
    return replace(values, **changed)
