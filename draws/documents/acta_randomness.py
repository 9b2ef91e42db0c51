"""What the RNG was bound to in a game, what opened it, and how anybody checks its balls."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import kit
from draws.documents.acta_sale import indented
from draws.documents.acta_values import GameValues, RandomnessValues

FINE = ParagraphStyle("fine", kit.SMALL, fontSize=6, leading=7.4, splitLongWords=1)


def randomness(game: GameValues) -> list[Flowable]:
    """Print the digits as verify_draw.py takes them; nothing of a game without a commitment."""
    if game.randomness is None:
        return []
    return [Spacer(0, 2), indented(_told(game.randomness), FINE)]


def _told(told: RandomnessValues) -> str:
    words = [_("RNG bound before the sale to %(commitment)s") % {"commitment": told.commitment}]
    if told.head:
        words.append(_("draw announced as %(head)s") % {"head": told.head})
    if told.seed:
        opened = {"seed": told.seed, "nonce": told.nonce}
        words.append(_("opened by seed %(seed)s, nonce %(nonce)s") % opened)
        words.append(_("to check: verify_draw.py, hall %(hall)s") % {"hall": told.hall})
    elif told.drawn:
        balls = {"count": told.drawn}
        words.append(_("never opened: the %(count)s balls of the RNG cannot be checked") % balls)
    else:
        words.append(_("never opened; the RNG drew no ball"))
    return " · ".join(words)
