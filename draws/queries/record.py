"""Sessions and games as the record shows them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, Max, Min, QuerySet, Sum

from draws.models import Game
from halls.models import Hall, JournalEntry, Session


def sessions_of(hall: Hall) -> QuerySet[Session]:
    """Give a hall's sessions, newest first, with games, cards and money collected."""
    found = Session.objects.filter(hall=hall).select_related("opened_by", "acta").defer("acta__pdf")
    return found.annotate(
        game_count=Count("games"),
        cards=Sum("games__cards"),
        gross=Sum(F("games__cards") * F("games__face")),
    ).order_by("-number")


def games_of(session: Session) -> QuerySet[Game]:
    """Give a session's games with their money."""
    found = session.games.select_related("issue__series", "second_issue__series")
    return found.annotate(gross=F("cards") * F("face"), ball_count=Count("balls")).order_by(
        "number"
    )


def details(game: Game) -> dict[str, Any]:
    """Give everything recorded of one game."""
    entries = JournalEntry.objects.filter(session=game.session, game=game.number)
    return {
        "balls": game.balls.all(),
        "ranges": ranges(game),
        "sales": game.sales.select_related("issue__series", "shift__till", "seller").order_by("pk"),
        "checks": game.checks.select_related("issue__series").order_by("pk"),
        "prizes": game.prizes.select_related("issue__series"),
        "payments": game.payments.select_related("issue__series", "shift__till").order_by("pk"),
        "refunded": game.sales.filter(refund__isnull=False).aggregate(n=Sum("refund__amount"))["n"]
        or 0,
        "entries": entries.aggregate(first=Min("number"), last=Max("number")),
    }


def ranges(game: Game) -> list[Any]:
    """Give the unbroken run sold of each issue as a mapping, the first issue first (R40)."""
    sold = game.sales.values("issue", "issue__series__letter", "issue__identification")
    counted = sold.annotate(cards=Sum(F("last") - F("first") + 1), begun=Min("pk"))
    return list(counted.annotate(first=Min("first"), last=Max("last")).order_by("begun"))
