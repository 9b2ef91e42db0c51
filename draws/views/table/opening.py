"""Games opened, and the issues put on sale in them: of other prices, second ones, second halves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import patterns
from bingo.rules.refusal import Refusal
from bingo.rules.session import SessionState
from draws.models import Issue
from draws.queries import offers
from draws.queries.standing import Standing
from draws.services import games
from draws.views.cards import figures
from draws.views.meant import game_of, issue_of
from draws.views.order import Order
from draws.views.witnessed import witness_of
from halls.queries.sessions import the_open_session

OFFERED = 200  # issues to choose from, those already begun first


def open_game(order: Order, _now: Standing) -> str:
    """Prepare the next game."""
    issue, pattern = issue_of(order), _pattern(order)
    session = the_open_session(order.hall)
    game = games.open_game(session=session, issue=issue, pattern=pattern, **order.who)
    if issue.double:
        told = _("Game %(number)s is prepared: its double cards are sold for two games")
        return told % {"number": game.number}
    return _("Game %(number)s is prepared: the caller announces the sale") % {"number": game.number}


def _pattern(order: Order) -> tuple[str, ...] | None:
    """Give the figure chosen among the hall's own and the named ones, nothing for the whole card.

    Raises Refusal: bad_input, unknown_pattern.
    """
    if not order.ticked("figured"):
        return None
    drawing = order.text("drawing")
    for one in figures.every(order.hall):
        if one.drawing == drawing:
            return patterns.draw(one.cells)
    raise Refusal("unknown_pattern", pattern=drawing[:40])


def open_half(order: Order, _now: Standing) -> str:
    """Open the second game of the double cards (R15)."""
    game = games.open_second_half(session=the_open_session(order.hall), **order.who)
    told = _("Game %(number)s is open, with the double cards already sold: the caller announces it")
    return told % {"number": game.number}


def add_issue(order: Order, _now: Standing) -> str:
    """Put an issue of another price on sale beside the others, before the sale is announced."""
    issue = issue_of(order)
    games.add_issue(game=game_of(order), issue=issue, **order.who)
    return _("Issue %(issue)s will be on sale too") % {"issue": issue}


def open_second(order: Order, _now: Standing) -> str:
    """Put the second issue on sale (R38)."""
    game, issue = game_of(order), issue_of(order)
    witness = witness_of(order, kind="second_issue_opened")
    games.open_second_issue(game=game, issue=issue, witness=witness, **order.who)
    return _("Issue %(issue)s is on sale too: the caller announces it") % {
        "issue": issue.identification
    }


def shown(now: Standing) -> dict[str, Any]:
    """Give what may be opened now: the next game, its second half, or another price in it."""
    if now.session is None or now.state is None:
        return {}
    if now.state.half_due:
        return {"may_open": True, "half_due": now.state.games}
    if not now.state.playing:
        issues = list(offers.to_open(now.hall)[:OFFERED])
        return {
            "may_open": True,
            "issues": issues,
            "offered": _priced(issues),
            "any_double": any(issue.double for issue in issues),
            **_figures(now, now.state, issues),
        }
    if now.game is None or now.known is None:
        return {}
    known = now.known
    beside = offers.beside(now.game, now.state)[:OFFERED]
    return {
        "on_sale": [(run, known.price(run) * known.paid_for) for run in known.runs],
        "left": sum(run.left for run in known.runs),
        "several_prices": now.state.terms.get("several_prices"),
        "beside": _priced(beside),
    }


def _figures(now: Standing, state: SessionState, issues: Iterable[Issue]) -> dict[str, Any]:
    """Give the issues that may be played for a figure (R73 b), and the figures to choose from."""
    granted = [one["format"] for one in state.terms.get("distributions", ()) if one["figure"]]
    figured = [issue for issue in issues if issue.series.format in granted]
    return {"figured": _priced(figured), "figures": figures.every(now.hall)} if figured else {}


def _priced(issues: Iterable[Issue]) -> list[tuple[Issue, int]]:
    """Give issues with what a card of them costs: a double one twice its price (R15)."""
    return [(issue, issue.face * (2 if issue.double else 1)) for issue in issues]
