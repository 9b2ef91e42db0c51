"""The security log: what is told, what never is, and that nobody waits for a receiver."""

from __future__ import annotations

import json
import logging
import re
import socket
import ssl
import stat
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.utils import timezone

from bingo import log_sinks
from halls import security_log, staff
from halls.models import Role
from halls.sign_in import factors
from tests.support.evening import Evening, browser_of
from tests.support.factors import asking

SECRET = "uma palavra bem secreta 1979"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> Path:
    """A folder of data of this test alone."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def told() -> list[dict[str, Any]]:
    """What the log tells, the oldest first."""
    place = security_log.file()
    return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


def events() -> list[str]:
    return [one["event"] for one in told()]


@pytest.mark.django_db
def test_login_failure_and_logout_are_told_with_person_role_address_and_request() -> None:
    evening = Evening()
    person = evening.person(Role.CASHIER)
    person.set_password(SECRET)
    person.save(update_fields=["password"])
    client = Client(REMOTE_ADDR="192.0.2.7", HTTP_X_REQUEST_ID="abc-12345678")
    sent = {"username": person.username, "password": SECRET}
    client.post("/login/", sent | {"password": "wrong"})
    client.post("/login/", sent)
    client.post("/logout/")
    assert events() == ["login_failed", "login", "logout"]
    for one in told():
        assert list(one)[:7] == list(security_log.ALWAYS)
        assert (one["person"], one["role"], one["hall"]) == (
            person.username, ["cashier"], evening.hall.code,
        )  # fmt: skip
        assert (one["address"], one["request"]) == ("192.0.2.7", "abc-12345678")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", one["time"])
    place = security_log.file()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert SECRET not in place.read_text()


@pytest.mark.django_db
def test_which_factor_let_somebody_in_is_told_and_by_what_a_lock_was_opened() -> None:
    evening = Evening()
    asking(evening.hall)
    manager = evening.person(Role.HALL_MANAGER)
    browser_of(manager)  # adds an app, and shows it
    manager.refresh_from_db()
    manager.set_password(SECRET)
    manager.save(update_fields=["password"])
    client = Client()
    client.post("/login/", {"username": manager.username, "password": SECRET})
    [code, *_rest] = factors.make_codes(person=manager, at=timezone.now())
    client.post("/sign-in/prove/", {"code": "000000"})
    client.post("/sign-in/prove/", {"code": code})
    client.post("/sign-in/lock/")
    client.post("/sign-in/unlock/", {"password": SECRET})
    ways = [(one["event"], one.get("by")) for one in told()]
    assert ways == [
        ("factor_shown", "totp"), ("login", None), ("factor_failed", None),
        ("factor_shown", "recovery_code"), ("unlocked", "password"),
    ]  # fmt: skip
    assert code not in security_log.file().read_text()


@pytest.mark.django_db
def test_name_of_nobody_is_not_kept_and_a_foreign_request_name_is_made_anew() -> None:
    Client(HTTP_X_REQUEST_ID='x"\n{"event"').post("/login/", {"username": SECRET, "password": "x"})
    [one] = told()
    assert (one["event"], one["person"], one["hall"]) == ("login_failed", "", "")
    assert re.fullmatch("[0-9a-f]{16}", one["request"])
    assert SECRET not in security_log.file().read_text()


@pytest.mark.django_db
def test_locked_name_is_told() -> None:
    person = Evening().person(Role.CASHIER)
    for _each in range(6):
        Client().post("/login/", {"username": person.username, "password": "wrong"})
    assert "locked_out" in events()


@pytest.mark.django_db(transaction=False)
def test_refused_order_foreign_page_and_second_person_are_told() -> None:
    evening = Evening()
    cashier = evening.at("till")
    cashier.post("/till/do/sell/", {"key": str(uuid4()), "quantity": "1"})
    cashier.get("/staff/")
    kinds = [(one["event"], one.get("code", one.get("path"))) for one in told()]
    assert [kind for kind, _more in kinds] == ["refused", "forbidden"]
    assert kinds[1][1] == "/staff/"
    assert all(one["person"] == evening.person(Role.CASHIER).username for one in told())


@pytest.mark.django_db
def test_form_of_another_site_is_told() -> None:
    Client(enforce_csrf_checks=True).post("/login/", {"username": "x", "password": "x"})
    assert events() == ["form_refused"]


@pytest.mark.slow
@pytest.mark.django_db
def test_forms_refused_without_end_push_no_login_out() -> None:
    """Ten files of ten megabytes would be full of them in an hour."""
    client = Client(enforce_csrf_checks=True)
    for _each in range(120):
        client.post("/login/", {"username": "x", "password": "x"})
    assert [one.get("count") for one in told()] == [None] * security_log.FEW + [100]
    # Another address is told of all the same.
    Client(enforce_csrf_checks=True, REMOTE_ADDR="192.0.2.9").post("/login/")
    assert told()[-1]["address"] == "192.0.2.9"
    # What is no refusal is never counted away.
    for _each in range(security_log.FEW + 5):
        security_log.record("login_failed")
    assert events().count("login_failed") == security_log.FEW + 5


def test_refusals_of_many_addresses_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = RequestFactory()
    for number in range(1_100):
        address = f"10.0.{number // 250}.{number % 250}"
        security_log.record("form_refused", request=asked.get("/", REMOTE_ADDR=address), path="/")
    assert [one.get("count") for one in told()] == [None] * security_log.OF_ALL + [1_000]
    monkeypatch.setattr(security_log, "KNOWN", 0)
    security_log.record("form_refused", request=asked.get("/", REMOTE_ADDR="192.0.2.1"), path="/")
    assert len(told()) == security_log.OF_ALL + 1


@pytest.mark.django_db
def test_login_that_has_run_out_is_told_once() -> None:
    evening = Evening()
    cashier = evening.at("till")
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    for _each in range(2):
        assert cashier.get("/till/").status_code == 302
    assert events() == ["session_expired"]
    assert told()[0]["person"] == evening.person(Role.CASHIER).username


@pytest.mark.django_db
def test_change_of_rights_is_told_when_it_is_done_and_not_before(
    django_capture_on_commit_callbacks: Any,
) -> None:
    evening = Evening()
    other = evening.person(Role.CALLER)
    with django_capture_on_commit_callbacks(execute=True):
        staff.set_roles(
            hall=evening.hall, username=other.username, name=other.name,
            roles=[Role.CASHIER], **evening.who(Role.HALL_MANAGER), key=uuid4(),
        )  # fmt: skip
        assert events() == []
    [one] = told()
    assert (one["event"], one["change"], one["of"], one["roles"]) == (
        "rights_changed", "set", other.username, ["cashier"],
    )  # fmt: skip


def test_values_break_no_line_and_are_cut() -> None:
    bad = '\r\n{"event": "login"}\x00\x1b[31m\u2028' + "x" * 999
    security_log.record("forbidden", request=RequestFactory(REMOTE_ADDR=bad).get("/"), path=bad)
    content = security_log.file().read_bytes()
    assert content.count(b"\n") == 1
    assert not any(byte < 0x20 for byte in content.rstrip(b"\n"))
    assert content.isascii()
    assert len(told()[0]["path"]) == security_log.LONGEST


@pytest.mark.parametrize(
    ("event", "fields"), [("anything", {}), ("login", {"password": "x"}), ("login", {"token": "x"})]
)
def test_event_or_field_that_is_not_in_the_table_is_refused(
    event: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="EVENTS"):
        security_log.record(event, **fields)


def test_every_event_is_told_somewhere_and_stands_in_the_documentation() -> None:
    code = "".join(
        path.read_text() for app in ("halls", "draws") for path in (ROOT / app).rglob("*.py")
    )
    documented = (ROOT / "docs" / "operations.md").read_text()
    for event, known in security_log.EVENTS.items():
        assert code.count(f'"{event}"') > 1, event
        assert f"| `{event}` |" in documented, event
        for field in known.fields:
            assert f"`{field}`" in documented, (event, field)


def test_file_is_set_aside_when_it_is_full_and_no_line_is_lost(tmp_path: Path) -> None:
    place = tmp_path / "log"
    handlers = [log_sinks.RotatedFile(place, largest=1000, kept=50) for _each in range(4)]

    def write(handler: log_sinks.RotatedFile) -> None:
        for number in range(50):
            record = logging.LogRecord("x", 20, "", 0, f"{number:060}", None, None)
            handler.handle(record)

    threads = [threading.Thread(target=write, args=[one]) for one in handlers]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    files = [place, *tmp_path.glob("log.[0-9]*")]
    assert len(files) > 5
    assert sum(len(one.read_text().splitlines()) for one in files) == 200
    assert all(one.stat().st_size <= 1000 and one.stat().st_mode & 0o77 == 0 for one in files)


@pytest.mark.slow
def test_receiver_that_does_not_answer_slows_nobody(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=1) as silent:
        settings.SECURITY_LOG_TO = f"https://127.0.0.1:{silent.getsockname()[1]}/x"
        begun = time.monotonic()
        for _each in range(3 * log_sinks.WAITING):
            security_log.record("logout")
        assert (time.monotonic() - begun) / (3 * log_sinks.WAITING) < 0.005
    assert len(told()) == 3 * log_sinks.WAITING


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["syslog+udp", "syslog+tcp"])
def test_lines_reach_a_receiver(settings: Any, scheme: str) -> None:
    kind = socket.SOCK_DGRAM if scheme.endswith("udp") else socket.SOCK_STREAM
    with socket.socket(socket.AF_INET, kind) as receiver:
        receiver.settimeout(10)
        receiver.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            receiver.listen()
        settings.SECURITY_LOG_TO = f"{scheme}://127.0.0.1:{receiver.getsockname()[1]}"
        security_log.record("logout")
        if kind == socket.SOCK_STREAM:
            came, _from = receiver.accept()
            with came:
                line = came.recv(4096)
                length, _space, line = line.partition(b" ")
                assert int(length) == len(line)
        else:
            line = receiver.recv(4096)
    assert line.startswith(b"<85>1 ")
    assert json.loads(line[line.index(b"{") :])["event"] == "logout"


def test_address_of_no_known_kind_is_refused() -> None:
    assert ssl.create_default_context().check_hostname
    for address in (
        "http://x", "syslog+udp://", "x", "syslog+tcp:log.example:601", "https://x:0", "https://x:y",
        "https://x:99999",
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"is none of|^Port "):
            log_sinks.Elsewhere(address)


def test_receiver_whose_name_nobody_can_look_up_is_counted_and_stops_nobody(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sending = log_sinks.Elsewhere(f"syslog+udp://{'a' * 70}.example")
    sending.emit(logging.makeLogRecord({"msg": "{}"}))
    assert (sending.lost, "is not sent on" in capsys.readouterr().err) == (1, True)


@pytest.mark.django_db
def test_page_shows_the_hall_s_own_events_to_manager_and_inspector_and_filters_them() -> None:
    evening, other = Evening(), Evening("outra")
    cashier, caller = evening.person(Role.CASHIER), evening.person(Role.CALLER)
    security_log.record("login", person=cashier)
    security_log.record("logout", person=caller)
    security_log.record("login", person=other.person(Role.CASHIER))
    for desk in ("manager", "inspector"):
        page = evening.at(desk).get("/security-log/").content.decode()
        assert cashier.username in page
        assert caller.username in page
        assert other.person(Role.CASHIER).username not in page
    manager = evening.at("manager")
    shown = manager.get("/security-log/", {"event": "logout"}).context["events"]
    assert [one["person"] for one in shown] == [caller.username]
    shown = manager.get("/security-log/", {"person": cashier.username}).context["events"]
    assert {one["event"] for one in shown} <= {"login"}
    gone = manager.get("/security-log/", {"day": "2001-01-01"}).context["events"]
    assert gone == []
    for bad in ("2026-99-99", "\x00", "x" * 5000):
        assert manager.get("/security-log/", {"day": bad, "event": bad}).status_code == 200
    assert evening.at("till").get("/security-log/").status_code == 403


@pytest.mark.django_db
def test_events_of_a_day_are_shown_though_the_clock_was_set_back_behind_it_since() -> None:
    evening = Evening()
    person = evening.person(Role.CASHIER)
    security_log.record("login", person=person)
    place, back = security_log.file(), timezone.now() - timedelta(days=2)
    line = told()[-1] | {"event": "logout", "time": back.isoformat()}
    place.write_text(f"{place.read_text()}{json.dumps(line)}\n")
    today = evening.today.isoformat()
    shown = evening.at("manager").get("/security-log/", {"day": today}).context["events"]
    assert ("login", person.username) in {(one["event"], one["person"]) for one in shown}
    assert "logout" not in {one["event"] for one in shown}
