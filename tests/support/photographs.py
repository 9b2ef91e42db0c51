"""Called cards photographed, as the tests show them to the hall."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

from draws.claims import services as claims_services
from draws.models import ClaimCheck, ShownCard
from tests.support.evening import Evening


def photograph(text: str = "1", *, size: tuple[int, int] = (640, 480), **saved: Any) -> bytes:
    """A picture of something with a number on it, as a camera gives it."""
    sheet = Image.new("RGB", size, "ivory")
    ImageDraw.Draw(sheet).text((size[0] // 2, size[1] // 2), text, fill="black")
    out = BytesIO()
    sheet.save(out, "JPEG", **saved)
    return out.getvalue()


def shown(evening: Evening, who: dict[str, Any], *, text: str = "1", **named: Any) -> ShownCard:
    """Show the card that was checked last."""
    last = ClaimCheck.objects.filter(game=evening.game).latest("pk")
    asked: dict[str, Any] = {
        "game": evening.game,
        "check": last.entry.number,
        "picture": photograph(text),
    }
    return claims_services.show_card(**asked | named, **who)
