"""The receipt of a payment, read from its journal entry and rows (R44, R50)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bingo.rules.refusal import Refusal
from bingo.rules.shifts import paid_out
from draws.documents.payment_values import PaidPrize, PaymentReceipt
from draws.models import Issue, Prize
from draws.queries import witnessed
from halls.models import JournalEntry


def receipt(entry: JournalEntry, *, copy: bool) -> PaymentReceipt:
    """Give the values of a payment's receipt; `copy` tells that it was given before.

    Raises Refusal not_a_payment.
    """
    if entry.kind != "prize_paid" or entry.session is None or entry.game is None:
        raise Refusal("not_a_payment", number=entry.number)
    hall, data = entry.hall, entry.data
    tax = entry.session.state["terms"]["tax"]
    issue = Issue.objects.select_related("series").get(pk=data["issue"])
    return PaymentReceipt(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        till=data["till"],
        cashier=entry.by.name if entry.by else "",
        witness=_witness(entry),
        issue=str(issue),
        card=data["card"],
        prizes=tuple(_prizes(entry)),
        gross=data["amount"],
        tax=data["tax"],
        rate=tax["rate"],
        threshold=tax["threshold"],
        left_over=data.get("left_over", 0),
        net=paid_out(data),
        entry=entry.number,
        digest=entry.digest,
        copy=copy,
    )


def _witness(entry: JournalEntry) -> str:
    username = entry.data.get("witness")
    return witnessed.names(entry.hall, [username]).get(username, username) if username else ""


def _prizes(entry: JournalEntry) -> list[PaidPrize]:
    """Give each prize as it was awarded, those of a double card's first game first (R45)."""
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
