"""The alarm that an acta is not sealed, and the order to try again (R58)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from draws.documents import seal_words
from draws.queries import unsealed
from draws.queries.standing import Standing
from draws.services import sealing
from draws.views.order import Order
from halls.models import Hall


def again(order: Order, _now: Standing) -> str:
    """Let what is not sealed be tried at once."""
    sealing.again(hall=order.hall, by=order.who["by"], at=order.who["at"])
    return _("Sealing is tried again: look here in a moment")


def shown(hall: Hall, *, at: datetime) -> dict[str, Any]:
    """Give the sessions whose acta is not sealed, each with why and what to do."""
    return {"unsealed": told(unsealed.of_hall(hall, at=at))}


def told(found: list[unsealed.Unsealed]) -> list[tuple[unsealed.Unsealed, object]]:
    """Put beside each why it is not sealed."""
    return [(one, seal_words.fault(one.code)) for one in found]
