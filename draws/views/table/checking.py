"""Called cards checked, and the window held (R43-R47)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from bingo.rules import cards as card_rules
from bingo.rules import claims
from bingo.rules.state import GameState, Phase
from draws.documents import announcements, words
from draws.models import Issue
from draws.queries.standing import Standing, last_check
from draws.services import claims as claim_services
from draws.views.desk import Told
from draws.views.meant import card_of, game_of
from draws.views.order import Order
from halls.models import JournalEntry


def check(order: Order, _now: Standing) -> Told:
    """Check a called card by its number, or by the code that a scanner reads."""
    issue, card = card_of(order)
    entry = claim_services.check(
        game=game_of(order),
        combination=order.text("combination"),
        issue=issue,
        card=card,
        sound=order.ticked("sound"),
        **order.who,
    )
    verdict = words.verdict(entry.data["reason"], len(entry.data["missing"]))
    told = _("Card %(card)s: %(verdict)s") % {"card": entry.data["card"], "verdict": verdict}
    return Told(told, "ok" if entry.data["valid"] else "warning")


def open_window(order: Order, _now: Standing) -> str:
    """Ask the hall for more."""
    claim_services.open_window(game=game_of(order), **order.who)
    return _("The window is open: ask the hall")


def close_window(order: Order, _now: Standing) -> str:
    """Close the window; its prizes are awarded."""
    least = settings.CLAIM_WINDOW_SECONDS
    claim_services.close_window(game=game_of(order), least=least, **order.who)
    return _("The window is closed: the prizes are awarded")


def resume(order: Order, _now: Standing) -> str:
    """Go on with the draw."""
    claim_services.resume(game=game_of(order), **order.who)
    return _("The draw goes on")


def shown(now: Standing, known: GameState) -> dict[str, Any]:
    """Give the called cards, what they may win, and what has been won."""
    return {
        "runs": known.runs,
        "combinations": [
            (one.name, words.combination(one.name))
            for one in known.won
            if one.name not in known.closed
        ],
        "check": _shown_check(last_check(now), known),
        "pending": [(words.combination(c.combination), c.card) for c in known.pending],
        "any_more": announcements.any_more(known),
        "bingo_won": claims.BINGO in known.closed,
        "awards": [
            (words.combination(award.combination), award.card, award.amount, award.tax)
            for award in known.awards
        ],
        "called": _called(now),
    }


def _called(now: Standing) -> str:
    """The combination somebody called, while cards are checked."""
    if now.phase not in (Phase.STOPPED, Phase.WINDOW):
        return ""
    last = JournalEntry.objects.filter(session=now.session, kind="claim_called").last()
    return str(last.data["combination"]) if last else ""


def _shown_check(entry: JournalEntry | None, known: GameState) -> dict[str, Any] | None:
    """Give a checked card as it looks, with the numbers called and missing."""
    if entry is None:
        return None
    rows = tuple(tuple(row) for row in entry.data["rows"])
    missing = entry.data["missing"]
    return {
        "card": entry.data["card"],
        "issue": Issue.objects.select_related("series").get(pk=entry.data["issue"]),
        "combination": words.combination(entry.data["combination"]),
        "valid": entry.data["valid"],
        "verdict": words.verdict(entry.data["reason"], len(missing)),
        "called": card_rules.numbers(rows) & set(known.balls),
        "missing": missing,
        "rows": rows,
    }
