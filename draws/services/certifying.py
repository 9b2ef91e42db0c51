"""The end of an enrolment: the reader measured on the balls shown, its certificate journalled."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction

from bingo.rules import formats, rulebooks
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.documents import camera_certificate
from draws.documents.camera_certificate_values import CameraCertificate
from draws.models import Certificate, Enrolment, ShownBall
from draws.queries import certificates as held
from draws.queries import enrolments as queries
from draws.queries import pictures
from draws.queries.whereabouts import bare
from draws.services import certificates, enrolments
from draws.vision import eyes
from draws.vision.gallery import Likeness
from draws.vision.measuring import Measured, Proof, measure
from halls import permissions
from halls.models import Hall, Person
from halls.services import beside, journal

Proofs = list[tuple[ShownBall, Proof]]


@dataclass(frozen=True, slots=True)
class Outcome:
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


def finish(*, enrolment: Enrolment, by: Person, at: datetime, key: UUID) -> Certificate:
    """Measure the reader on all the balls shown, keep the sheet, and write it down.

    The measuring, some seconds of it, is done before the hall is held. Raises Refusal: not_allowed,
    key_reused, enrolment_over, balls_waiting, balls_not_shown, shown_meanwhile, changed_meanwhile,
    not_taught.
    """
    permissions.require(by, "balls_enrolled", hall=enrolment.camera.hall_id)
    if done := _earlier(enrolment, by, key):
        return done
    proofs = queries.proofs(enrolment)
    outcome = _outcome(enrolment, proofs)
    values = _values(enrolment, outcome, proofs, by=by, at=at)
    paper = certificates.keep(camera_certificate.certificate(values))
    return _written(enrolment, proofs, outcome, values, paper, by=by, at=at, key=key)


def _earlier(enrolment: Enrolment, by: Person, key: UUID) -> Certificate | None:
    """Give what this key has certified already. Raises Refusal key_reused."""
    asked = {"ball_set": enrolment.ball_set.serial, "camera": enrolment.camera.name}
    hall = enrolment.camera.hall
    done = journal.earlier(hall, kind="balls_enrolled", by=by, key=key, inputs=asked)
    return Certificate.objects.get(entry=done) if done else None


def _outcome(enrolment: Enrolment, proofs: Proofs) -> Outcome:
    if not eyes.is_taught():
        raise Refusal("not_taught")
    if enrolment.ended_at is not None:
        raise Refusal("enrolment_over")
    enrolments.require_named(enrolment)
    measured = measure(
        [proof for _shown, proof in proofs],
        numbers=formats.get(enrolment.ball_set.format).numbers,
    )
    if measured.missing:
        told = ", ".join(str(number) for number in measured.missing)
        raise Refusal("balls_not_shown", numbers=told)
    chosen = queries.chosen(enrolment)
    gallery = queries.compared_with(enrolment)
    found = gallery.itself((one, spot, float(shown.angle)) for shown, one, spot in chosen)
    numbers = [shown.number or 0 for shown, _one, _spot in chosen]
    # A ball of one picture has no other to be known by.
    several = [
        (number, like)
        for number, like in zip(numbers, found, strict=True)
        if numbers.count(number) > 1
    ]
    return Outcome(measured, tuple(several))


@transaction.atomic
def _written(
    enrolment: Enrolment,
    proofs: Proofs,
    outcome: Outcome,
    values: CameraCertificate,
    paper: str,
    *,
    by: Person,
    at: datetime,
    key: UUID,
) -> Certificate:
    hall = journal.lock(enrolment.camera.hall_id)
    if done := _earlier(enrolment, by, key):
        return done
    held_rows = Enrolment.objects.select_for_update(of=("self",))
    row = held_rows.select_related("camera", "ball_set").get(pk=enrolment.pk)
    if row.ended_at is not None:
        raise Refusal("enrolment_over")
    if queries.proofs(row) != proofs:
        raise Refusal("shown_meanwhile")
    if held.is_changed_since_begun(row):
        raise Refusal("changed_meanwhile")
    data = _data(values, outcome, paper)
    entry = beside.append(hall, Fact("balls_enrolled", data), by=by, at=at, key=key)
    row.ended_at = entry.at
    row.save(update_fields=["ended_at"])
    return Certificate.objects.create(
        hall=hall, camera=row.camera, ball_set=row.ball_set, enrolment=row,
        threshold=data["threshold"], model=data["model"], paper=paper, found=data["found"],
        at=entry.at, entry=entry,
    )  # fmt: skip


def _data(values: CameraCertificate, outcome: Outcome, paper: str) -> dict[str, Any]:
    """Give what the journal tells: whole numbers, texts and lists only."""
    measured = outcome.measured
    found = {
        "balls": len(measured.tallies),
        "pictures": measured.total("pictures"),
        "right": measured.total("right"),
        "refused": measured.total("refused"),
        "wrong": measured.total("wrong"),
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
    enrolment: Enrolment, outcome: Outcome, proofs: Proofs, *, by: Person, at: datetime
) -> CameraCertificate:
    camera, balls = enrolment.camera, enrolment.ball_set
    hall: Hall = camera.hall
    zone = ZoneInfo(hall.time_zone)
    return CameraCertificate(
        hall=hall.name,
        licence=hall.licence,
        training=hall.is_training,
        rulebook=rulebooks.get(hall.rulebook).title,
        language=hall.language,
        currency=hall.currency,
        camera=camera.name,
        address=bare(camera.url),
        ball_set=balls.serial,
        format=balls.format,
        maker=" ".join(part for part in (balls.maker, balls.model) if part),
        by=by.name,
        begun_at=enrolment.begun_at.astimezone(zone),
        at=at.astimezone(zone),
        settings=held.digest_of(camera),
        model=eyes.digest(),
        gallery=queries.gallery_digest(shown for shown, _proof in proofs),
        measured=outcome.measured,
        compared=len(outcome.alike),
        alike=outcome.right,
        alike_wrong=outcome.wrong,
        pictures=_thumbnails(proofs),
    )


def _thumbnails(proofs: Proofs) -> dict[int, bytes]:
    """Give the picture of each number that was read best; those whose file is there."""
    best: dict[int, tuple[int, str]] = {}
    for shown, proof in proofs:
        share = max(proof.plain.share(proof.number), proof.padded.share(proof.number))
        best[proof.number] = max(best.get(proof.number, (-1, "")), (share, shown.picture))
    files = {number: pictures.path(digest) for number, (_share, digest) in best.items()}
    return {number: file.read_bytes() for number, file in sorted(files.items()) if file.exists()}
