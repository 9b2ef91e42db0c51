"""Jackpots outside games: fund, move and end them (R11, rules 20-24), also those linked across halls.

A hall takes part in a linked jackpot; the operator adds to it, the regulator ends or moves it.
`list_worth` and `worth` say what a bingo there wins of it now. The ledger of a link is locked
after the hall, and moved on in the hall's own transaction: every hall locks its own row first and
the link's second, and nobody who holds a link waits for a hall, so that halls never wait for each
other in a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from bingo.rules import jackpot_account, jackpots, linked_jackpots, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.linked_jackpots import BalanceMovement, LinkShare, Pool
from bingo.rules.refusal import Refusal
from halls import permissions, second_person, training
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import Recorded
from halls.journal.services import Who, begin_command, earlier
from halls.models import Hall, JournalEntry, Link, LinkMember, Person, Session
from halls.models import LinkMovement as models_LinkMovement


class Verb(NamedTuple):
    """What may be done with a jackpot's money: the kind of its fact, and the rule that decides it."""

    kind: str
    decide: Callable[..., dict[str, Any]]


@dataclass(frozen=True, slots=True)
class OwnLevel:
    """A level of a hall's own jackpot, counted from 0."""

    level: int

    fund: ClassVar = Verb(jackpot_account.FUNDED, jackpot_account.fund)
    end: ClassVar = Verb(jackpot_account.ENDED, jackpot_account.end)
    move: ClassVar = Verb(jackpot_account.MOVED, jackpot_account.move)

    @property
    def named(self) -> dict[str, Any]:
        """What a fact calls it."""
        return {"level": self.level}

    def balance_at_rest(self, hall: Hall, _kind: str) -> list[int]:
        """Return what the levels hold. Raises Refusal jackpot_in_play."""
        _require_jackpot_at_rest(hall)
        return list_balances(hall)

    def record(self, hall: Hall, fact: Fact, **who: Unpack[Who]) -> JournalEntry:
        """Write the entry, and what the level holds after it."""
        return _record_jackpot(hall, fact, **who)


@dataclass(frozen=True, slots=True)
class LinkOfHalls:
    """A linked jackpot that a hall takes part in, by its code."""

    code: str

    fund: ClassVar = Verb(linked_jackpots.FUNDED, linked_jackpots.fund)
    end: ClassVar = Verb(linked_jackpots.ENDED, linked_jackpots.end)
    move: ClassVar = Verb(linked_jackpots.MOVED, linked_jackpots.move)

    @property
    def named(self) -> dict[str, Any]:
        """What a fact calls it."""
        return {"link": self.code}

    def balance_at_rest(self, hall: Hall, kind: str) -> int:
        """Return what it holds; no hall may be playing for it but where money is put in.

        Raises Refusal: unknown_link, link_over, link_in_play (`hall`).
        """
        found = _own(hall, self.code)
        _require_open(found)
        if kind != linked_jackpots.FUNDED:
            _require_link_at_rest(found)
        return found.balance

    def record(self, hall: Hall, fact: Fact, **who: Unpack[Who]) -> JournalEntry:
        """Write the entry and its movement; a link whose money is gone is over."""
        entry = journal_services.append(hall, fact, **who)
        book(entry, LinkShare().movements(fact))
        if fact.kind != linked_jackpots.FUNDED:
            Link.objects.filter(code=self.code).update(ended_at=entry.at)
        return entry


def jackpot_named(*, level: int = 0, link: str | None = None) -> OwnLevel | LinkOfHalls:
    """Return the jackpot that a command is about: a link by its code, or else a level of the hall's."""
    return OwnLevel(level) if link is None else LinkOfHalls(link)


@transaction.atomic
def fund_jackpot(
    *,
    hall: Hall,
    level: int = 0,
    link: str | None = None,
    amount: int,
    reference: str,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Add minor units to a jackpot, as its base is (R11); `reference` says where they come from.

    It is as `jackpot_named` takes it. Raises Refusal: not_allowed, key_reused, what its `held` and
    `second_person.second` refuse, or what `jackpot_account.fund` or `linked_jackpots.fund` does.
    """
    jackpot = jackpot_named(level=level, link=link)
    asked = {**jackpot.named, "amount": amount, "reference": reference}
    hall, done = begin_command(hall.pk, jackpot.fund.kind, inputs=asked, **who)
    return done or _decide(hall, jackpot, jackpot.fund, asked, witness, **who)


@transaction.atomic
def end_jackpot(
    *,
    hall: Hall,
    level: int = 0,
    link: str | None = None,
    to: str,
    reference: str,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Hand over all that a jackpot holds to whom the regulator names (rule 24), which ends a link.

    It is as `jackpot_named` takes it. Raises Refusal: not_allowed, key_reused, what its `held` and
    `second_person.second` refuse, or what `jackpot_account.end` or `linked_jackpots.end` does.
    """
    jackpot = jackpot_named(level=level, link=link)
    asked = {**jackpot.named, "to": to, "reference": reference}
    hall, done = begin_command(hall.pk, jackpot.end.kind, inputs=asked, **who)
    return done or _decide(hall, jackpot, jackpot.end, asked, witness, **who)


@transaction.atomic
def move_jackpot(
    *,
    hall: Hall,
    level: int = 0,
    link: str | None = None,
    to: Hall,
    to_level: int = 0,
    reference: str,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Move all that a jackpot holds to a level of this hall or another (rule 23), in both journals.

    It is as `jackpot_named` takes it; a link ends with it. No session may be open where it goes.
    Raises Refusal: not_allowed, key_reused, level_is_its_own, training_is_apart,
    other_money_or_rules, jackpot_in_play, what its `held` and `second_person.second` refuse, or what
    `jackpot_account.move` or `linked_jackpots.move` does.
    """
    jackpot = jackpot_named(level=level, link=link)
    permissions.require(who["by"], jackpot.move.kind, hall=hall.pk)
    if link is None and (hall.pk, level) == (to.pk, to_level):
        raise Refusal("level_is_its_own")
    # In the order of their keys, so that two who move towards each other never wait for each other.
    locked = {one: head.lock(one) for one in sorted({hall.pk, to.pk})}
    giver, taker = locked[hall.pk], locked[to.pk]
    asked = {**jackpot.named, "to": taker.code, "to_level": to_level, "reference": reference}
    if done := earlier(
        giver, kind=jackpot.move.kind, by=who["by"], key=who.get("key"), inputs=asked
    ):
        return done
    if giver.pk != taker.pk:
        training.require_real(giver, taker)
    if (giver.currency, giver.rulebook) != (taker.currency, taker.rulebook):
        raise Refusal("other_money_or_rules")
    entry = _decide(giver, jackpot, jackpot.move, asked, witness, **who)
    receive_jackpot(
        taker, level=to_level, amount=entry.data["amount"], origin=giver.code,
        reference=reference, by=who["by"], at=who["at"],
    )  # fmt: skip
    return entry


def _decide(
    hall: Hall,
    jackpot: OwnLevel | LinkOfHalls,
    verb: Verb,
    asked: Mapping[str, Any],
    witness: Person | None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Decide what becomes of a jackpot's money and write it down; the hall must be locked."""
    held = jackpot.balance_at_rest(hall, verb.kind)
    second = second_person.second(witness, by=who["by"], kind=verb.kind, hall=hall, at=who["at"])
    return jackpot.record(hall, Fact(verb.kind, verb.decide(held, **asked) | second), **who)


def receive_jackpot(
    hall: Hall,
    *,
    level: int,
    amount: int,
    origin: str,
    reference: str,
    **who: Unpack[Who],
) -> JournalEntry:
    """Take in what another level or hall, or a link, held; the hall must be locked.

    `origin` is the code of the hall that gave it. Raises Refusal: jackpot_in_play, or what
    `jackpot_account.receive` refuses.
    """
    _require_jackpot_at_rest(hall)
    taken = jackpot_account.receive(
        list_balances(hall), level=level, amount=amount, origin=origin, reference=reference
    )
    return _record_jackpot(hall, Fact(jackpot_account.RECEIVED, taken), **who)


def take_in_unclaimed(hall: Hall, fact: Fact, **who: Unpack[Who]) -> JournalEntry:
    """Let the level that `fact` names, else the first, take what nobody fetched; the hall must be locked.

    `fact` is that of `unclaimed.expire`. Raises Refusal jackpot_in_play.
    """
    _require_jackpot_at_rest(hall)
    entry = journal_services.append(hall, fact, **who)
    level = fact.data.get("level", 0)
    _save(hall, jackpot_account.changed(list_balances(hall), level, fact.data["amount"]))
    return entry


def list_balances(hall: Hall) -> list[int]:
    """Return what each level of a hall's jackpot holds, in minor units."""
    return [hall.jackpot_balance, *hall.level_balances]


def _require_jackpot_at_rest(hall: Hall) -> None:
    """Refuse while a session plays for it, on terms that hold until its close (R9): jackpot_in_play."""
    if hall.sessions.filter(closed_at__isnull=True).exists():
        raise Refusal("jackpot_in_play")


def _record_jackpot(hall: Hall, fact: Fact, **who: Unpack[Who]) -> JournalEntry:
    """Write the entry, and what the level holds after it."""
    entry = journal_services.append(hall, fact, **who)
    comes_in = fact.kind in (jackpot_account.FUNDED, jackpot_account.RECEIVED)
    amount = fact.data["amount"] if comes_in else -fact.data["amount"]
    _save(hall, jackpot_account.changed(list_balances(hall), fact.data["level"], amount))
    return entry


def _save(hall: Hall, balances: Sequence[int]) -> None:
    hall.jackpot_balance, *hall.level_balances = balances
    Hall.objects.filter(pk=hall.pk).update(
        jackpot_balance=hall.jackpot_balance, level_balances=hall.level_balances
    )


# How many movements the links of a hall have had; its screens look again when it grows.
HEADS = Coalesce(Sum("links__link__head_number"), 0)


def list_worth(hall: Hall) -> dict[str, int]:
    """Return what a bingo in a hall wins now of each link that it takes part in.

    By the link's code, in minor units; all as of one moment.
    """
    others = LinkMember.objects.filter(link=OuterRef("pk")).exclude(hall=hall.pk)
    waiting = others.order_by().values("link").annotate(sum=Sum("waiting")).values("sum")
    found = Link.objects.filter(members__hall=hall.pk)
    return dict(found.values_list("code", F("balance") - Coalesce(Subquery(waiting), 0)))


def list_worth_after(hall: Hall, code: str, entries: Sequence[JournalEntry]) -> list[int]:
    """Return what a bingo in a hall won of a link after each of these entries of it, in their order.

    In minor units. What other halls moved meanwhile counts by its hour.
    """
    moved = models_LinkMovement.objects.filter(link__code=code).order_by("number")
    before = moved.filter(entry__at__lt=entries[0].at).last()
    pool = _pool_after(before) if before else Pool()
    since = moved.filter(number__gt=before.number if before else 0, entry__at__lte=entries[-1].at)
    left, found = list(since.select_related("entry")), list[int]()
    for entry in entries:
        there = [place for place, one in enumerate(left, start=1) if _is_before(one, entry)]
        for one in left[: max(there, default=0)]:
            pool.apply(one.hall_id, one.kind, one.amount)
        del left[: max(there, default=0)]
        found.append(pool.open_to(hall.pk))
    return found


def _is_before(movement: models_LinkMovement, entry: JournalEntry) -> bool:
    """Return whether a movement was there once an entry was written: of its own hall by the number."""
    if movement.hall_id == entry.hall_id:
        return movement.entry.number <= entry.number
    return movement.entry.at <= entry.at


def _pool_after(last: models_LinkMovement) -> Pool:
    """Return what a link held after a movement, and what waited in each hall."""
    waiting: dict[int, int] = {}
    until = models_LinkMovement.objects.filter(link=last.link_id, number__lte=last.number)
    for hall in LinkMember.objects.filter(link=last.link_id).values_list("hall", flat=True):
        theirs = until.filter(hall=hall).order_by("number")
        over = theirs.filter(kind__in=linked_jackpots.WAITS_NO_LONGER).last()
        added = theirs.filter(kind=jackpot_account.ACCRUED, number__gt=over.number if over else 0)
        waiting[hall] = added.aggregate(sum=Sum("amount", default=0))["sum"]
    return Pool(last.balance, waiting)


def link_pool(link: Link) -> Pool:
    """Return what a link holds and what waits in each hall, as the rules reckon with it."""
    waiting = dict(LinkMember.objects.filter(link=link).values_list("hall", "waiting"))
    return Pool(link.balance, waiting, over=link.ended_at is not None)


WINDOW = "window_closed"


def lock(code: str) -> Link:
    """Lock a link until the end of the transaction; the hall must be locked. Raises Refusal unknown_link."""
    found = Link.objects.select_for_update().filter(code=code).first()
    if found is None:
        raise Refusal("unknown_link")
    return found


def apply_links(done: Recorded) -> None:
    """Book what a fact of a session that plays for a link, just written, moves in it."""
    game = done.before.game
    added = game.added_to_link if game and game.void is None else 0
    part = LinkShare(done.before.jackpots, added)
    if game is not None:
        part.format, part.figure = game.format, game.pattern
    book(done.entry, part.movements(Fact(done.entry.kind, done.entry.data)))


def worth(session: Session, *, by: Person, key: UUID | None) -> dict[str, Any]:
    """Give, for a window that closes, what a bingo in this hall wins now of its link; locks both.

    Nothing where the session plays for none. A repeated request has what its first had. Raises
    Refusal: not_allowed, key_reused.
    """
    permissions.require(by, WINDOW, hall=session.hall_id)
    hall = head.lock(session.hall_id)
    if done := earlier(hall, kind=WINDOW, by=by, key=key):
        return {name: done.data[name] for name in ("linked",) if name in done.data}
    state = session_state.load(Session.objects.values_list("state", flat=True).get(pk=session.pk))
    level = jackpots.linked(state.jackpots)
    if level is None:
        return {}
    link = lock(state.jackpots[level].link)
    return {"linked": link_pool(link).open_to(hall.pk)}


def book(entry: JournalEntry, movements: Iterable[BalanceMovement]) -> None:
    """Write the movements of an entry, none of them where it cannot have been so (link_differs)."""
    for movement in movements:
        _moved(lock(movement.link), entry, movement)


def _moved(link: Link, entry: JournalEntry, movement: BalanceMovement) -> None:
    pool, hall, before = link_pool(link), entry.hall_id, link.balance
    pool.book(hall, movement.kind, movement.amount)
    models_LinkMovement.objects.create(
        link=link,
        number=link.head_number + 1,
        previous=link.head_number or None,
        hall_id=hall,
        entry=entry,
        kind=movement.kind,
        amount=movement.amount,
        before=before,
        balance=pool.balance,
    )
    link.balance, link.head_number = pool.balance, link.head_number + 1
    link.save(update_fields=["balance", "head_number"])
    LinkMember.objects.filter(link=link, hall=hall).update(waiting=pool.waiting.get(hall, 0))
    others = Hall.objects.filter(links__link=link).exclude(pk=hall).order_by("pk")
    codes = " ".join(others.values_list("code", flat=True))
    if codes:
        transaction.on_commit(partial(head.send_wake, codes))


@transaction.atomic
def link(
    *,
    hall: Hall,
    code: str,
    name: str,
    limits: Sequence[Mapping[str, Any]],
    base: int,
    reference: str,
    **who: Unpack[Who],
) -> Link:
    """Let a hall take part in a link of that code; the first to do so begins it (R9, R11, R12).

    Each hall does so for itself, on the same terms; a training hall never. Raises Refusal:
    not_allowed, training_is_apart, key_reused, link_joined, link_over, other_money_or_rules, link_terms_differ, or what `linked_jackpots.link` refuses.
    """
    asked: dict[str, Any] = {
        "link": code, "name": name, "limits": [dict(one) for one in limits], "base": base,
        "reference": reference,
    }  # fmt: skip
    hall, done = begin_command(hall.pk, linked_jackpots.LINKED, inputs=asked, **who)
    training.require_real(hall)
    if done:
        return Link.objects.get(code=code)
    told = linked_jackpots.link(**asked, currency=hall.currency, rulebook=hall.rulebook)
    terms = {one: told[one] for one in ("currency", "rulebook", "limits", "base")}
    Link.objects.get_or_create(code=code, defaults=terms | {"name": name})
    found = lock(code)
    linked_jackpots.require_same(told, _terms(found))
    _require_open(found)
    if found.members.filter(hall=hall).exists():
        raise Refusal("link_joined")
    # A link has one name, that of whoever began it.
    fact = Fact(linked_jackpots.LINKED, told | {"name": found.name})
    entry = journal_services.append(hall, fact, **who)
    LinkMember.objects.create(link=found, hall=hall, reference=reference, entry=entry)
    return found


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
    linked_jackpots.require_granted(levels[level], _terms(found))


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
    return lock(code)


def _require_open(link: Link) -> None:
    if link.ended_at is not None:
        raise Refusal("link_over", name=link.name)


def _require_link_at_rest(link: Link) -> None:
    """Refuse while a session plays for it, on terms that hold until its close (R9): link_in_play."""
    playing = Session.objects.filter(closed_at__isnull=True, hall__links__link=link)
    for session in playing.select_related("hall").order_by("pk"):
        terms = session.state["terms"]
        levels = (terms["jackpot"], *terms.get("levels", ())) if terms["jackpot"] else ()
        if any(one.get("link") == link.code for one in levels):
            raise Refusal("link_in_play", hall=session.hall.name)
