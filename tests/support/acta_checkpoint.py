"""What the tests of acta checkpoint share with others."""

from __future__ import annotations

from draws.receipts.documents import CheckpointValues
from tests.support import acta_values

NOTE = (
    "bingo-journal/sala\n13\n"
    + "A" * 43
    + "=\nsession 7\n\n\N{EM DASH} bingo-journal/sala "
    + "B" * 96
    + "\n"
)


def values() -> CheckpointValues:
    """A checkpoint of the end of a session."""
    told = acta_values.acta()
    return CheckpointValues(
        hall=told.hall, licence=told.licence, language=told.language, currency=told.currency,
        session=7, game=None, at=told.closed_at, number=13, digest="0123456789abcdef" * 4,
        note=NOTE,
    )  # fmt: skip
