"""Sessions and games as the record shows them."""

from __future__ import annotations

from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    PositiveBigIntegerField,
    Q,
    QuerySet,
    Sum,
    When,
)

from draws.models import Game, Payment, Prize, Sale
from halls.models import JournalEntry, Session


def games_of(session: Session) -> QuerySet[Game]:
    """Give a session's games with their money."""
    found = session.games.select_related("issue__series", "first_half")
    found = found.prefetch_related("further__series")
    return found.annotate(ball_count=Count("balls"), collected=collected_of()).order_by("number")


def collected_of() -> Case:
    """Give what a game's cards brought; a void first game of double cards keeps both halves (R15)."""
    both = Q(issue__double=True, first_half__isnull=True, void__gt="")
    return Case(
        When(both, then=F("gross") * 2), default=F("gross"), output_field=PositiveBigIntegerField()
    )


def collected(game: Game) -> int:
    """Give the same of one game, in minor units (R61 e)."""
    both = game.issue.double and game.first_half_id is None and game.void
    return game.gross * 2 if both else game.gross


def details(game: Game) -> dict[str, Any]:
    """Give everything recorded of one game."""
    entries = JournalEntry.objects.filter(session=game.session, game=game.number)
    return {
        "balls": game.balls.all(),
        "ranges": ranges(game),
        "sales": sold_in(game).select_related("issue__series", "shift__till", "seller"),
        "checks": game.checks.select_related("issue__series", "entry").order_by("pk"),
        "prizes": game.prizes.select_related("issue__series"),
        "payments": game.payments.select_related("issue__series", "shift__till").order_by("pk"),
        # What double cards won in this game may have been paid with the next (R45).
        "paid_later": _paid_later(game),
        "refunded": game.refunds.aggregate(n=Sum("amount"))["n"] or 0,
        "entries": entries.aggregate(first=Min("number"), last=Max("number")),
    }


def _paid_later(game: Game) -> QuerySet[Payment]:
    won = Exists(Prize.objects.filter(game=game, issue=OuterRef("issue"), card=OuterRef("card")))
    paid = Payment.objects.filter(won, game__first_half=game)
    return paid.select_related("game", "shift__till").order_by("pk")


def sold_in(game: Game) -> QuerySet[Sale]:
    """Give the sales of a game; the second one of double cards has those of the first (R15)."""
    return Sale.objects.filter(game=game.first_half or game).order_by("pk")


def ranges(game: Game) -> list[Any]:
    """Give the unbroken run sold of each issue as a mapping, the first issue first (R40)."""
    sold = (
        sold_in(game)
        .order_by()
        .values("issue", "issue__face", "issue__series__letter", "issue__identification")
    )
    counted = sold.annotate(cards=Sum(F("last") - F("first") + 1), begun=Min("pk"))
    return list(counted.annotate(first=Min("first"), last=Max("last")).order_by("begun"))
