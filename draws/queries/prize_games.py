"""The games of a period with their money, as the journal has it, and what may be won in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from bingo.rules import distributions, jackpots, prizes
from bingo.rules import shares as share_rules
from bingo.rules.distributions import Distribution
from bingo.rules.prizes import Prizes
from bingo.rules.shares import Shares
from bingo.rules.state import Phase
from draws.models import Ball, Game
from draws.queries.falls import Drawn, Played
from draws.queries.period import midnight
from halls.models import Hall, JournalEntry, Session

OPENED, COMPLETED = "game_opened", "entry_completed"
FIXED = ("sale_closed", "second_half_opened")
Entries = dict[tuple[int, int | None, str], dict[str, Any]]  # by session, game and kind
Terms = tuple[Sequence[Distribution], Shares]


@dataclass(frozen=True, slots=True)
class Told:
    """A game that is over; `fixed` its money as the sale closed, `due` what the terms give to prizes.

    `paid` is what each prize came to; minor units. A void game has neither.
    """

    drawn: Drawn
    due: int
    fixed: Prizes
    paid: Mapping[str, int]

    @property
    def game(self) -> Game:
        """Its row, with session, issue and series."""
        return self.drawn.game

    @property
    def void(self) -> bool:
        """Whether it was voided: its prizes are not owed (R55)."""
        return bool(self.game.void)

    @property
    def awarded(self) -> int:
        """What its prizes came to, without a jackpot."""
        return sum(self.paid.values()) - self.hit

    @property
    def hit(self) -> int:
        """What of a jackpot was won in it."""
        return sum(amount for prize, amount in self.paid.items() if is_jackpot(prize))

    @property
    def left(self) -> int:
        """What of its fund no card was given: carried on, as the terms say."""
        return self.fixed.fund - self.fixed.jackpot - self.awarded


def is_jackpot(prize: str) -> bool:
    """Tell whether a prize is a level of the jackpot."""
    return prize.startswith(jackpots.prize(0))


def between(hall: Hall, first: date, last: date, *, format: int) -> list[Told]:
    """Give the games of a format that were opened on the days `first` to `last`, the oldest first."""
    balls = Ball.objects.filter(game=OuterRef("pk")).order_by("order").values("number")
    found = Game.objects.filter(
        session__hall=hall, issue__series__format=format, phase=Phase.COMPLETE,
        opened_at__gte=midnight(hall, first), opened_at__lt=midnight(hall, last + timedelta(days=1)),
    )  # fmt: skip
    found = found.select_related("first_half", "issue__series").order_by("pk")
    drawn = dict(found.values_list("pk", ArraySubquery(balls)))
    games = list(found)
    sessions = Session.objects.in_bulk({game.session_id for game in games})
    entries = _entries(sessions)
    terms = {pk: _distributions(one) for pk, one in sessions.items()}
    for game in games:
        game.session = sessions[game.session_id]
    return [
        _told(game, tuple(drawn[game.pk]), terms[game.session_id], entries, format)
        for game in games
    ]


def _entries(sessions: Mapping[int, Session]) -> Entries:
    kinds = (OPENED, COMPLETED, *FIXED)
    found = JournalEntry.objects.filter(session__in=sessions, kind__in=kinds)
    rows = found.order_by("number").values_list("session_id", "game", "kind", "data")
    return {(session, game, kind): data for session, game, kind, data in rows}


def _distributions(session: Session) -> Terms:
    terms = session.state["terms"]
    granted = [distributions.load(one) for one in terms.get("distributions", ())]
    return granted, share_rules.load(terms["shares"])


def _told(
    game: Game,
    balls: tuple[int, ...],
    terms: Terms,
    entries: Entries,
    format: int,
) -> Told:
    number = game.first_half.number if game.first_half else game.number
    opened = entries.get((game.session_id, number, OPENED), {})
    drawing = opened.get("pattern") or ()
    granted, otherwise = terms
    divided = distributions.chosen(
        granted, format=format, figure=bool(drawing), otherwise=otherwise
    )
    closed = [entries.get((game.session_id, game.number, kind)) for kind in FIXED]
    data = next((one for one in closed if one), None)
    fixed = prizes.load(data["prizes"]) if data and not game.void else Prizes(0, 0, 0, 0, 0)
    completed = entries.get((game.session_id, game.number, COMPLETED), {})
    return Told(
        drawn=Drawn(game, balls, Played(format, divided.counts, "/".join(drawing))),
        due=prizes.fund_of(fixed.gross, divided.shares) + fixed.brought,
        fixed=fixed,
        paid={} if game.void else completed.get("paid", {}),
    )
