"""The settlement of a shift, read from its rows and the journal (R39, R44)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, Sum

from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.unclaimed import PRIZE
from draws.documents import unclaimed_words, words
from draws.documents.settlement_values import (
    AsidePart,
    SettledGame,
    SettledMovement,
    Settlement,
    TakenPrize,
    UnpaidPrize,
)
from draws.models import Issue, Payment, UnclaimedItem
from draws.queries import carried
from draws.queries.handed_on import handed_on
from halls.models import CashMovement, Hall, JournalEntry, Person, Shift

Kind = CashMovement.Kind
OF_GAMES = frozenset([Kind.SALE, Kind.PRIZE, Kind.REFUND])
Movements = list[CashMovement]


def settlement(shift: Shift) -> Settlement:
    """Give what a closed shift hands over, hours in the hall's time zone.

    Raises Refusal shift_still_open.
    """
    if shift.closed_at is None:
        raise Refusal("shift_still_open", till=shift.till.name)
    hall, session = shift.session.hall, shift.session
    closing = _closing(shift)
    data = closing.data
    zone = ZoneInfo(hall.time_zone)
    moved = list(shift.movements.select_related("entry__by").order_by("pk"))
    people = _names(hall, [data, *(movement.entry.data for movement in moved)])
    return Settlement(
        hall=hall.name,
        licence=hall.licence,
        training=hall.is_training,
        rulebook=rulebooks.get(hall.rulebook).title,
        language=hall.language,
        currency=hall.currency,
        session=session.number,
        shift=shift.number,
        till=shift.till.name,
        cashier=shift.cashier.name,
        opened_at=shift.opened_at.astimezone(zone),
        closed_at=closing.at.astimezone(zone),
        closed_by=closing.by.name if closing.by else "",
        opening_float=sum(each.amount for each in moved if each.kind == Kind.FLOAT),
        games=_games(shift, moved),
        movements=_movements(moved, people, zone),
        expected=data["expected"],
        counted=data["counted"],
        difference=data["difference"],
        comment=data["comment"],
        witness=people.get(data.get("witness"), ""),
        unpaid=_unpaid(data.get("unpaid") or []),
        entry=closing.number,
        digest=closing.digest,
        taken=_taken(shift, closing),
        aside=_aside(shift, closing),
        unclaimed_paid=-sum(each.amount for each in moved if each.kind == Kind.UNCLAIMED),
    )


def _closing(shift: Shift) -> JournalEntry:
    closed = JournalEntry.objects.filter(session=shift.session, kind="shift_closed")
    return closed.select_related("by").get(data__shift=shift.number)


def _games(shift: Shift, moved: Movements) -> tuple[SettledGame, ...]:
    played = _played(shift)
    sums: dict[tuple[int, str], int] = defaultdict(int)
    for each in moved:
        if each.kind in OF_GAMES:
            game = played.get(each.entry_id) or each.entry.game or 0
            sums[game, each.kind] += each.amount
    sold = shift.sales.values_list("game__number")
    cards = dict(sold.annotate(cards=Sum(F("last") - F("first") + 1)))
    left = carried.of_games(shift.session)
    return tuple(
        SettledGame(
            game=game,
            cards=cards.get(game, 0),
            sales=sums[game, Kind.SALE],
            prizes=-sums[game, Kind.PRIZE],
            refunds=-sums[game, Kind.REFUND],
            carried=left.get(game),
        )
        for game in sorted({game for game, _kind in sums})
    )


def _played(shift: Shift) -> dict[int, int]:
    """Give the game of each entry that moved cash: a prize may be paid in a later game."""
    return {
        **dict(shift.sales.values_list("entry", "game__number")),
        **dict(shift.payments.values_list("entry", "game__number")),
        **dict(shift.refunds.values_list("entry", "game__number")),
    }


def _movements(
    moved: Movements, people: Mapping[Any, str], zone: ZoneInfo
) -> tuple[SettledMovement, ...]:
    return tuple(
        SettledMovement(
            at=each.entry.at.astimezone(zone),
            amount=each.amount,
            reason=str(each.entry.data.get("reason") or words.kind(each.entry.kind)),
            by=each.entry.by.name if each.entry.by else "",
            witness=people.get(each.entry.data.get("witness"), ""),
        )
        for each in moved
        if each.kind not in OF_GAMES and each.kind != Kind.FLOAT
    )


def _names(hall: Hall, told: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Give the names of the second persons, who are in the journal by their usernames."""
    usernames = {data["witness"] for data in told if data.get("witness")}
    known = Person.objects.filter(hall=hall, username__in=usernames)
    return {name: name for name in usernames} | dict(known.values_list("username", "name"))


def _unpaid(told: list[dict[str, Any]]) -> tuple[UnpaidPrize, ...]:
    issues = Issue.objects.select_related("series").in_bulk([each["issue"] for each in told])
    return tuple(
        UnpaidPrize(each["game"], str(issues[each["issue"]]), each["card"], each["amount"])
        for each in told
    )


def _aside(shift: Shift, closing: JournalEntry) -> tuple[AsidePart, ...]:
    """Return what was set aside in the session while the shift was open."""
    found = UnclaimedItem.objects.filter(
        game__session=shift.session,
        entry__number__gt=_opening(shift).number,
        entry__number__lt=closing.number,
    )
    return tuple(
        AsidePart(
            game=one.game.number,
            what=unclaimed_words.what(one.owed),
            issue=str(one.issue),
            cards=unclaimed_words.cards(one.first, one.last),
            amount=one.price * (one.last - one.first + 1),
            reason=unclaimed_words.reason(one.owed, one.reason, one.note),
        )
        for one in found.select_related("game", "issue__series").order_by("pk")
    )


def _opening(shift: Shift) -> JournalEntry:
    return JournalEntry.objects.get(
        session=shift.session, kind="shift_opened", data__shift=shift.number
    )


def _taken(shift: Shift, closing: JournalEntry) -> tuple[TakenPrize, ...]:
    """Give the prizes that other shifts left before this one, paid here or by nobody until then.

    A shift that was open beside the one that left them has them only where it paid them.
    """
    opened = _opening(shift).number
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
    left = {
        won: each
        for won, each in handed_on(shift.session, before=closing.number).items()
        if won not in aside and (won[0] + 1, *won[1:]) not in aside
    }
    issues = Issue.objects.select_related("series").in_bulk([each.issue for each in left.values()])
    return tuple(
        TakenPrize(
            each.game, str(issues[each.issue]), each.card, each.amount, each.shift, each.by,
            paid=by == shift.pk,
        )
        for won, each in sorted(left.items())
        if (by := _payer(paid, won)) == shift.pk or (by is None and each.entry < opened)
    )  # fmt: skip


def _payer(paid: Mapping[tuple[int, int, int], int], won: tuple[int, int, int]) -> int | None:
    """Give the shift that paid; what a double card won first is paid in its second game (R45)."""
    game, issue, card = won
    return paid.get(won) or paid.get((game + 1, issue, card))
