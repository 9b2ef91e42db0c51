"""Evenings on which somebody leaves without the money: prizes and refunds set aside, and paid later."""

from __future__ import annotations

from typing import Any

from draws.games import services as games_services
from draws.models import Issue, UnclaimedItem, UnclaimedSettlement
from draws.prizes import unclaimed
from halls.models import JournalEntry, Role
from tests.support.evening import FACE, Evening, authorise, within

WINNER = 1
# Of six cards: 80 %, less the accrual of the jackpot, 3 % of the fund.
LINE_AND_BINGO = 6 * FACE * 80 // 100 * 97 // 100


class Slow(Evening):
    """An evening on which a ball that nobody needs comes first."""

    def numbers(self, card: int = 1) -> list[int]:
        """The numbers of a card, after one that it has not."""
        wanted = super().numbers(card)
        return [next(one for one in range(1, 91) if one not in wanted), *wanted]


def quiet(code: str = "sala", **granted: Any) -> Evening:
    """A hall whose jackpot is won with fifteen balls, and whose bingo comes with sixteen."""
    evening = Slow(code)
    named: dict[str, Any] = {
        "reference": "2/2026",
        "valid_from": evening.today.replace(month=1, day=2),
    }
    limits = {"limits": within(15, formats=[90])}
    authorise(evening.hall, **(named | {"formats": [90], "jackpot_terms": limits} | granted))
    return evening


def set_aside(
    evening: Evening,
    *,
    card: int = WINNER,
    reason: str = "left",
    note: str = "",
    role: Role = Role.CASHIER,
    witness: Role | None = Role.TABLE_CHIEF,
    **who: Any,
) -> JournalEntry:
    """Set the prize of a card aside."""
    return unclaimed.set_prize_aside(
        game=evening.game, issue=evening.issue(), card=card, reason=reason, note=note,
        witness=evening.person(witness) if witness else None, **(evening.who(role) | who),
    )  # fmt: skip


def complete(evening: Evening) -> None:
    """Complete the entry of the game."""
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))


def not_fetched(evening: Evening, **how: Any) -> UnclaimedItem:
    """Play a game whose winner has left, and complete its entry."""
    evening.reach("paying")
    set_aside(evening, **how)
    complete(evening)
    return UnclaimedItem.objects.latest("pk")


def voided(evening: Evening) -> Evening:
    """Sell six cards and void the game."""
    evening.reach("sold")
    games_services.void(
        game=evening.game, cause="other", reason="Incêndio", **evening.who(Role.TABLE_CHIEF)
    )
    return evening


def refunds_aside(
    evening: Evening,
    ranges: list[tuple[int, int]] | None = None,
    *,
    reason: str = "left",
    role: Role = Role.CASHIER,
    witness: Role | None = Role.TABLE_CHIEF,
    **who: Any,
) -> JournalEntry:
    """Set the price of cards of a void game aside, all that are left where none are named."""
    issue: Issue = evening.issue()
    asked = None if ranges is None else [(issue, first, last) for first, last in ranges]
    return unclaimed.set_refunds_aside(
        game=evening.game, ranges=asked, reason=reason,
        witness=evening.person(witness) if witness else None, **(evening.who(role) | who),
    )  # fmt: skip


def pay(
    evening: Evening,
    item: UnclaimedItem,
    *,
    first: int = WINNER,
    last: int | None = None,
    role: Role = Role.CASHIER,
    witness: Role | None = None,
    complaint: Any = None,
    **who: Any,
) -> UnclaimedSettlement:
    """Pay cards of an item out of the first cashier's till."""
    return unclaimed.pay(
        item=item, first=first, last=last or first, shift=who.pop("shift", None) or evening.shift,
        complaint=complaint, witness=evening.person(witness) if witness else None,
        **(evening.who(role) | who),
    )  # fmt: skip
