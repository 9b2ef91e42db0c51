"""The pages of balls and equipment: who reads, who orders, what is refused in words."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client

from bingo.rules import rulebooks
from draws.record.audit import audit
from halls.equipment import check_before_session
from halls.models import BallSet, Breakdown, Device, EquipmentCheck, Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.ball_sets import (
    SERIAL,
    ball_set,
    break_down,
    checked,
    device,
    own,
    the_set,
    use_set,
    waive,
)
from tests.support.drawn_pages import drawn
from tests.support.evening import Evening, books, browser_of, order
from tests.support.planting_rows import plant
from tests.support.till_hall import second_person

pytestmark = pytest.mark.django_db

PATH = "/equipment/"
CHECK, STATISTICS = "/equipment/check/", "/equipment/statistics/"
READS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITES = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
HUGE = "9" * 20
SET: dict[str, str] = {
    "serial": SERIAL, "format": "90", "maker": "Bolas, Lda.", "model": "", "approval": "",
    "authority": "", "approved_on": "", "approved_until": "",
    "marks": "6, 9 66", "zeros": "on", "games": "12",
}  # fmt: skip


def send(client: Client, path: str, verb: str, **fields: object) -> HttpResponse:
    """Send an order to a page."""
    sent = {"key": str(uuid4())} | {name: str(value) for name, value in fields.items()}
    answer: HttpResponse = client.post(f"{path}do/{verb}/", sent)  # type: ignore[assignment]
    return answer


def page(client: Client, path: str, **query: str | int) -> str:
    """Read a page."""
    answer: Any = client.get(path, query)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def set_path(evening: Evening) -> str:
    """Where the set's page is."""
    return f"{PATH}sets/{the_set(evening).pk}/"


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_pages_are_shown_to_those_who_look_after_the_equipment_alone() -> None:
    evening = Evening()
    own(ball_set)(evening)
    for role in Role:
        client = browser_of(evening.person(role))
        for path in (PATH, CHECK, STATISTICS, set_path(evening)):
            assert client.get(path).status_code == (200 if role in READS else 403), (role, path)
        answer = send(client, CHECK, "tick", kind="camera", name="", found="works", note="")
        assert answer.status_code == (302 if role in WRITES else 403), role
    assert Client().get(PATH).status_code == 302


@pytest.mark.slow
def test_inspector_is_shown_nothing_to_press() -> None:
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    for path in (PATH, CHECK, set_path(evening)):
        assert "/do/" not in page(evening.at("inspector"), path), path
        assert "/do/" in page(evening.at("manager"), path), path


def test_set_of_another_hall_is_not_found() -> None:
    evening, other = Evening(), Evening("outra")
    own(ball_set)(other)
    path = set_path(other)
    assert evening.at("manager").get(path).status_code == 404
    assert send(evening.at("manager"), path, "use", extractor="").status_code == 404
    assert SERIAL not in page(evening.at("manager"), STATISTICS, ball_set=the_set(other).pk)


@pytest.mark.rule(22)
def test_set_is_registered_and_put_in_use_by_its_pages() -> None:
    evening = Evening()
    own(device)(evening)
    client = evening.at("manager")
    answer: Any = send(client, PATH, "register-set", **SET)
    assert (answer.status_code, answer["Location"]) == (302, set_path(evening))
    found = the_set(evening)
    assert (found.marks, found.zeros, found.games, found.maker) == (
        [6, 9, 66],
        True,
        12,
        "Bolas, Lda.",
    )
    machine = Device.objects.get()
    assert send(client, set_path(evening), "use", extractor=machine.pk).status_code == 302
    assert (the_set(evening).standing, the_set(evening).extractor) == ("in_use", machine)
    shown = page(client, PATH)
    assert "12" in shown
    assert 'class="wear__worn' in shown


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("serial", ("", "x" * 41, "x\x00")),
        ("format", ("", "89", "x", HUGE)),
        ("marks", ("x", "6;91", "1000", "-6", "6.5", "x" * 600)),
        ("games", ("", "-1", "100001", HUGE, "1e3")),
        ("maker", ("x" * 61,)),
    ],
)
def test_bad_field_of_a_set_is_refused_in_words(field: str, values: tuple[str, ...]) -> None:
    evening = Evening()
    client, before = evening.at("manager"), books(evening.hall)
    for bad in values:
        answer = send(client, PATH, "register-set", **(SET | {field: bad}))
        shown = answer.content.decode()
        assert answer.status_code == 409, bad
        assert 'role="alert"' in shown
        assert f'value="{SET["approval"]}"' in shown
    assert (BallSet.objects.count(), books(evening.hall)) == (0, before)


@pytest.mark.slow
@pytest.mark.rule(25)
def test_worn_set_is_warned_of_and_then_refused() -> None:
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    client = evening.at("manager")
    for games, mark in ((1000, None), (1900, "wear__worn--warned"), (2000, "wear__worn--over")):
        BallSet.objects.update(games=games)
        shown = page(client, PATH)
        assert ("wear__worn--" in shown) == (mark is not None)
        assert mark is None or mark in shown
    evening.reach("prepared")
    answer = evening.at("caller").post("/caller/do/announce-sale/", {"key": str(uuid4())})
    assert answer.status_code == 409
    assert 'data-code="ball_set_worn"' in answer.content.decode()


@pytest.mark.slow
@pytest.mark.rule(26)
def test_ball_is_replaced_inspected_and_called_by_the_set_s_page() -> None:
    evening = Evening()
    own(ball_set)(evening)
    client, path = browser_of(evening.person(Role.TABLE_CHIEF)), set_path(evening)
    told = {"number": 7, "reason": "Rachada", "old": "1", "new": "2"}
    assert send(client, path, "replace-ball", **told).status_code == 302
    assert send(client, path, "inspect", found="unfit", note="Leve").status_code == 302
    assert not the_set(evening).fit
    call = {"when": "opening", "missing": "7", "foreign": "91"}
    assert send(client, path, "call", **call).status_code == 302
    data = JournalEntry.objects.get(kind="balls_called").data
    assert (data["missing"], data["foreign"], data["source"]) == ([7], [91], "by_hand")
    shown = page(client, path)
    assert "Rachada" in shown
    assert "Leve" in shown
    for verb, bad in (
        ("replace-ball", told | {"number": "91"}),
        ("replace-ball", told | {"reason": ""}),
        ("inspect", {"found": "unfit", "note": ""}),
        ("inspect", {"found": "perhaps", "note": "x"}),
        ("call", call | {"when": "lunch"}),
        ("call", call | {"missing": "sete"}),
        ("retire", {"reason": "x", "sure": "on"}),
        ("use", {"extractor": HUGE}),
        ("use", {"extractor": ""}),
        ("fly", {}),
    ):
        assert send(client, path, verb, **bad).status_code == 409, (verb, bad)


@pytest.mark.rule(32)
def test_overview_does_not_say_that_everything_works_where_something_was_let_pass() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    own(waive)(evening)
    shown = page(evening.at("manager"), PATH)
    assert "tudo funciona" not in shown
    assert "o que não funcionava está resolvido" in shown


def test_equipment_retired_by_a_form_sent_twice_is_retired_once() -> None:
    evening = Evening()
    own(device)(evening)
    client, machine = evening.at("manager"), Device.objects.get()
    told: dict[str, Any] = {"equipment": machine.pk, "reason": "Gasto", "key": uuid4()}
    for _time in range(2):
        assert send(client, PATH, "retire-device", **told, sure="on").status_code == 302
    assert JournalEntry.objects.filter(kind="device_retired").count() == 1
    for verb in ("retire-device", "break-down"):
        answer = send(client, PATH, verb, **(told | {"key": uuid4()}), sure="on")
        assert 'data-code="unknown_device"' in answer.content.decode()


@pytest.mark.rule(23)
@pytest.mark.parametrize("missing", ["", "45"])
def test_ball_of_another_set_with_a_number_of_this_one_is_noted(missing: str) -> None:
    evening = Evening()
    own(ball_set)(evening)
    client, path = browser_of(evening.person(Role.TABLE_CHIEF)), set_path(evening)
    call = {"when": "opening", "missing": missing, "foreign": "45"}
    assert send(client, path, "call", **call).status_code == 302
    data = JournalEntry.objects.get(kind="balls_called").data
    assert (data["missing"], data["foreign"]) == ([45] if missing else [], [45])
    assert audit(Hall.objects.get()) == []
    answer = send(client, path, "call", **(call | {"missing": "91"}))
    assert 'data-code="ball_not_in_set"' in answer.content.decode()


def test_what_does_not_come_back_is_asked_about_first() -> None:
    evening = Evening()
    own(device, ball_set)(evening)
    client, machine = evening.at("manager"), Device.objects.get()
    answer = send(client, set_path(evening), "retire", reason="Gasto")
    assert 'data-code="not_confirmed"' in answer.content.decode()
    answer = send(client, PATH, "retire-device", equipment=machine.pk, reason="Gasto")
    assert 'data-code="not_confirmed"' in answer.content.decode()
    assert the_set(evening).standing == "kept"


@pytest.mark.rule(61)
@pytest.mark.slow
def test_breakdown_is_noted_and_ended_by_the_page() -> None:
    evening = Evening().reach("session")
    own(device)(evening)
    client, machine = evening.at("manager"), Device.objects.get()
    assert send(client, PATH, "break-down", equipment=machine.pk, reason="Pó").status_code == 302
    broken = Breakdown.objects.get()
    assert "Pó" in page(client, PATH)
    assert send(client, PATH, "mend", breakdown=broken.pk, remedy="Limpo").status_code == 302
    again = send(client, PATH, "mend", breakdown=broken.pk, remedy="Limpo")
    assert 'data-code="breakdown_over"' in again.content.decode()
    other = Evening("outra")
    own(device, break_down)(other)
    theirs = Breakdown.objects.latest("pk")
    for verb, fields in (
        ("mend", {"breakdown": theirs.pk, "remedy": "x"}),
        ("break-down", {"equipment": theirs.device_id, "reason": "x"}),
    ):
        assert send(client, PATH, verb, **fields).status_code == 409, verb


@pytest.mark.slow
@pytest.mark.rule(32)
def test_check_is_ticked_item_by_item_and_watched_by_all() -> None:
    evening = Evening()
    client, stranger = evening.at("manager"), Client()
    watched = f"/board/{evening.hall.code}/check/"
    items = check_before_session.due(evening.hall)
    for kind, name in items:
        if kind == "rng":
            continue
        found = "fails" if kind == "sound" else "works"
        told = {"kind": kind, "name": name, "found": found, "note": "Chia <b>"}
        assert send(client, CHECK, "tick", **told).status_code == 302
    shown = page(stranger, watched)
    assert (shown.count("checklist__item--works"), shown.count("checklist__item--fails")) == (
        len(items) - 1,
        1,
    )
    assert "Chia &lt;b&gt;" in shown
    assert evening.person(Role.HALL_MANAGER).name not in shown
    assert send(client, CHECK, "finish").status_code == 302
    assert not EquipmentCheck.objects.get().passed
    assert "checklist__item--fails" in page(stranger, watched)
    assert stranger.get("/board/nowhere/check/").status_code == 404
    assert stranger.post(watched).status_code == 405


@pytest.mark.slow
@pytest.mark.rule(32)
def test_manager_opens_the_session_on_the_check() -> None:
    evening = Evening()
    manager = evening.at("manager")
    opening = "/manager/do/open-session/"

    def refused(**fields: str) -> str:
        sent = {"key": str(uuid4()), "ends": evening.hour(), **fields}
        answer = manager.post(opening, sent)
        assert answer.status_code == 409
        return str(answer.content.decode())

    assert 'id="checked"' not in page(manager, "/manager/")
    # Nobody's word stands for the check.
    assert 'data-code="equipment_not_checked"' in refused(checked="on")
    checked(evening, failed="sound")
    assert 'id="in-the-way"' in page(manager, "/manager/")
    told = refused(checked="on")
    assert 'data-code="equipment_fails"' in told
    assert "Avariado" in told
    assert 'data-key="F2"><span>Abrir a sessão…' not in page(manager, "/equipment/check/")
    checked(evening)
    assert 'id="in-the-way"' not in page(manager, "/manager/")
    assert 'data-key="F2"><span>Abrir a sessão…' in page(manager, "/equipment/check/")
    assert "Abrir a sessão…" not in page(evening.at("table"), "/equipment/check/")
    opened = manager.post(opening, {"key": str(uuid4()), "ends": evening.hour()})
    assert opened.status_code == 200
    assert evening.session.state["terms"]["checked"]


@pytest.mark.slow
def test_rule_book_without_a_check_takes_the_manager_s_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening()
    book = rulebooks.get(evening.hall.rulebook)
    free = {book.code: replace(book, check_rule="")}
    monkeypatch.setattr(rulebooks, "RULEBOOKS", free)
    checked(evening, failed="sound")
    manager = evening.at("manager")
    sent = {"key": str(uuid4()), "checked": "on", "ends": evening.hour()}
    assert manager.post("/manager/do/open-session/", sent).status_code == 200


@pytest.mark.slow
@pytest.mark.rule(32)
def test_failing_item_is_let_pass_by_the_hall_manager_alone_and_for_a_reason() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    item, witness = {"kind": "sound", "name": ""}, second_person(evening)
    manager, chief = evening.at("manager"), browser_of(evening.person(Role.TABLE_CHIEF))
    assert 'name="reason"' in page(manager, CHECK)
    assert 'name="reason"' not in page(chief, CHECK)
    for client, fields, code in (
        (chief, item | {"reason": "Megafone"}, "not_allowed"),
        (manager, item | witness | {"reason": " "}, "reason_missing"),
        (manager, witness | {"kind": "camera", "name": "", "reason": "x"}, "item_not_failing"),
    ):
        answer = send(client, CHECK, "waive", **fields)
        assert f'data-code="{code}"' in answer.content.decode(), code
    alone = send(manager, CHECK, "waive", **item, reason="Megafone")
    assert 'data-code="second_person_needed"' in alone.content.decode()
    assert send(manager, CHECK, "waive", **item, reason="Megafone", **witness).status_code == 302
    shown = page(manager, "/manager/")
    assert "Megafone" in shown
    assert 'id="in-the-way"' not in shown
    opened = order(manager, "manager", "open-session", ends=evening.hour())
    assert opened.status_code == 200


@pytest.mark.slow
@pytest.mark.rule(32)
def test_rng_is_an_item_that_passes_or_fails_by_itself(
    tmp_path: Path, settings: LazySettings
) -> None:
    evening = Evening()
    manager = evening.at("manager")
    answer = send(manager, CHECK, "tick", kind="rng", name="", found="works", note="")
    assert 'data-code="item_tests_itself"' in answer.content.decode()
    assert send(manager, CHECK, "tick-rest").status_code == 302
    there = settings.RNG_DIR
    settings.RNG_DIR = tmp_path / "rng"
    assert "checklist__item--fails" in page(manager, CHECK)
    assert send(manager, CHECK, "finish").status_code == 302
    done = EquipmentCheck.objects.get()
    assert [one["note"] for one in done.items if one["ok"] is False] == ["rng_not_running"]
    refused = order(manager, "manager", "open-session", ends=evening.hour())
    assert 'data-code="equipment_fails"' in refused.content.decode()
    # It is there again: the check is ended once more, and nothing else is looked at anew.
    settings.RNG_DIR = there
    assert send(manager, CHECK, "finish").status_code == 302
    assert EquipmentCheck.objects.latest("pk").passed
    assert order(manager, "manager", "open-session", ends=evening.hour()).status_code == 200


@pytest.mark.slow
def test_rng_that_a_hall_does_not_draw_from_may_be_off(
    tmp_path: Path, settings: LazySettings
) -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="by_hand", **evening.who(Role.HALL_MANAGER))
    settings.RNG_DIR = tmp_path / "rng"
    manager = evening.at("manager")
    for verb in ("tick-rest", "finish"):
        assert send(manager, CHECK, verb).status_code == 302
    done = EquipmentCheck.objects.get()
    assert done.passed
    assert {"kind": "rng", "name": "", "ok": None, "note": ""} in done.items


@pytest.mark.slow
def test_statistics_name_the_planted_ball_and_leave_the_fair_set_alone() -> None:
    evening = Evening().reach("session")
    own(
        ball_set,
        lambda e, w: ball_set(e, w, serial="B-0018"),
        lambda e, w: use_set(e, w, serial="B-0018", extractor=None),
    )(evening)
    drawn(evening, 60, ball_set=the_set(evening), heavy=17)
    drawn(evening, 60, ball_set=the_set(evening, "B-0018"))
    client = evening.at("inspector")
    crooked = page(client, STATISTICS, ball_set=the_set(evening).pk)
    fair = page(client, STATISTICS, ball_set=the_set(evening, "B-0018").pk)
    assert 'id="alarm"' in crooked
    assert crooked.count("plot__bar--outside") == 1
    assert 'id="fair"' in fair
    assert "plot__bar--outside" not in fair
    assert f"?ball_set={the_set(evening).pk}" not in page(client, PATH)
    use_set(evening, evening.who(Role.HALL_MANAGER), extractor=None)
    assert f"?ball_set={the_set(evening).pk}" in page(client, PATH)


@pytest.mark.slow
def test_statistics_are_given_as_files() -> None:
    evening = Evening().reach("session")
    own(ball_set)(evening)
    drawn(evening, 40, ball_set=the_set(evening))
    drawn(evening, 5, source="rng")
    client = evening.at("inspector")
    query = {"ball_set": the_set(evening).pk}
    rows = list(csv.DictReader(io.StringIO(page(client, f"{STATISTICS}balls.csv", **query))))
    assert [row["number"] for row in rows] == [str(number) for number in range(1, 91)]
    assert sum(int(row["drawn"]) for row in rows) == 40 * 55
    answer: Any = client.get(f"{STATISTICS}balls.json", query)
    data = answer.json()
    assert (data["games"], data["balls"], data["alarm"]) == (40, 2200, False)
    everything: Any = client.get(f"{STATISTICS}balls.json").json()
    assert everything["games"] == 45
    assert client.get(f"{STATISTICS}balls.json", {"source": "rng"}).json()["games"] == 5
    for role, status in ((Role.CASHIER, 403), (Role.HALL_MANAGER, 200)):
        assert browser_of(evening.person(role)).get(f"{STATISTICS}balls.csv").status_code == status


def test_statistics_of_the_calendars_first_and_last_day_are_empty() -> None:
    evening = Evening()
    for zone in ("Atlantic/Cape_Verde", "Europe/Madrid"):
        plant(Hall.objects.all(), time_zone=zone)
        for asked in ({"since": "0001-01-01"}, {"until": "9999-12-31"}):
            assert "plot__bar" not in page(evening.at("manager"), STATISTICS, **asked)


@pytest.mark.slow
def test_odd_questions_to_the_statistics_are_left_out() -> None:
    evening = Evening().reach("session")
    client = evening.at("inspector")
    for query in (
        {"ball_set": "x"}, {"ball_set": HUGE}, {"format": "89"}, {"source": "dice"},
        {"since": "2026-13-40"}, {"until": "x\x00"}, {"extractor": "١"},
    ):  # fmt: skip
        page(client, STATISTICS, **query)
    drawn(evening, 2)
    assert 'id="too-few"' in page(client, STATISTICS)
    assert "plot__bar" not in page(client, STATISTICS, since="2999-01-01")
    assert "plot__bar" not in page(client, STATISTICS, until="1999-01-01")
