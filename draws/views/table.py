"""The table chief's page: open the game, check cards, hold the window, resume, finish, void."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from bingo.rules import cards as card_rules
from bingo.rules import claims
from bingo.rules.state import GameState, Phase
from draws.documents import announcements, words
from draws.models import Issue
from draws.queries import stock
from draws.queries.standing import Standing, last_check
from draws.services import claims as claim_services
from draws.services import games
from draws.views.desk import Desk, Told
from draws.views.meant import card_of, game_of, issue_of
from draws.views.order import Order
from halls.models import JournalEntry, Person
from halls.queries.sessions import the_open_session
from halls.services import notes

OFFERED = 200  # issues to choose from, those already begun first


def open_game(order: Order, _now: Standing) -> str:
    """Prepare the next game."""
    game = games.open_game(session=the_open_session(order.hall), issue=issue_of(order), **order.who)
    return _("Game %(number)s is prepared: the caller announces the sale") % {"number": game.number}


def open_second(order: Order, _now: Standing) -> str:
    """Put the second issue on sale."""
    issue = issue_of(order)
    games.open_second_issue(game=game_of(order), issue=issue, **order.who)
    return _("Issue %(issue)s is on sale too: the caller announces it") % {
        "issue": issue.identification
    }


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


def finish(order: Order, _now: Standing) -> str:
    """End the game."""
    games.finish(game=game_of(order), **order.who)
    return _("The game is over: the cashiers pay")


def void(order: Order, _now: Standing) -> str:
    """Void the game."""
    games.void(
        game=game_of(order), cause=order.text("cause"), reason=order.text("reason"), **order.who
    )
    return _("The game is void: the cashiers refund every card")


def complete(order: Order, _now: Standing) -> str:
    """Complete the game's entry."""
    games.complete(game=game_of(order), **order.who)
    return _("The entry is complete: the next game may open")


def note(order: Order, _now: Standing) -> str:
    """Write a note for the acta."""
    notes.record(
        session=the_open_session(order.hall),
        category=order.text("category"),
        text=order.text("text"),
        decision=order.text("decision"),
        **order.who,
    )
    return _("Noted for the acta")


def context(_person: Person, now: Standing) -> dict[str, Any]:
    """Give what the table chief sees."""
    shown: dict[str, Any] = {"categories": words.CATEGORIES, "causes": words.CAUSES}
    known = now.known
    if now.session and (known is None or known.phase == Phase.COMPLETE):
        shown["issues"] = list(stock.ready(now.hall)[:OFFERED])
    if known is None:
        return shown
    return shown | {
        "runs": known.runs,
        "seconds": _seconds(now, known),
        "combinations": [
            (name, words.combination(name))
            for name in claims.COMBINATIONS
            if name not in known.closed
        ],
        "check": shown_check(last_check(now), known),
        "pending": [(words.combination(c.combination), c.card) for c in known.pending],
        "any_more": announcements.any_more(known),
        "bingo_won": claims.BINGO in known.closed,
        "awards": [
            (words.combination(award.combination), award.card, award.amount, award.tax)
            for award in known.awards
        ],
        "unpaid": len(known.unpaid),
        "to_refund": known.cards - known.cards_refunded if known.void is not None else 0,
        "called": _called(now),
    }


def _seconds(now: Standing, known: GameState) -> list[Issue]:
    sold_out = known.phase == Phase.SELLING and len(known.runs) == 1 and not known.runs[0].left
    if not sold_out or now.game is None or known.runs[0].first == 1:
        return []
    return list(stock.fresh_like(now.game.issue)[:OFFERED])


def _called(now: Standing) -> str:
    """The combination somebody called, while cards are checked."""
    if now.phase not in ("stopped", "window"):
        return ""
    last = JournalEntry.objects.filter(session=now.session, kind="claim_called").last()
    return str(last.data["combination"]) if last else ""


def shown_check(entry: JournalEntry | None, known: GameState) -> dict[str, Any] | None:
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


DESK = Desk(
    name="table",
    context=context,
    verbs={
        "open-game": open_game,
        "open-second": open_second,
        "check": check,
        "open-window": open_window,
        "close-window": close_window,
        "resume": resume,
        "finish": finish,
        "void": void,
        "complete": complete,
        "note": note,
    },
)
