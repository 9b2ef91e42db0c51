"""The receipt of a sale, read from its journal entry and rows (R15, R39)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bingo.rules.refusal import Refusal
from draws.documents.receipt_values import Receipt, ReceiptLine
from draws.models import Sale
from halls.models import JournalEntry


def receipt(entry: JournalEntry, *, given: int | None) -> Receipt:
    """Give the values of a sale's receipt; `given` is the cash handed over, in minor units.

    Raises Refusal: not_a_sale, cash_too_little.
    """
    if entry.kind != "cards_sold" or entry.session is None or entry.game is None:
        raise Refusal("not_a_sale", number=entry.number)
    hall, total = entry.hall, entry.data["amount"]
    if given is not None and given < total:
        raise Refusal("cash_too_little", due=total - given)
    sold = list(entry.sales.select_related("issue__series").order_by("pk"))
    return Receipt(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        till=entry.data["till"],
        cashier=entry.by.name if entry.by else "",
        lines=tuple(map(_line, sold)),
        total=total,
        given=given,
        change=None if given is None else given - total,
        double=bool(entry.data.get("double")) or any(sale.issue.double for sale in sold),
        entry=entry.number,
        digest=entry.digest,
    )


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
