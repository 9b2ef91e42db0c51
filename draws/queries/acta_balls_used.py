"""The ball sets of a session with their count of games, and their roll calls (R22, R23, R25)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db.models import Count

from bingo.rules.equipment import wear
from draws.documents import equipment_words
from draws.documents.acta_session_values import BallSetValues, RollCallValues
from draws.models import Game
from draws.queries import acta_game
from halls.models import BallSet, JournalEntry, Session
from halls.queries import equipment


def sets(session: Session) -> tuple[BallSetValues, ...]:
    """Give the sets drawn from, the one drawn from first at the head; none where the RNG drew all."""
    used = Game.objects.filter(session=session, ball_set__isnull=False).order_by("number")
    serials = dict.fromkeys(used.values_list("ball_set__serial", flat=True))
    known = BallSet.objects.filter(hall=session.hall, serial__in=serials)
    found = {one.serial: one for one in known}
    return tuple(_set(found[serial], session) for serial in serials)


def _set(ball_set: BallSet, session: Session) -> BallSetValues:
    served = Game.objects.filter(ball_set=ball_set, session__hall=session.hall_id)
    by = dict(served.order_by().values_list("session__number").annotate(games=Count("pk")))
    before = _brought(ball_set) + sum(n for number, n in by.items() if number < session.number)
    games = by.get(session.number, 0)
    last = served.filter(session=session).select_related("extractor").latest("number").extractor
    kind = last.kind if last else None
    return BallSetValues(
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
    """Give the games it had served when it came into the hall's books."""
    entry = JournalEntry.objects.filter(
        hall=ball_set.hall_id, kind="ball_set_registered", data__ball_set=ball_set.serial
    ).first()
    return int(entry.data["games"]) if entry else 0


def roll_calls(session: Session, zone: ZoneInfo) -> tuple[RollCallValues, ...]:
    """Give the roll calls since the session before was closed, up to this one's close."""
    return tuple(
        RollCallValues(
            at=entry.at.astimezone(zone),
            when=entry.data["when"],
            moment=str(equipment_words.MOMENTS[entry.data["when"]]),
            ball_set=entry.data["ball_set"],
            source=str(equipment_words.READERS[entry.data["source"]]),
            seen=len(entry.data["seen"]),
            missing=tuple(entry.data["missing"]),
            foreign=tuple(entry.data["foreign"]),
            by=acta_game.name_of(entry),
        )
        for entry in equipment.told_in(session, ["balls_called"])
    )
