"""What lies on a hall's shelf: winning cards that were paid, used ones set aside (R51, R52)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, QuerySet

from bingo.rules import custody as rules
from bingo.rules import rulebooks
from bingo.rules.custody import Card, Holder, Kept
from draws.models import Case, Departure, Game, Payment, SetAside
from draws.queries import complaints, record
from halls.models import Hall

GAME = ("game__session", "game__first_half")


def days(hall: Hall) -> int | None:
    """Give how many days the hall's rule book keeps winning cards, None where it does not say."""
    return rulebooks.get(hall.rulebook).winning_card_days


def day(hall: Hall, at: datetime) -> date:
    """Give the day it is in the hall."""
    return at.astimezone(ZoneInfo(hall.time_zone)).date()


def play(game: Game) -> int:
    """Give the number under which both games of double cards are known: that of the first."""
    return game.first_half.number if game.first_half else game.number


def cases(hall: Hall) -> list[rules.Case]:
    """Give the open cases as the rules know them."""
    found = Case.objects.filter(hall=hall, closed_at__isnull=True)
    return [known_case(one) for one in found.select_related(*GAME).order_by("number")]


def known_case(case: Case) -> rules.Case:
    """Give a case as the rules know it."""
    game = case.game
    return rules.Case(case.number, game.session.number, play(game), open=case.closed_at is None)


def shelf(hall: Hall, asked: Collection[Card]) -> dict[Card, Kept]:
    """Give what the hall knows of cards, those that have left included."""
    wanted = set(asked)
    named = Q(issue__in={issue for issue, _ in wanted}, card__in={card for _, card in wanted})
    gone = dict(_gone(hall, named))
    # A double card may have been paid in both its games: its days run from the second (R45).
    listed: list[Payment | SetAside]
    listed = [*_paid(hall).filter(named).order_by("at", "pk"), *_aside(hall).filter(named)]
    found = (kept(hall, one, gone=gone.get((one.issue_id, one.card), "")) for one in listed)
    return {one.key: one for one in found if one.key in wanted}


def _gone(hall: Hall, named: Q) -> Iterable[tuple[Card, str]]:
    left = Departure.objects.filter(named, issue__hall=hall)
    for issue, card, how in left.values_list("issue", "card", "how"):
        yield (issue, card), how


def kept(hall: Hall, row: Payment | SetAside, *, gone: str = "") -> Kept:
    """Give a row of the shelf as the rules know it."""
    game = row.game
    return Kept(
        issue=row.issue_id,
        card=row.card,
        session=game.session.number,
        game=game.number,
        play=play(game),
        played=day(hall, game.opened_at),
        paid=day(hall, row.at) if isinstance(row, Payment) else None,
        gone=gone,
    )


def paid(hall: Hall) -> QuerySet[Payment]:
    """Give the winning cards that lie there, the longest kept first, each once."""
    again = Payment.objects.filter(
        issue=OuterRef("issue"), card=OuterRef("card"), pk__gt=OuterRef("pk")
    )
    return _paid(hall).filter(~_has_left(), ~Exists(again)).order_by("at", "pk")


def aside(hall: Hall) -> QuerySet[SetAside]:
    """Give the used cards set aside that lie there."""
    return _aside(hall).filter(~_has_left()).order_by("pk")


def due(hall: Hall, *, on: date) -> QuerySet[Payment]:
    """Give the winning cards that may be destroyed on a day (R52)."""
    ripe = _beginning(hall, on - timedelta(days=days(hall) or 0))
    return paid(hall).filter(_free(hall), at__lt=ripe)


def aside_due(hall: Hall) -> QuerySet[SetAside]:
    """Give the used cards whose cases are closed."""
    return aside(hall).filter(_free(hall))


def _free(hall: Hall) -> Q:
    """Leave out what an open case or complaint holds, and what is of the open session."""
    held = Q(pk__in=())
    for case in Case.objects.filter(hall=hall, closed_at__isnull=True).select_related(*GAME):
        whole = case.game.first_half_id or case.game_id
        held |= Q(game=whole) | Q(game__first_half=whole)
    for issue, card in complaints.held(hall):
        held |= Q(issue=issue, card=card)
    return Q(game__session__closed_at__isnull=False) & ~held


def _beginning(hall: Hall, on: date) -> datetime:
    return datetime.combine(on, time.min, ZoneInfo(hall.time_zone))


def _has_left() -> Exists:
    return Exists(Departure.objects.filter(issue=OuterRef("issue"), card=OuterRef("card")))


def _paid(hall: Hall) -> QuerySet[Payment]:
    found = Payment.objects.filter(game__session__hall=hall)
    return found.select_related(*GAME, "issue__series")


def _aside(hall: Hall) -> QuerySet[SetAside]:
    found = SetAside.objects.filter(game__session__hall=hall)
    return found.select_related(*GAME, "issue__series")


def played_on(game: Game) -> bool:
    """Tell whether a game's cards are good for the next one too (R15)."""
    return game.issue.double and game.first_half_id is None and not game.void


def used(game: Game) -> int:
    """Give how many used cards a game leaves to be destroyed: those sold that were not kept (R51)."""
    halves = Q(game=game) | Q(game=game.first_half_id)
    won = Payment.objects.filter(halves).order_by().values("issue", "card").distinct().count()
    return game.cards - won - SetAside.objects.filter(halves).count()


def was_sold(game: Game, issue: int, card: int) -> bool:
    """Tell whether a card was sold in a game."""
    found = record.sold_in(game).filter(issue=issue, first__lte=card, last__gte=card)
    return found.exists()


def held_used(hall: Hall, game: Game) -> dict[Card, Holder]:
    """Give the used cards of a game, neither winning nor set aside, that open complaints hold."""
    held = complaints.held(hall)
    there = shelf(hall, held) if held else {}
    return {
        card: holder for card, holder in held.items() if card not in there and was_sold(game, *card)
    }
