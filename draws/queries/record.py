"""Sessions and games as the record shows them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, Max, Min, QuerySet, Sum

from draws.models import Game, Sale
from halls.models import Hall, JournalEntry, Session


def sessions_of(hall: Hall) -> QuerySet[Session]:
    """Give a hall's sessions, newest first, with games, cards and money collected."""
    found = Session.objects.filter(hall=hall).select_related("opened_by", "acta").defer("acta__pdf")
    return found.annotate(
        game_count=Count("games"),
        cards=Sum("games__cards"),
        gross=Sum("games__gross"),
    ).order_by("-number")


def games_of(session: Session) -> QuerySet[Game]:
    """Give a session's games with their money."""
    found = session.games.select_related("issue__series", "first_half")
    found = found.prefetch_related("further__series")
    return found.annotate(ball_count=Count("balls")).order_by("number")


def details(game: Game) -> dict[str, Any]:
    """Give everything recorded of one game."""
    entries = JournalEntry.objects.filter(session=game.session, game=game.number)
    return {
        "balls": game.balls.all(),
        "ranges": ranges(game),
        "sales": sold_in(game).select_related("issue__series", "shift__till", "seller"),
        "checks": game.checks.select_related("issue__series").order_by("pk"),
        "prizes": game.prizes.select_related("issue__series"),
        "payments": game.payments.select_related("issue__series", "shift__till").order_by("pk"),
        "refunded": game.refunds.aggregate(n=Sum("amount"))["n"] or 0,
        "entries": entries.aggregate(first=Min("number"), last=Max("number")),
    }


def sold_in(game: Game) -> QuerySet[Sale]:
    """Give the sales of a game; the second one of double cards has those of the first (R15)."""
    return Sale.objects.filter(game=game.first_half or game).order_by("pk")


def ranges(game: Game) -> list[Any]:
    """Give the unbroken run sold of each issue as a mapping, the first issue first (R40)."""
    sold = (
        sold_in(game).order_by().values("issue", "issue__series__letter", "issue__identification")
    )
    counted = sold.annotate(cards=Sum(F("last") - F("first") + 1), begun=Min("pk"))
    return list(counted.annotate(first=Min("first"), last=Max("last")).order_by("begun"))
