"""Read everything that a session's acta says, from its rows and its journal (R61).

Ball sets replaced and equipment broken down (R25, R61 k, l); equipment checked before the session,
and what was let pass (R32); ball sets with their count of games and roll calls (R22, R23, R25).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count
from django.utils.translation import gettext as _

from bingo.rules import rulebooks
from bingo.rules.equipment import wear
from bingo.rules.rulebooks import Rulebook
from draws import trade_words
from draws.equipment import labels as equipment_labels
from draws.games import queries as games_queries
from draws.models import Game, Issue
from draws.record import journal_text
from draws.record.acta import (
    game_queries,
    labels,
    session_queries,
    session_values,
    unclaimed_and_jackpot_queries,
)
from draws.record.acta import values as acta_values
from halls.equipment import queries as equipment_queries
from halls.journal import queries as journal_queries
from halls.models import BallSet, JournalEntry, Session


def notes(session: Session, zone: ZoneInfo) -> Iterator[acta_values.NoteValues]:
    """Return what was replaced and what failed from the close of the session before to this one's."""
    matters: tuple[tuple[acta_values.NoteKind, tuple[str, ...]], ...] = (
        ("ball_set", equipment_queries.REPLACED),
        ("breakdown", equipment_queries.BROKEN),
    )
    for kind, kinds in matters:
        for entry in equipment_queries.entries_of_session(session, kinds):
            yield acta_values.NoteValues(
                kind=kind,
                text=f"{trade_words.kind(entry.kind)}: {journal_text.describe_for_acta(entry)}",
                at=entry.at.astimezone(zone),
                by=game_queries.name_of(entry),
                game=entry.game,
            )


def checks(session: Session, zone: ZoneInfo) -> tuple[session_values.CheckValues, ...]:
    """Return the checks since the session before was closed, up to this one's close."""
    return tuple(
        session_values.CheckValues(
            at=entry.at.astimezone(zone),
            by=game_queries.name_of(entry),
            passed=entry.data["passed"],
            items=tuple(
                session_values.ItemValues(
                    equipment_labels.equipment_item(one["kind"], one["name"]),
                    one["ok"],
                    equipment_labels.note_equipment(one["note"]),
                )
                for one in entry.data["items"]
            ),
        )
        for entry in equipment_queries.entries_of_session(session, ["equipment_checked"])
    )


def waivers(session: Session, zone: ZoneInfo) -> tuple[session_values.WaiverValues, ...]:
    """Return what was let pass and which duties were left out, as it happened (R4, R22, R23, R32)."""
    found = list(
        equipment_queries.entries_of_session(session, ["equipment_waived", "duty_left_out"])
    )
    witness = journal_queries.second_persons(session.hall, found)
    return tuple(
        session_values.WaiverValues(
            at=entry.at.astimezone(zone),
            item=_item(entry),
            note=equipment_labels.note_equipment(entry.data.get("note", "")),
            reason=entry.data["reason"],
            by=game_queries.name_of(entry),
            witness=witness(entry),
        )
        for entry in found
    )


def _item(entry: JournalEntry) -> str:
    data = entry.data
    if entry.kind == "duty_left_out":
        return equipment_labels.left_out(data["duty"], data["subject"])
    return equipment_labels.equipment_item(data["kind"], data["name"])


def sets(session: Session) -> tuple[session_values.BallSetValues, ...]:
    """Return the sets drawn from, the one drawn from first at the head; none where the RNG drew all."""
    used = Game.objects.filter(session=session, ball_set__isnull=False).order_by("number")
    serials = dict.fromkeys(used.values_list("ball_set__serial", flat=True))
    known = BallSet.objects.filter(hall=session.hall, serial__in=serials)
    found = {one.serial: one for one in known}
    return tuple(_set(found[serial], session) for serial in serials)


def _set(ball_set: BallSet, session: Session) -> session_values.BallSetValues:
    served = Game.objects.filter(ball_set=ball_set, session__hall=session.hall_id)
    by = dict(served.order_by().values_list("session__number").annotate(games=Count("pk")))
    before = _brought(ball_set) + sum(n for number, n in by.items() if number < session.number)
    games = by.get(session.number, 0)
    last = served.filter(session=session).select_related("extractor").latest("number").extractor
    kind = last.kind if last else None
    return session_values.BallSetValues(
        serial=ball_set.serial,
        format=ball_set.format,
        maker=ball_set.maker,
        model=ball_set.model,
        approval=ball_set.approval,
        extractor=last.name if last else "",
        before=before,
        games=games,
        after=before + games,
        most=wear(before, rulebook=session.hall.rulebook, extractor=kind).most,
    )


def _brought(ball_set: BallSet) -> int:
    """Return the games it had served when it came into the hall's books."""
    entry = JournalEntry.objects.filter(
        hall=ball_set.hall_id, kind="ball_set_registered", data__ball_set=ball_set.serial
    ).first()
    return int(entry.data["games"]) if entry else 0


def roll_calls(session: Session, zone: ZoneInfo) -> tuple[session_values.RollCallValues, ...]:
    """Return the roll calls since the session before was closed, up to this one's close."""
    return tuple(
        session_values.RollCallValues(
            at=entry.at.astimezone(zone),
            when=entry.data["when"],
            moment=str(equipment_labels.MOMENTS[entry.data["when"]]),
            ball_set=entry.data["ball_set"],
            source=str(equipment_labels.READERS[entry.data["source"]]),
            seen=len(entry.data["seen"]),
            missing=tuple(entry.data["missing"]),
            foreign=tuple(entry.data["foreign"]),
            by=game_queries.name_of(entry),
        )
        for entry in equipment_queries.entries_of_session(session, ["balls_called"])
    )


NOTES: Mapping[str, acta_values.NoteKind] = {
    "complaint": "complaint",
    "substitution": "ball_set",
    "breakdown": "breakdown",
    "occurrence": "occurrence",
    "other": "other",
}


def head(session: Session) -> JournalEntry:
    """Return the entry that closed the session: the head its acta carries."""
    return JournalEntry.objects.get(session=session, kind="session_closed")


def values(session: Session, *, made_at: datetime) -> acta_values.ActaValues:
    """Return the acta's values, hours in the hall's time zone; words in the active language."""
    zone = ZoneInfo(session.hall.time_zone)
    journal = JournalEntry.objects.filter(session=session).select_related("by").order_by("number")
    last = head(session)
    first = journal[0]
    by = session.closed_by
    book = rulebooks.get(session.hall.rulebook)
    terms = session.state["terms"]
    jackpot = unclaimed_and_jackpot_queries.jackpot_values(session, zone)
    played = list(games_queries.games_of(session))
    issues = {game.number: games_queries.several_issues(game) for game in played}
    return acta_values.ActaValues(
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
        games=tuple(game_queries.game_values(game, zone, jackpot=jackpot) for game in played),
        notes=_notes(session, zone),
        tills=session_queries.till_values(session, zone),
        journal_first=first.number,
        journal_last=last.number,
        journal_head=last.digest,
        made_at=made_at.astimezone(zone),
        witnessed=tuple(
            _done(done, zone, issues.get(done.entry.game or 0, {}))
            for done in journal_queries.second_person_of_session(session)
            # Of balls each game tells by itself.
            if done.entry.kind != "ball_announced"
        ),
        totals=last.data.get("totals", {}),
        template=labels.CURRENT,
        languages=_beside(session.hall.language, book, terms),
        terms=session_queries.terms(session),
        staff=session_queries.staff_values(session, zone),
        checks=checks(session, zone),
        waivers=waivers(session, zone),
        ball_sets=sets(session),
        roll_calls=roll_calls(session, zone),
        endings=session_queries.endings(session, zone),
        last_game=session_queries.last_game(session, zone),
        jackpot=jackpot,
        custody=unclaimed_and_jackpot_queries.custody_values(session, zone),
        unclaimed=unclaimed_and_jackpot_queries.unclaimed_values(session, zone, last=last.number),
        admission=session_queries.admission_values(session),
        clock=session_queries.clock(session, zone),
        training=session.hall.is_training,
    )


def _beside(own: str, book: Rulebook, terms: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages beside the hall's own: the law's, where it is always used, first (R54)."""
    always = (book.language,) if book.language_rule else ()
    told = dict.fromkeys((*always, *(terms.get("languages") or ())))
    return tuple(one for one in told if one != own)


def _notes(session: Session, zone: ZoneInfo) -> tuple[acta_values.NoteValues, ...]:
    """Return what was written down and what the equipment's own record tells, as it happened."""
    written = JournalEntry.objects.filter(session=session, kind="note_recorded")
    noted = [_note(entry, zone) for entry in written.select_related("by").order_by("number")]
    noted += unclaimed_and_jackpot_queries.notes(session, zone, head=head(session))
    noted += game_queries.occurrences(session, zone)
    found = [*noted, *notes(session, zone)]
    # By instant: hours of one zone compare by the clock, which goes back in one night of the year.
    return tuple(sorted(found, key=lambda note: note.at.timestamp()))


def _note(entry: JournalEntry, zone: ZoneInfo) -> acta_values.NoteValues:
    said, about_card = entry.data["text"], {}
    text = said
    if "card" in entry.data:
        issue = Issue.objects.select_related("series").get(pk=entry.data["issue"])
        about_card = {"issue": str(issue), "card": entry.data["card"]}
        about = _("Card %(issue)s · %(card)s") % about_card
        text = f"{about}: {text}"
    if entry.data["decision"]:
        text = f"{text} — {entry.data['decision']}"
    return acta_values.NoteValues(
        kind=NOTES[entry.data["category"]],
        text=text,
        at=entry.at.astimezone(zone),
        by=game_queries.name_of(entry),
        game=entry.data["game"] or None,
        said=said,
        decision=entry.data["decision"],
        **about_card,
    )


def _done(
    done: journal_queries.Witnessed, zone: ZoneInfo, issues: Mapping[int, str]
) -> acta_values.WitnessedValues:
    entry = done.entry
    told = (str(trade_words.kind(entry.kind)), game_queries.without_second_person(entry, issues))
    return acta_values.WitnessedValues(
        at=entry.at.astimezone(zone),
        game=entry.game,
        act=" · ".join(filter(None, told)),
        by=game_queries.name_of(entry),
        witness=done.witness,
    )
