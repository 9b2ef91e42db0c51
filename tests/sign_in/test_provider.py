"""Sign-in by the chain's own provider, over a real socket: who is let in, who links, who parts."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import oidc_provider_mock
import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from bingo import settings as bingo_settings
from bingo.rules.refusal import Refusal
from halls import security_log, staff
from halls.models import Hall, JournalEntry, Person, ProviderLink, Role, SignIn
from halls.sign_in import factors, links, provider
from tests.support.evening import Evening, browser_of
from tests.support.factors import add_app, code_of, secret_on, show
from tests.support.identity_provider import IdentityProvider, come_back, signed_in, there_and_back
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"


def with_password(role: Role, hall: Hall | None = None) -> Person:
    """Somebody of a hall who has a password."""
    person = Evening(hall=hall).person(role)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    return person


@pytest.fixture
def cashier() -> Person:
    """A cashier with a password, linked to nobody."""
    return with_password(Role.CASHIER)


@pytest.fixture
def linked(chain: IdentityProvider, cashier: Person) -> Person:
    """A cashier who is linked to the provider's account."""
    links.link(person=cashier, issuer=chain.url, subject=chain.subject, at=timezone.now())
    return cashier


def status_and_code(answer: Any) -> tuple[int, str]:
    """The status of an answer, and the code of its refusal."""
    page = answer.content.decode()
    return answer.status_code, page.split('data-code="')[1].split('"')[
        0
    ] if "data-code" in page else ""


def link(client: Client, password: str = PASSWORD) -> Any:
    """Link whoever is logged in, as the page of one's sign-in leads."""
    shown = client.post("/account/", {"do": "link", "password": password})
    if shown.status_code != 200:
        return shown
    assert 'href="/account/provider/"' in shown.content.decode()
    return come_back(client, signed_in(client.get("/account/provider/")["Location"]))


@pytest.fixture(autouse=True)
def own_log(settings: LazySettings, tmp_path: Path) -> None:
    """Let a test read what it logged itself: another's processes write at the same time."""
    settings.DATA_DIR = tmp_path


def logged(event: str) -> dict[str, Any]:
    """The last line of the security log of that kind."""
    lines = security_log.file().read_text().splitlines()
    found: dict[str, Any] = [one for one in map(json.loads, lines) if one["event"] == event][-1]
    return found


@pytest.mark.slow
def test_whoever_is_linked_is_signed_in_and_comes_where_they_wanted(
    chain: IdentityProvider, linked: Person
) -> None:
    client = Client()
    page = client.get("/login/?next=/till/").content.decode()
    assert 'href="/login/provider/?next=%2Ftill%2F"' in page
    assert "Conta da cadeia" in page
    answer = there_and_back(client, next="/till/")
    assert (answer.status_code, answer["Location"]) == (302, "/till/")
    assert client.get("/till/").status_code == 200
    assert chain.asked == ["/.well-known/openid-configuration", "/authorize", "/token", "/keys"]
    assert ProviderLink.objects.get().used_at is not None
    assert (logged("login")["person"], logged("login")["by"]) == (linked.username, "provider")
    # The page of one's logins has it, as any other.
    row = SignIn.objects.get(person=linked, ended_at=None)
    assert row.address in client.get("/account/").content.decode()


def test_request_has_what_the_standard_asks_and_the_cookie_tells_nothing(
    chain: IdentityProvider, linked: Person
) -> None:
    client = Client()
    asked = [
        dict(parse_qsl(urlsplit(client.get("/login/provider/")["Location"]).query))
        for _time in range(2)
    ]
    assert asked[0]["redirect_uri"] == "http://testserver/login/provider/return/"
    assert asked[0]["code_challenge_method"] == "S256"
    for secret in ("state", "nonce", "code_challenge"):
        assert asked[0][secret] != asked[1][secret]
        assert len(asked[0][secret]) == 43  # 256 bits
    cookie = client.cookies["provider_begun"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 600)
    assert asked[1]["state"] not in cookie.value


def test_without_a_provider_there_is_no_such_way(cashier: Person) -> None:
    client = Client()
    assert "by-provider" not in client.get("/login/").content.decode()
    for path in (
        "/login/provider/",
        "/login/provider/return/?code=a&state=b",
        "/login/provider/leave/",
    ):
        answer = client.get(path)
        back = answer.get("Location", "")  # the way back leads on to the login
        assert status_and_code(client.get(back) if back else answer)[1] == "provider_off"
    browser = browser_of(cashier)
    assert 'id="provider"' not in browser.get("/account/").content.decode()
    assert status_and_code(link(browser)) == (409, "provider_off")


def test_nobody_is_made_and_an_account_that_is_linked_to_nobody_is_refused(
    chain: IdentityProvider, cashier: Person
) -> None:
    people = Person.objects.count()
    assert status_and_code(there_and_back(Client())) == (200, "provider_not_linked")
    assert (Person.objects.count(), ProviderLink.objects.count()) == (people, 0)
    assert logged("provider_failed")["code"] == "provider_not_linked"


@pytest.mark.slow
def test_one_links_oneself_after_a_proof_and_parts_again(
    chain: IdentityProvider, cashier: Person
) -> None:
    client = browser_of(cashier)
    # Without the password there is no way there; and none by the address alone.
    assert status_and_code(link(client, "errada-1357")) == (409, "own_password_wrong")
    assert client.get("/account/provider/")["Location"] == "/account/"
    assert chain.asked == []
    assert link(client)["Location"] == "/account/"
    entry = JournalEntry.objects.filter(kind="sign_in_changed").latest("number")
    assert (entry.by, entry.data["change"], entry.data["issuer"]) == (
        cashier, "provider_linked", chain.url
    )  # fmt: skip
    assert chain.subject not in json.dumps(entry.data)
    assert there_and_back(Client(), next="/till/").status_code == 302
    assert status_and_code(link(client)) == (409, "provider_linked_already")
    parted = client.post("/account/", {"do": "unlink", "password": "errada-1357"})
    assert status_and_code(parted) == (409, "own_password_wrong")
    # It is said in the panel of its form, and nowhere above.
    above, panel = parted.content.decode().split('id="provider"')
    assert ("data-code" in above, "data-code" in panel) == (False, True)
    assert client.post("/account/", {"do": "unlink", "password": PASSWORD}).status_code == 302
    entry = JournalEntry.objects.filter(kind="sign_in_changed").latest("number")
    assert entry.data["change"] == "provider_unlinked"
    assert status_and_code(there_and_back(Client())) == (200, "provider_not_linked")


def test_whoever_has_a_second_factor_shows_it_before_they_link(chain: IdentityProvider) -> None:
    person = with_password(Role.CASHIER)
    secret = add_app(person)
    client = browser_of(person)
    show(client, secret)
    SignIn.objects.filter(person=person).update(proven_at=timezone.now() - timedelta(minutes=6))
    asked = client.post("/account/", {"do": "link", "password": PASSWORD})
    assert asked.status_code == 409
    assert 'name="held_order"' in asked.content.decode()
    assert client.get("/account/provider/")["Location"] == "/account/"


@pytest.mark.slow
def test_link_is_of_the_login_that_began_it(chain: IdentityProvider, cashier: Person) -> None:
    client, other = browser_of(cashier), with_password(Role.CALLER, cashier.hall)
    client.post("/account/", {"do": "link", "password": PASSWORD})
    back = signed_in(client.get("/account/provider/")["Location"])
    # The browser is another one's meanwhile, or locked.
    stranger = browser_of(other)
    stranger.cookies["provider_begun"] = client.cookies["provider_begun"].value
    assert come_back(stranger, back)["Location"] == "/account/"
    client.post("/sign-in/lock/")
    assert come_back(client, back)["Location"] == "/account/"
    assert not ProviderLink.objects.exists()


def test_account_is_of_one_person_alone(chain: IdentityProvider, linked: Person) -> None:
    other = with_password(Role.CALLER, linked.hall)
    answer = link(browser_of(other))
    assert answer["Location"] == "/account/"
    assert [one.person for one in ProviderLink.objects.all()] == [linked]
    with pytest.raises(Refusal, match="provider_account_taken"):
        links.link(person=other, issuer=chain.url, subject=chain.subject, at=timezone.now())


@pytest.mark.slow
def test_two_others_part_somebody_and_end_their_logins(
    chain: IdentityProvider, linked: Person, django_capture_on_commit_callbacks: Any
) -> None:
    client, theirs = browser_of(Evening(hall=linked.hall).person(Role.HALL_MANAGER)), Client()
    there_and_back(theirs)
    row = ProviderLink.objects.get()
    page = client.get(f"/sign-ins/?link={row.pk}").content.decode()
    assert 'id="unlink"' in page
    sent = {"key": "0b0e3a0e-7a0e-4b5e-9d8e-3f0a8f1f2a11", "link": str(row.pk)}
    assert client.post("/sign-ins/do/unlink/", sent).status_code == 409
    assert theirs.get("/till/").status_code == 200
    chief = with_password(Role.TABLE_CHIEF, linked.hall)
    sent |= {"witness_username": chief.username, "witness_password": PASSWORD}
    with django_capture_on_commit_callbacks(execute=True):
        for _press in range(2):
            assert client.post("/sign-ins/do/unlink/", sent).status_code == 302
    entry = JournalEntry.objects.get(kind="provider_unlinked")
    assert (entry.data["username"], entry.data["witness"]) == (linked.username, chief.username)
    assert theirs.get("/till/").status_code == 302
    assert status_and_code(there_and_back(Client())) == (200, "provider_not_linked")
    assert logged("provider_unlinked")["of"] == linked.username


@pytest.mark.slow
def test_inspectors_are_neither_linked_nor_signed_in(
    chain: IdentityProvider, linked: Person
) -> None:
    inspector = with_password(Role.INSPECTOR, linked.hall)
    client = browser_of(inspector)
    assert 'name="do" value="link"' not in client.get("/account/").content.decode()
    assert status_and_code(link(client)) == (409, "provider_not_for_inspectors")
    # Whoever was linked and is an inspector since.
    plant(Person.objects.filter(pk=linked.pk), roles=["inspector"])
    assert status_and_code(there_and_back(Client())) == (200, "provider_not_for_inspectors")
    assert logged("provider_failed")["cause"] == linked.username


def test_a_login_by_the_provider_ends_where_its_person_is_made_an_inspector(
    chain: IdentityProvider, linked: Person
) -> None:
    client = Client()
    there_and_back(client)
    assert client.get("/till/").status_code == 200
    plant(Person.objects.filter(pk=linked.pk), roles=["cashier", "inspector"])
    assert client.get("/till/")["Location"].startswith("/login/")
    assert not SignIn.objects.filter(person=linked, ended_at=None).exists()


def test_who_is_disabled_is_out(chain: IdentityProvider, linked: Person) -> None:
    plant(Person.objects.filter(pk=linked.pk), is_active=False)
    assert status_and_code(there_and_back(Client())) == (200, "provider_not_linked")


def test_new_password_parts(chain: IdentityProvider, linked: Person) -> None:
    staff.change_password(person=linked, password="quintal-azul-9753", at=timezone.now())
    assert status_and_code(there_and_back(Client())) == (200, "provider_not_linked")


def test_own_second_factor_is_asked_for_whatever_the_provider_says(
    chain: IdentityProvider, linked: Person
) -> None:
    add_app(linked)
    chain.claims = {"acr": "gold", "amr": ["mfa"]}
    client = Client()
    there_and_back(client, next="/till/")
    assert client.get("/till/")["Location"].startswith("/sign-in/prove/")
    assert "Conta da cadeia" in client.get("/sign-in/prove/").content.decode()


@pytest.mark.slow
def test_provider_s_second_factor_counts_where_the_hall_names_it_and_for_no_fresh_proof(
    chain: IdentityProvider, linked: Person, settings: LazySettings
) -> None:
    settings.PROVIDER = {**settings.PROVIDER, "ACR": "gold"}
    secret = add_app(linked)
    for acr, asked in (("silver", True), (None, True), ("gold", False)):
        chain.claims = {"acr": acr, "amr": ["mfa"]}
        client = Client()
        there_and_back(client, next="/till/")
        assert (client.get("/till/").status_code == 302) == asked, acr
    asked_there = client.get("/login/provider/")["Location"]
    assert parse_qs(urlsplit(asked_there).query)["acr_values"] == ["gold"]
    # What cannot be undone asks for the hall's own.
    order = client.post("/account/", {"do": "codes"})
    assert order.status_code == 409
    assert 'name="held_order"' in order.content.decode()
    held = order.content.decode().split('name="held_order"')[1].split('value="')[1].split('"')[0]
    done = client.post("/account/", {"held_order": held, "code": code_of(secret)})
    assert done.status_code == 200


def test_manager_without_a_factor_adds_one_here_although_the_provider_saw_one(
    chain: IdentityProvider, settings: LazySettings
) -> None:
    settings.PROVIDER = {**settings.PROVIDER, "ACR": "gold"}
    person = Evening().person(Role.HALL_MANAGER)
    type(person.hall).objects.filter(pk=person.hall_id).update(second_factor=True)
    links.link(person=person, issuer=chain.url, subject=chain.subject, at=timezone.now())
    chain.claims = {"acr": "gold"}
    client = Client()
    there_and_back(client, next="/policy/")
    assert client.get("/policy/")["Location"].startswith("/second-factor/")


def test_login_is_a_new_one_also_over_a_locked_one(chain: IdentityProvider, linked: Person) -> None:
    client = Client()
    there_and_back(client)
    before, key = SignIn.objects.get(), client.session.session_key
    client.post("/sign-in/lock/")
    assert client.get("/till/").status_code == 423
    there_and_back(client)
    assert client.session.session_key != key
    assert client.get("/till/").status_code == 200
    before.refresh_from_db()
    assert before.ended_at is not None


@pytest.mark.slow
def test_login_by_the_provider_is_locked_and_over_as_any_other(
    chain: IdentityProvider, linked: Person
) -> None:
    client = Client()
    there_and_back(client)
    client.get("/till/")
    plant(SignIn.objects.all(), seen_at=timezone.now(), since=timezone.now() - timedelta(hours=12))
    assert client.get("/till/").status_code == 302
    there_and_back(client)
    idle = timezone.now() - timedelta(minutes=11)
    plant(SignIn.objects.filter(ended_at=None), seen_at=idle, since=idle)
    assert client.get("/till/").status_code in (302, 423)


@pytest.mark.slow
def test_logout_ends_the_login_here_and_offers_the_provider_s(
    chain: IdentityProvider, linked: Person
) -> None:
    client = Client()
    there_and_back(client)
    answer = client.post("/logout/")
    assert answer["Location"] == "/login/?left=provider"
    assert client.get("/till/").status_code == 302
    assert 'href="/login/provider/leave/"' in client.get("/login/?left=provider").content.decode()
    there = urlsplit(client.get("/login/provider/leave/")["Location"])
    assert f"{there.scheme}://{there.netloc}{there.path}" == f"{chain.url}/leave"
    assert parse_qs(there.query)["post_logout_redirect_uri"] == ["http://testserver/login/"]
    # Whoever came by the password is offered nothing; and a provider without such a page neither.
    other = browser_of(linked)
    assert other.post("/logout/")["Location"] == "/login/"
    chain.told = {"end_session_endpoint": None}
    provider.forget()
    there_and_back(client)
    assert client.post("/logout/")["Location"] == "/login/"


def test_secret_that_others_may_read_is_not_used(
    chain: IdentityProvider, linked: Person, settings: LazySettings
) -> None:
    place: Path = settings.PROVIDER_SECRET
    place.chmod(0o640)
    assert status_and_code(there_and_back(Client())) == (200, "provider_unready")
    place.unlink()
    assert status_and_code(there_and_back(Client())) == (200, "provider_unready")
    assert "/token" not in chain.asked


def test_secret_goes_into_the_form_where_the_provider_takes_no_header(
    chain: IdentityProvider, linked: Person
) -> None:
    chain.told = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert there_and_back(Client()).status_code == 302


@pytest.mark.parametrize(
    "wrong",
    [
        {"BINGO_OIDC_ISSUER": "http://login.chain.example"},
        {"BINGO_OIDC_ISSUER": "ftp://127.0.0.1"},
        {"BINGO_OIDC_ISSUER": "https://login.chain.example/?a=b"},
        {"BINGO_OIDC_LABEL": ""},
        {"BINGO_OIDC_CLIENT": ""},
    ],
)
def test_what_is_set_is_https_or_this_machine_and_whole(wrong: dict[str, str]) -> None:
    good = {
        "BINGO_OIDC_ISSUER": "https://login.chain.example", "BINGO_OIDC_CLIENT": "bingo",
        "BINGO_OIDC_LABEL": "Cadeia",
    }  # fmt: skip
    assert bingo_settings.provider(good)["ISSUER"] == "https://login.chain.example"
    assert bingo_settings.provider({})["ISSUER"] == ""
    with pytest.raises(ImproperlyConfigured):
        bingo_settings.provider(good | wrong)


def test_postgresql_refuses_a_link_without_its_entry_and_one_that_comes_back(
    chain: IdentityProvider, linked: Person
) -> None:
    other, now = with_password(Role.CALLER, linked.hall), timezone.now()
    for subject in ("outro", chain.subject):
        with pytest.raises(DatabaseError), transaction.atomic():
            ProviderLink.objects.create(
                hall=other.hall, person=other, issuer=chain.url, subject=subject, linked_at=now
            )
    row = ProviderLink.objects.filter(person=linked)
    for change in ({"subject": "outro"}, {"person": other}):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.update(**change)
    links.unlink(person=linked, at=now)
    with pytest.raises(DatabaseError, match="does not come back"), transaction.atomic():
        row.update(ended_at=None)


@pytest.fixture
def other_maker(chain: IdentityProvider, settings: LazySettings) -> Iterator[str]:
    """A provider that somebody else wrote; a claim that the standard asks it for is told it beforehand."""
    user = oidc_provider_mock.User(sub="ana-4711", claims={"auth_time": int(time.time())})
    with oidc_provider_mock.run_server_in_thread(user_claims=[user]) as server:
        settings.PROVIDER = {
            **settings.PROVIDER, "ISSUER": f"http://localhost:{server.server_port}"
        }  # fmt: skip
        yield settings.PROVIDER["ISSUER"]


@pytest.mark.slow
def test_provider_of_another_maker_signs_in(other_maker: str, cashier: Person) -> None:
    links.link(person=cashier, issuer=other_maker, subject="ana-4711", at=timezone.now())
    client = Client()
    there = client.get("/login/provider/?next=/till/")["Location"]
    answer = come_back(client, signed_in(there, form="sub=ana-4711"))
    assert (answer.status_code, answer["Location"]) == (302, "/till/")
    assert client.get("/till/").status_code == 200


@pytest.mark.slow
def test_sign_in_by_the_provider_adds_no_first_factor_and_no_pin_without_the_password(
    linked: Person,
) -> None:
    """Whoever runs the provider would lock the owner out by a factor of their own."""
    client = Client()
    assert there_and_back(client, next="/till/").status_code == 302
    pin = {"do": "pin", "pin": "739164", "pin_again": "739164"}
    page = client.get("/second-factor/").content.decode()
    assert 'id="app-password"' in page
    app = {"name": "Telefone", "code": code_of(secret_on(page))}
    for path, sent in (("/account/", pin), ("/second-factor/", app)):
        assert status_and_code(client.post(path, sent)) == (409, "own_password_wrong")
    assert not factors.has(linked)
    # By the password of the same person it is as ever.
    client.post("/login/", {"username": linked.username, "password": PASSWORD})
    assert client.post("/second-factor/", app).status_code == 200
    assert factors.has(linked)


@pytest.mark.usefixtures("linked")
@pytest.mark.parametrize(
    "address", ["abc", "provider-leave", "é" * 900, "https://elsewhere.example/"]
)
def test_address_to_go_on_to_that_is_no_path_leads_home(address: str) -> None:
    answer = there_and_back(Client(), next=address)
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.slow
@pytest.mark.usefixtures("chain")
def test_stranger_does_not_push_logins_out_of_the_log(
    settings: LazySettings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    for _each in range(60):
        assert Client().get("/login/provider/return/?state=a").status_code == 302
    failed = security_log.file().read_text().count('"provider_failed"')
    assert failed == security_log.FEW


def test_link_that_was_ended_does_not_come_back_by_an_older_entry(linked: Person) -> None:
    """The web's role may set a hall's head: the newest entry counts, not the one the head names."""
    made = ProviderLink.objects.get()
    old = JournalEntry.objects.latest("number")
    links.unlink(person=linked, at=timezone.now())
    Hall.objects.filter(pk=linked.hall_id).update(head_number=old.number)
    with pytest.raises(DatabaseError, match="linked by their own entry"), transaction.atomic():
        ProviderLink.objects.create(
            hall=linked.hall, person=linked, issuer=made.issuer, subject=made.subject,
            linked_at=timezone.now(),
        )  # fmt: skip
