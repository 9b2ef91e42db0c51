"""Money that nobody fetched, brought to where a test of its rows begins."""

from __future__ import annotations

from draws.models import UnclaimedItem, UnclaimedSettlement
from tests.support.departing_players import pay, quiet, refunds_aside, voided


def paid_one_of_several() -> UnclaimedSettlement:
    """Set the price of cards 1 to 6 of a void game aside, and pay card 2 of them later."""
    evening = voided(quiet())
    refunds_aside(evening)
    return pay(evening, UnclaimedItem.objects.get(), first=2)
