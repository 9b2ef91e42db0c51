"""Opening and closing a session (R9, R32, R35, R54, R58)."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction

from bingo.celery_app import later
from bingo.rules import authorisations, ending, jackpots, rulebooks
from bingo.rules import session as rules
from bingo.rules.game import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Authorisation, Hall, Person, Session
from halls.queries import authorisations as grants
from halls.queries import checks, duties, policies, totals
from halls.services import journal, links
from halls.services.clock import stamp


def local_day(hall: Hall, at: datetime) -> date:
    """Give the hall's own day."""
    return at.astimezone(ZoneInfo(hall.time_zone)).date()


def in_force(hall: Hall, at: datetime) -> Authorisation:
    """Give the hall's latest authorisation valid on the hall's own day (R17). Raises Refusal."""
    found = granted(hall, at)
    if found is None:
        raise Refusal("no_authorisation")
    return found


def granted(hall: Hall, at: datetime) -> Authorisation | None:
    """Give it, or None where none is in force."""
    return grants.granted(hall, at)


@transaction.atomic
def open_session(
    *,
    hall: Hall,
    checked: bool,
    ends_at: datetime,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Session:
    """Open the hall's next session on the terms in force; `checked`: equipment was tried (R32).

    `ends_at` is when it is planned to end (R53).

    It need not be said where today's check of it is journalled and stands. What that check found
    amiss, and nobody has mended or decided about, is not outweighed by anybody's word.
    Raises Refusal: not_allowed, session_already_open, no_authorisation, jackpot_time_over (R12),
    jackpot_limits_missing (R9), level_holds_money, what `require_working` and `links.require_granted` refuse, or the rules'.
    """
    permissions.require(by, "session_opened", hall=hall.pk)
    hall = journal.lock(hall.pk)
    found = checks.checked(hall, at=at)
    checked = checked or found.stands
    inputs = {"checked": checked}
    if done := journal.earlier(hall, kind="session_opened", by=by, key=key, inputs=inputs):
        return Session.objects.get(hall=hall, number=done.data["number"])
    if hall.sessions.filter(closed_at__isnull=True).exists():
        raise Refusal("session_already_open")
    if rulebooks.get(hall.rulebook).check_rule:
        require_working(found)
    authorisation = in_force(hall, at)
    until = authorisation.jackpot_terms.get("until")
    jackpots.require_in_time(until, local_day(hall, at).isoformat())
    jackpots.require_by_kind(
        levels_of(authorisation),
        formats=authorisation.formats,
        figures=any(one["figure"] for one in authorisation.distributions),
    )
    number = hall.sessions.count() + 1
    fact = Fact(
        "session_opened",
        rules.open_session(
            number=number,
            **_terms(hall, authorisation),
            checked=checked,
            ends_at=ending.written(ends_at),
            moment=ending.written(at),
        ),
    )
    session = Session(hall=hall, number=number, authorisation=authorisation, opened_by=by)
    session.opened_at = stamp(at, hall.head_at)
    session.state = rules.dump(rules.begin(fact))
    session.save(force_insert=True)
    journal.append(hall, fact, session=session, by=by, at=at, key=key)
    return session


def require_working(found: checks.Checked) -> None:
    """Refuse what a check found amiss, the first of it by name: equipment_fails and its like (R32)."""
    for one in found.in_the_way[:1]:
        item, left = [one.kind, one.name], len(found.in_the_way)
        match one.why:
            case checks.FAILS:
                raise Refusal("equipment_fails", item=item, note=one.note, left=left)
            case checks.FAILING:
                raise Refusal("equipment_failing", item=item, note=one.note, left=left)
            case checks.BROKEN:
                raise Refusal("equipment_broken", item=item, note=one.note, left=left)
            case checks.UNAPPROVED:
                raise Refusal("equipment_unapproved", item=item, note=one.note, left=left)
            case _:
                raise Refusal("equipment_unseen", item=item, note=one.note, left=left)


def _terms(hall: Hall, granted: Authorisation) -> dict[str, Any]:
    """Give the terms that hold for the whole session."""
    played = _played_for(hall, granted)
    return {
        "rulebook": hall.rulebook,
        "shares": {"line": granted.line_share, "bingo": granted.bingo_share},
        "jackpot": played[0] if played else None,
        "tax": {"rate": granted.tax_rate, "threshold": granted.tax_threshold},
        "authorisation": granted.reference,
        "currency": hall.currency,
        "formats": granted.formats,
        "faces": granted.faces,
        "player_limit": granted.player_limit,
        # Terms that say nothing are left out, as in sessions older than they are.
        "several_prices": granted.several_prices or None,
        "languages": granted.languages or None,
        "exempt": granted.exempt or None,
        "distributions": granted.distributions or None,
        "levels": played[1:] or None,
        "until": granted.jackpot_terms.get("until"),
        "policy": policies.decided(hall),
        "carried": _carried(hall) or None,
        "unclaimed_terms": granted.unclaimed_terms or None,
        # The acta names the hall as it was called when the session opened, whatever comes after.
        "hall": hall.name,
        "licence": hall.licence,
        "duties": rules.DUTIES,
    }


def _carried(hall: Hall) -> int:
    """Give what the last session left for the next game's fund, in minor units (R6)."""
    last = hall.sessions.order_by("-number").first()
    return rules.load(last.state).carried if last else 0


def _played_for(hall: Hall, granted: Authorisation) -> list[dict[str, Any]]:
    """Give each level of the jackpot as it stands: what it holds, and for how long it was not won."""
    levels = levels_of(granted)
    links.require_granted(hall, levels)
    links.require_empty(hall, levels)
    balances = (hall.jackpot_balance, *hall.level_balances)
    before = _before(hall)
    return [
        jackpots.dump(
            replace(
                one,
                balance=balances[level] if level < len(balances) else 0,
                dry=jackpots.dry(one, before[level : level + 1]),
            )
        )
        for level, one in enumerate(levels)
    ]


def levels_of(granted: Authorisation) -> tuple[Jackpot, ...]:
    """Give each level of the jackpot as granted, holding its base alone; none without one."""
    if not granted.jackpot_rate:
        return ()
    return authorisations.levels(
        granted.jackpot_rate,
        granted.jackpot_limit,
        granted.jackpot_base,
        granted.jackpot_terms,
        granted.jackpot_levels,
    )


def _before(hall: Hall) -> tuple[Jackpot, ...]:
    """Give the levels as the hall's last session with a jackpot left them."""
    last = hall.sessions.exclude(state__jackpot=None).order_by("-number").first()
    return rules.load(last.state).jackpots if last else ()


@transaction.atomic
def close_session(
    *, session: Session, by: Person, at: datetime, key: UUID | None = None
) -> Session:
    """Close the session, carry the hall's totals on, and ask for its acta to be sealed (R58).

    Raises Refusal: not_allowed, game_not_complete, shifts_open, session_closed,
    closing_call_missing, closing_call_amiss (R23).
    """
    permissions.require(by, "session_closed", hall=session.hall_id)
    # Nobody else sells or closes while this is counted.
    hall = journal.lock(session.hall_id)
    told: dict[str, Any] = {"totals": totals.closing(session)}
    if earlier := journal.earlier(hall, kind="session_closed", by=by, key=key):
        told |= {name: earlier.data[name] for name in ("roll_calls",) if name in earlier.data}
    elif called := duties.closing_calls(session):
        told["roll_calls"] = called
    done = journal.record(session, "session_closed", by=by, at=at, key=key, **told)
    if done.repeated:
        session.refresh_from_db(fields=["state", "closed_at", "closed_by"])
        return session
    session.closed_at, session.closed_by = done.entry.at, by
    session.save(update_fields=["closed_at", "closed_by"])
    later("halls.write_checkpoints", hall_id=session.hall_id)
    later("draws.seal_acta", session_id=session.pk)
    return session
