"""A certificate is of one camera, its settings, its reader and its balls: another, and it lapses."""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import uuid4

import pytest
from django.utils import translation

from bingo.rules.refusal import Refusal
from draws.balls import enrolment_queries, enrolments_and_roll_calls, queries
from draws.balls import labels as balls_labels
from draws.balls.enrolment_queries import Change, Lapse
from draws.balls.vision.enrolment import BUILT_IN
from draws.balls.vision.third_look import PACKAGE
from draws.models import Camera, Certificate, Enrolment, ShownBall
from draws.record.audit import audit
from halls.equipment import ball_sets
from halls.models import BallSet, Hall, JournalEntry, Role
from tests.support.certificates import certify, enrolled, replace, set_up
from tests.support.evening import Evening
from tests.support.planting_rows import plant, plant_row
from tests.support.playing import refuses
from tests.support.shown_cards import begun, camera_of, pose, show, show_all
from tests.support.undigested_journal import without_digest
from tests.support.without_package import path_without

__all__ = ["enrolled"]  # the fixture

pytestmark = pytest.mark.django_db


def lapse() -> Lapse | None:
    return enrolment_queries.lapse(Certificate.objects.latest("pk"))


def least_sure() -> int | None:
    held = queries.certificate_in_use(Camera.objects.get(), 30)
    return enrolment_queries.threshold(held) if held else None


@pytest.mark.slow
def test_certificate_counts_while_all_is_as_it_was_measured(enrolled: Evening) -> None:
    assert (lapse(), least_sure()) == (None, BUILT_IN)
    # Nothing of what it was measured with: another password, another word for the same.
    set_up(enrolled, url="rtsp://u:outra@192.168.1.30/exit", format=None)
    ball_sets.inspect(
        ball_set=BallSet.objects.get(), fit=True, note="Boa", **enrolled.who(Role.HALL_MANAGER)
    )
    assert (lapse(), least_sure()) == (None, BUILT_IN)


@pytest.mark.slow
def test_camera_that_was_set_up_anew_is_not_the_one_measured(enrolled: Evening) -> None:
    before = Camera.objects.get().settings
    set_up(enrolled, settings=before | {"radius": "41.00"})
    assert (lapse(), least_sure()) == (Lapse(Change.SETTINGS), 0)
    set_up(enrolled, settings=before)
    assert (lapse(), least_sure()) == (None, BUILT_IN)


@pytest.mark.slow
def test_camera_at_another_address_is_not_the_one_measured(enrolled: Evening) -> None:
    set_up(enrolled, url="rtsp://u:p@192.168.1.31/exit")
    assert (lapse(), least_sure()) == (Lapse(Change.ADDRESS), 0)


@pytest.mark.slow
def test_another_picture_of_the_same_machine_is_not_the_one_measured(enrolled: Evening) -> None:
    for url in ("rtsp://u:p@192.168.1.30/exit?channel=2", "rtsp://u:p@192.168.1.30/exit#2"):
        set_up(enrolled, url=url)
        assert (lapse(), least_sure()) == (Lapse(Change.ADDRESS), 0)
    set_up(enrolled, url="rtsp://u:outra@192.168.1.30/exit")
    assert (lapse(), least_sure()) == (None, BUILT_IN)


@pytest.mark.slow
def test_address_from_before_it_had_a_digest_is_compared_by_what_was_told(
    enrolled: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        without_digest(older)
        set_up(enrolled)
        certify(enrolled)
    set_up(enrolled)
    assert lapse() is None
    set_up(enrolled, url="rtsp://u:p@192.168.1.30/exit?channel=2")
    assert lapse() is None
    set_up(enrolled, url="rtsp://u:p@192.168.1.31/exit")
    assert lapse() == Lapse(Change.ADDRESS)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_balls_named_otherwise_after_the_certificate_are_found(enrolled: Evening) -> None:
    assert audit(Hall.objects.get()) == []
    number = Certificate.objects.get().entry.number
    shown = ShownBall.objects.earliest("pk")
    for changed in ({"number": 7}, {"picture": "0" * 64}, {"number": None}):
        plant(ShownBall.objects.filter(pk=shown.pk), **changed)
        [finding] = audit(Hall.objects.get())
        assert (finding.number, finding.code) == (number, "gallery_differs")
        plant_row(shown, "number", "picture")
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_other_networks_are_not_the_reader_measured(
    enrolled: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "reader.onnx"
    other.write_bytes(b"another network")
    monkeypatch.setattr("draws.balls.vision.reader.ALL", (other,))
    assert (lapse(), least_sure()) == (Lapse(Change.READER), 0)
    other.unlink()
    assert (lapse(), least_sure()) == (Lapse(Change.READER), 0)


@pytest.mark.slow
def test_reader_without_its_third_look_is_not_the_reader_measured_until_that_is_back(
    enrolled: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert lapse() is None
    monkeypatch.setattr(sys, "path", path_without(PACKAGE, tmp_path / "installed"))
    assert (lapse(), least_sure()) == (Lapse(Change.READER), 0)
    monkeypatch.undo()
    assert lapse() is None


@pytest.mark.slow
@pytest.mark.rule(26)
def test_set_of_which_a_ball_was_replaced_is_not_the_one_measured(enrolled: Evening) -> None:
    replace(enrolled, 17)
    replace(enrolled, 4)
    replace(enrolled, 17)
    assert (lapse(), least_sure()) == (Lapse(Change.BALLS, (4, 17)), 0)


@pytest.mark.slow
def test_set_that_is_used_now_has_no_certificate_of_another(enrolled: Evening) -> None:
    who = enrolled.who(Role.HALL_MANAGER)
    other = ball_sets.register(hall=enrolled.hall, serial="T-31", format=30, **who)
    ball_sets.use(ball_set=other, **enrolled.who(Role.HALL_MANAGER))
    # Never enrolled: only the hall's own rule counts, as ever.
    assert (lapse(), least_sure()) == (None, None)


@pytest.mark.slow
def test_enrolling_again_gives_a_certificate_that_counts(enrolled: Evening) -> None:
    replace(enrolled, 17)
    old = Certificate.objects.get()
    certify(enrolled)
    assert (lapse(), least_sure()) == (None, BUILT_IN)
    assert enrolment_queries.lapse(old) == Lapse(Change.NEWER)


@pytest.mark.slow
def test_camera_changed_while_balls_are_shown_is_not_certified(enrolled: Evening) -> None:
    going = begun(enrolled)
    show_all(going, enrolled.person(Role.HALL_MANAGER))
    replace(enrolled, 17)
    with refuses(Refusal("changed_meanwhile")):
        enrolments_and_roll_calls.finish_certification(
            enrolment=Enrolment.objects.get(pk=going.pk), key=uuid4(),
            **enrolled.who(Role.HALL_MANAGER),
        )  # fmt: skip
    assert Certificate.objects.count() == 1


@pytest.mark.slow
def test_lapse_is_asked_of_the_set_in_use(enrolled: Evening) -> None:
    camera = Camera.objects.get()
    held = queries.certificate_in_use(camera, 30)
    assert held is not None
    assert enrolment_queries.lapse(held) is None
    replace(enrolled, 17)
    assert enrolment_queries.lapse(held) == Lapse(Change.BALLS, (17,))
    assert queries.certificate_in_use(camera, 90) is None


def test_every_change_is_said_in_words_with_what_to_do() -> None:
    with translation.override("en"):
        said = {balls_labels.lapsed(change, (4, 17)) for change in Change}
        assert "Balls 4, 17 have been replaced since" in said
        assert len(said) == len(Change)
        assert [str(balls_labels.certificate_remedy(change)) == "" for change in Change] == [
            change is Change.NEWER for change in Change
        ]


@pytest.mark.slow
@pytest.mark.parametrize("page", ["cameras/", "cameras/{camera}/", "equipment/sets/{ball_set}/"])
def test_pages_say_why_it_counts_no_longer_and_what_to_do(enrolled: Evening, page: str) -> None:
    address = "/" + page.format(camera=Camera.objects.get().pk, ball_set=BallSet.objects.get().pk)
    client = enrolled.at("manager")
    with translation.override("pt"):
        why = balls_labels.lapsed("balls", (17,))
        what = str(balls_labels.certificate_remedy("balls"))
        assert why not in client.get(address).content.decode()
        replace(enrolled, 17)
        shown = client.get(address).content.decode()
    assert why in shown
    assert what in shown


@pytest.mark.slow
def test_outcome_of_an_enrolment_says_that_it_counts_no_longer(enrolled: Evening) -> None:
    address = f"/cameras/shown/{Enrolment.objects.get().pk}/"
    set_up(enrolled, settings=Camera.objects.get().settings | {"radius": "41.00"})
    with translation.override("pt"):
        said = balls_labels.lapsed("settings")
        assert said in enrolled.at("manager").get(address).content.decode()


@pytest.mark.slow
def test_sheet_that_is_gone_or_another_is_named(enrolled: Evening) -> None:
    made = Certificate.objects.get()
    entry = JournalEntry.objects.get(kind="balls_enrolled")
    sheet = enrolment_queries.certificate_path(made.paper)
    whole = sheet.read_bytes()
    assert audit(Hall.objects.get()) == []
    for bad, code in ((whole + b" ", "certificate_differs"), (None, "certificate_missing")):
        sheet.unlink()
        if bad is not None:
            sheet.write_bytes(bad)
        told = [(one.number, one.code, one.detail) for one in audit(Hall.objects.get())]
        assert told == [(entry.number, code, made.paper)]
    sheet.write_bytes(whole)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_roll_call_proves_nothing_of_the_certificate(enrolled: Evening) -> None:
    going = begun(enrolled, "opening")
    show(going, pose(1, 7))
    enrolments_and_roll_calls.call(enrolment=going, key=uuid4(), **enrolled.who(Role.CALLER))
    assert (lapse(), least_sure()) == (None, BUILT_IN)


@pytest.mark.slow
def test_camera_that_is_no_longer_used_is_not_told_of_with_a_set(enrolled: Evening) -> None:
    assert [
        one.certificate.camera.name for one in enrolment_queries.of_set(BallSet.objects.get())
    ] == ["Saída"]
    set_up(enrolled, active=False)
    assert enrolment_queries.of_set(BallSet.objects.get()) == []
    assert enrolment_queries.of_camera(camera_of(enrolled, name="Outra")) == []
