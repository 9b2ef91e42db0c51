"""Read what an acta says of unclaimed and jackpot money (R44, R60, R9-R13), complaints, and custody.

Money is set aside, paid later, or owed. A complaint has what was said, about what, and the decision
or that it is open. Cards after their game are kept, destroyed, or held by a case (R51, R52). A
level of the jackpot goes from the session before to this one's close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from bingo.rules import custody, formats, jackpot_account, linked_jackpots, session_opening
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import JackpotAccount, LevelMovement
from bingo.rules.jackpots import Jackpot
from draws import models, trade_words
from draws.authorisations import labels as authorisations_labels
from draws.complaints import services as complaints_services
from draws.complaints import slip
from draws.custody import custody_list
from draws.custody import queries as custody_queries
from draws.jackpots import queries as jackpots_queries
from draws.prizes import labels as prizes_labels
from draws.prizes import unclaimed
from draws.record.acta import game_queries, session_values
from draws.record.acta.values import NoteValues
from halls.equipment import queries as equipment_queries
from halls.journal import queries as journal_queries
from halls.models import JournalEntry, Link, LinkMovement, Session


def unclaimed_values(
    session: Session, zone: ZoneInfo, *, last: int
) -> session_values.UnclaimedValues | None:
    """Return the account as the session left it, None where there was nothing in it.

    `last` is the number of the entry that closed the session.
    """
    aside, settled = list(unclaimed.set_aside_in(session)), list(unclaimed.settled_in(session))
    hall = session.hall
    items = models.UnclaimedItem.objects.filter(game__session__hall=hall, entry__number__lte=last)
    gone = models.UnclaimedSettlement.objects.filter(
        item__game__session__hall=hall, entry__number__lte=last
    )
    worth = F("price") * (F("last") - F("first") + 1)
    owed = items.aggregate(sum=Sum(worth))["sum"] or 0
    owed -= gone.aggregate(sum=Sum("amount"))["sum"] or 0
    if not (aside or settled or owed):
        return None
    witness = journal_queries.second_persons(
        hall, [*(one.entry for one in aside), *(one.entry for one in settled)]
    )
    return session_values.UnclaimedValues(
        set_aside=tuple(_aside(one, zone, witness(one.entry)) for one in aside),
        settled=tuple(_settled(one, zone, witness(one.entry)) for one in settled),
        owed=owed,
    )


def _aside(row: models.UnclaimedItem, zone: ZoneInfo, witness: str) -> session_values.AsideValues:
    return session_values.AsideValues(
        at=row.at.astimezone(zone),
        game=row.game.number,
        owed=row.owed,
        issue=str(row.issue),
        first=row.first,
        last=row.last,
        amount=row.price * (row.last - row.first + 1),
        reason=prizes_labels.reason(row.owed, row.reason, row.note),
        until=row.until,
        by=game_queries.name_of(row.entry),
        witness=witness,
    )


def _settled(
    row: models.UnclaimedSettlement, zone: ZoneInfo, witness: str
) -> session_values.SettledValues:
    item = row.item
    return session_values.SettledValues(
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
        by=game_queries.name_of(row.entry),
        witness=witness,
    )


def notes(session: Session, zone: ZoneInfo, *, head: JournalEntry) -> list[NoteValues]:
    """Return a session's complaints as they stood at its head: what was decided later stays open.

    Those of earlier sessions that were decided since the session before was closed come first.
    """
    since = equipment_queries.in_span(session, "decided_by__number")
    asked = Q(session=session) | since & Q(session__number__lt=session.number)
    found = complaints_services.of_hall(session.hall).filter(asked)
    return [_note(one, session, zone, head) for one in found.order_by("session__number", "number")]


def _note(
    one: models.Complaint, session: Session, zone: ZoneInfo, head: JournalEntry
) -> NoteValues:
    earlier = one.session_id != session.pk
    game = one.game.number if one.game and one.game.session_id == one.session_id else None
    about = [trade_words.session_and_game(one.session.number, game)] if earlier else []
    outcome = decision = _("open when the session closed")
    entry: JournalEntry | None = one.decided_by
    decided = entry if entry and entry.number <= head.number else None
    if decided:
        told = {
            "decision": slip.DECISIONS[one.decision],
            "reason": one.reason,
            "name": complaints_services.decided_by(one),
        }
        outcome = _("%(decision)s: %(reason)s (decided by %(name)s)") % told
        decision = f"{slip.DECISIONS[one.decision]}: {one.reason}"
    return NoteValues(
        kind="complaint",
        text=f"{' · '.join([*about, slip.complaint_about(one)])}: {one.text} — {outcome}",
        at=(decided.at if earlier and decided else one.opened_at).astimezone(zone),
        by=game_queries.name_of(one.entry),
        game=None if earlier else game,
        said=one.text,
        decision=decision,
        issue=str(one.issue) if one.issue and one.card is not None else "",
        card=one.card,
        number=one.number,
        ball=one.ball,
        decided_at=decided.at.astimezone(zone) if decided else None,
        decided_by=game_queries.name_of(decided),
        witness=complaints_services.second_person(one) if decided else "",
        session=one.session.number if earlier else None,
    )


TOLD = (
    "case_opened", "case_closed", "winning_cards_destroyed", "evidence_handed_over",
    "kept_card_lost",
)  # fmt: skip
USED = "used_cards_destroyed"


def custody_values(session: Session, zone: ZoneInfo) -> session_values.CustodyValues:
    """Return the custody of a session's cards as it stood when the session was closed."""
    _first, last = equipment_queries.span(session)
    return session_values.CustodyValues(
        days=custody_queries.days(session.hall),
        kept=_kept(session, last),
        used=_used(session, last, zone),
        departures=_departures(session, zone),
    )


def _kept(session: Session, last: int | None) -> tuple[session_values.KeptValues, ...]:
    order = ("game__number", "issue", "card")
    paid = models.Payment.objects.filter(game__session=session).order_by(*order)
    aside = models.SetAside.objects.filter(game__session=session).order_by(*order)
    if last is not None:
        # What a case keeps since the close is not of this acta.
        aside = aside.filter(case__entry__number__lt=last)
    known = (*custody_queries.GAME, "issue__series")
    listed: list[custody_queries.Shelved]
    listed = [*paid.select_related(*known), *aside.select_related(*known)]
    # What was paid in a later session stands in the acta of that one.
    later = custody_queries.all_paid_later(session.hall).filter(
        item__game__session=session, shift__session=session
    )
    listed += later
    sums = custody_list.amounts((custody_queries.card_of(one) for one in listed), later)
    listed.sort(key=lambda one: (custody_queries.game_of(one).number, custody_queries.card_of(one)))
    cases, days = _cases(session, last), custody_queries.days(session.hall)
    found: dict[custody.Card, session_values.KeptValues] = {}
    for one in listed:
        kept = custody_queries.kept(session.hall, one)
        if isinstance(one, models.SetAside) and kept.key in sums:
            continue  # it won, and was paid since
        case = custody.holding(kept, cases)
        # A double card may have been paid twice: the later payment counts (R45).
        found[kept.key] = session_values.KeptValues(
            game=kept.game,
            issue=str(custody_list.issue_of(one)),
            card=kept.card,
            amount=sums.get(kept.key),
            free=custody.free_from(kept, days=days),
            case=case.number if case else None,
        )
    return tuple(found.values())


def _cases(session: Session, last: int | None) -> list[custody.CaseState]:
    """Return the cases about the session's games that were open when it was closed."""
    found = models.Case.objects.filter(game__session=session)
    if last is not None:
        closed = JournalEntry.objects.filter(
            hall=session.hall_id, kind="case_closed", number__lt=last
        )
        over = list(closed.values_list("data__case", flat=True))
        found = found.filter(entry__number__lt=last).exclude(number__in=over)
    return [
        custody.CaseState(one.number, session.number, custody_queries.play(one.game))
        for one in found.select_related(*custody_queries.GAME).order_by("number")
    ]


def _used(
    session: Session, last: int | None, zone: ZoneInfo
) -> tuple[session_values.UsedValues, ...]:
    found = models.UsedDestruction.objects.filter(game__session=session).order_by("game__number")
    if last is not None:
        found = found.filter(entry__number__lt=last)
    return tuple(
        session_values.UsedValues(
            game=one.game.number,
            cards=one.cards,
            missing=one.missing,
            at=one.at.astimezone(zone),
            by=game_queries.name_of(one.entry),
        )
        for one in found.select_related("game", "entry__by")
    )


def _departures(session: Session, zone: ZoneInfo) -> tuple[session_values.DepartureValues, ...]:
    # Used cards of the session's own games stand by themselves.
    own = Q(kind=USED, data__session=session.number)
    entries = list(equipment_queries.entries_of_session(session, (*TOLD, USED)).exclude(own))
    witness = journal_queries.second_persons(session.hall, entries)
    return tuple(
        session_values.DepartureValues(
            at=entry.at.astimezone(zone),
            kind=entry.kind,
            text=f"{trade_words.kind(entry.kind)}: {game_queries.without_second_person(entry)}",
            by=game_queries.name_of(entry),
            witness=witness(entry),
        )
        for entry in entries
    )


Line = tuple[JournalEntry, LevelMovement]

WORDS = {**jackpots_queries.MOVEMENTS, **jackpots_queries.LINKED}
APART = ("funded", "accrued", "reversed", "awarded", "restored")
SUMMED = {kind: kind for kind in APART} | {
    jackpot_account.FUNDED: "funded",
    linked_jackpots.FUNDED: "funded",
}


def jackpot_values(session: Session, zone: ZoneInfo) -> tuple[session_values.LevelValues, ...]:
    """Return every level that was played for or moved, amounts in minor units; none without any.

    What several halls add to has a row of its own beside what the hall itself held of that level;
    a link that is not played for comes after the levels.
    """
    entries = list(equipment_queries.entries_of_session(session, jackpot_account.KINDS))
    opening = next(
        one for one in entries if one.kind == "session_opened" and one.session == session
    )
    played = session_opening.begin(Fact("session_opened", opening.data)).jackpots
    account = JackpotAccount(balances=_before(entries, [one.balance for one in played]))
    start = list(account.balances)
    lines = [
        (one, moved) for one in entries for moved in account.movements(Fact(one.kind, one.data))
    ]
    count = max(len(played), *(moved.level + 1 for _entry, moved in lines), 0)
    told: list[session_values.LevelValues] = []
    for level in range(count):
        terms = played[level] if level < len(played) else None
        opened = start[level] if level < len(start) else 0
        own = [line for line in lines if line[1].level == level]
        if terms is None or not terms.link:
            told.append(_level(level, terms, opened, own, zone))
            continue
        if own:
            told.append(_level(level, None, opened, own, zone))
        link = Link.objects.get(code=terms.link)
        told.append(_level(level, terms, 0, _linked_lines(session, level, link), zone, link=link))
    moved = Link.objects.filter(movements__in=_booked(session)).distinct().order_by("code")
    unplayed = moved.exclude(code__in=[terms.link for terms in played])
    for level, link in enumerate(unplayed, start=count):
        told.append(_level(level, None, 0, _linked_lines(session, level, link), zone, link=link))
    return tuple(told)


def _booked(session: Session) -> QuerySet[LinkMovement]:
    """Return what the hall moved in links since the session before was closed, up to this one's close."""
    span = equipment_queries.in_span(session, "entry__number")
    return LinkMovement.objects.filter(span, hall=session.hall_id)


def _linked_lines(session: Session, level: int, link: Link) -> list[Line]:
    """Return what the hall moved in one link, as its movements of a level."""
    rows = _booked(session).filter(link=link).order_by("number")
    lines: list[Line] = []
    for row in rows.select_related("entry"):
        moved = LevelMovement(level, row.kind, row.amount, row.balance)
        if row.kind == jackpot_account.LEFT_OVER:
            # As of a hall's own level, what coins cannot pay of an award has not left it.
            _entry, award = lines.pop()
            moved = replace(award, amount=award.amount + row.amount, balance=row.balance)
        if moved.amount:
            lines.append((row.entry, moved))
    return lines


def _before(entries: Sequence[JournalEntry], opened: Sequence[int]) -> list[int]:
    """Return what each level held when the session before was closed.

    The session opens with what was moved since then already done; a level that it does not play
    for is told by its own first movement.
    """
    before = list(opened)
    seen = set(range(len(opened)))
    opening = next(one.number for one in entries if one.kind == "session_opened")
    for entry in entries:
        moved = jackpot_account.between_games(Fact(entry.kind, entry.data))
        if moved is None:
            continue
        level, amount = moved
        before += [0] * (level + 1 - len(before))
        if level not in seen:
            before[level] = jackpot_account.before(entry.data)
            seen.add(level)
        elif level < len(opened) and entry.number <= opening:
            before[level] -= amount
    return before


def _level(
    level: int,
    terms: Jackpot | None,
    opened: int,
    lines: Sequence[Line],
    zone: ZoneInfo,
    *,
    link: Link | None = None,
) -> session_values.LevelValues:
    sums = dict.fromkeys((*APART, "other"), 0)
    for _entry, moved in lines:
        sums[SUMMED.get(moved.kind, "other")] += moved.amount
    # What a link holds is no single hall's.
    closed = 0 if link else opened + sum(sums.values())
    # What goes out is told without a sign: its name says it.
    sums |= {"reversed": -sums["reversed"], "awarded": -sums["awarded"]}
    name = jackpots_queries.jackpot_name(level) if terms or not link else link.name
    return session_values.LevelValues(
        level=level,
        name=f"{name} ({link.name})" if terms and link else name,
        within=terms.within(formats.NINETY.highest) if terms and not terms.limits else None,
        opened=opened,
        closed=closed,
        movements=tuple(
            session_values.MovementValues(
                at=entry.at.astimezone(zone),
                game=entry.game,
                kind=moved.kind,
                what=str(WORDS[moved.kind]),
                amount=moved.amount,
                balance=moved.balance,
                reference=entry.data.get("reference", ""),
            )
            for entry, moved in lines
        ),
        limits=_limits(terms) if terms else (),
        link=link.code if link else "",
        **sums,
    )


def _limits(level: Jackpot) -> tuple[session_values.LimitValues, ...]:
    return tuple(
        session_values.LimitValues(
            one.format,
            authorisations_labels.limit_named(one.format, one.figure),
            level.raised(one),
            one.figure,
        )
        for one in level.limits
    )
