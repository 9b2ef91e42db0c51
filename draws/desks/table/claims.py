"""Claims at the table: called cards checked, shown to the hall, and the window held (R43-R47).

A card is shown by the table's camera (R43, BOE II). What is complete and not called stands on the
consoles of the staff and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo import photographs
from bingo.rules import cards, patterns
from bingo.rules.custody import CALLED
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Award, GameState, Phase
from bingo.rules.steps.claiming import LONGEST_PLACE
from draws import trade_words
from draws.balls import cameras_and_live_picture
from draws.balls import queries as balls_queries
from draws.boards import announcements
from draws.boards.queries import card_name, issue_name
from draws.claims import queries as claims_queries
from draws.claims import services as claims_services
from draws.games import queries as games_queries
from draws.games.queries import HallState, last_check
from draws.models import CarriedCard, ClaimCheck, Game, Issue
from draws.web.forms import CommandForm, card_of, game_of, issue_of, made, witness_of
from draws.web.page_classes import Notice
from halls.models import JournalEntry


def check_card(order: CommandForm, now: HallState) -> Notice:
    """Check a called card by its number, or by the code that a scanner reads."""
    issue, card = card_of(order)
    game, fault, place = game_of(order), _fault(order), _place(order)
    # Whoever brought the card may have said its place since the order was sent the first time.
    if place is None and made(order) is None:
        place = claims_queries.place_of(game, issue, card)
    entry = claims_services.check(
        game=game,
        combination=order.text("combination"),
        issue=issue,
        card=card,
        sound=order.ticked("sound") and fault is None,
        fault=fault,
        place=place,
        **order.who,
    )
    named = card_name(now.game_state, issue.pk, card) if now.game_state else card
    values = {"card": named, "verdict": claims_queries.verdict(entry.data)}
    told = _("Card %(card)s: %(verdict)s") % values
    return Notice(told, "ok" if entry.data["valid"] else "warning", _said_before(game, entry))


def _fault(order: CommandForm) -> str | None:
    """Return what is wrong with the card itself, None where it is marked and intact."""
    return (
        order.choice("fault", tuple(claims_queries.FAULTS)) if order.fields.get("fault") else None
    )


def _place(order: CommandForm) -> str | None:
    """Return where the player sits, None where nobody said so."""
    return (order.text("place", longest=LONGEST_PLACE) if order.fields.get("place") else "") or None


def _said_before(game: Game, entry: JournalEntry) -> str:
    """Tell of the last check of the same card for the same prize, if any."""
    last = games_queries.check_before(game, entry)
    if last is None:
        return ""
    at = last.at.astimezone(ZoneInfo(game.session.hall.time_zone))
    values = {"at": f"{at:%H:%M:%S}", "verdict": claims_queries.verdict(last.entry.data)}
    return _("It was checked for this prize before, at %(at)s: %(verdict)s") % values


def reverse_refusal(order: CommandForm, _now: HallState) -> str:
    """Take back a card's refusal for its marks, with a second person."""
    entry = claims_services.reverse_refusal(
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


def open_window(order: CommandForm, _now: HallState) -> str:
    """Ask the hall for more."""
    claims_services.open_window(game=game_of(order), **order.who)
    return _("The window is open: ask the hall")


def close_window(order: CommandForm, _now: HallState) -> str:
    """Close the window; its prizes are awarded."""
    least = settings.CLAIM_WINDOW_SECONDS
    claims_services.close_window(game=game_of(order), least=least, **order.who)
    return _("The window is closed: the prizes are awarded")


def resume_checking(order: CommandForm, _now: HallState) -> str:
    """Go on with the draw."""
    claims_services.resume(game=game_of(order), **order.who)
    return _("The draw goes on")


def withdraw_call(order: CommandForm, _now: HallState) -> str:
    """Go on with the draw though a call was not answered: it is withdrawn, with its reason."""
    claims_services.resume(game=game_of(order), withdrawn=order.text("reason"), **order.who)
    return _("The call is withdrawn, the draw goes on")


def claims_context(now: HallState, known: GameState) -> dict[str, Any]:
    """Return the called cards, what they may win, and what has been won."""
    places = {(issue, card): place for issue, card, place in known.signalled}
    return {
        "faults": claims_queries.FAULTS,
        "longest_place": LONGEST_PLACE,
        "runs": known.runs,
        "combinations": [
            (one.name, trade_words.COMBINATIONS[one.name])
            for one in known.won
            if one.name not in known.closed
        ],
        "check": _shown_check(last_check(now), known),
        "pending": [
            (
                trade_words.COMBINATIONS[one.combination],
                card_name(known, one.issue, one.card),
                places.get((one.issue, one.card), ""),
            )
            for one in known.pending
        ],
        "any_more": announcements.any_more(known),
        "window_waits": _window_waits(now),
        "bingo_won": patterns.BINGO in known.closed,
        "awards": [_award(award, known, places) for award in known.awards],
        "awarded": ", ".join(
            str(trade_words.COMBINATIONS[name])
            for name in dict.fromkeys(award.combination for award in known.awards)
        ),
        "called": _called(now),
        "unanswered": trade_words.COMBINATIONS[known.unanswered] if known.unanswered else "",
        "refused": [
            {
                "combination": name,
                "label": trade_words.COMBINATIONS[name],
                "issue": issue,
                "name": issue_name(known, issue),
                "card": card,
            }
            for name, issue, card in known.refused
            if name not in known.closed
        ],
        "brought": brought_cards(known, _brought(now)),
    }


def _window_waits(now: HallState) -> float:
    """Return the seconds that the open window may not be closed yet (R46)."""
    if now.game is None or now.phase != Phase.WINDOW:
        return 0.0
    least = settings.CLAIM_WINDOW_SECONDS
    return claims_queries.window_waits(now.game, least=least, at=timezone.now())


def decided_at_table(now: HallState, known: GameState) -> dict[str, Any]:
    """Return what the table has decided since somebody called, for the caller, until the next ball."""
    if now.game is None or known.claim_at is None or known.claim_at != len(known.balls):
        return {}
    call = claims_queries.call_assistant(now.game) or 0
    found = ClaimCheck.objects.filter(game=now.game, entry__number__gt=call)
    checks = list(found.select_related("entry").order_by("pk"))
    right = {(one.issue_id, one.card) for one in checks if one.valid}
    return {
        "unanswered": trade_words.COMBINATIONS[known.unanswered] if known.unanswered else "",
        "decisions": [
            {
                "card": card_name(known, one.issue_id, one.card),
                "label": trade_words.COMBINATIONS[one.combination],
                "verdict": claims_queries.verdict(one.entry.data),
            }
            for one in checks
        ],
        "won_now": [
            _award(award, known, {}) for award in known.awards if (award.issue, award.card) in right
        ],
        "any_more": announcements.any_more(known),
        "bingo_won": patterns.BINGO in known.closed,
    }


def brought_cards(known: GameState, found: Iterable[CarriedCard]) -> list[dict[str, str]]:
    """Return cards at the table as pages name them, where their players sit, and who brought them."""
    return [
        {
            "card": card_name(known, one.issue_id, one.card),
            "place": one.place,
            "by": one.entry.by.name if one.entry.by else "",
        }
        for one in found
    ]


def _brought(now: HallState) -> list[CarriedCard]:
    """Return the cards at the table for this call, those checked since left out."""
    if now.game is None or now.phase not in CALLED:
        return []
    call = claims_queries.call_assistant(now.game)
    since = ClaimCheck.objects.filter(game=now.game, entry__number__gt=call or 0)
    checked = set(since.values_list("issue", "card"))
    there = claims_queries.at_the_table(now.game)
    return [one for one in there if (one.issue_id, one.card) not in checked]


def _award(award: Award, known: GameState, places: Mapping[tuple[int, int], str]) -> dict[str, Any]:
    """Return a prize won, and where its player is until it is paid (R48)."""
    card = (award.issue, award.card)
    return {
        "label": trade_words.COMBINATIONS[award.combination],
        "issue": issue_name(known, award.issue) if len(known.runs) > 1 else "",
        "card": award.card,
        "name": card_name(known, *card),
        "amount": award.amount,
        "tax": award.tax,
        "net": award.net,
        "due": card in places,
        "aside": card in known.prizes_aside,
        "place": places.get(card, ""),
    }


def _called(now: HallState) -> str:
    """The combination somebody called, while cards are checked."""
    if now.phase not in (Phase.STOPPED, Phase.WINDOW):
        return ""
    last = JournalEntry.objects.filter(session=now.session, kind="claim_called").last()
    return str(last.data["combination"]) if last else ""


def _shown_check(entry: JournalEntry | None, known: GameState) -> dict[str, Any] | None:
    """Return a checked card as it looks, with the numbers called and missing."""
    if entry is None:
        return None
    rows = tuple(tuple(row) for row in entry.data["rows"])
    missing = entry.data["missing"]
    return {
        "number": entry.number,
        "picture": balls_queries.of_card(entry),
        "card": entry.data["card"],
        "name": card_name(known, entry.data["issue"], entry.data["card"]),
        "issue": Issue.objects.select_related("series").get(pk=entry.data["issue"]),
        "place": entry.data.get("place", ""),
        "combination": trade_words.COMBINATIONS[entry.data["combination"]],
        "valid": entry.data["valid"],
        "verdict": claims_queries.verdict(entry.data),
        "called": cards.numbers(rows) & set(known.balls),
        "missing": missing,
        "rows": rows,
    }


LARGEST = photographs.LARGEST_FILE + 100_000  # bytes of a form with a photograph and little else


def showing_address() -> str:
    """Return the path that a photograph is sent to."""
    return reverse("table-do", args=["show"])


def show_card(order: CommandForm, _now: HallState) -> str:
    """Show the photograph that was taken or chosen beside the system's own card."""
    file = order.files.get("photograph")
    if file is None:
        raise Refusal("photograph_missing")
    if file.size > photographs.LARGEST_FILE:
        raise Refusal("photograph_too_large", most=photographs.LARGEST_FILE // 1_000_000)
    picture = photographs.prepared(bytes(file.read()), largest=cameras_and_live_picture.LARGEST)
    shown = claims_services.show_card(
        game=game_of(order), check=order.integer("check"), picture=picture, **order.who
    )
    return _("The hall sees card %(card)s") % {"card": shown.claim.card}


MOST_CARDS = 12  # named; of more the number tells enough


def counted(now: HallState, known: GameState) -> dict[str, Any]:
    """Return how many sold cards hold what nobody has called, without naming any: for the caller."""
    return {"uncalled": [_counted(one) for one in _found(now, known)]}


def wins_with_cards(now: HallState, known: GameState) -> dict[str, Any]:
    """Return the same with the cards, for the table chief, who checks them."""
    several = len(known.runs) > 1
    return {
        "uncalled": [
            _counted(one)
            | {
                "cards": [
                    f"{issue_name(known, issue)} · {card}" if several else str(card)
                    for issue, card in one.cards[:MOST_CARDS]
                ],
                "more": len(one.cards) > MOST_CARDS,
            }
            for one in _found(now, known)
        ]
    }


def _counted(one: claims_queries.Uncalled) -> dict[str, Any]:
    return {"label": trade_words.COMBINATIONS[one.combination], "n": len(one.cards)}


def _found(now: HallState, known: GameState) -> tuple[claims_queries.Uncalled, ...]:
    if now.game is None:
        return ()
    claims_queries.prepare(now.game, known)
    return claims_queries.uncalled(now.game, known)
