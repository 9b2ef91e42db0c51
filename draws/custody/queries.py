"""Read which cards are in custody: winning ones that were paid, others set aside (R51, R52)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from bingo.rules import custody, rulebooks
from bingo.rules.custody import Card, Collected, Holder, KeptCard
from bingo.rules.unclaimed import PRIZE
from draws.complaints import services as complaints_services
from draws.models import (
    CardCollection,
    Case,
    Departure,
    Game,
    Payment,
    SetAside,
    UnclaimedItem,
    UnclaimedSettlement,
)
from draws.models.custody import PAID
from draws.sales.queries import was_sold
from halls.models import Hall

Shelved = Payment | SetAside | UnclaimedSettlement

GAME = ("game__session", "game__first_half")


def days(hall: Hall) -> int | None:
    """Return how many days the hall's rule book keeps winning cards, None where it does not say."""
    return rulebooks.get(hall.rulebook).winning_card_days


def play(game: Game) -> int:
    """Return the number under which both games of double cards are known: that of the first."""
    return game.first_half.number if game.first_half else game.number


def cases(hall: Hall) -> list[custody.CaseState]:
    """Return the open cases as the rules know them."""
    found = Case.objects.filter(hall=hall, closed_at__isnull=True)
    return [case_state(one) for one in found.select_related(*GAME).order_by("number")]


def case_state(case: Case) -> custody.CaseState:
    """Return a case as the rules know it."""
    game = case.game
    return custody.CaseState(
        case.number, game.session.number, play(game), open=case.closed_at is None
    )


def shelf(hall: Hall, asked: Collection[Card]) -> dict[Card, KeptCard]:
    """Return what the hall knows of cards, those that have left included."""
    wanted = set(asked)
    named = Q(issue__in={issue for issue, _ in wanted}, card__in={card for _, card in wanted})
    gone = dict(_gone(hall, named))
    # What comes last counts. A card set aside may have won, and its days run from its payment (R52).
    # A double card may have been paid in both its games: its days run from the second (R45).
    of_item = Q(item__issue__in={one for one, _ in wanted}, item__first__in={n for _, n in wanted})
    payments: list[Payment | UnclaimedSettlement]
    payments = [*_paid(hall).filter(named), *all_paid_later(hall).filter(of_item)]
    payments.sort(key=lambda one: one.entry_id)
    listed: list[Shelved] = [*_aside(hall).filter(named), *payments]
    found = (kept(hall, one, gone=gone.get(card_of(one), "")) for one in listed)
    return {one.key: one for one in found if one.key in wanted}


def _gone(hall: Hall, named: Q) -> Iterable[tuple[Card, str]]:
    left = Departure.objects.filter(named, issue__hall=hall)
    for issue, card, how in left.values_list("issue", "card", "how"):
        yield (issue, card), how


def game_of(row: Shelved) -> Game:
    """Return the game that a card of the shelf is of."""
    return row.item.game if isinstance(row, UnclaimedSettlement) else row.game


def card_of(row: Shelved) -> Card:
    """Return the card that a row put on the shelf."""
    if isinstance(row, UnclaimedSettlement):
        return (row.item.issue_id, row.first)
    return (row.issue_id, row.card)


def kept(hall: Hall, row: Shelved, *, gone: str = "") -> KeptCard:
    """Return a row of the shelf as the rules know it."""
    game = game_of(row)
    issue, card = card_of(row)
    return KeptCard(
        issue=issue,
        card=card,
        session=game.session.number,
        game=game.number,
        play=play(game),
        played=hall.day(game.opened_at),
        paid=None if isinstance(row, SetAside) else hall.day(row.at),
        gone=gone,
    )


def paid(hall: Hall) -> QuerySet[Payment]:
    """Return the winning cards that lie there, the longest kept first, each once."""
    again = Payment.objects.filter(
        issue=OuterRef("issue"), card=OuterRef("card"), pk__gt=OuterRef("pk")
    )
    later = _is_paid_later(hall, entry__gt=OuterRef("entry"))
    found = _paid(hall).filter(~_has_left(), ~Exists(again), ~later)
    return found.order_by("at", "pk")


def paid_later(hall: Hall) -> QuerySet[UnclaimedSettlement]:
    """Return the winning cards that lie there since their prizes were paid later, each once (R44)."""
    again = _is_paid_later(hall, "item__issue", "first", pk__gt=OuterRef("pk"))
    second = Payment.objects.filter(
        issue=OuterRef("item__issue"), card=OuterRef("first"), entry__gt=OuterRef("entry")
    )
    left = _has_left(issue="item__issue", card="first")
    return all_paid_later(hall).filter(~left, ~again, ~Exists(second))


def aside(hall: Hall) -> QuerySet[SetAside]:
    """Return the cards set aside that lie there, but those whose prizes were paid later."""
    return _aside(hall).filter(~_has_left(), ~_is_paid_later(hall)).order_by("pk")


def lying(hall: Hall, *, most: int) -> list[Shelved]:
    """Return what lies there, at most so many of each kind, the longest kept first, and all that a case holds."""
    found: list[Shelved] = []
    for rows, path in ((paid(hall), ""), (paid_later(hall), "item__"), (aside(hall), "")):
        held = rows.filter(_held_by_case(hall, path))
        found += {one.pk: one for one in (*rows[:most], *held)}.values()
    return found


def due(hall: Hall, *, on: date) -> QuerySet[Payment]:
    """Return the winning cards that may be destroyed on a day (R52)."""
    ripe = hall.begins(on - timedelta(days=days(hall) or 0))
    return paid(hall).filter(_free(hall), at__lt=ripe)


def later_due(hall: Hall, *, on: date) -> QuerySet[UnclaimedSettlement]:
    """Return those of them that may be destroyed on a day."""
    ripe = hall.begins(on - timedelta(days=days(hall) or 0))
    return paid_later(hall).filter(_free(hall, "item__", card="first"), at__lt=ripe)


def aside_due(hall: Hall) -> QuerySet[SetAside]:
    """Return the cards set aside whose cases are closed."""
    return aside(hall).filter(_free(hall))


def _free(hall: Hall, path: str = "", *, card: str = "card") -> Q:
    """Leave out what an open case or complaint holds, and what is of the open session.

    `path` leads to the row that has the game and the issue, `card` is the field of the card.
    """
    held = _held_by_case(hall, path)
    for issue, number in complaints_services.cards_of_open_complaints(hall):
        held |= Q(**{f"{path}issue": issue, card: number})
    return Q(**{f"{path}game__session__closed_at__isnull": False}) & ~held


def _held_by_case(hall: Hall, path: str) -> Q:
    """Find what an open case holds; `path` leads to the row that has the game."""
    held = Q(pk__in=())
    for case in Case.objects.filter(hall=hall, closed_at__isnull=True).select_related(*GAME):
        whole = case.game.first_half_id or case.game_id
        held |= Q(**{f"{path}game": whole}) | Q(**{f"{path}game__first_half": whole})
    return held


def _has_left(*, issue: str = "issue", card: str = "card") -> Exists:
    return Exists(Departure.objects.filter(issue=OuterRef(issue), card=OuterRef(card)))


def _is_paid_later(hall: Hall, issue: str = "issue", card: str = "card", **named: Any) -> Exists:
    same = Q(item__issue=OuterRef(issue), first=OuterRef(card), **named)
    return Exists(all_paid_later(hall).filter(same))


def _paid(hall: Hall) -> QuerySet[Payment]:
    found = Payment.objects.filter(game__session__hall=hall)
    return found.select_related(*GAME, "issue__series")


def all_paid_later(hall: Hall) -> QuerySet[UnclaimedSettlement]:
    """Return the prizes that were paid later against their cards, or whose cards a case had set aside.

    Without a card none is kept.
    """
    there = SetAside.objects.filter(
        issue=OuterRef("item__issue"), card=OuterRef("first"),
        case__entry__number__lt=OuterRef("entry__number"),
    )  # fmt: skip
    found = UnclaimedSettlement.objects.filter(
        Q(complaint__isnull=True) | Exists(there),
        item__game__session__hall=hall, item__owed=PRIZE, how=PAID,
    )  # fmt: skip
    named = [f"item__{one}" for one in GAME]
    return found.select_related(*named, "item__issue__series").order_by("at", "pk")


def _aside(hall: Hall) -> QuerySet[SetAside]:
    found = SetAside.objects.filter(game__session__hall=hall)
    return found.select_related(*GAME, "issue__series")


def played_on(game: Game) -> bool:
    """Return whether a game's cards are good for the next one too (R15)."""
    return game.issue.double and game.first_half_id is None and not game.void


def over(hall: Hall) -> QuerySet[Game]:
    """Return the games that are over and whose cards are good for no other (R15, R51)."""
    found = Game.objects.filter(session__hall=hall, ended_at__isnull=False, cards__gt=0)
    found = found.exclude(issue__double=True, first_half__isnull=True, void="")
    return found.select_related("session", "issue", "first_half")


def used(game: Game) -> int:
    """Return how many used cards a game leaves to be destroyed: those sold that are not kept (R51)."""
    return game.cards - len(kept_of(game))


def kept_of(game: Game) -> set[Card]:
    """Return the cards of a game that are no used ones: winning ones, and those set aside (R51)."""
    return winning(game) | set(SetAside.objects.filter(_halves(game)).values_list("issue", "card"))


def winning(game: Game) -> set[Card]:
    """Return the cards of a game that won, whether they ever come for their prizes or not."""
    won = set(Payment.objects.filter(_halves(game)).values_list("issue", "card"))
    not_fetched = UnclaimedItem.objects.filter(_halves(game), owed=PRIZE)
    return won | set(not_fetched.values_list("issue", "first"))


def _halves(game: Game) -> Q:
    return Q(game=game) | Q(game=game.first_half_id)


def collected(game: Game) -> list[Collected]:
    """Return what each person has said to have collected of a game, in order (R51)."""
    rows = CardCollection.objects.filter(game=game).order_by("pk")
    said = rows.values_list("entry__by__username", "cards")
    return [Collected(by=by, cards=cards) for by, cards in said]


def used_cards_held(hall: Hall, game: Game) -> dict[Card, Holder]:
    """Return the used cards of a game, neither winning nor set aside, that open complaints hold."""
    held = complaints_services.cards_of_open_complaints(hall)
    kept = kept_of(game) if held else set()
    return {
        card: holder for card, holder in held.items() if card not in kept and was_sold(game, *card)
    }
