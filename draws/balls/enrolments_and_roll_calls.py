"""Enrol or call a ball set before a camera (R23): balls shown one by one, named, then certified.

A person names each ball. In the end the reader is measured on the balls shown, and its certificate
is journalled; its sheet is stored under its SHA-256, as pictures are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Max

from bingo.rules import equipment as rules
from bingo.rules import formats
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.balls import camera_certificate, cameras_and_live_picture, enrolment_queries, queries
from draws.balls.camera_certificate import CameraCertificate
from draws.balls.enrolment_queries import certificate_path
from draws.balls.queries import bare, watched
from draws.balls.vision import exit_area, reader
from draws.balls.vision.enrolment import (
    Measured,
    Pose,
    Proof,
    measure_measurement,
    read_measurement,
)
from draws.balls.vision.ink_match import Likeness
from draws.balls.vision.verdict import ReadingVerdict
from draws.models import Camera, Certificate, Enrolment, Purpose, ShownBall
from halls import permissions
from halls.equipment import queries as equipment_queries
from halls.equipment import services as equipment_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import BallSet, Hall, JournalEntry, Person

HIGHEST = 999  # whatever is printed on a ball
HUNDREDTHS = enrolment_queries.HUNDREDTHS


def command(purpose: str) -> str:
    """Return the kind of entry that showing the balls for this ends with."""
    return "balls_enrolled" if purpose == Purpose.ENROL else "balls_called"


@transaction.atomic
def begin(
    *,
    camera: Camera,
    ball_set: BallSet,
    purpose: str,
    by: Person,
    at: datetime,
    key: UUID,
    trouble: str = "",
) -> Enrolment:
    """Let the balls of a set be shown to a camera; until it ends no game is read from it.

    What lies before the camera itself is left alone where the `trouble` is RECORDED.
    Raises Refusal: not_allowed, key_reused, unknown_camera, unknown_ball_set,
    camera_not_calibrated, bad_camera_settings, ball_set_retired, enrolment_goes_on,
    camera_in_game, unknown_moment.
    """
    if purpose not in Purpose.values:
        raise Refusal("unknown_moment", when=purpose)
    permissions.require(by, command(purpose), hall=camera.hall_id)
    hall = head.lock(camera.hall_id)
    if done := Enrolment.objects.filter(key=key).first():
        asked = (camera.pk, ball_set.pk, purpose, by.pk)
        if (done.camera_id, done.ball_set_id, done.purpose, done.begun_by_id) != asked:
            raise Refusal("key_reused")
        return done
    row = Camera.objects.select_related("hall").get(pk=camera.pk)
    _require_ready(row, ball_set, purpose)
    # Whatever the clock says, it begins after all that was written down before.
    begun_at = max(at, hall.head_at) if hall.head_at else at
    return Enrolment.objects.create(
        camera=row, ball_set=ball_set, purpose=purpose, begun_at=begun_at, begun_by=by, key=key,
        troubled=trouble,
    )  # fmt: skip


def _require_ready(camera: Camera, ball_set: BallSet, purpose: str) -> None:
    if not camera.active:
        raise Refusal("unknown_camera")
    if ball_set.hall_id != camera.hall_id:
        raise Refusal("unknown_ball_set")
    if not camera.settings:
        raise Refusal("camera_not_calibrated", camera=camera.name)
    exit_area.read(camera.settings)
    drawn = equipment_queries.drawn_from(camera.hall)
    if not rules.may_be_called(ball_set.as_state, when=purpose, drawn=drawn):
        raise Refusal("ball_set_retired", ball_set=ball_set.serial)
    if enrolment_queries.going_on(camera):
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
    digest = cameras_and_live_picture.save_picture(pose.picture)
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
    """Return the count of the last ball shown; the next has the following."""
    return ShownBall.objects.filter(enrolment=enrolment).aggregate(last=Max("stay"))["last"] or 0


def _named(enrolment: Enrolment, pose: Pose, stay: int) -> int | None:
    """Return the number that a further picture of a ball has already, or that a roll call reads."""
    others = ShownBall.objects.filter(enrolment=enrolment, number__isnull=False)
    before = others.filter(stay=stay).values_list("number", flat=True).first()
    if before is not None or not enrolment_queries.is_roll_call(enrolment):
        return before
    found = pose.padded if enrolment.ball_set.zeros else pose.plain
    seen = others.filter(number=found.number).exists()
    return None if seen else found.number


def _kept(found: ReadingVerdict, pose: Pose) -> dict[str, Any]:
    told = read_measurement(found)
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
    if enrolment_queries.is_roll_call(row):
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
def call(*, enrolment: Enrolment, **who: Unpack[Who]) -> JournalEntry:
    """End a roll call: what was seen, what is missing and what is of another set (R23).

    Raises Refusal: not_allowed, key_reused, enrolment_over, balls_waiting, no_ball_shown,
    changed_meanwhile, or what `equipment.call_balls` refuses.
    """
    asked = {
        "ball_set": enrolment.ball_set.serial, "when": enrolment.purpose, "source": rules.CAMERA,
    }  # fmt: skip
    _hall, done = begin_command(enrolment.camera.hall_id, "balls_called", inputs=asked, **who)
    if done:
        return done
    row = _held(enrolment, who["by"])
    seen = {proof.number for _shown, proof in enrolment_queries.proofs(row)}
    require_named(row)
    if not seen:
        raise Refusal("no_ball_shown")
    if enrolment_queries.is_changed_since_begun(row):
        raise Refusal("changed_meanwhile")
    entry = equipment_services.call_balls(
        ball_set=row.ball_set, when=row.purpose, seen=sorted(seen), source=rules.CAMERA, **who
    )
    row.ended_at = entry.at
    row.save(update_fields=["ended_at"])
    return entry


def require_named(enrolment: Enrolment) -> None:
    """Refuse while balls were shown that nobody has named: balls_waiting(left)."""
    waiting = enrolment_queries.progress(enrolment).waiting
    if waiting:
        raise Refusal("balls_waiting", left=len(waiting))


def _held(enrolment: Enrolment, by: Person) -> Enrolment:
    """Return an enrolment as it stands, held until the transaction ends."""
    held = Enrolment.objects.select_for_update(of=("self",))
    row = held.select_related("camera__hall", "ball_set__hall").get(pk=enrolment.pk)
    permissions.require(by, command(row.purpose), hall=row.camera.hall_id)
    if row.ended_at is not None:
        raise Refusal("enrolment_over")
    return row


def save_certificate(paper: bytes) -> str:
    """Keep a PDF and give its SHA-256 in hex; whoever writes that down calls this first."""
    digest = hashlib.sha256(paper).hexdigest()
    cameras_and_live_picture.write_private(certificate_path(digest), paper)
    return digest


Proofs = list[tuple[ShownBall, Proof]]


@dataclass(frozen=True, slots=True)
class EnrolmentOutcome:
    """What an enrolment proved: measured by the reader, and by comparison of its own pictures."""

    measured: Measured
    alike: tuple[tuple[int, Likeness], ...]

    @property
    def right(self) -> int:
        """How many pictures the comparison with the others says clearly and rightly."""
        return sum(found.agrees(number) for number, found in self.alike)

    @property
    def wrong(self) -> int:
        """How many it says clearly and wrongly."""
        return sum(
            found.number not in (None, number) and found.agrees(found.number or 0)
            for number, found in self.alike
        )


def finish_certification(*, enrolment: Enrolment, **who: Unpack[Who]) -> Certificate:
    """Measure the reader on all the balls shown, keep the sheet, and write it down.

    The measuring, some seconds of it, is done before the hall is held. Raises Refusal: not_allowed,
    key_reused, enrolment_over, balls_waiting, balls_not_shown, shown_meanwhile, changed_meanwhile,
    not_taught.
    """
    permissions.require(who["by"], "balls_enrolled", hall=enrolment.camera.hall_id)
    if done := _earlier(enrolment, **who):
        return done
    proofs = enrolment_queries.proofs(enrolment)
    outcome = _outcome(enrolment, proofs)
    values = _values(enrolment, outcome, proofs, by=who["by"], at=who["at"])
    paper = save_certificate(camera_certificate.certificate(values))
    return _written(enrolment, proofs, outcome, values, paper, **who)


def _earlier(enrolment: Enrolment, **who: Unpack[Who]) -> Certificate | None:
    """Return what this key has certified already. Raises Refusal key_reused."""
    asked = {"ball_set": enrolment.ball_set.serial, "camera": enrolment.camera.name}
    done = journal_services.earlier(
        enrolment.camera.hall, kind="balls_enrolled", by=who["by"], key=who.get("key"), inputs=asked
    )
    return Certificate.objects.get(entry=done) if done else None


def _outcome(enrolment: Enrolment, proofs: Proofs) -> EnrolmentOutcome:
    if not reader.is_taught():
        raise Refusal("not_taught")
    if enrolment.ended_at is not None:
        raise Refusal("enrolment_over")
    require_named(enrolment)
    measured = measure_measurement(
        [proof for _shown, proof in proofs],
        numbers=formats.get_format(enrolment.ball_set.format).numbers,
        zeros=enrolment.ball_set.zeros,
    )
    if measured.missing:
        told = ", ".join(str(number) for number in measured.missing)
        raise Refusal("balls_not_shown", numbers=told)
    chosen = enrolment_queries.chosen(enrolment)
    gallery = enrolment_queries.compared_with(enrolment)
    found = gallery.itself((one, spot, float(shown.angle)) for shown, one, spot in chosen)
    numbers = [shown.number or 0 for shown, _one, _spot in chosen]
    # A ball of one picture has no other to be known by.
    several = [
        (number, like)
        for number, like in zip(numbers, found, strict=True)
        if numbers.count(number) > 1
    ]
    return EnrolmentOutcome(measured, tuple(several))


@transaction.atomic
def _written(
    enrolment: Enrolment,
    proofs: Proofs,
    outcome: EnrolmentOutcome,
    values: CameraCertificate,
    paper: str,
    **who: Unpack[Who],
) -> Certificate:
    hall = head.lock(enrolment.camera.hall_id)
    if done := _earlier(enrolment, **who):
        return done
    held_rows = Enrolment.objects.select_for_update(of=("self",))
    row = held_rows.select_related("camera", "ball_set").get(pk=enrolment.pk)
    if row.ended_at is not None:
        raise Refusal("enrolment_over")
    if enrolment_queries.proofs(row) != proofs:
        raise Refusal("shown_meanwhile")
    if enrolment_queries.is_changed_since_begun(row):
        raise Refusal("changed_meanwhile")
    data = _data(values, outcome, paper)
    entry = journal_services.entry_append(hall, Fact("balls_enrolled", data), **who)
    row.ended_at = entry.at
    row.save(update_fields=["ended_at"])
    return Certificate.objects.create(
        hall=hall, camera=row.camera, ball_set=row.ball_set, enrolment=row,
        threshold=data["threshold"], model=data["model"], paper=paper, found=data["found"],
        at=entry.at, entry=entry,
    )  # fmt: skip


def _data(values: CameraCertificate, outcome: EnrolmentOutcome, paper: str) -> dict[str, Any]:
    """Return what the journal tells: whole numbers, texts and lists only."""
    measured = outcome.measured
    found = {
        "balls": len(measured.tallies),
        **{name: measured.total(name) for name in ("pictures", "right", "refused", "wrong")},
        "announced": measured.announced,
        "zeros": measured.zeros,
        "marked": list(measured.marked),
        "unmarked": list(measured.unmarked),
        "pairs": [[pair.number, pair.other, pair.times] for pair in measured.pairs],
        "compared": values.compared,
        "alike": values.alike,
    }
    return {
        "ball_set": values.ball_set,
        "camera": values.camera,
        "settings": values.settings,
        "model": values.model,
        "gallery": values.gallery,
        "threshold": measured.threshold,
        "certificate": paper,
        "found": found,
    }


def _values(
    enrolment: Enrolment, outcome: EnrolmentOutcome, proofs: Proofs, *, by: Person, at: datetime
) -> CameraCertificate:
    camera, balls = enrolment.camera, enrolment.ball_set
    hall: Hall = camera.hall
    zone = ZoneInfo(hall.time_zone)
    return CameraCertificate(
        **hall.letterhead,
        camera=camera.name,
        address=bare(camera.url),
        ball_set=balls.serial,
        format=balls.format,
        zeros=balls.zeros,
        maker=" ".join(part for part in (balls.maker, balls.model) if part),
        by=by.name,
        begun_at=enrolment.begun_at.astimezone(zone),
        at=at.astimezone(zone),
        settings=enrolment_queries.digest_of(camera),
        model=reader.readers_digest(),
        gallery=enrolment_queries.gallery_digest(shown for shown, _proof in proofs),
        measured=outcome.measured,
        compared=len(outcome.alike),
        alike=outcome.right,
        alike_wrong=outcome.wrong,
        pictures=_thumbnails(proofs),
    )


def _thumbnails(proofs: Proofs) -> dict[int, bytes]:
    """Return the picture of each number that was read best; those whose file is there."""
    best: dict[int, tuple[int, str]] = {}
    for shown, proof in proofs:
        share = max(proof.plain.share(proof.number), proof.padded.share(proof.number))
        best[proof.number] = max(best.get(proof.number, (-1, "")), (share, shown.picture))
    files = {number: queries.picture_path(digest) for number, (_share, digest) in best.items()}
    return {number: file.read_bytes() for number, file in sorted(files.items()) if file.exists()}
