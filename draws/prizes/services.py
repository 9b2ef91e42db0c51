"""Pay prizes and refund voided games, against the card (R44, R50, R55, R57).

A payment has one receipt; whoever asks again is given a copy. `handed_on` lists the prizes that a
shift ended without having paid, and who closed it (R44). `refund_run` says how far refunds have
come, till by till (R55, R57). `of_games` says what the smallest coin left over of a session's
prizes, game by game, as the journal tells (R6).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Unpack

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet, Sum

from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from bingo.rules.till_cash_and_shifts import paid_out
from draws.games.progress import step
from draws.models import Game, Issue, Payment, Refund, Sale
from draws.prizes.labels import NOTHING, Carried
from halls import tills
from halls.journal.services import Who
from halls.models import JournalEntry, Person, Session, Shift, Slip


@transaction.atomic
def pay_payment(
    *,
    game: Game,
    issue: Issue,
    card: int,
    shift: Shift,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Payment:
    """Pay everything a winning card has won, once, against the card (R44, R45, R50).

    Raises Refusal: not_allowed, not_your_shift, no_prize, already_paid, paid_after_second_game,
    cash_short, second_person_needed, wrong_phase.
    """
    if shift.cashier_id != who["by"].pk:
        raise Refusal("not_your_shift")
    done = step(
        game, "prize_paid", witness=witness, drawer=shift,
        issue=issue.pk, card=card, till=shift.till.name, **who
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
    **who: Unpack[Who],
) -> Refund:
    """Return back the price of cards first..last of a voided game, each once (R55, R57).

    Raises Refusal: not_allowed, not_your_shift, not_sold, already_refunded, cash_short,
    second_person_needed, wrong_phase.
    """
    if shift.cashier_id != who["by"].pk:
        raise Refusal("not_your_shift")
    done = step(
        game, "cards_refunded", witness=witness, drawer=shift,
        issue=issue.pk, first=first, last=last, till=shift.till.name, **who
    )  # fmt: skip
    if done.repeated:
        return Refund.objects.get(entry=done.entry)
    tills.game_moved(shift, "cards_refunded", done.entry).save()
    return Refund.objects.create(
        game=game, issue=issue, first=first, last=last, shift=shift,
        amount=done.entry.data["amount"], at=done.entry.at, entry=done.entry,
    )  # fmt: skip


def given_first(entry: JournalEntry, *, at: datetime) -> bool:
    """Note that a payment's receipt is given now, and tell whether it is the first time."""
    try:
        with transaction.atomic():
            Slip.objects.create(entry=entry, at=at)
    except IntegrityError:
        return False
    return True


Won = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A winning card left to the shifts that follow; `amount` is what the player receives.

    `entry` is the number of the entry that closed the shift, `by` the name of whoever closed it.
    """

    game: int
    issue: int
    card: int
    amount: int
    shift: int
    till: str
    by: str
    entry: int


def handed_on(session: Session, *, before: int | None = None) -> dict[Won, HandedOn]:
    """Return those of a session by (game, issue, card), each as the last shift handed it on.

    `before` is the entry up to which the journal is read. A prize paid since is among them.
    """
    closings = JournalEntry.objects.filter(session=session, kind="shift_closed")
    if before is not None:
        closings = closings.filter(number__lt=before)
    told = closings.filter(data__has_key="unpaid").select_related("by").order_by("number")
    return {
        (each["game"], each["issue"], each["card"]): _left(entry, each)
        for entry in told
        for each in entry.data["unpaid"]
    }


def _left(entry: JournalEntry, each: dict[str, int]) -> HandedOn:
    return HandedOn(
        **each,
        shift=entry.data["shift"],
        till=entry.data["till"],
        by=entry.by.name if entry.by else "",
        entry=entry.number,
    )


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
    """Return how far the refunds of a game have come, None when it is not void.

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
        collected=known.collected,
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
    """Return the cards and money of some rows by their shift."""
    cards = Sum(F("last") - F("first") + 1)
    found = rows.values_list("shift").annotate(cards=cards, money=Sum("amount"))
    return {shift: (count, money) for shift, count, money in found}


KINDS = ("sale_closed", "second_half_opened", "window_closed", "game_voided")


def of_games(session: Session) -> dict[int, Carried]:
    """Return it by the number of the game; a void game leaves over nothing and was brought nothing."""
    told: dict[int, Carried] = defaultdict(lambda: NOTHING)
    entries = JournalEntry.objects.filter(session=session, kind__in=KINDS).order_by("number")
    for entry in entries:
        game = entry.game or 0
        told[game] = _after(told[game], entry)
    return {game: carried for game, carried in told.items() if carried != NOTHING}


def _after(known: Carried, entry: JournalEntry) -> Carried:
    match entry.kind:
        case "game_voided":
            return NOTHING
        case "window_closed":
            left = entry.data.get("carried", {})
            return replace(
                known,
                to_jackpot=known.to_jackpot + left.get("jackpot", 0),
                to_fund=known.to_fund + left.get("fund", 0),
            )
        case _:
            return replace(known, brought=entry.data["prizes"].get("brought", 0))
