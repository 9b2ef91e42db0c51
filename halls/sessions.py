"""Open and close sessions, plan their end, note occurrences (R9, R32, R35, R53, R54, R58, R61 j-m).

The end includes the announcement of the last game (R53). Notes for the acta are complaints,
substitutions, breakdowns and occurrences (R61 j-m). Perpetual totals are carried from one closing
to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack

from django.db import transaction

from bingo.celery_app import later
from bingo.rules import (
    jackpots,
    journal_json_and_chain,
    rulebooks,
    session_end_and_totals,
    session_opening,
    session_state,
)
from bingo.rules.game_flow import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from bingo.rules.session_end_and_totals import Totals
from halls import authorisations as halls_authorisations
from halls import jackpots as halls_jackpots
from halls import permissions
from halls.equipment import approvals_and_roll_calls_due, check_before_session
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import stamp
from halls.journal.services import Who, begin_command, earlier
from halls.models import Authorisation, CheckTick, Hall, JournalEntry, Session
from halls.policy import queries as policy_queries

Data = dict[str, Any]


def carried(hall: Hall) -> dict[str, Totals]:
    """Return the totals by currency as the last session that was closed left them."""
    closings = JournalEntry.objects.filter(hall=hall, kind="session_closed", data__has_key="totals")
    last = closings.order_by("number").last()
    told = last.data["totals"] if last else {}
    return {currency: session_end_and_totals.load_totals(one) for currency, one in told.items()}


def totals_of_session(session: Session) -> Totals:
    """Return what one session has come to until now."""
    return session_end_and_totals.totals_of_session(_facts(session))


def closing(session: Session) -> Data:
    """Return the totals that a session's closing tells: those before it, and its own.

    A session closed before totals were told is counted from its journal once more.
    """
    earlier = Session.objects.filter(hall=session.hall_id, number__lt=session.number)
    closings = JournalEntry.objects.filter(
        hall=session.hall_id, kind="session_closed", session__in=earlier, data__has_key="totals"
    ).select_related("session")
    last = closings.order_by("number").last()
    told: Data = last.data["totals"] if last else {}
    untold = earlier.filter(number__gt=last.session.number) if last and last.session else earlier
    for one in [*untold.order_by("number"), session]:
        told = session_end_and_totals.carried(
            told, one.state["terms"]["currency"], totals_of_session(one)
        )
    return told


def _facts(session: Session) -> Iterator[Fact]:
    found = JournalEntry.objects.filter(session=session, kind__in=session_end_and_totals.COUNTED)
    rows = found.order_by("number").values_list("kind", "data")
    return (Fact(kind, data) for kind, data in rows.iterator(chunk_size=2_000))


def in_force(hall: Hall, at: datetime) -> Authorisation:
    """Return the hall's latest authorisation valid on the hall's own day (R17). Raises Refusal."""
    found = halls_authorisations.granted(hall, at)
    if found is None:
        raise Refusal("no_authorisation")
    return found


@transaction.atomic
def open_session(*, hall: Hall, checked: bool, ends_at: datetime, **who: Unpack[Who]) -> Session:
    """Open the hall's next session on the terms in force; `checked`: equipment was tried (R32).

    `ends_at` is when it is planned to end (R53).

    It need not be said where today's check of it is journalled and stands. What that check found
    amiss, and nobody has mended or decided about, is not outweighed by anybody's word.
    Raises Refusal: not_allowed, session_already_open, no_authorisation, jackpot_time_over (R12),
    jackpot_limits_missing (R9), level_holds_money, what `require_working` and `linked_jackpots.require_granted` refuse, or the rules'.
    """
    by, at = who["by"], who["at"]
    permissions.require(by, "session_opened", hall=hall.pk)
    hall = head.lock(hall.pk)
    at = stamp(at, hall.head_at)
    found = check_before_session.checked(hall, at=at)
    end = journal_json_and_chain.written_moment(ends_at)
    # Sent again, it opened on a check that may stand no more.
    inputs = {"checked": checked or found.check is not None, "ends_at": end}
    checked = checked or found.stands
    if done := earlier(hall, kind="session_opened", by=by, key=who.get("key"), inputs=inputs):
        return Session.objects.get(hall=hall, number=done.data["number"])
    if hall.sessions.filter(closed_at__isnull=True).exists():
        raise Refusal("session_already_open")
    authorisation = require_ready(hall, found, at=at)
    number = hall.sessions.count() + 1
    fact = Fact(
        "session_opened",
        session_opening.open_session(
            number=number,
            **_terms(hall, authorisation, at=at),
            checked=checked,
            ends_at=end,
            # The end is an hour of the clock, whatever time the journal has come to.
            moment=journal_json_and_chain.written_moment(who["at"]),
        ),
    )
    session = Session(hall=hall, number=number, authorisation=authorisation, opened_by=by)
    session.opened_at = at
    session.state = session_state.dump(session_opening.begin(fact))
    session.save(force_insert=True)
    journal_services.append(hall, fact, session=session, **who)
    return session


def require_ready(
    hall: Hall, found: check_before_session.Checked, *, at: datetime
) -> Authorisation:
    """Return the authorisation that a session opened now is played on; `found` is today's check.

    Raises Refusal: no_authorisation, jackpot_time_over (R12), jackpot_limits_missing (R9),
    level_holds_money, cash_step_over_prize, or what `require_working` and
    `linked_jackpots.require_granted` refuse.
    """
    if rulebooks.get(hall.rulebook).check_rule:
        require_working(found)
    authorisation = in_force(hall, at)
    until = authorisation.jackpot_terms.get("until")
    jackpots.require_in_time(until, head.entry_day(hall, at).isoformat())
    jackpots.require_by_kind(
        halls_authorisations.levels_of(authorisation),
        formats=authorisation.formats,
        figures=any(one["figure"] for one in authorisation.distributions),
    )
    _played_for(hall, authorisation)
    halls_authorisations.require_fits(authorisation, policy_queries.in_force(hall, at).cash_step)
    return authorisation


def require_working(found: check_before_session.Checked) -> None:
    """Refuse what a check found amiss, the first of it by name: equipment_fails and its like (R32)."""
    for one in found.in_the_way[:1]:
        item, left = [one.kind, one.name], len(found.in_the_way)
        match one.why:
            case check_before_session.FAILS:
                raise Refusal("equipment_fails", item=item, note=one.note, left=left)
            case check_before_session.FAILING:
                raise Refusal("equipment_failing", item=item, note=one.note, left=left)
            case check_before_session.CHECK_BROKEN:
                raise Refusal("equipment_broken", item=item, note=one.note, left=left)
            case check_before_session.UNAPPROVED:
                raise Refusal("equipment_unapproved", item=item, note=one.note, left=left)
            case _:
                raise Refusal("equipment_unseen", item=item, note=one.note, left=left)


def _terms(hall: Hall, granted: Authorisation, *, at: datetime) -> dict[str, Any]:
    """Return the terms that hold for the whole session."""
    played = _played_for(hall, granted)
    return {
        "rulebook": hall.rulebook,
        "shares": {"line": granted.line_share, "bingo": granted.bingo_share},
        "jackpot": played[0] if played else None,
        "tax": {
            "rate": granted.tax_rate,
            "threshold": granted.tax_threshold,
            **({"on_sales": True} if granted.tax_on_sales else {}),
        },
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
        "policy": policy_queries.decided(hall, at),
        "carried": _carried(hall) or None,
        "unclaimed_terms": granted.unclaimed_terms or None,
        # The acta names the hall as it was called when the session opened, whatever comes after.
        "hall": hall.name,
        "licence": hall.licence,
        "duties": session_opening.DUTIES,
    }


def _carried(hall: Hall) -> int:
    """Return what the last session left for the next game's fund, in minor units (R6)."""
    last = hall.sessions.order_by("-number").first()
    return session_state.load(last.state).carried if last else 0


def _played_for(hall: Hall, granted: Authorisation) -> list[dict[str, Any]]:
    """Return each level of the jackpot as it stands: what it holds, and for how long it was not won."""
    levels = halls_authorisations.levels_of(granted)
    halls_jackpots.require_granted(hall, levels)
    halls_jackpots.require_empty(hall, levels)
    balances = (hall.jackpot_balance, *hall.level_balances)
    before = _before(hall)
    return [
        journal_json_and_chain.dump(
            replace(
                one,
                balance=balances[level] if level < len(balances) else 0,
                dry=jackpots.dry(one, before[level : level + 1]),
            )
        )
        for level, one in enumerate(levels)
    ]


def _before(hall: Hall) -> tuple[Jackpot, ...]:
    """Return the levels as the hall's last session with a jackpot left them."""
    last = hall.sessions.exclude(state__jackpot=None).order_by("-number").first()
    return session_state.load(last.state).jackpots if last else ()


@transaction.atomic
def close_session(*, session: Session, **who: Unpack[Who]) -> Session:
    """Close the session, carry the hall's totals on, and ask for its acta to be sealed (R58).

    Raises Refusal: not_allowed, game_not_complete, shifts_open, session_closed,
    closing_call_missing, closing_call_amiss (R23).
    """
    # Nobody else sells or closes while this is counted.
    _hall, before = begin_command(session.hall_id, "session_closed", **who)
    told: dict[str, Any] = {"totals": closing(session)}
    if before:
        told |= {name: before.data[name] for name in ("roll_calls",) if name in before.data}
    elif called := approvals_and_roll_calls_due.closing_calls(session):
        told["roll_calls"] = called
    done = journal_services.record(session, "session_closed", **who, **told)
    if done.repeated:
        session.refresh_from_db(fields=["state", "closed_at", "closed_by"])
        return session
    session.closed_at, session.closed_by = done.entry.at, who["by"]
    session.save(update_fields=["closed_at", "closed_by"])
    # What was looked at until now says nothing to the next session, whatever hour the clock shows.
    CheckTick.objects.filter(hall=session.hall_id).delete()
    later("halls.write_checkpoints", hall_id=session.hall_id)
    later("draws.seal_acta", session_id=session.pk)
    return session


@transaction.atomic
def plan_session_end(
    *, session: Session, ends_at: datetime, reason: str = "", **who: Unpack[Who]
) -> JournalEntry:
    """Plan when the session ends; moved, it needs a reason, and not once its last game is announced.

    Raises Refusal: not_allowed, bad_session_end, reason_missing, last_game_announced.
    """
    moment = _moment(session, "session_end_planned", **who)
    return journal_services.record(
        session, "session_end_planned", **who,
        ends_at=journal_json_and_chain.written_moment(ends_at), reason=reason, moment=moment,
    ).entry  # fmt: skip


@transaction.atomic
def announce_last_game(
    *, session: Session, game: int | None = None, **who: Unpack[Who]
) -> JournalEntry:
    """Write down that the last game has been announced, at most ten minutes before the end (R53).

    `game` is the one that was said to be it. Raises Refusal: not_allowed, last_game_announced,
    no_session_end, last_game_too_early, stale_page where that one is over.
    """
    moment = _moment(session, "last_game_announced", **who)
    entry = journal_services.record(session, "last_game_announced", **who, moment=moment).entry
    if game not in (None, entry.data["game"]):
        raise Refusal("stale_page")
    return entry


def _moment(session: Session, kind: str, **who: Unpack[Who]) -> str:
    """Return when it happens: a repeated request has the moment of its first."""
    _hall, done = begin_command(session.hall_id, kind, **who)
    return str(done.data["moment"]) if done else journal_json_and_chain.written_moment(who["at"])


@transaction.atomic
def record_note(
    *,
    session: Session,
    category: str,
    text: str,
    decision: str,
    issue: int | None = None,
    card: int | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Note something for the acta, with the decision taken, if any, and the card it is about.

    `issue` is the row's number of the card's issue. Raises Refusal: not_allowed, unknown_category,
    text_missing, issue_not_on_sale, no_such_card.
    """
    about: dict[str, Any] = {} if card is None else {"issue": issue, "card": card}
    return journal_services.record(
        session, "note_recorded", **who,
        category=category, text=text, decision=decision, **about,
    ).entry  # fmt: skip
