"""Called cards checked, and the window held (R43-R47)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.translation import gettext as _

from bingo.rules import cards as card_rules
from bingo.rules import claims
from bingo.rules.assistants import CALLED
from bingo.rules.state import Award, GameState, Phase
from bingo.rules.steps.claiming import LONGEST_PLACE
from draws.documents import announcements, claim_words, words
from draws.models import CarriedCard, ClaimCheck, Game, Issue
from draws.queries import assistants, checks, pictures
from draws.queries.board import issue_name
from draws.queries.standing import Standing, last_check
from draws.services import claims as claim_services
from draws.views.desk import Told
from draws.views.meant import card_of, game_of, issue_of
from draws.views.order import Order
from draws.views.witnessed import witness_of
from halls.models import JournalEntry


def check(order: Order, _now: Standing) -> Told:
    """Check a called card by its number, or by the code that a scanner reads."""
    issue, card = card_of(order)
    game, fault = game_of(order), _fault(order)
    entry = claim_services.check(
        game=game,
        combination=order.text("combination"),
        issue=issue,
        card=card,
        sound=order.ticked("sound") and fault is None,
        fault=fault,
        place=_place(order) or assistants.place_of(game, issue, card),
        **order.who,
    )
    values = {"card": entry.data["card"], "verdict": claim_words.verdict(entry.data)}
    told = _("Card %(card)s: %(verdict)s") % values
    return Told(told, "ok" if entry.data["valid"] else "warning", _said_before(game, entry))


def _fault(order: Order) -> str | None:
    """Give what is wrong with the card itself, None where it is marked and intact."""
    return order.choice("fault", tuple(claim_words.FAULTS)) if order.fields.get("fault") else None


def _place(order: Order) -> str | None:
    """Give where the player sits, None where nobody said so."""
    return (order.text("place", longest=LONGEST_PLACE) if order.fields.get("place") else "") or None


def _said_before(game: Game, entry: JournalEntry) -> str:
    """Tell of the last check of the same card for the same prize, if any."""
    last = checks.before(game, entry)
    if last is None:
        return ""
    at = last.at.astimezone(ZoneInfo(game.session.hall.time_zone))
    values = {"at": f"{at:%H:%M:%S}", "verdict": claim_words.verdict(last.entry.data)}
    return _("It was checked for this prize before, at %(at)s: %(verdict)s") % values


def reverse_refusal(order: Order, _now: Standing) -> str:
    """Take back a card's refusal for its marks, with a second person."""
    entry = claim_services.reverse_refusal(
        game=game_of(order),
        combination=order.text("combination"),
        issue=issue_of(order),
        card=order.integer("card"),
        reason=order.text("reason"),
        witness=witness_of(order, kind="refusal_reversed"),
        **order.who,
    )
    return _("The refusal of card %(card)s is reversed: check it again") % {
        "card": entry.data["card"]
    }


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
    places = {(issue, card): place for issue, card, place in known.signalled}
    return {
        "faults": claim_words.FAULTS,
        "longest_place": LONGEST_PLACE,
        "runs": known.runs,
        "combinations": [
            (one.name, words.combination(one.name))
            for one in known.won
            if one.name not in known.closed
        ],
        "check": _shown_check(last_check(now), known),
        "pending": [
            (words.combination(c.combination), c.card, places.get((c.issue, c.card), ""))
            for c in known.pending
        ],
        "any_more": announcements.any_more(known),
        "bingo_won": claims.BINGO in known.closed,
        "awards": [_award(award, known, places) for award in known.awards],
        "called": _called(now),
        "refused": [
            {
                "combination": name,
                "label": words.combination(name),
                "issue": issue,
                "name": issue_name(known, issue),
                "card": card,
            }
            for name, issue, card in known.refused
            if name not in known.closed
        ],
        "brought": _brought(now),
    }


def _brought(now: Standing) -> list[CarriedCard]:
    """Return the cards at the table for this call, those checked since left out."""
    if now.game is None or now.phase not in CALLED:
        return []
    call = assistants.call(now.game)
    since = ClaimCheck.objects.filter(game=now.game, entry__number__gt=call or 0)
    checked = set(since.values_list("issue", "card"))
    there = assistants.at_the_table(now.game)
    return [one for one in there if (one.issue_id, one.card) not in checked]


def _award(award: Award, known: GameState, places: Mapping[tuple[int, int], str]) -> dict[str, Any]:
    """Give a prize won, and where its player is until it is paid (R48)."""
    card = (award.issue, award.card)
    return {
        "label": words.combination(award.combination),
        "issue": issue_name(known, award.issue) if len(known.runs) > 1 else "",
        "card": award.card,
        "amount": award.amount,
        "tax": award.tax,
        "net": award.net,
        "due": card in places,
        "aside": card in known.prizes_aside,
        "place": places.get(card, ""),
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
        "number": entry.number,
        "picture": pictures.of_card(entry),
        "card": entry.data["card"],
        "issue": Issue.objects.select_related("series").get(pk=entry.data["issue"]),
        "place": entry.data.get("place", ""),
        "combination": words.combination(entry.data["combination"]),
        "valid": entry.data["valid"],
        "verdict": claim_words.verdict(entry.data),
        "called": card_rules.numbers(rows) & set(known.balls),
        "missing": missing,
        "rows": rows,
    }
