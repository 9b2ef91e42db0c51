"""What the tests of orders share with others."""

from __future__ import annotations

HUGE = "9" * 20


LONG = "x" * 10_000


RECORD = {
    "reference": "2/2026", "valid_from": "2026-01-01", "valid_until": "2099-12-31",
    "format-90": "on", "format-75": "on", "faces": "100\n2.000,50\n", "sizes": "L 60\nM: 6 000",
    "line_share": "20,5", "bingo_share": "59.50", "jackpot": "on", "jackpot_rate": "3",
    "jackpot_limit-90": "40", "jackpot_base": "50 000", "tax": "on", "tax_rate": "15 %",
    "tax_threshold": "1000", "player_limit": "6", "several_prices": "on", "language-es": "on",
    "sure": "on",
}  # fmt: skip
