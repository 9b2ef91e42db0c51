"""What is to be said aloud in a hall now, in each of its languages (R33, R40, R46, R54)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from bingo.rules.state import Phase
from draws.documents import announcements, voices
from draws.documents.voices import Say, Spoken
from draws.queries import figures
from draws.queries.standing import Standing

SAID: Mapping[Phase, Say] = MappingProxyType(
    {
        Phase.PREPARED: announcements.sale_opening,
        Phase.SELLING: announcements.sale_opening,
        Phase.CLOSED: announcements.sale_closing,
        Phase.DRAWING: announcements.jackpot_news,
        Phase.WINDOW: announcements.more_asked,
    }
)


def spoken(now: Standing) -> list[Spoken]:
    """Give it in the law's own language first; nothing where nothing is to be said."""
    if now.state is None or now.known is None or now.known.phase not in SAID:
        return []
    also = now.state.terms.get("languages") or ()
    tongues = voices.voices(now.known.rulebook, currency=now.hall.currency, also=also)
    named = [
        replace(one, figure=figures.name(now.hall, now.known.pattern, language=one.language))
        for one in tongues
    ]
    return voices.spoken(now.known, SAID[now.known.phase], named)
