"""Read receipts and settlements from rows and the journal (R15, R39, R44, R50).

`counts` says how the drawers of a session were counted: tries that did not agree, and what came of
it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, Q, Sum
from django.utils import translation

from bingo.money_and_dates import number_range
from bingo.rules.refusal import Refusal
from bingo.rules.steps import selling
from bingo.rules.till_cash_and_shifts import cards_unpaid, paid_out
from bingo.rules.unclaimed import PRIZE
from draws import trade_words
from draws.models import Issue, Payment, Prize, Sale, UnclaimedItem
from draws.models.custody import EXPIRED, PAID
from draws.prizes import labels as prizes_labels
from draws.prizes import services as prizes_services
from draws.prizes.services import handed_on
from draws.receipts.documents import PaidPrize, PaymentReceipt, Receipt, ReceiptLine
from draws.receipts.settlement import (
    AsidePart,
    SettledGame,
    SettledMovement,
    Settlement,
    TakenPrize,
    UnpaidPrize,
)
from halls.journal import queries as journal_queries
from halls.models import CashMovement, JournalEntry, Session, Shift


def get_sale_receipt(entry: JournalEntry, *, given: int | None) -> Receipt:
    """Return the values of a sale's receipt; `given` is the cash handed over, in minor units.

    Raises Refusal: not_a_sale, sale_was_taken_back, cash_too_little.
    """
    if entry.kind != "cards_sold" or entry.session is None or entry.game is None:
        raise Refusal("not_a_sale", number=entry.number)
    total = entry.data["amount"]
    selling.require_cash(total, given)
    sold = list(entry.sales.select_related("issue__series").order_by("pk"))
    if not sold:
        raise Refusal("sale_was_taken_back", number=entry.number)
    return Receipt(
        **_receipt(entry, entry.session, entry.game),
        lines=tuple(map(_line, sold)),
        total=total,
        given=given,
        change=None if given is None else given - total,
        double=bool(entry.data.get("double")) or any(sale.issue.double for sale in sold),
    )


def _receipt(entry: JournalEntry, session: Session, game: int) -> dict[str, Any]:
    """Return what every receipt names."""
    hall = entry.hall
    return {
        "hall": hall.name, "licence": hall.licence, "language": hall.language,
        "currency": hall.written_currency, "session": session.number, "game": game,
        "at": entry.at.astimezone(ZoneInfo(hall.time_zone)), "till": entry.data["till"],
        "cashier": entry.by.name if entry.by else "", "entry": entry.number, "digest": entry.digest,
    }  # fmt: skip


def _line(sale: Sale) -> ReceiptLine:
    cards = sale.last - sale.first + 1
    return ReceiptLine(
        issue=str(sale.issue),
        first=sale.first,
        last=sale.last,
        cards=cards,
        face=sale.amount // cards,
        amount=sale.amount,
    )


def get_payment_receipt(entry: JournalEntry, *, copy: bool) -> PaymentReceipt:
    """Return the values of a payment's receipt; `copy` tells that it was given before.

    Raises Refusal not_a_payment.
    """
    if entry.kind != "prize_paid" or entry.session is None or entry.game is None:
        raise Refusal("not_a_payment", number=entry.number)
    data = entry.data
    tax = entry.session.state["terms"]["tax"]
    issue = Issue.objects.select_related("series").get(pk=data["issue"])
    return PaymentReceipt(
        **_receipt(entry, entry.session, entry.game),
        witness=journal_queries.second_persons(entry.hall, [entry])(entry),
        issue=str(issue),
        card=data["card"],
        prizes=tuple(_prizes(entry)),
        gross=data["amount"],
        tax=data["tax"],
        rate=0 if tax.get("on_sales") else tax["rate"],
        threshold=tax["threshold"],
        left_over=data.get("left_over", 0),
        net=paid_out(data),
        copy=copy,
    )


def _prizes(entry: JournalEntry) -> list[PaidPrize]:
    """Return each prize as it was awarded, those of a double card's first game first (R45)."""
    game = entry.game or 0
    told: list[tuple[int, list[str]]] = [
        (game - 1, entry.data.get("first_game", [])),
        (game, entry.data["prizes"]),
    ]
    return [_prize(entry, number, name) for number, names in told for name in names]


def _prize(entry: JournalEntry, game: int, name: str) -> PaidPrize:
    won = Prize.objects.get(
        game__session=entry.session, game__number=game, combination=name,
        issue=entry.data["issue"], card=entry.data["card"],
    )  # fmt: skip
    return PaidPrize(game, name, won.amount, won.tax)


Kind = CashMovement.Kind
OF_GAMES = frozenset([Kind.SALE, Kind.TAKEN_BACK, Kind.PRIZE, Kind.REFUND])
Movements = list[CashMovement]


def settlement(shift: Shift) -> Settlement:
    """Return what a closed shift hands over, hours and words as the hall has them.

    Raises Refusal shift_still_open.
    """
    if shift.closed_at is None:
        raise Refusal("shift_still_open", till=shift.till.name)
    hall, session = shift.session.hall, shift.session
    closing = _entry(shift, "shift_closed")
    data = closing.data
    zone = ZoneInfo(hall.time_zone)
    moved = list(shift.movements.select_related("entry__by").order_by("pk"))
    witness = journal_queries.second_persons(hall, [closing, *(each.entry for each in moved)])
    with translation.override(hall.language):
        return Settlement(
            **hall.letterhead,
            session=session.number,
            shift=shift.number,
            till=shift.till.name,
            cashier=shift.cashier.name,
            opened_at=shift.opened_at.astimezone(zone),
            closed_at=closing.at.astimezone(zone),
            closed_by=closing.by.name if closing.by else "",
            opening_float=sum(each.amount for each in moved if each.kind == Kind.FLOAT),
            games=_games(shift, moved),
            movements=_movements(moved, witness, zone),
            expected=data["expected"],
            counted=data["counted"],
            difference=data["difference"],
            comment=data["comment"],
            witness=witness(closing),
            unpaid=_unpaid(data.get("unpaid") or []),
            entry=closing.number,
            digest=closing.digest,
            taken=_taken(shift, closing),
            aside=_aside(shift, closing),
            unclaimed_paid=-sum(each.amount for each in moved if each.kind == Kind.UNCLAIMED),
        )


def _entry(shift: Shift, kind: str) -> JournalEntry:
    """Return the entry that opened or closed a shift."""
    found = JournalEntry.objects.filter(session=shift.session, kind=kind)
    return found.select_related("by").get(data__shift=shift.number)


def _games(shift: Shift, moved: Movements) -> tuple[SettledGame, ...]:
    played = _played(shift)
    sums: dict[tuple[int, str], int] = defaultdict(int)
    for each in moved:
        if each.kind in OF_GAMES:
            game = played.get(each.entry_id) or each.entry.game or 0
            sums[game, each.kind] += each.amount
    sold = shift.sales.values_list("game__number")
    cards = dict(sold.annotate(cards=Sum(F("last") - F("first") + 1)))
    left = prizes_services.of_games(shift.session)
    return tuple(
        SettledGame(
            game=game,
            cards=cards.get(game, 0),
            sales=sums[game, Kind.SALE] + sums[game, Kind.TAKEN_BACK],
            prizes=-sums[game, Kind.PRIZE],
            refunds=-sums[game, Kind.REFUND],
            carried=left.get(game),
        )
        for game in sorted({game for game, _kind in sums})
    )


def _played(shift: Shift) -> dict[int, int]:
    """Return the game of each entry that moved cash: a prize may be paid in a later game."""
    return {
        **dict(shift.sales.values_list("entry", "game__number")),
        **dict(shift.payments.values_list("entry", "game__number")),
        **dict(shift.refunds.values_list("entry", "game__number")),
    }


def _movements(
    moved: Movements, witness: Callable[[JournalEntry], str], zone: ZoneInfo
) -> tuple[SettledMovement, ...]:
    return tuple(
        SettledMovement(
            at=each.entry.at.astimezone(zone),
            amount=each.amount,
            reason=str(each.entry.data.get("reason") or trade_words.kind(each.entry.kind)),
            by=each.entry.by.name if each.entry.by else "",
            witness=witness(each.entry),
        )
        for each in moved
        if each.kind not in OF_GAMES and each.kind != Kind.FLOAT
    )


def _unpaid(told: list[dict[str, Any]]) -> tuple[UnpaidPrize, ...]:
    issues = Issue.objects.select_related("series").in_bulk([each["issue"] for each in told])
    return tuple(
        UnpaidPrize(each["game"], str(issues[each["issue"]]), each["card"], each["amount"])
        for each in told
    )


def _aside(shift: Shift, closing: JournalEntry) -> tuple[AsidePart, ...]:
    """Return what was set aside in the session while the shift was open, and what came of it till then."""
    found = UnclaimedItem.objects.filter(
        game__session=shift.session,
        entry__number__gt=_entry(shift, "shift_opened").number,
        entry__number__lt=closing.number,
    )
    until = Q(settlements__entry__number__lt=closing.number)
    paid = Sum("settlements__amount", filter=until & Q(settlements__how=PAID), default=0)
    expired = Sum("settlements__amount", filter=until & Q(settlements__how=EXPIRED), default=0)
    listed = found.select_related("game", "issue__series").order_by("pk")
    return tuple(
        AsidePart(
            game=one.game.number,
            what=prizes_labels.what(one.owed),
            issue=str(one.issue),
            cards=number_range(one.first, one.last),
            amount=one.price * (one.last - one.first + 1),
            reason=prizes_labels.reason(one.owed, one.reason, one.note),
            paid=one.paid,
            expired=one.expired,
        )
        for one in listed.annotate(paid=paid, expired=expired)
    )


def _taken(shift: Shift, closing: JournalEntry) -> tuple[TakenPrize, ...]:
    """Return the prizes that other shifts left before this one, paid here or by nobody until then.

    A shift that was open beside the one that left them has them only where it paid them.
    """
    opened = _entry(shift, "shift_opened").number
    payments = Payment.objects.filter(
        game__session=shift.session, entry__number__lt=closing.number
    ).values_list("game__number", "issue", "card", "shift")
    paid = {(game, issue, card): payer for game, issue, card, payer in payments}
    # What was set aside since is no longer handed on to anybody.
    aside = set(
        UnclaimedItem.objects.filter(
            game__session=shift.session, owed=PRIZE, entry__number__lt=closing.number
        ).values_list("game__number", "issue", "first")
    )
    # What a void took back is owed to nobody.
    void = set(
        JournalEntry.objects.filter(
            session=shift.session, kind="game_voided", number__lt=closing.number
        ).values_list("game", flat=True)
    )
    # What was left before this shift began stays left to it, whoever names it again while it is open.
    before = handed_on(shift.session, before=opened)
    left = {
        won: each
        for won, each in (handed_on(shift.session, before=closing.number) | before).items()
        if won not in aside
        and won[0] not in void
        # With the second game goes what the first one left unpaid.
        and (won in paid or (won[0] + 1, *won[1:]) not in aside)
    }
    issues = Issue.objects.select_related("series").in_bulk([each.issue for each in left.values()])
    return tuple(
        TakenPrize(
            each.game, str(issues[each.issue]), each.card, each.amount, each.shift, each.by,
            paid=by == shift.pk,
        )
        for won, each in sorted(left.items())
        if (by := _payer(paid, won)) == shift.pk or (by is None and won in before)
    )  # fmt: skip


def _payer(paid: Mapping[tuple[int, int, int], int], won: tuple[int, int, int]) -> int | None:
    """Return the shift that paid; what a double card won first is paid in its second game (R45)."""
    game, issue, card = won
    return paid.get(won) or paid.get((game + 1, issue, card))


OWN, OF_OTHERS = "close", "close-till"  # how the pages of cashier and hall manager call it


@dataclass(frozen=True, slots=True)
class Count:
    """The counting of one shift: `tries` that did not agree; once closed, by whom and with what.

    `difference` in minor units; `unpaid` is the number of winning cards handed on.
    """

    tries: int = 0
    by: str = ""
    witness: str = ""
    difference: int | None = None
    comment: str = ""
    unpaid: int = 0


def counts(session: Session, shifts: Iterable[Shift]) -> dict[int, Count]:
    """Return the counting of each shift by its number.

    A try names no till: a cashier's belongs to the shift they had open, whoever closes it, one on the
    hall manager's page to the shift that the same person closes next.
    """
    refused = Q(
        kind="command_refused",
        data__code="difference_needs_comment",
        data__command__in=(OWN, OF_OTHERS),
    )
    shift_kinds = ("shift_opened", "shift_closed")
    entries = JournalEntry.objects.filter(
        refused | Q(kind__in=shift_kinds), hall=session.hall_id, session=session,
        kind__in=("command_refused", *shift_kinds),
    ).select_related("by").order_by("number")  # fmt: skip
    closings: dict[int, JournalEntry] = {}
    own: dict[int | None, int] = {}  # the newest shift of each cashier
    tried: Counter[int] = Counter()
    of_others: Counter[int | None] = Counter()
    for entry in entries:
        if entry.kind == "shift_opened":
            own[entry.by_id] = entry.data["shift"]
        elif entry.kind == "shift_closed":
            closings[entry.data["shift"]] = entry
            tried[entry.data["shift"]] += of_others.pop(entry.by_id, 0)
        elif entry.data["command"] == OWN and entry.by_id in own:
            tried[own[entry.by_id]] += entry.data.get("more", 1)
        else:
            of_others[entry.by_id] += entry.data.get("more", 1)
    found = {shift: _closed(entry, tries=tried[shift]) for shift, entry in closings.items()}
    return found | {
        shift.number: Count(tries=tried[shift.number])
        for shift in shifts
        if shift.closed_at is None
    }


def _closed(entry: JournalEntry, *, tries: int) -> Count:
    return Count(
        tries=tries,
        by=entry.by.name if entry.by else "",
        witness=str(entry.data.get("witness") or ""),
        difference=entry.data["difference"],
        comment=entry.data["comment"],
        unpaid=cards_unpaid(entry.data),
    )
