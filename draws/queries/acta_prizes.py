"""What an acta tells of how a game's prizes were divided, and of the figure played for (R7, R73)."""

from __future__ import annotations

from collections.abc import Sequence

from bingo.rules import distributions, patterns
from bingo.rules import shares as share_rules
from bingo.rules.distributions import Distribution
from draws.documents import pattern_names, words
from draws.documents.acta_values import FigureValues, ShareValues
from draws.models import Game, Pattern
from halls.models import JournalEntry


def drawn(game: Game) -> list[str] | None:
    """Give the rows of the figure that was the bingo, None where it was the whole card (R73)."""
    number = game.first_half.number if game.first_half else game.number
    opened = JournalEntry.objects.get(session=game.session_id, game=number, kind="game_opened")
    rows: list[str] | None = opened.data.get("pattern")
    return rows


def figure(game: Game, rows: Sequence[str] | None) -> FigureValues | None:
    """Give the figure with the name it has in the hall or in the gallery."""
    return FigureValues(_name(game, rows), tuple(rows)) if rows else None


def _name(game: Game, rows: Sequence[str]) -> str:
    cells = patterns.read(rows)
    own = Pattern.objects.filter(hall=game.session.hall_id, drawing="/".join(patterns.draw(cells)))
    if known := own.first():
        return known.name
    named = [one.code for one in patterns.GALLERY if one.cells == cells]
    return str(pattern_names.NAMES[named[0]]) if named else ""


def distribution(game: Game, *, figure: bool) -> Distribution:
    """Give how the session's terms divide the prizes of such a game (R7)."""
    terms = game.session.state["terms"]
    return distributions.chosen(
        [distributions.load(one) for one in terms.get("distributions", ())],
        format=game.issue.series.format,
        figure=figure,
        otherwise=share_rules.load(terms["shares"]),
    )


def shares(divided: Distribution) -> tuple[ShareValues, ...]:
    """Give each prize with its part of the sales: line, additional prizes, bingo."""
    told = [("line", divided.shares.line, 0)] if divided.shares.line else []
    told += [(one.prize, one.share, one.limit) for one in divided.shares.extras]
    told.append(("bingo", divided.shares.bingo, 0))
    return tuple(
        ShareValues(prize, str(words.combination(prize)), share, limit)
        for prize, share, limit in told
    )
