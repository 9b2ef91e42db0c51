"""Balls shown to a camera one by one: to enrol a set, or to call it (R23), named by a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from bingo.rules import equipment as rules
from bingo.rules.refusal import Refusal
from draws.models import Camera, Enrolment, Purpose, ShownBall
from draws.queries import enrolments as queries
from draws.queries.readings import watched
from draws.services import pictures
from draws.vision import area
from draws.vision.enrolling import Pose
from draws.vision.measuring import read
from draws.vision.verdict import Verdict
from halls import permissions
from halls.models import BallSet, JournalEntry, Person
from halls.services import equipment, journal

HIGHEST = 999  # whatever is printed on a ball
HUNDREDTHS = queries.HUNDREDTHS


def command(purpose: str) -> str:
    """Give the kind of entry that showing the balls for this ends with."""
    return "balls_enrolled" if purpose == Purpose.ENROL else "balls_called"


@transaction.atomic
def begin(
    *, camera: Camera, ball_set: BallSet, purpose: str, by: Person, at: datetime, key: UUID
) -> Enrolment:
    """Let the balls of a set be shown to a camera; until it ends no game is read from it.

    Raises Refusal: not_allowed, key_reused, unknown_camera, unknown_ball_set,
    camera_not_calibrated, bad_camera_settings, ball_set_retired, enrolment_goes_on,
    camera_in_game, unknown_moment.
    """
    if purpose not in Purpose.values:
        raise Refusal("unknown_moment", when=purpose)
    permissions.require(by, command(purpose), hall=camera.hall_id)
    hall = journal.lock(camera.hall_id)
    if done := Enrolment.objects.filter(key=key).first():
        asked = (camera.pk, ball_set.pk, purpose, by.pk)
        if (done.camera_id, done.ball_set_id, done.purpose, done.begun_by_id) != asked:
            raise Refusal("key_reused")
        return done
    row = Camera.objects.select_related("hall").get(pk=camera.pk)
    _require_ready(row, ball_set)
    # Whatever the clock says, it begins after all that was written down before.
    begun_at = max(at, hall.head_at) if hall.head_at else at
    return Enrolment.objects.create(
        camera=row, ball_set=ball_set, purpose=purpose, begun_at=begun_at, begun_by=by, key=key
    )


def _require_ready(camera: Camera, ball_set: BallSet) -> None:
    if not camera.active:
        raise Refusal("unknown_camera")
    if ball_set.hall_id != camera.hall_id:
        raise Refusal("unknown_ball_set")
    if not camera.settings:
        raise Refusal("camera_not_calibrated", camera=camera.name)
    area.read(camera.settings)
    if ball_set.standing == rules.Standing.RETIRED:
        raise Refusal("ball_set_retired", ball_set=ball_set.serial)
    if queries.going_on(camera):
        raise Refusal("enrolment_goes_on", camera=camera.name)
    if watched(camera) is not None:
        raise Refusal("camera_in_game", camera=camera.name)


def mind(*, enrolment: Enrolment, trouble: str = "", at: datetime) -> None:
    """Say that somebody looks, and what is in the way; about once a second."""
    Enrolment.objects.filter(pk=enrolment.pk).update(minded_at=at, troubled=trouble)


def see(
    *, enrolment: Enrolment, pose: Pose, seen_at: datetime, key: UUID, stay: int | None = None
) -> ShownBall | None:
    """Keep one picture of a ball, once for each key; None when the enrolment has ended.

    `stay` counts the balls where the pose's own count begins anew, as after a restart.
    In a roll call a ball that was read for sure, and the first time, needs nobody to name it.
    Raises Refusal bad_picture, OSError.
    """
    if done := ShownBall.objects.filter(key=key).first():
        return done
    digest = pictures.keep(pose.picture)
    with transaction.atomic():
        held = Enrolment.objects.select_for_update(of=("self",)).select_related("ball_set")
        row = held.get(pk=enrolment.pk)
        if row.ended_at is not None:
            return None
        place = pose.stay if stay is None else stay
        number = _named(row, pose, place)
        ShownBall.objects.filter(enrolment=row, stay=place, dismissed=False).update(number=number)
        return ShownBall.objects.create(
            enrolment=row, stay=place, number=number,
            plain=_kept(pose.plain, pose), padded=_kept(pose.padded, pose),
            marked=round(pose.marked * 1000), angle=round(pose.angle) % 360,
            middle_x=round(pose.spot.x * HUNDREDTHS), middle_y=round(pose.spot.y * HUNDREDTHS),
            radius=round(pose.spot.radius * HUNDREDTHS), picture=digest, seen_at=seen_at, key=key,
        )  # fmt: skip


def last_stay(enrolment: Enrolment) -> int:
    """Give the count of the last ball shown; the next has the following."""
    return ShownBall.objects.filter(enrolment=enrolment).aggregate(last=Max("stay"))["last"] or 0


def _named(enrolment: Enrolment, pose: Pose, stay: int) -> int | None:
    """Give the number that a further picture of a ball has already, or that a roll call reads."""
    others = ShownBall.objects.filter(enrolment=enrolment, number__isnull=False)
    before = others.filter(stay=stay).values_list("number", flat=True).first()
    if before is not None or not queries.is_roll_call(enrolment):
        return before
    found = pose.padded if enrolment.ball_set.zeros else pose.plain
    seen = others.filter(number=found.number).exists()
    return None if seen else found.number


def _kept(found: Verdict, pose: Pose) -> dict[str, Any]:
    told = read(found)
    return {
        "number": told.number,
        "confidence": told.confidence,
        "reason": told.reason,
        "candidates": [list(one) for one in told.candidates],
        "guess": pose.guess if pose.guess is not None else _first(told.candidates),
    }


def _first(candidates: Sequence[tuple[int, int]]) -> int | None:
    return candidates[0][0] if candidates else None


@transaction.atomic
def name(*, enrolment: Enrolment, stay: int, number: int, by: Person) -> None:
    """Say which ball it is that was shown; it may be said anew until the enrolment ends.

    In a roll call it may be none of the set's. Raises Refusal: not_allowed, enrolment_over,
    unknown_shown_ball, ball_not_in_set, bad_reading.
    """
    row = _held(enrolment, by)
    if queries.is_roll_call(row):
        if not 0 <= number <= HIGHEST:
            raise Refusal("bad_reading")
    else:
        rules.require_ball(number, row.ball_set.format)
    shown = ShownBall.objects.filter(enrolment=row, stay=stay, dismissed=False)
    if not shown.update(number=number):
        raise Refusal("unknown_shown_ball")


@transaction.atomic
def dismiss(*, enrolment: Enrolment, stay: int, by: Person) -> None:
    """Say that pictures are of no use: a hand, two balls, nothing.

    Raises Refusal: not_allowed, enrolment_over, unknown_shown_ball.
    """
    row = _held(enrolment, by)
    shown = ShownBall.objects.filter(enrolment=row, stay=stay)
    if not shown.update(number=None, dismissed=True):
        raise Refusal("unknown_shown_ball")


@transaction.atomic
def give_up(*, enrolment: Enrolment, by: Person, at: datetime) -> None:
    """End it without a result; its pictures stay. Raises Refusal: not_allowed, enrolment_over."""
    row = _held(enrolment, by)
    row.ended_at, row.given_up = at, True
    row.save(update_fields=["ended_at", "given_up"])


@transaction.atomic
def call(*, enrolment: Enrolment, by: Person, at: datetime, key: UUID) -> JournalEntry:
    """End a roll call: what was seen, what is missing and what is of another set (R23).

    Raises Refusal: not_allowed, key_reused, enrolment_over, balls_waiting, no_ball_shown, or what
    `equipment.call_balls` refuses.
    """
    permissions.require(by, command(enrolment.purpose), hall=enrolment.camera.hall_id)
    hall = journal.lock(enrolment.camera.hall_id)
    if done := journal.earlier(hall, kind="balls_called", by=by, key=key):
        return done
    row = _held(enrolment, by)
    seen = {proof.number for _shown, proof in queries.proofs(row)}
    require_named(row)
    if not seen:
        raise Refusal("no_ball_shown")
    entry = equipment.call_balls(
        ball_set=row.ball_set, when=row.purpose, seen=sorted(seen), source=rules.CAMERA,
        by=by, at=at, key=key,
    )  # fmt: skip
    row.ended_at = entry.at
    row.save(update_fields=["ended_at"])
    return entry


def require_named(enrolment: Enrolment) -> None:
    """Refuse while balls were shown that nobody has named: balls_waiting(left)."""
    waiting = queries.progress(enrolment).waiting
    if waiting:
        raise Refusal("balls_waiting", left=len(waiting))


def _held(enrolment: Enrolment, by: Person) -> Enrolment:
    """Give an enrolment as it stands, held until the transaction ends."""
    held = Enrolment.objects.select_for_update(of=("self",))
    row = held.select_related("camera__hall", "ball_set__hall").get(pk=enrolment.pk)
    permissions.require(by, command(row.purpose), hall=row.camera.hall_id)
    if row.ended_at is not None:
        raise Refusal("enrolment_over")
    return row
