"""A login that nobody uses is locked, then over; one's logins are listed and ended."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from bingo.celery_app import app
from halls.models import JournalEntry, Person, Role, SignIn
from halls.sign_in import logins
from halls.sign_in.logins import Login
from halls.tasks import forget_logins
from tests.support.evening import Evening, browser_of, fresh_browser
from tests.support.factors import add_app, asking, code_of, secret_on
from tests.support.planting_rows import plant
from tests.support.staff import give

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"
ENDED = re.compile(r'name="username" value="([\w-]+)"')
HX = {"HX-Request": "true"}


@pytest.fixture
def cashier() -> Person:
    """A cashier of a hall that sells, with a password."""
    person = Evening().reach("selling").person(Role.CASHIER)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    return person


@pytest.fixture
def client(cashier: Person) -> Client:
    """The cashier's browser, once used."""
    client = browser_of(cashier)
    assert client.get("/till/").status_code == 200
    return client


def age(**ago: float) -> None:
    """Let the login last have been used so long ago."""
    now = timezone.now()
    plant(SignIn.objects.all(), seen_at=now - timedelta(**ago), since=now - timedelta(hours=11))


def unlock(client: Client, password: str, *, in_place: bool = True) -> int:
    """Type a password over a locked page."""
    headers = {"X-Requested-With": "sign-in"} if in_place else {}
    sent = {"password": password, "next": "/till/"}
    return client.post("/sign-in/unlock/", sent, headers=headers).status_code


def test_secret_of_an_app_is_good_on_the_page_that_shows_it_until_the_lock(client: Client) -> None:
    left = secret_on(client.get("/second-factor/").content.decode())
    shown = secret_on(client.get("/second-factor/").content.decode())
    assert shown != left
    wrong = client.post("/second-factor/", {"name": "Telefone", "code": code_of(left)})
    assert (wrong.status_code, secret_on(wrong.content.decode())) == (409, shown)
    client.post("/sign-in/lock/")
    assert unlock(client, PASSWORD) == 204
    sent = {"name": "Telefone", "code": code_of(shown), "own_password": PASSWORD}
    answer = client.post("/second-factor/", sent)
    assert 'data-code="stale_page"' in answer.content.decode()
    assert secret_on(answer.content.decode()) not in (left, shown)


@pytest.mark.slow
def test_idle_login_gives_nothing_and_does_nothing_until_it_is_unlocked(client: Client) -> None:
    age(minutes=9.9)
    assert client.get("/till/live/", headers=HX).status_code == 200
    age(minutes=10)
    before = JournalEntry.objects.count()
    for answer in (
        client.get("/till/live/", headers=HX),
        client.post("/till/sell/", {"quantity": "1"}),
        client.post("/till/do/close/", {}, headers=HX),
        client.get("/why/", headers={"Sec-Fetch-Mode": "cors"}),
    ):
        assert (answer.status_code, answer.content) == (423, b"")
    page = client.get("/till/?x=1")
    assert page.status_code == 423
    assert "/till/?x=1" in page.content.decode()
    assert 'id="live"' not in page.content.decode()
    assert JournalEntry.objects.count() == before
    assert client.get("/board/sala/").status_code == 200
    assert unlock(client, "errada") == 409
    assert client.get("/till/live/", headers=HX).status_code == 423
    assert unlock(client, PASSWORD) == 204
    assert client.get("/till/").status_code == 200


def test_login_that_is_older_than_a_clock_set_back_is_unlocked_and_proven(client: Client) -> None:
    ahead = timezone.now() + timedelta(minutes=1)
    plant(SignIn.objects.all(), since=ahead, seen_at=ahead)
    client.post("/sign-in/lock/", {"next": "/till/"})
    assert client.get("/till/").status_code == 423
    assert unlock(client, PASSWORD) == 204
    assert client.get("/till/").status_code == 200
    login = Login(SignIn.objects.get().pk, ahead, ahead, proven_at=ahead)
    logins.note_proven(HttpRequest(), login, at=timezone.now())
    assert SignIn.objects.get().proven_at == login.proven_at


@pytest.mark.slow
def test_what_a_page_fetches_by_itself_keeps_no_login_awake(client: Client) -> None:
    age(minutes=5)
    client.get("/till/live/", headers=HX)
    client.get("/till/", headers={"Sec-Fetch-Mode": "cors"})
    assert timezone.now() - SignIn.objects.get().seen_at > timedelta(minutes=4)
    client.post("/sign-in/awake/")
    assert timezone.now() - SignIn.objects.get().seen_at < timedelta(minutes=1)


@pytest.mark.slow
def test_lock_at_once_and_open_by_the_whole_page(client: Client) -> None:
    assert client.post("/sign-in/lock/", {"next": "/till/"})["Location"] == "/till/"
    assert client.get("/till/").status_code == 423
    assert client.get("/sign-in/cover/").status_code == 200
    assert unlock(client, PASSWORD, in_place=False) == 302
    assert client.get("/till/").status_code == 200


def test_lock_over_the_page_of_a_first_password_opens_by_the_password_that_was_given() -> None:
    given = give(Evening().hall)
    client = browser_of(given.person)
    assert client.get("/till/")["Location"] == "/password/"
    age(minutes=11)
    assert client.get("/password/").status_code == 423
    assert client.get("/sign-in/cover/").status_code == 200
    assert unlock(client, "janela-verde-1357") == 409
    assert unlock(client, given.password) == 204
    assert client.get("/password/").status_code == 200
    assert client.get("/till/")["Location"] == "/password/"


@pytest.mark.slow
def test_a_pin_opens_no_lock_at_a_browser_that_is_not_enrolled(client: Client) -> None:
    client.post("/sign-in/lock/")
    answer = client.post("/sign-in/unlock/", {"pin": "739164"})
    assert (answer.status_code, b'data-code="browser_not_enrolled"' in answer.content) == (
        409,
        True,
    )


def test_after_twelve_hours_one_logs_in_again_and_comes_back(client: Client) -> None:
    plant(SignIn.objects.all(), since=timezone.now() - timedelta(hours=12))
    assert client.get("/till/")["Location"] == "/login/?next=/till/"
    assert client.get("/sign-in/cover/").status_code == 401


def test_a_locked_real_login_locks_training_too(client: Client) -> None:
    client.post("/practise/do/enter/")
    client.post("/sign-in/lock/")
    assert client.get("/training/till/").status_code == 423


@pytest.mark.slow
def test_logins_are_listed_and_ended_from_another_browser(client: Client, cashier: Person) -> None:
    other = fresh_browser(cashier)
    page = other.get(
        "/account/", headers={"User-Agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/130.0"}
    )
    assert page.content.decode().count('name="login"') == 1
    mine, theirs = SignIn.objects.order_by("-pk")
    assert (mine.told, theirs.told) == ("Mozilla/5.0 (Windows NT 10.0) Firefox/130.0", "")
    stranger = browser_of(cashier.hall.people.get(username="sala-cashier-2"))
    for wrong in (str(mine.pk), "x", "9" * 30, ""):
        assert stranger.post("/account/", {"do": "end", "login": wrong}).status_code == 409
    assert client.get("/till/").status_code == 200
    assert other.post("/account/", {"do": "end", "login": theirs.pk}).status_code == 302
    assert client.get("/till/")["Location"].startswith("/login/")
    third = browser_of(cashier)
    third.get("/till/")
    assert other.post("/account/", {"do": "end-others"}).status_code == 302
    assert third.post("/till/sell/", {}).status_code == 302
    assert other.get("/till/").status_code == 200


@pytest.mark.slow
def test_logins_are_ended_from_a_page_left_open_by_who_knows_the_password_alone(
    client: Client, cashier: Person
) -> None:
    """Whoever has a factor shows it; the rest type the password, once it is no new login."""
    other = fresh_browser(cashier)
    other.get("/account/")
    plant(SignIn.objects.all(), since=timezone.now() - timedelta(minutes=6))
    assert 'id="end-password"' in other.get("/account/").content.decode()
    theirs = SignIn.objects.order_by("-pk")[1]
    for sent in ({"do": "end", "login": theirs.pk}, {"do": "end-others"}):
        for typed in ("", "wrong-wrong-7"):
            answer = other.post("/account/", {**sent, "own_password": typed})
            assert answer.status_code == 409
    assert client.get("/till/").status_code == 200
    sent = {"do": "end", "login": theirs.pk, "own_password": PASSWORD}
    assert other.post("/account/", sent).status_code == 302
    assert client.get("/till/")["Location"].startswith("/login/")
    add_app(cashier)
    SignIn.objects.update(proven_at=timezone.now() - timedelta(hours=1))
    answer = other.post("/account/", {"do": "end-others", "own_password": PASSWORD})
    assert (answer.status_code, 'name="held_order"' in answer.content.decode()) == (409, True)


@pytest.mark.slow
def test_a_manager_ends_somebodys_logins_and_nothing_else(client: Client, cashier: Person) -> None:
    evening = Evening(hall=cashier.hall)
    manager, inspector = evening.at("manager"), evening.at("inspector")
    assert client.get("/till/").status_code == 200
    sent = {"key": str(uuid4()), "username": cashier.username}
    assert f'value="{cashier.username}"' in manager.get("/sign-ins/").content.decode()
    assert inspector.post("/sign-ins/do/end-logins/", sent).status_code == 409
    assert client.get("/till/").status_code == 200
    assert manager.post("/sign-ins/do/end-logins/", sent).status_code == 302
    assert client.get("/till/")["Location"].startswith("/login/")
    cashier.refresh_from_db()
    assert cashier.is_active
    assert fresh_browser(cashier).get("/till/").status_code == 200
    for wrong in ("nobody", evening.person(Role.HALL_MANAGER).username):
        sent = {"key": str(uuid4()), "username": wrong}
        assert manager.post("/sign-ins/do/end-logins/", sent).status_code == 409
    of_inspector = evening.person(Role.INSPECTOR).username
    sent = {"key": str(uuid4()), "username": of_inspector}
    assert manager.post("/sign-ins/do/end-logins/", sent).status_code == 409
    assert inspector.get("/sign-ins/").status_code == 200


@pytest.mark.slow
def test_the_end_of_logins_is_offered_to_whoever_may_end_them_alone(
    client: Client, cashier: Person
) -> None:
    evening = Evening(hall=cashier.hall)
    colleagues = evening.hall.people.filter(roles=[Role.INSPECTOR.value])
    browsers = {
        role: browser_of(evening.person(role)) for role in (Role.HALL_MANAGER, Role.INSPECTOR)
    }
    browser_of(colleagues.exclude(pk=evening.person(Role.INSPECTOR).pk).get()).get("/inspector/")
    for browser in browsers.values():
        browser.get("/sign-ins/")
    inspectors = set(colleagues.values_list("username", flat=True))
    manager, inspector = (
        set(ENDED.findall(browser.get("/sign-ins/").content.decode()))
        for browser in browsers.values()
    )
    assert cashier.username in manager
    assert not manager & inspectors
    assert inspector == inspectors - {evening.person(Role.INSPECTOR).username}


def test_every_row_of_who_is_logged_in_has_its_key(client: Client, cashier: Person) -> None:
    page = Evening(hall=cashier.hall).at("manager").get("/sign-ins/").content.decode()
    assert f'<tr id="logged-in-{cashier.pk}">' in page
    [login] = SignIn.objects.filter(person=cashier, ended_at=None)
    assert f'<tr id="login-{login.pk}">' in client.get("/account/").content.decode()


def test_a_browser_that_tells_too_much_is_cut_short(cashier: Person) -> None:
    client = fresh_browser(cashier)
    client.get("/till/", headers={"User-Agent": "x" * 5000})
    assert len(SignIn.objects.get().told) == 300


def test_whoever_is_made_a_manager_while_logged_in_needs_a_second_factor_at_once(
    client: Client, cashier: Person
) -> None:
    asking(cashier.hall)
    SignIn.objects.update(proven_at=timezone.now())  # as by a PIN at an enrolled browser
    plant(Person.objects.filter(pk=cashier.pk), roles=["hall_manager"])
    assert client.get("/manager/")["Location"].startswith("/second-factor/")


def test_whoever_logs_in_ends_the_login_that_the_browser_had(
    client: Client, cashier: Person
) -> None:
    caller = Evening(hall=cashier.hall).person(Role.CALLER)
    caller.set_password(PASSWORD)
    caller.save(update_fields=["password"])
    client.post("/sign-in/lock/")
    for person, page in ((cashier, "/till/"), (caller, "/caller/")):
        sent = {"username": person.username, "password": PASSWORD}
        assert client.post("/login/", sent).status_code == 302
        assert client.get(page).status_code == 200
        [login] = SignIn.objects.filter(ended_at=None)
        assert login.person == person


def test_new_password_of_ones_own_leaves_the_present_login_alone_open(
    client: Client, cashier: Person
) -> None:
    fresh_browser(cashier).get("/till/")
    here = client.session[logins.KEY]
    new = "quintal-azul-9753"
    sent = {"before": PASSWORD, "password": new, "password_again": new}
    assert client.post("/password/", sent).status_code == 302
    assert [one.pk for one in logins.open_ones(cashier, at=timezone.now())] == [here]
    assert client.get("/till/").status_code == 200


@pytest.mark.parametrize(("days", "forgotten"), [(29, False), (31, True)])
def test_login_is_forgotten_a_month_after_its_last_use_also_of_who_comes_no_more(
    client: Client, days: int, forgotten: bool
) -> None:
    last = timezone.now() - timedelta(days=days)
    plant(SignIn.objects.all(), seen_at=last, since=last)
    forget_logins()
    assert SignIn.objects.exists() != forgotten
    scheduled = {one["task"]: one["schedule"] for one in app.conf.beat_schedule.values()}
    assert scheduled[forget_logins.name] <= 24 * 3600


def test_logout_ends_the_login(client: Client) -> None:
    client.post("/logout/")
    assert not SignIn.objects.filter(ended_at=None).exists()
