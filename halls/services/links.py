"""A linked jackpot outside games: a hall takes part, the operator adds, the regulator ends or moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import jackpots
from bingo.rules import links as rules
from bingo.rules.game import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Hall, JournalEntry, Link, LinkMember, Person, Session
from halls.services import apart, journal, link_ledger, trust, witnesses


@transaction.atomic
def link(
    *,
    hall: Hall,
    code: str,
    name: str,
    limits: Sequence[Mapping[str, Any]],
    base: int,
    reference: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Link:
    """Let a hall take part in a link of that code; the first to do so begins it (R9, R11, R12).

    Each hall does so for itself, on the same terms; a training hall never. Raises Refusal:
    not_allowed, training_is_apart, key_reused, link_joined, link_over, other_money_or_rules, link_terms_differ, or what `links.link` refuses.
    """
    permissions.require(by, rules.LINKED, hall=hall.pk)
    apart.require_real(hall)
    hall = journal.lock(hall.pk)
    asked: dict[str, Any] = {
        "link": code, "name": name, "limits": [dict(one) for one in limits], "base": base,
        "reference": reference,
    }  # fmt: skip
    if journal.earlier(hall, kind=rules.LINKED, by=by, key=key, inputs=asked):
        return Link.objects.get(code=code)
    told = rules.link(**asked, currency=hall.currency, rulebook=hall.rulebook)
    terms = {one: told[one] for one in ("currency", "rulebook", "limits", "base")}
    Link.objects.get_or_create(code=code, defaults=terms | {"name": name})
    found = link_ledger.lock(code)
    rules.require_same(told, _terms(found))
    _require_open(found)
    if found.members.filter(hall=hall).exists():
        raise Refusal("link_joined")
    # A link has one name, that of whoever began it.
    entry = journal.append(
        hall, Fact(rules.LINKED, told | {"name": found.name}), by=by, at=at, key=key
    )
    LinkMember.objects.create(link=found, hall=hall, reference=reference, entry=entry)
    return found


@transaction.atomic
def fund(
    *,
    hall: Hall,
    code: str,
    amount: int,
    reference: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Add minor units to a link, as its base is (R11); `reference` says where they come from.

    Raises Refusal: not_allowed, key_reused, unknown_link, link_over, those of `witnesses.second`, or
    what `links.fund` refuses.
    """
    permissions.require(by, rules.FUNDED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked: dict[str, Any] = {"link": code, "amount": amount, "reference": reference}
    if done := journal.earlier(hall, kind=rules.FUNDED, by=by, key=key, inputs=asked):
        return done
    found = _own(hall, code)
    _require_open(found)
    second = witnesses.second(witness, by=by, kind=rules.FUNDED, hall=hall)
    fact = Fact(rules.FUNDED, rules.fund(found.balance, **asked) | second)
    return _told(hall, fact, by=by, at=at, key=key)


@transaction.atomic
def end(
    *,
    hall: Hall,
    code: str,
    to: str,
    reference: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Hand over all that a link holds to whom the regulator names, and end it (rules 23, 24).

    No hall may be playing for it. Raises Refusal: not_allowed, key_reused, unknown_link, link_over,
    link_in_play (`hall`), those of `witnesses.second`, or what `links.end` refuses.
    """
    permissions.require(by, rules.ENDED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked: dict[str, Any] = {"link": code, "to": to, "reference": reference}
    if done := journal.earlier(hall, kind=rules.ENDED, by=by, key=key, inputs=asked):
        return done
    found = _own(hall, code)
    _require_open(found)
    _require_at_rest(found)
    second = witnesses.second(witness, by=by, kind=rules.ENDED, hall=hall)
    fact = Fact(rules.ENDED, rules.end(found.balance, **asked) | second)
    return _over(found, _told(hall, fact, by=by, at=at, key=key))


@transaction.atomic
def move(
    *,
    hall: Hall,
    code: str,
    to: Hall,
    to_level: int = 0,
    reference: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Move all that a link holds to a level of a hall's own jackpot (rule 23), in both journals.

    No hall may be playing for it, and none is open where it goes. Raises Refusal: not_allowed,
    training_is_apart, key_reused, unknown_link, link_over, link_in_play (`hall`), jackpot_in_play, other_money_or_rules,
    those of `witnesses.second`, or what `links.move` refuses.
    """
    permissions.require(by, rules.MOVED, hall=hall.pk)
    # In the order of their keys, so that two who move towards each other never wait for each other.
    locked = {one: journal.lock(one) for one in sorted({hall.pk, to.pk})}
    giver, taker = locked[hall.pk], locked[to.pk]
    asked: dict[str, Any] = {
        "link": code, "to": taker.code, "to_level": to_level, "reference": reference,
    }  # fmt: skip
    if done := journal.earlier(giver, kind=rules.MOVED, by=by, key=key, inputs=asked):
        return done
    apart.require_real(taker)
    found = _own(giver, code)
    _require_open(found)
    if (found.currency, found.rulebook) != (taker.currency, taker.rulebook):
        raise Refusal("other_money_or_rules")
    _require_at_rest(found)
    second = witnesses.second(witness, by=by, kind=rules.MOVED, hall=giver)
    fact = Fact(rules.MOVED, rules.move(found.balance, **asked) | second)
    entry = _over(found, _told(giver, fact, by=by, at=at, key=key))
    trust.receive(
        taker, level=to_level, amount=entry.data["amount"], origin=giver.code,
        reference=reference, by=by, at=at,
    )  # fmt: skip
    return entry


def require_granted(hall: Hall, levels: tuple[Jackpot, ...]) -> None:
    """Refuse levels of a link that a hall takes no part in, that is over, or that has other terms.

    The link is locked, so that it does not end while a session opens on it. Raises Refusal:
    unknown_link, link_over, link_terms_differ.
    """
    level = jackpots.linked(levels)
    if level is None:
        return
    found = _own(hall, levels[level].link)
    _require_open(found)
    rules.require_granted(levels[level], _terms(found))


def require_empty(hall: Hall, levels: tuple[Jackpot, ...]) -> None:
    """Refuse to play for a link where the hall's own jackpot of that level still holds money.

    Raises Refusal level_holds_money.
    """
    level = jackpots.linked(levels)
    held = (hall.jackpot_balance, *hall.level_balances)
    if level is not None and level < len(held) and held[level]:
        raise Refusal("level_holds_money", amount=held[level])


def _terms(link: Link) -> dict[str, Any]:
    """Return the terms of a link as the journal has them; one limit for whatever is played if it is old."""
    won = {"limits": link.limits} if link.limit is None else {"limit": link.limit}
    return {"currency": link.currency, "rulebook": link.rulebook, "base": link.base, **won}


def _own(hall: Hall, code: str) -> Link:
    """Lock a link that a hall takes part in. Raises Refusal unknown_link."""
    if not LinkMember.objects.filter(hall=hall, link__code=code).exists():
        raise Refusal("unknown_link")
    return link_ledger.lock(code)


def _over(link: Link, entry: JournalEntry) -> JournalEntry:
    Link.objects.filter(pk=link.pk).update(ended_at=entry.at)
    return entry


def _require_open(link: Link) -> None:
    if link.ended_at is not None:
        raise Refusal("link_over", name=link.name)


def _require_at_rest(link: Link) -> None:
    """Refuse while a session plays for it, on terms that hold until its close (R9): link_in_play."""
    playing = Session.objects.filter(closed_at__isnull=True, hall__links__link=link)
    for session in playing.select_related("hall").order_by("pk"):
        terms = session.state["terms"]
        levels = (terms["jackpot"], *terms.get("levels", ())) if terms["jackpot"] else ()
        if any(one.get("link") == link.code for one in levels):
            raise Refusal("link_in_play", hall=session.hall.name)


def _told(
    hall: Hall, fact: Fact, *, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    entry = journal.append(hall, fact, by=by, at=at, key=key)
    link_ledger.book(entry, rules.Part().follow(fact))
    return entry
