"""What the tests of authorisations share with others."""

from __future__ import annotations

from typing import Any

CAPE_VERDE, SPAIN = "cape-verde-2017", "spain-1979"


USUAL: dict[str, Any] = {
    "rulebook": CAPE_VERDE, "reference": "1/2026", "valid_from": "2026-01-01",
    "valid_until": None, "formats": [90, 75], "faces": [100_00, 200_00], "sizes": {"L": 60},
    "double_cards": True, "line_share": 2000, "bingo_share": 6000, "jackpot_rate": 300,
    "jackpot_limit": 40, "jackpot_base": 0, "tax_rate": 0, "tax_threshold": 0,
}  # fmt: skip
