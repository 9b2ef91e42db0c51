"""Whatever is typed, sent or asked, no page breaks: every address with values that nobody means.

What stands in the fields is drawn by a seed: a value that a page offers itself, or one that no field
expects. An order may come to something or be refused; it never ends in an error of ours.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from PIL import Image

from bingo.asgi import application
from draws.balls.views import ball_trial
from draws.boards import views as boards_views
from draws.cards.views import series
from draws.desks.table import claims
from halls.models import Role
from tests.support.addresses import addresses
from tests.support.authorisation import may
from tests.support.evening import Evening, browser_of
from tests.support.hostile_forms import ODD, fields_of, quiet, sent, typed

pytestmark = pytest.mark.django_db

ODD_FILES = (
    b"",
    b"\x00" * 64,
    b"\xff\xd8\xff\xe0 no picture",
    b"PK\x03\x04 no archive",
    b"[" * 100_000,
    b'{"a":',
)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["selling", "stopped"])
def test_no_order_breaks_whatever_is_typed(stage: str) -> None:
    evening, chance, broken = Evening().reach(stage), random.Random(stage), []
    fields = fields_of(evening)
    assert len(fields) > 80
    for role in Role:
        browser = quiet(browser_of(evening.person(role)))
        for address in addresses(issue=evening.issue().pk, series=evening.issue().series_id):
            if not address.verb or role.value not in may(address.route):
                continue
            for _time in range(3):
                data = typed(chance, fields)
                if sent(browser, address.path, dict(data)) >= 500:
                    broken.append((role.value, address.path, data))
                    break
    assert broken == []


@pytest.mark.slow
def test_no_page_breaks_whatever_is_asked() -> None:
    evening, chance, broken = Evening().reach("sold"), random.Random(1979), []
    names = [
        *fields_of(evening),
        "page",
        "order",
        "text",
        "from",
        "to",
        "at",
        "before",
        "after",
        "as",
        "was",
        "rules",
    ]
    for role in (Role.HALL_MANAGER, Role.CASHIER):
        browser = quiet(browser_of(evening.person(role)))
        for address in addresses(issue=evening.issue().pk, series=evening.issue().series_id):
            if address.verb or role.value not in may(address.route):
                continue
            for _time in range(2):
                asked = {name: chance.choice(ODD) for name in chance.sample(names, 12)}
                with transaction.atomic():
                    answer = browser.get(address.path, asked)
                    transaction.set_rollback(True)
                if answer.status_code >= 500:
                    broken.append((address.path, asked))
    assert broken == []


def places() -> Iterator[object]:
    yield from (10**9 * 3, 10**19, 10**40, 0)


@pytest.mark.slow
def test_no_number_in_an_address_breaks_it() -> None:
    evening, broken = Evening().reach("sold"), []
    browser = quiet(evening.at("manager"))
    cashier = quiet(evening.at("till"))
    for number in places():
        named = dict.fromkeys(
            ("number", "game", "part", "issue", "series", "card", "camera", "enrolment", "session",
             "certificate", "job", "level", "export", "authorisation", "ball_set"), number,
        )  # fmt: skip
        for address in addresses(**named):
            if "<int:" not in address.route:
                continue
            for asker in (browser, cashier):
                answer = asker.get(address.path) if not address.verb else asker.post(address.path, {"key": str(uuid4())})  # fmt: skip
                if answer.status_code >= 500:
                    broken.append((address.path, answer.status_code))
    assert broken == []


@pytest.mark.parametrize(
    "path",
    [
        "/\x00", "/%00", "/%ff/", "/%c3%28/", "/" + "a" * 4000, "/board/%00/", "/board/%ff/", "/board/é/",
        "/board/" + "x" * 3000 + "/", "/training/%00/", "/training/", "/training//", "/training/board/%00/",
        "/../../etc/passwd", "/static/../../etc/passwd", "/static/%2e%2e/%2e%2e/etc/passwd", "/static/%00",
        "/pictures/" + "g" * 64 + ".jpg", "/till/do/%00/", "/inspector/-1/", "/inspector/\u0661/", "/;", "/?%ff=%00",
    ],
)  # fmt: skip
def test_no_address_breaks_whatever_it_says(path: str) -> None:
    evening = Evening()
    for browser in (Client(), evening.at("manager")):
        assert quiet(browser).get(path).status_code < 500


@pytest.mark.parametrize("key", ['"aaaaaaaaaaaa\\000"', '"aaaaaaaaaaaa\\377"', "a" * 5000])
def test_no_cookie_breaks_a_page(key: str) -> None:
    evening, names = Evening(), ("sessionid", "csrftoken", "messages", "theme", "django_language")
    for cookie in (f"{name}={key}" for name in names):
        for path in ("/login/", f"/board/{evening.hall.code}/"):
            assert quiet(Client()).get(path, headers={"cookie": cookie}).status_code == 200, cookie


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{"), ("application/json", b"\xff\xfe"), ("text/plain", b"\x00"),
        ("application/x-www-form-urlencoded", b"key=%ff%fe&a=%00&%=&&==" * 50),
        ("application/x-www-form-urlencoded; charset=utf-7", b"+AG8-=1"),
        ("application/x-www-form-urlencoded; charset=nonsense", b"a=1"),
        ("multipart/form-data", b"--x\r\n"), ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n"),
        ("multipart/form-data; boundary=\x00", b"--"), ("application/xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"),
    ],
)  # fmt: skip
def test_no_body_breaks_an_order(kind: str, body: bytes) -> None:
    evening = Evening()
    for path in (
        "/till/sell/",
        "/staff/do/enrol/",
        "/login/",
        "/board/sala/screen.json",
        "/theme/",
    ):
        for browser in (Client(), evening.at("manager"), evening.at("till")):
            answer = quiet(browser).generic("POST", path, body, content_type=kind)
            assert answer.status_code < 500, path


@pytest.mark.parametrize(
    ("said", "status"),
    [
        *((said, 400) for said in (
            "charset=idna", "charset=hex", "charset=undefined", "charset=utf-7", "charset=none",
            "a*=none''b", "charset*=utf-8''utf-16", 'charset="raw_unicode_escape"', "charset*=idna''%ff",
        )),
        *((said, 403) for said in ("charset=utf8", 'Charset="UTF-8"', "charset=")),  # only has no token
    ],
)  # fmt: skip
async def test_no_sender_chooses_how_a_form_is_decoded(said: str, status: int) -> None:
    headers = [
        (b"host", b"127.0.0.1"),
        (b"content-type", f"multipart/form-data; boundary=x; {said}".encode()),
    ]
    scope = {"type": "http", "method": "POST", "path": "/login/", "headers": headers}
    asked: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    await asked.send_input({"type": "http.request", "body": b""})
    assert (await asked.receive_output(5))["status"] == status


def test_too_many_fields_are_refused() -> None:
    evening = Evening()
    answer = quiet(evening.at("manager")).post(
        "/policy/do/set/", {f"f{i}": "1" for i in range(2000)}
    )
    assert answer.status_code == 400


UPLOADS = (
    (Role.HALL_MANAGER, boards_views.picture_address, "picture"),
    (Role.HALL_MANAGER, ball_trial.address, "photograph"),
    (Role.HALL_MANAGER, series.take_in_address, "file"),
    (Role.TABLE_CHIEF, claims.showing_address, "photograph"),
)


@pytest.mark.parametrize("file", ODD_FILES)
def test_no_file_breaks_what_takes_files(file: bytes) -> None:
    evening = Evening().reach("session")
    for role, address, name in UPLOADS:
        uploaded = SimpleUploadedFile("a\x00/../b.jpg", file, content_type="image/jpeg")
        answer = quiet(browser_of(evening.person(role))).post(
            address(), {"key": str(uuid4()), name: uploaded}
        )
        assert answer.status_code in (200, 409), address()


def bomb() -> bytes:
    """A PNG of a few kilobytes that unpacks to 900 million pixels."""
    out = BytesIO()
    Image.new("1", (30_000, 30_000)).save(out, "PNG", optimize=True)
    return out.getvalue()


@pytest.mark.slow
def test_bomb_of_pixels_is_refused_in_words() -> None:
    evening = Evening().reach("session")
    file = bomb()
    assert len(file) < 300_000
    for address, name in (
        (boards_views.picture_address(), "picture"),
        (ball_trial.address(), "photograph"),
    ):
        order = {"key": str(uuid4()), name: SimpleUploadedFile("b.png", file)}
        answer = quiet(evening.at("manager")).post(address, order)
        assert answer.status_code == 409, address
        assert "notice--error" in answer.content.decode()


def test_trace_is_not_answered() -> None:
    evening = Evening()
    for path in ("/login/", "/till/", "/board/sala/state.json"):
        answer = evening.at("till").generic("TRACE", path)
        assert answer.status_code == 405
        assert b"sessionid" not in answer.content


@pytest.mark.parametrize(
    "path", ["/static/", "/static/js/", "/static/css", "/pictures/", "/.git/config", "/var/"]
)
def test_no_folder_is_listed(path: str) -> None:
    Evening()
    assert Client().get(path).status_code == 404


def test_packed_body_is_never_unpacked() -> None:
    """No body is unpacked, whatever it says of itself: gzip is taken for what it is, a form without fields."""
    evening = Evening()
    answer = quiet(evening.at("till")).post(
        "/till/sell/", b"\x1f\x8b\x08" + b"\x00" * 2000,
        content_type="application/x-www-form-urlencoded", headers={"content-encoding": "gzip"},
    )  # fmt: skip
    assert answer.status_code == 409
