"""What the tests of formats share with others."""

from __future__ import annotations

from django.utils import timezone

from draws.balls import draw
from draws.claims import services as claims_services
from draws.models import Card, Prize
from draws.prizes import services as prizes_services
from draws.record import sealing
from halls import tills
from halls.models import Role
from tests.support.evening import Evening

SOLD = 6


def rows_of(evening: Evening) -> list[list[list[int | None]]]:
    """Return the cards sold."""
    found = Card.objects.filter(series=evening.issue().series_id, number__lte=SOLD)
    return list(found.order_by("number").values_list("rows", flat=True))


def win(evening: Evening, combination: str, holders: list[int]) -> None:
    """Call a combination, show every card that holds it, and let the window pass."""
    chief = evening.who(Role.TABLE_CHIEF)
    draw.call_claim(game=evening.game, combination=combination, **evening.who(Role.CALLER))
    for card in holders:
        checked = claims_services.check(
            game=evening.game, combination=combination, issue=evening.issue(), card=card,
            sound=True, **chief,
        )  # fmt: skip
        assert checked.data["valid"], checked.data
    claims_services.open_window(game=evening.game, **chief)
    claims_services.close_window(game=evening.game, **chief)


def pay(evening: Evening) -> None:
    """Pay every winning card."""
    for card in sorted(set(Prize.objects.values_list("card", flat=True))):
        prizes_services.pay_payment(
            game=evening.game, issue=evening.issue(), card=card, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip


def close(evening: Evening) -> None:
    """Count the till, close the session and seal its acta."""
    session, shift = evening.session, evening.shift
    cash = sum(shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    session = evening.close()
    sealing.seal_acta(session=session, at=timezone.now())
