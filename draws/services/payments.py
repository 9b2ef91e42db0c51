"""Prizes paid against the card, and the price of cards given back after a void (R44, R50, R55, R57)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules.refusal import Refusal
from bingo.rules.shifts import paid_out
from draws.models import Game, Issue, Payment, Refund
from draws.services.games import step
from halls.models import Person, Shift
from halls.services import tills


@transaction.atomic
def pay(
    *,
    game: Game,
    issue: Issue,
    card: int,
    shift: Shift,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Payment:
    """Pay everything a winning card has won, once, against the card (R44, R45, R50).

    Raises Refusal: not_allowed, not_your_shift, no_prize, already_paid, paid_after_second_game,
    cash_short, second_person_needed, wrong_phase.
    """
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")
    done = step(
        game, "prize_paid", by=by, at=at, key=key, witness=witness, drawer=shift,
        issue=issue.pk, card=card, till=shift.till.name,
    )  # fmt: skip
    if done.repeated:
        return Payment.objects.get(entry=done.entry)
    tills.game_moved(shift, "prize_paid", done.entry).save()
    return Payment.objects.create(
        game=game,
        issue=issue,
        card=card,
        amount=paid_out(done.entry.data),
        shift=shift,
        at=done.entry.at,
        entry=done.entry,
    )


@transaction.atomic
def refund(
    *,
    game: Game,
    issue: Issue,
    first: int,
    last: int,
    shift: Shift,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Refund:
    """Give back the price of cards first..last of a voided game, each once (R55, R57).

    Raises Refusal: not_allowed, not_your_shift, not_sold, already_refunded, cash_short,
    second_person_needed, wrong_phase.
    """
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")
    done = step(
        game, "cards_refunded", by=by, at=at, key=key, witness=witness, drawer=shift,
        issue=issue.pk, first=first, last=last, till=shift.till.name,
    )  # fmt: skip
    if done.repeated:
        return Refund.objects.get(entry=done.entry)
    tills.game_moved(shift, "cards_refunded", done.entry).save()
    return Refund.objects.create(
        game=game, issue=issue, first=first, last=last, shift=shift,
        amount=done.entry.data["amount"], at=done.entry.at, entry=done.entry,
    )  # fmt: skip
