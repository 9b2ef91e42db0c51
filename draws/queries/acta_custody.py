"""What an acta tells of cards after their game: kept, destroyed, held by a case (R51, R52)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db.models import F, Q

from bingo.rules import custody as rules
from draws.documents import facts, words
from draws.documents.acta_session_values import (
    CustodyValues,
    DepartureValues,
    KeptValues,
    UsedValues,
)
from draws.models import Case, Payment, SetAside, UsedDestruction
from draws.queries import acta_game, custody, custody_shelf, witnessed
from halls.models import JournalEntry, Session
from halls.queries import equipment

TOLD = (
    "case_opened", "case_closed", "winning_cards_destroyed", "evidence_handed_over",
    "kept_card_lost",
)  # fmt: skip


def values(session: Session, zone: ZoneInfo) -> CustodyValues:
    """Give the custody of a session's cards as it stood when the session was closed."""
    _first, last = equipment.span(session)
    return CustodyValues(
        days=custody.days(session.hall),
        kept=_kept(session, last),
        used=_used(session, last, zone),
        departures=_departures(session, zone),
    )


def _kept(session: Session, last: int | None) -> tuple[KeptValues, ...]:
    paid = Payment.objects.filter(game__session=session).order_by("game__number", "issue", "card")
    aside = SetAside.objects.filter(game__session=session).order_by("game__number", "issue", "card")
    if last is not None:
        # What a case keeps since the close is not of this acta.
        aside = aside.filter(case__entry__number__lt=last)
    known = (*custody.GAME, "issue__series")
    listed: list[custody.Shelved]
    listed = [*paid.select_related(*known), *aside.select_related(*known)]
    sums = custody_shelf.amounts(custody.card_of(one) for one in listed)
    # What was paid in a later session stands in the acta of that one.
    later = custody.all_paid_later(session.hall).filter(
        item__game__session=session, shift__session=session
    )
    for settled in later:
        card = custody.card_of(settled)
        sums[card] = sums.get(card, 0) + settled.amount
        listed.append(settled)
    listed.sort(key=lambda one: (custody.game_of(one).number, custody.card_of(one)))
    cases, days = _cases(session, last), custody.days(session.hall)
    found: dict[rules.Card, KeptValues] = {}
    for one in listed:
        kept = custody.kept(session.hall, one)
        case = rules.holding(kept, cases)
        # A double card may have been paid twice: the later payment counts (R45).
        found[kept.key] = KeptValues(
            game=kept.game,
            issue=str(custody_shelf.issue_of(one)),
            card=kept.card,
            amount=None if isinstance(one, SetAside) else sums.get(kept.key),
            free=rules.free_from(kept, days=days),
            case=case.number if case else None,
        )
    return tuple(found.values())


def _cases(session: Session, last: int | None) -> list[rules.Case]:
    """Give the cases about the session's games that were open when it was closed."""
    found = Case.objects.filter(game__session=session)
    if last is not None:
        closed = F("game__session__closed_at")
        found = found.filter(entry__number__lt=last)
        found = found.filter(Q(closed_at__isnull=True) | Q(closed_at__gt=closed))
    return [
        rules.Case(one.number, session.number, custody.play(one.game))
        for one in found.select_related(*custody.GAME).order_by("number")
    ]


def _used(session: Session, last: int | None, zone: ZoneInfo) -> tuple[UsedValues, ...]:
    found = UsedDestruction.objects.filter(game__session=session).order_by("game__number")
    if last is not None:
        found = found.filter(entry__number__lt=last)
    return tuple(
        UsedValues(
            game=one.game.number,
            cards=one.cards,
            missing=one.missing,
            at=one.at.astimezone(zone),
            by=acta_game.name_of(one.entry),
        )
        for one in found.select_related("game", "entry__by")
    )


def _departures(session: Session, zone: ZoneInfo) -> tuple[DepartureValues, ...]:
    entries = list(equipment.told_in(session, TOLD))
    named = [str(one.data["witness"]) for one in entries if "witness" in one.data]
    people = witnessed.names(session.hall, named)
    return tuple(_departure(entry, people, zone) for entry in entries)


def _departure(entry: JournalEntry, people: dict[str, str], zone: ZoneInfo) -> DepartureValues:
    data = {name: value for name, value in entry.data.items() if name != "witness"}
    told = facts.told(JournalEntry(hall=entry.hall, kind=entry.kind, data=data))
    witness = entry.data.get("witness", "")
    return DepartureValues(
        at=entry.at.astimezone(zone),
        kind=entry.kind,
        text=f"{words.kind(entry.kind)}: {told}",
        by=acta_game.name_of(entry),
        witness=people.get(witness, witness),
    )
