"""Balls shown to a camera: named once, measured, certified; or called, what is missing told (R23)."""

import hashlib
import html
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import translation

from bingo.rules.refusal import Refusal
from draws.balls import camera_certificate, enrolment_queries, enrolments_and_roll_calls, queries
from draws.balls.vision.enrolment import BUILT_IN
from draws.balls.vision.verdict import ReadingVerdict
from draws.models import Certificate, Enrolment, ShownBall
from draws.record.audit.whole_hall import audit
from halls.equipment import ball_sets
from halls.equipment import queries as equipment_queries
from halls.models import Hall, JournalEntry, Person, Role
from tests.support import filmed_balls
from tests.support.evening import Evening
from tests.support.playing import refuses
from tests.support.shown_cards import NUMBERS, begun, camera_of, pose, set_of, show, show_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(settings: Any, tmp_path: Path) -> Evening:
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.CERTIFICATES_DIR = tmp_path / "certificates"
    return Evening()


@pytest.fixture
def chief(evening: Evening) -> Person:
    return evening.person(Role.HALL_MANAGER)


def finish(enrolment: Enrolment, evening: Evening, **changed: Any) -> Certificate:
    who = evening.who(Role.HALL_MANAGER) | {"key": uuid4()} | changed
    return enrolments_and_roll_calls.finish_certification(enrolment=enrolment, **who)


def refused(code: str, **values: object) -> Any:
    return pytest.raises(Refusal, match=code)


def test_pictures_of_a_ball_wait_for_its_name(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show(going, pose(1, 7), pose(1, 7, sure=0.9), pose(2, None))
    found = enrolment_queries.progress(going)
    assert [(one.guess, len(one.shown)) for one in found.waiting] == [(7, 2), (None, 1)]
    enrolments_and_roll_calls.name(enrolment=going, stay=1, number=7, by=chief)
    show(going, pose(1, 7, sure=0.8))
    assert dict(enrolment_queries.progress(going).counts)[7] == 3


def test_picture_told_twice_is_kept_once(evening: Evening) -> None:
    going, key = begun(evening), uuid4()
    told = {"enrolment": going, "pose": pose(1, 7), "seen_at": going.begun_at, "key": key}
    assert enrolments_and_roll_calls.see(**told) == enrolments_and_roll_calls.see(**told)  # type: ignore[arg-type]
    assert ShownBall.objects.count() == 1


@pytest.mark.slow
def test_certificate_follows_from_all_balls(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show_all(going, chief)
    made = finish(going, evening)
    assert (made.threshold, made.found["balls"], made.found["right"]) == (BUILT_IN, 30, 30)
    entry = JournalEntry.objects.get(kind="balls_enrolled")
    assert entry.data["certificate"] == made.paper
    assert entry in equipment_queries.history(going.ball_set)
    paper = enrolment_queries.certificate_path(made.paper).read_bytes()
    assert hashlib.sha256(paper).hexdigest() == made.paper
    assert paper.startswith(b"%PDF")
    assert enrolment_queries.threshold(made) == BUILT_IN
    assert enrolment_queries.going_on(going.camera) is None
    assert queries.certificate_in_use(going.camera, 30) is None
    ball_sets.use(ball_set=going.ball_set, **evening.who(Role.HALL_MANAGER))
    assert queries.certificate_in_use(going.camera, 30) == made
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_finishing_twice_with_one_key_certifies_once(evening: Evening, chief: Person) -> None:
    going, key = begun(evening), uuid4()
    show_all(going, chief)
    assert finish(going, evening, key=key) == finish(going, evening, key=key)
    with refused("enrolment_over"):
        finish(Enrolment.objects.get(), evening)


@pytest.mark.slow
def test_wrong_reading_raises_the_threshold(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show_all(going, chief)
    show(going, pose(99, 17, sure=0.9))
    enrolments_and_roll_calls.name(enrolment=going, stay=99, number=11, by=chief)
    made = finish(going, evening)
    assert (made.threshold, made.found["wrong"]) == (901, 1)
    assert made.found["pairs"] == [[11, 17, 1]]


@pytest.mark.slow
def test_reading_that_is_surely_wrong_forbids_announcing_by_itself(
    evening: Evening, chief: Person
) -> None:
    going = begun(evening)
    show_all(going, chief)
    show(going, pose(99, 17, sure=1.0))
    enrolments_and_roll_calls.name(enrolment=going, stay=99, number=11, by=chief)
    assert finish(going, evening).threshold == 0


@pytest.mark.slow
def test_missing_ball_is_not_certified(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show_all(going, chief, leave=(4, 30))
    with pytest.raises(Refusal) as told:
        finish(going, evening)
    assert (told.value.code, told.value.values) == ("balls_not_shown", {"numbers": "4, 30"})
    assert not JournalEntry.objects.filter(kind="balls_enrolled").exists()


@pytest.mark.slow
def test_ball_without_a_name_holds_the_certificate_back(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show_all(going, chief)
    show(going, pose(77, 3))
    with refused("balls_waiting"):
        finish(going, evening)
    enrolments_and_roll_calls.dismiss(enrolment=going, stay=77, by=chief)
    assert finish(going, evening).found["pictures"] == 30


@pytest.mark.slow
@pytest.mark.rule(23)
def test_roll_call_needs_no_name_for_what_is_read(evening: Evening) -> None:
    going = begun(evening, "opening")
    show(going, *(pose(number, number) for number in NUMBERS))
    who = evening.who(Role.CALLER)
    entry = enrolments_and_roll_calls.call(enrolment=going, key=uuid4(), **who)
    assert entry.kind == "balls_called"
    assert entry.data == {
        "ball_set": "T-30", "when": "opening", "source": "camera", "seen": list(NUMBERS),
        "missing": [], "foreign": [],
    }  # fmt: skip
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(23)
@pytest.mark.rule(26)
def test_ball_put_in_since_the_balls_were_shown_has_to_run_past_too(evening: Evening) -> None:
    going = begun(evening, "opening")
    show(going, *(pose(number, number) for number in NUMBERS))
    ball_sets.replace_ball(
        ball_set=going.ball_set, number=7, reason="Rachada", **evening.who(Role.HALL_MANAGER)
    )
    with refuses("changed_meanwhile"):
        enrolments_and_roll_calls.call(enrolment=going, key=uuid4(), **evening.who(Role.CALLER))


@pytest.mark.slow
@pytest.mark.rule(23)
def test_roll_call_tells_what_is_missing_and_what_is_foreign(
    evening: Evening, chief: Person
) -> None:
    going = begun(evening, "closing")
    show(going, *(pose(number, number) for number in NUMBERS if number != 12))
    strange = ReadingVerdict(None, 0.9, None, (), "out_of_range")
    show(going, pose(50, None, plain=strange, padded=strange, guess=31))
    (waits,) = enrolment_queries.progress(going).waiting
    assert (waits.guess, waits.reason) == (31, "out_of_range")
    with refused("balls_waiting"):
        enrolments_and_roll_calls.call(enrolment=going, key=uuid4(), **evening.who(Role.CALLER))
    enrolments_and_roll_calls.name(enrolment=going, stay=50, number=31, by=chief)
    data = enrolments_and_roll_calls.call(
        enrolment=going, key=uuid4(), **evening.who(Role.CALLER)
    ).data
    assert (data["missing"], data["foreign"]) == ([12], [31])


def test_ball_whose_way_up_nobody_can_tell_is_proposed_as_no_number(
    evening: Evening, chief: Person
) -> None:
    going = begun(evening, "opening")
    unmarked = ReadingVerdict(None, 0.97, 9, ((6, 0.97), (9, 0.01)), "no_mark")
    show(going, pose(6, None, plain=unmarked, padded=unmarked, guess=6))
    (waits,) = enrolment_queries.progress(going).waiting
    assert (waits.guess, waits.read, waits.reason) == (None, None, "no_mark")


def test_ball_that_passes_twice_in_a_roll_call_waits(evening: Evening) -> None:
    going = begun(evening, "opening")
    show(going, pose(1, 7), pose(2, 7))
    found = enrolment_queries.progress(going)
    assert [one.stay for one in found.waiting] == [2]
    assert (found.agreeing, found.named) == (1, 1)


def test_number_that_the_set_has_not_is_no_enrolled_ball(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show(going, pose(1, 7))
    with refused("ball_not_in_set"):
        enrolments_and_roll_calls.name(enrolment=going, stay=1, number=31, by=chief)


def test_two_at_once_before_one_camera_are_refused(evening: Evening) -> None:
    begun(evening)
    with refused("enrolment_goes_on"):
        begun(evening)


def test_camera_that_knows_no_place_is_refused(evening: Evening) -> None:
    camera_of(evening, settings={})
    with refused("camera_not_calibrated"):
        begun(evening)


@pytest.mark.slow
def test_camera_of_a_game_being_drawn_is_refused(evening: Evening) -> None:
    filmed_balls.filmed(evening)
    for format in (90, None):
        camera_of(evening, format=format)
        with refused("camera_in_game"):
            begun(evening)


def test_camera_of_another_format_is_free_while_a_game_is_drawn(evening: Evening) -> None:
    filmed_balls.filmed(evening)
    camera_of(evening, format=30)
    assert begun(evening).ended_at is None


@pytest.mark.parametrize("role", [Role.CASHIER, Role.CALLER, Role.INSPECTOR])
def test_enrolling_is_for_who_answers_for_the_balls(evening: Evening, role: Role) -> None:
    camera, balls = camera_of(evening), set_of(evening)
    who = evening.who(role) | {"key": uuid4()}
    with refused("not_allowed"):
        enrolments_and_roll_calls.begin(camera=camera, ball_set=balls, purpose="enrol", **who)


def test_given_up_leaves_nothing_certified(evening: Evening, chief: Person) -> None:
    going = begun(evening)
    show(going, pose(1, 7))
    enrolments_and_roll_calls.give_up(enrolment=going, **evening.who(Role.HALL_MANAGER))
    assert show(going, pose(2, 8)) == [None]
    assert Certificate.objects.count() == 0
    with refused("enrolment_over"):
        enrolments_and_roll_calls.name(enrolment=going, stay=1, number=7, by=chief)


@pytest.mark.slow
@pytest.mark.parametrize(("registered", "right"), [(True, (30, 0)), (False, (21, 1))])
def test_set_that_prints_zeros_is_measured_as_it_is_registered(
    evening: Evening, chief: Person, *, registered: bool, right: tuple[int, int]
) -> None:
    set_of(evening, zeros=registered)
    going = begun(evening)
    show_all(going, chief, leave=tuple(range(1, 10)))
    for number in range(1, 10):
        nothing = ReadingVerdict(None, 0.05, None, (), "blank")
        upside_down = ReadingVerdict(10, 0.995, None, ((10, 0.995),), "")
        plain = upside_down if number == 1 else nothing
        show(going, pose(number, number, plain=plain))
        enrolments_and_roll_calls.name(enrolment=going, stay=number, number=number, by=chief)
    page = f"/cameras/shown/{going.pk}/do/certify/"
    with translation.override("pt"):
        amiss = camera_certificate.zeros_words(True, registered=False)
    answer = evening.at("manager").post(page, {"key": str(uuid4())}, follow=True)
    made = Certificate.objects.get()
    assert (made.found["zeros"], (made.found["right"], made.found["wrong"])) == (True, right)
    assert (made.threshold == 0) is not registered
    assert (amiss in html.unescape(answer.content.decode())) is not registered


def test_key_of_an_enrolment_begins_no_other(evening: Evening) -> None:
    first, key = camera_of(evening), uuid4()
    used, who = set_of(evening), evening.who(Role.HALL_MANAGER)
    made = enrolments_and_roll_calls.begin(
        camera=first, ball_set=used, purpose="enrol", key=key, **who
    )
    assert (
        enrolments_and_roll_calls.begin(
            camera=first, ball_set=used, purpose="enrol", key=key, **who
        )
        == made
    )
    second = camera_of(evening, name="Segunda")
    other = ball_sets.register(hall=evening.hall, serial="T-31", format=30, **who)
    somebody = evening.hall.people.filter(roles=[Role.HALL_MANAGER]).latest("username")
    asked: dict[str, Any] = {"camera": first, "ball_set": used, "purpose": "enrol", "key": key}
    asked |= who
    others: list[dict[str, Any]] = [
        {"camera": second}, {"ball_set": other}, {"purpose": "opening"}, {"by": somebody},
    ]  # fmt: skip
    for changed in others:
        with refuses("key_reused"):
            enrolments_and_roll_calls.begin(**(asked | changed))
    assert Enrolment.objects.get() == made
