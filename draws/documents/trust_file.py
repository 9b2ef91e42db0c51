"""The account of a jackpot as a file: CSV, a movement a line, in minor units."""

from __future__ import annotations

import csv
import io

from draws.queries.trust import Statement

HEAD = ("entry", "at", "session", "game", "level", "movement", "amount", "balance", "currency")


def as_csv(told: Statement, *, currency: str) -> str:
    """Write each movement, the first first; levels are counted from 1, times are UTC."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(HEAD)
    for line in told.lines:
        entry, moved = line.entry, line.movement
        lines.writerow(
            [
                entry.number, entry.at.isoformat(), entry.session.number if entry.session else "",
                entry.game or "", moved.level + 1, moved.kind, moved.amount, moved.balance, currency,
            ]
        )  # fmt: skip
    return text.getvalue()
