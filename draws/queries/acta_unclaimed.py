"""What an acta tells of money that nobody fetched: set aside, paid later, what the hall owes (R44, R60)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db.models import F, Sum

from draws.documents import unclaimed_words
from draws.documents.acta_session_values import AsideValues, SettledValues, UnclaimedValues
from draws.models import UnclaimedItem, UnclaimedSettlement
from draws.queries import acta_game, unclaimed, witnessed
from halls.models import JournalEntry, Session


def values(session: Session, zone: ZoneInfo, *, last: int) -> UnclaimedValues | None:
    """Return the account as the session left it, None where there was nothing in it.

    `last` is the number of the entry that closed the session.
    """
    aside, settled = list(unclaimed.set_aside_in(session)), list(unclaimed.settled_in(session))
    hall = session.hall
    items = UnclaimedItem.objects.filter(game__session__hall=hall, entry__number__lte=last)
    gone = UnclaimedSettlement.objects.filter(
        item__game__session__hall=hall, entry__number__lte=last
    )
    worth = F("price") * (F("last") - F("first") + 1)
    owed = items.aggregate(sum=Sum(worth))["sum"] or 0
    owed -= gone.aggregate(sum=Sum("amount"))["sum"] or 0
    if not (aside or settled or owed):
        return None
    entries = [*(one.entry for one in aside), *(one.entry for one in settled)]
    names = witnessed.names(hall, [one.data.get("witness", "") for one in entries])
    return UnclaimedValues(
        set_aside=tuple(_aside(one, zone, names) for one in aside),
        settled=tuple(_settled(one, zone, names) for one in settled),
        owed=owed,
    )


def _aside(row: UnclaimedItem, zone: ZoneInfo, names: dict[str, str]) -> AsideValues:
    return AsideValues(
        at=row.at.astimezone(zone),
        game=row.game.number,
        owed=row.owed,
        issue=str(row.issue),
        first=row.first,
        last=row.last,
        amount=row.price * (row.last - row.first + 1),
        reason=unclaimed_words.reason(row.owed, row.reason, row.note),
        until=row.until,
        by=acta_game.name_of(row.entry),
        witness=_witness(row.entry, names),
    )


def _settled(row: UnclaimedSettlement, zone: ZoneInfo, names: dict[str, str]) -> SettledValues:
    item = row.item
    return SettledValues(
        at=row.at.astimezone(zone),
        how=row.how,
        session=item.game.session.number,
        game=item.game.number,
        owed=item.owed,
        issue=str(item.issue),
        first=row.first,
        last=row.last,
        amount=row.amount,
        till=row.shift.till.name if row.shift else "",
        complaint=str(row.complaint) if row.complaint else "",
        by=acta_game.name_of(row.entry),
        witness=_witness(row.entry, names),
    )


def _witness(entry: JournalEntry, names: dict[str, str]) -> str:
    username = str(entry.data.get("witness", ""))
    return names.get(username, username)
