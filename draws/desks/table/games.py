"""The table chief's orders on games: open, put issues on sale, suspend, finish, void (R44, R55-R60).

Issues may be of other prices, second ones, or second halves. A fault before the first ball suspends
a game for fifteen minutes (R55). A void has its refunds; the entry is completed. Also the second
person of a ball drawn by hand (R55), notes for the acta, and complaints opened in seconds about
what stands, and printed for the player (R61 j).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from math import ceil
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from bingo.rules import patterns
from bingo.rules.complaints import LONGEST
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Run, Stretch
from bingo.rules.session_state import GameState, Phase, SessionState
from bingo.rules.steps.drawing import BY_HAND
from bingo.rules.steps.voiding import PATIENCE, causes
from draws import trade_words
from draws.balls import readings
from draws.cards import labels as cards_labels
from draws.cards.views import patterns as views_patterns
from draws.complaints import services as complaints_services
from draws.complaints.views import send_slip
from draws.games import progress
from draws.games import services as games_services
from draws.games.queries import HallState, last_check, suspension
from draws.models import Game, Issue, Sale
from draws.prizes.services import refund_run
from draws.sales import issues_to_offer
from draws.sales.queries import was_sold
from draws.web.forms import (
    CommandForm,
    card_of,
    game_of,
    issue_of,
    reading_of,
    session_of,
    witness_of,
)
from draws.web.page_classes import Notice
from halls import sessions
from halls.journal import clock
from halls.models import Person, Session
from halls.policy import queries as policy_queries

OPENING_OFFERED = 200  # issues to choose from, those already begun first


def open_game(order: CommandForm, _now: HallState) -> str:
    """Prepare the next game."""
    issue = issue_of(order)
    pattern = _pattern(order, issue)
    session = session_of(order)
    game = games_services.open_game(session=session, issue=issue, pattern=pattern, **order.who)
    if issue.double:
        told = _("Game %(number)s is prepared: its double cards are sold for two games")
        return told % {"number": game.number}
    return _("Game %(number)s is prepared: the caller announces the sale") % {"number": game.number}


def _pattern(order: CommandForm, issue: Issue) -> tuple[str, ...] | None:
    """Return the figure chosen: the hall's own, a named one or the issue's; none for the whole card.

    Raises Refusal: bad_input, unknown_pattern.
    """
    if not order.ticked("figured"):
        return None
    drawing = order.text("drawing")
    for one in views_patterns.to_play(order.hall, [issue]):
        if one.drawing == drawing:
            return patterns.draw(one.cells)
    raise Refusal("unknown_pattern", pattern=drawing[:40])


def open_half(order: CommandForm, _now: HallState) -> str:
    """Open the second game of the double cards (R15)."""
    game = games_services.open_second_half(session=session_of(order), **order.who)
    told = _("Game %(number)s is open, with the double cards already sold: the caller announces it")
    return told % {"number": game.number}


def add_issue(order: CommandForm, _now: HallState) -> str:
    """Put an issue of another price on sale beside the others, before the sale is announced."""
    issue = issue_of(order)
    games_services.add_issue(game=game_of(order), issue=issue, **order.who)
    return _("Issue %(issue)s will be on sale too") % {"issue": issue}


def open_second(order: CommandForm, _now: HallState) -> str:
    """Put the second issue on sale (R38)."""
    game, issue = game_of(order), issue_of(order)
    witness = witness_of(order, kind="second_issue_opened")
    games_services.open_second_issue(game=game, issue=issue, witness=witness, **order.who)
    return _("Issue %(issue)s is on sale too: the caller announces it") % {
        "issue": issue.identification
    }


def opening_context(now: HallState) -> dict[str, Any]:
    """Return what may be opened now: the next game, its second half, or another price in it."""
    if now.session is None or now.state is None:
        return {}
    if now.state.half_due:
        return {"may_open": True, "half_due": now.state.games}
    if not now.state.playing:
        issues = list(issues_to_offer.to_open_in(now.session, now.state)[:OPENING_OFFERED])
        # Cards that a figure is drawn on are played for it alone (R76).
        plain = [issue for issue in issues if not issue.figure]
        return {
            "may_open": True,
            "in_stock": bool(issues) or issues_to_offer.to_open(now.hall).exists(),
            "offered": _priced(plain),
            "any_double": any(issue.double for issue in plain),
            **_figures(now, now.state, issues),
        }
    if now.game is None or now.game_state is None:
        return {}
    known = now.game_state
    beside = issues_to_offer.issues_of_other_prices(now.game, now.state)[:OPENING_OFFERED]
    return {
        "on_sale": [(run, known.price(run) * known.paid_for) for run in known.runs],
        "left": sum(run.left for run in known.runs),
        "several_prices": now.state.terms.get("several_prices"),
        "beside": _priced(beside),
    }


def _figures(now: HallState, state: SessionState, issues: Iterable[Issue]) -> dict[str, Any]:
    """Return the issues that may be played for a figure (R73 b), and the figures to choose from."""
    granted = [one["format"] for one in state.terms.get("distributions", ()) if one["figure"]]
    figured = [issue for issue in issues if issue.series.format in granted]
    if not figured:
        return {}
    return {"figured": _priced(figured), "figures": views_patterns.to_play(now.hall, figured)}


def _priced(issues: Iterable[Issue]) -> list[tuple[Issue, int]]:
    """Return issues with what a card of them costs: a double one twice its price (R15)."""
    return [(issue, issue.face * (2 if issue.double else 1)) for issue in issues]


ENDED = (Phase.PAYING, Phase.VOIDED, Phase.COMPLETE)


def finish_ending(order: CommandForm, now: HallState) -> str:
    """End the game."""
    games_services.finish(game=game_of(order), **order.who)
    if now.game_state and now.game_state.paid_after_second:
        return _("The game is over: its prizes are paid after the second game")
    return _("The game is over: the cashiers pay")


def void(order: CommandForm, _now: HallState) -> Notice:
    """Void the game."""
    game, cause, reason = game_of(order), order.text("cause"), order.text("reason")
    witness = witness_of(order, kind="game_voided")
    games_services.void(game=game, cause=cause, reason=reason, witness=witness, **order.who)
    return Notice(_("The game is void: the cashiers refund every card"), "warning")


def complete(order: CommandForm, _now: HallState) -> str:
    """Complete the game's entry, where it was ticked also without what the RNG was bound to."""
    games_services.complete(game=game_of(order), unproven=order.ticked("unproven"), **order.who)
    return _("The entry is complete: the next game may open")


def ending_context(game: Game, known: GameState, *, overdue: bool) -> dict[str, Any]:
    """Return what is still to be paid, refunded or settled before the game can end.

    `overdue`: a fault has suspended it for its fifteen minutes, and may now void it (R55).
    """
    run = refund_run(game, known)
    unpaid = len(known.unpaid)
    to_refund = run.cards_left if run else 0
    return {
        "half": known.half,
        "unpaid": unpaid,
        # What a double card won in its first game may be paid after the second (R45).
        "paid_later": bool(unpaid and known.half == 1),
        "to_refund": to_refund,
        "must_wait": bool(to_refund or (unpaid and known.half != 1)),
        "refunds": run,
        "causes": {
            code: trade_words.CAUSES[code]
            for code in causes(known, held=PATIENCE if overdue else 0)
        },
        # After a ball two persons void a game of another cause (R55).
        "two_void": known.extracted and bool(known.duties),
        "may_void": known.phase not in ENDED and patterns.BINGO not in known.closed,
        "out": _out(known, game.session.hall_id),
        "back": [(_name(one), part) for one in known.runs for part in one.back],
    }


def _out(known: GameState, hall: int) -> list[tuple[str, str, Stretch]]:
    """Return the blocks that must be settled first: by whose hands, of which issue, which cards."""
    blocks = [(run, block) for run in known.runs for block in run.out]
    if not blocks:
        return []
    usernames = {block.seller for _run, block in blocks}
    people = Person.objects.filter(hall=hall, username__in=usernames)
    names = dict(people.values_list("username", "name"))
    return [
        (names.get(block.seller, block.seller), _name(run), (block.first, block.last))
        for run, block in blocks
    ]


def _name(run: Run) -> str:
    return f"{run.letter} {run.identification}"


BEFORE_THE_FIRST = (Phase.SELLING, Phase.CLOSED, Phase.DRAWING)


def suspend(order: CommandForm, _now: HallState) -> Notice:
    """Hold the game until the fault is mended."""
    readings.suspend(game=game_of(order), reason=order.text("reason"), **order.who)
    return Notice(_("The game is suspended: mend the fault within 15 minutes"), "warning")


def resume_game(order: CommandForm, _now: HallState) -> str:
    """Go on with the game that was held."""
    readings.resume_suspension(game=game_of(order), decision=order.text("decision"), **order.who)
    return _("The game goes on")


def suspending_context(now: HallState, known: GameState, *, at: datetime) -> dict[str, Any]:
    """Return whether the game may be held, and of a held one what is left of its time, in seconds."""
    held = suspension(now)
    if held is None:
        return {"may_suspend": known.phase in BEFORE_THE_FIRST and not known.extracted}
    left = max(0, ceil(PATIENCE - clock.passed(held, at)))
    return {
        "held": held,
        "held_left": left,
        "held_clock": f"{left // 60}:{left % 60:02}",
        "overdue": left == 0,
    }


DENIED = "not_on_ball"


def countersign(order: CommandForm, now: HallState) -> str:
    """Confirm the ball that the caller keyed; it is announced."""
    ball = readings.countersign(reading=reading_of(order), **order.who)
    called = cards_labels.ball(
        ball.number, of_symbols=now.game_state is not None and now.game_state.symbols
    )
    return _("Ball %(number)s is confirmed") % {"number": called}


def deny(order: CommandForm, _now: HallState) -> Notice:
    """Say that the number keyed is not on the ball; it is not announced."""
    readings.dismiss(reading=reading_of(order), reason=DENIED, **order.who)
    return Notice(_("Not announced: the caller keys the ball again"), "warning")


def seconding_context(person: Person, now: HallState, known: GameState) -> dict[str, Any]:
    """Return the ball that waits for somebody else than whoever keyed it."""
    if now.game is None or known.phase != Phase.DRAWING or known.suspended is not None:
        return {}
    first = progress.pending(now.game).first()
    asked = first is not None and first.source == BY_HAND and first.keyed_by_id != person.pk
    return {"to_confirm": first if asked else None}


# Complaints are opened by themselves: numbered, printed, decided. Only old notes are such.
NOTE_OFFERED = {
    code: label for code, label in trade_words.CATEGORIES.items() if code != "complaint"
}


def add_note(order: CommandForm, _now: HallState) -> str:
    """Write a note for the acta."""
    category = order.text("category")
    if category not in NOTE_OFFERED:
        raise Refusal("unknown_category", category=category[:40])
    about = card_of(order) if order.fields.get("card") else None
    sessions.record_note(
        session=session_of(order),
        category=category,
        text=order.text("text"),
        decision=order.text("decision"),
        issue=about[0].pk if about else None,
        card=about[1] if about else None,
        **order.who,
    )
    return _("Noted for the acta")


DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)


def complain(order: CommandForm, _now: HallState) -> Notice:
    """Open a complaint about the game, the ball and the card that its form names."""
    session = session_of(order)
    issue, card = card_of(order) if order.fields.get("card") else (None, None)
    opened = complaints_services.open_complaint(
        session=session,
        text=order.text("text", longest=LONGEST),
        game=_game(order, session),
        ball=order.optional_integer("ball"),
        issue=issue.pk if issue else None,
        card=card,
        **order.who,
    )
    told = _("Complaint %(number)s is open: print its slip for the player")
    return Notice(told % {"number": opened.number}, "ok")


def _game(order: CommandForm, session: Session) -> Game | None:
    """Return the game that the page showed, None before the first."""
    number = order.optional_integer("game")
    if number is None:
        return None
    found = Game.objects.filter(session=session, number=number)
    game = found.select_related("session", "issue", "first_half").first()
    if game is None:
        raise Refusal("unknown_game")
    return game


def print_slip(order: CommandForm, _now: HallState) -> str:
    """Print a complaint's slip at a till."""
    return send_slip(order)


def open_complaints(now: HallState) -> dict[str, Any]:
    """Return the complaints that nobody has decided yet, the newest first."""
    found = list(complaints_services.still_open(now.hall))
    mine = now.session.pk if now.session else None
    return {
        "complaints": found,
        "left_open": sum(one.session_id == mine for one in found),
        "slip_printers": list(policy_queries.printers(now.hall)),
    }


def complaints_context(now: HallState) -> dict[str, Any]:
    """Return those, and what a complaint opened now is about: the last ball, the card looked at.

    A card that was not sold in the game is offered to no complaint, which would be refused.
    """
    check = last_check(now)
    if check and not (now.game and was_sold(now.game, check.data["issue"], check.data["card"])):
        check = None
    drawn = len(now.game_state.balls) if now.game_state and now.phase in DRAWN else None
    about = {
        "ball": drawn or "",
        "card": check.data["card"] if check else "",
        "issue": check.data["issue"] if check else None,
    }
    about |= _earlier(now)
    return open_complaints(now) | {"complaint_about": about, "longest_complaint": LONGEST}


def _earlier(now: HallState) -> dict[str, Any]:
    """Return the session's games, the newest first, with their issues; nothing where it has but one."""
    if now.session is None or now.game_state is None or now.game_state.number == 1:
        return {}
    sold = Sale.objects.filter(game__session=now.session).values("issue")
    on_sale = [run.issue for run in now.game_state.runs]
    issues = Issue.objects.filter(Q(pk__in=sold) | Q(pk__in=on_sale)).select_related("series")
    return {
        "games": range(now.game_state.number, 0, -1),
        "issues": sorted(issues, key=lambda issue: issue.pk not in on_sale),
    }
