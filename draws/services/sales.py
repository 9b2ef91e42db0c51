"""Selling the next cards, in strict numeric order, for cash (R34-R41)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from bingo.rules.refusal import Refusal
from draws.models import Game, Issue, Sale
from draws.services.games import step
from halls.models import JournalEntry, Person, Role, Shift
from halls.services import tills


@transaction.atomic
def sell(
    *,
    game: Game,
    shift: Shift,
    quantity: int,
    first: int | None = None,
    seller: Person | None = None,
    given: int | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> list[Sale]:
    """Sell the next `quantity` cards at a till, one row an issue; `first` is the number its page showed.

    `given` is the cash the player handed over, in minor units, when the cashier typed it (R39).
    Raises Refusal: not_allowed, not_your_shift, unknown_seller, cash_too_little, out_of_order, only_left, sold_out,
    quantity_not_positive, wrong_phase, shift_not_open.
    """
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")
    if seller and not _may_sell(seller, game):
        raise Refusal("unknown_seller")
    if given is not None and given < quantity * game.face:
        raise Refusal("cash_too_little", due=quantity * game.face - given)
    done = step(
        game, "cards_sold", by=by, at=at, key=key,
        quantity=quantity, first=first, till=shift.till.name, seller=seller.username if seller else None,
    )  # fmt: skip
    if done.repeated:
        return list(done.entry.sales.order_by("pk"))
    tills.game_moved(shift, "cards_sold", done)
    return [_sold(game, shift, part, seller, done.entry) for part in done.entry.data["ranges"]]


def _may_sell(seller: Person, game: Game) -> bool:
    ours = seller.is_active and seller.hall_id == game.session.hall_id
    return ours and Role.SELLER in seller.roles


def _sold(
    game: Game, shift: Shift, part: dict[str, int], seller: Person | None, entry: JournalEntry
) -> Sale:
    # Cards that were sold in another hall, before the issue came here, have no sale to follow.
    before = Sale.objects.filter(issue=part["issue"]).aggregate(last=Max("last"))["last"]
    Issue.objects.filter(pk=part["issue"]).update(last_sold=part["last"])
    return Sale.objects.create(
        game=game,
        issue_id=part["issue"],
        first=part["first"],
        last=part["last"],
        previous=before,
        passed=part["first"] - (before or 0) - 1,
        amount=(part["last"] - part["first"] + 1) * game.face,
        shift=shift,
        seller=seller,
        at=entry.at,
        entry=entry,
    )
