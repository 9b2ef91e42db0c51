"""How far the refunds of a voided game have come, till by till (R55, R57)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, QuerySet, Sum

from bingo.rules.state import GameState
from draws.models import Game, Refund, Sale
from halls.models import Shift


@dataclass(frozen=True, slots=True)
class TillRefunds:
    """What a shift collected for a game, and what it has given back; amounts in minor units.

    A card may be refunded at another till than the one that sold it: only the sums must agree.
    """

    till: str
    cashier: str
    cards: int
    collected: int
    cards_refunded: int
    refunded: int


@dataclass(frozen=True, slots=True)
class RefundRun:
    """The refunds of a voided game: of `cards` and `collected` in all, how much is given back.

    The price of `cards_aside` is set aside, for they did not come back (R60).
    """

    cards: int
    collected: int
    cards_refunded: int
    refunded: int
    cards_aside: int
    aside: int
    tills: tuple[TillRefunds, ...]

    @property
    def cards_left(self) -> int:
        """The cards still to be refunded."""
        return self.cards - self.cards_refunded - self.cards_aside

    @property
    def left(self) -> int:
        """The money still to be given back, in minor units."""
        return self.collected - self.refunded - self.aside


def refund_run(game: Game, known: GameState) -> RefundRun | None:
    """Give how far the refunds of a game have come, None when it is not void.

    Of double cards the second game gives back one half of what was collected (R15).
    """
    if known.void is None:
        return None
    halves = 2 if known.half == 2 else 1
    sold = _by_shift(Sale.objects.filter(game=game.first_half or game).order_by())
    given = _by_shift(Refund.objects.filter(game=game).order_by())
    shifts = Shift.objects.filter(pk__in={*sold, *given}).select_related("till", "cashier")
    return RefundRun(
        cards=known.cards,
        collected=known.gross * known.paid_for,
        cards_refunded=known.cards_refunded,
        refunded=known.refunds,
        cards_aside=known.cards_aside,
        aside=known.refunds_set_aside,
        tills=tuple(
            TillRefunds(
                till=shift.till.name,
                cashier=shift.cashier.name,
                cards=sold.get(shift.pk, (0, 0))[0],
                collected=sold.get(shift.pk, (0, 0))[1] // halves,
                cards_refunded=given.get(shift.pk, (0, 0))[0],
                refunded=given.get(shift.pk, (0, 0))[1],
            )
            for shift in shifts.order_by("number")
        ),
    )


def _by_shift(rows: QuerySet[Sale] | QuerySet[Refund]) -> dict[int, tuple[int, int]]:
    """Give the cards and money of some rows by their shift."""
    cards = Sum(F("last") - F("first") + 1)
    found = rows.values_list("shift").annotate(cards=cards, money=Sum("amount"))
    return {shift: (count, money) for shift, count, money in found}
