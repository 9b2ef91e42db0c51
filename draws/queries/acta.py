"""Everything a session's acta says, read from its rows and its journal (R61)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from bingo.rules import rulebooks
from draws.documents import acta, acta_template, facts, words
from draws.documents.acta_values import NoteKind
from draws.models import Issue
from draws.queries import (
    acta_admission,
    acta_balls_used,
    acta_checks,
    acta_complaints,
    acta_custody,
    acta_equipment,
    acta_events,
    acta_game,
    acta_jackpot,
    acta_session,
    acta_staff,
    acta_till,
    acta_unclaimed,
    record,
    witnessed,
)
from halls.models import JournalEntry, Session

NOTES: Mapping[str, NoteKind] = MappingProxyType(
    {
        "complaint": "complaint",
        "substitution": "ball_set",
        "breakdown": "breakdown",
        "occurrence": "occurrence",
        "other": "other",
    }
)


def head(session: Session) -> JournalEntry:
    """Give the entry that closed the session: the head its acta carries."""
    return JournalEntry.objects.get(session=session, kind="session_closed")


def values(session: Session, *, made_at: datetime) -> acta.ActaValues:
    """Give the acta's values, hours in the hall's time zone; words in the active language."""
    zone = ZoneInfo(session.hall.time_zone)
    journal = JournalEntry.objects.filter(session=session).select_related("by").order_by("number")
    last = head(session)
    first = journal[0]
    by = session.closed_by
    book = rulebooks.get(session.hall.rulebook)
    terms = session.state["terms"]
    jackpot = acta_jackpot.values(session, zone)
    return acta.ActaValues(
        # Sessions older than these terms do not say what the hall was called then.
        hall=terms.get("hall", session.hall.name),
        licence=terms.get("licence", session.hall.licence),
        rulebook=book.title,
        article=book.acta_rule,
        language=session.hall.language,
        currency=session.hall.currency,
        session=session.number,
        opened_at=session.opened_at.astimezone(zone),
        closed_at=last.at.astimezone(zone),
        opened_by=session.opened_by.name,
        closed_by=by.name if by else "",
        games=tuple(
            acta_game.values(game, zone, jackpot=jackpot) for game in record.games_of(session)
        ),
        notes=_notes(session, zone),
        tills=acta_till.values(session, zone),
        journal_first=first.number,
        journal_last=last.number,
        journal_head=last.digest,
        made_at=made_at.astimezone(zone),
        witnessed=tuple(
            _done(done, zone)
            for done in witnessed.of_session(session)
            # Of balls each game tells by itself.
            if done.entry.kind != "ball_announced"
        ),
        totals=last.data.get("totals", {}),
        template=acta_template.CURRENT,
        languages=_beside(session),
        terms=acta_session.terms(session),
        staff=acta_staff.values(session, zone),
        checks=acta_checks.checks(session, zone),
        waivers=acta_checks.waivers(session, zone),
        ball_sets=acta_balls_used.sets(session),
        roll_calls=acta_balls_used.roll_calls(session, zone),
        endings=acta_session.endings(session, zone),
        last_game=acta_session.last_game(session, zone),
        jackpot=jackpot,
        custody=acta_custody.values(session, zone),
        unclaimed=acta_unclaimed.values(session, zone, last=last.number),
        admission=acta_admission.values(session),
        clock=acta_session.clock(session, zone),
        training=session.hall.is_training,
    )


def _beside(session: Session) -> tuple[str, ...]:
    """Give the languages authorised beside the hall's own (R54)."""
    granted = session.state["terms"].get("languages") or ()
    return tuple(one for one in granted if one != session.hall.language)


def _notes(session: Session, zone: ZoneInfo) -> tuple[acta.NoteValues, ...]:
    """Give what was written down and what the equipment's own record tells, as it happened."""
    written = JournalEntry.objects.filter(session=session, kind="note_recorded")
    noted = [_note(entry, zone) for entry in written.select_related("by").order_by("number")]
    noted += acta_complaints.notes(session, zone, head=head(session))
    noted += acta_events.occurrences(session, zone)
    found = [*noted, *acta_equipment.notes(session, zone)]
    # By instant: hours of one zone compare by the clock, which goes back in one night of the year.
    return tuple(sorted(found, key=lambda note: note.at.timestamp()))


def _note(entry: JournalEntry, zone: ZoneInfo) -> acta.NoteValues:
    said, about_card = entry.data["text"], {}
    text = said
    if "card" in entry.data:
        issue = Issue.objects.select_related("series").get(pk=entry.data["issue"])
        about = _("Card %(issue)s · %(card)s") % {"issue": issue, "card": entry.data["card"]}
        text = f"{about}: {text}"
        about_card = {"issue": str(issue), "card": entry.data["card"]}
    if entry.data["decision"]:
        text = f"{text} — {entry.data['decision']}"
    return acta.NoteValues(
        kind=NOTES[entry.data["category"]],
        text=text,
        at=entry.at.astimezone(zone),
        by=acta_game.name_of(entry),
        game=entry.data["game"] or None,
        said=said,
        decision=entry.data["decision"],
        **about_card,
    )


def _done(done: witnessed.Witnessed, zone: ZoneInfo) -> acta.WitnessedValues:
    entry = done.entry
    # The second person has a column of its own.
    data = {name: value for name, value in entry.data.items() if name != "witness"}
    told = facts.told(JournalEntry(hall=entry.hall, kind=entry.kind, data=data))
    return acta.WitnessedValues(
        at=entry.at.astimezone(zone),
        game=entry.game,
        act=" · ".join(part for part in (str(words.kind(entry.kind)), told) if part),
        by=acta_game.name_of(entry),
        witness=done.witness,
    )
