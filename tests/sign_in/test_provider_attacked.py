"""What a provider, a browser or somebody between them could try: each refused, and a login beside it good."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from halls.models import Person, ProviderLink, Role, SignIn
from halls.sign_in import id_token, links, provider
from tests.support.evening import Evening
from tests.support.identity_provider import (
    SECRET,
    IdentityProvider,
    by_rsa,
    come_back,
    encoded,
    new_key,
    signed_in,
    there_and_back,
)

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"


@pytest.fixture(autouse=True)
def linked(chain: IdentityProvider) -> Person:
    """A cashier who is linked to the provider's account, and has a password."""
    person = Evening().person(Role.CASHIER)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    links.link(person=person, issuer=chain.url, subject=chain.subject, at=timezone.now())
    return person


def refused(answer: Any) -> tuple[str, str]:
    """Why an answer refuses: its code, and the page's words."""
    page = answer.content.decode()
    # Of what cannot begin the page itself says so; whoever came back is led on to the login.
    assert answer.status_code in (200, 409), answer.status_code
    assert "code=" not in answer.wsgi_request.get_full_path()
    assert SignIn.objects.count() == 0
    return page.split('data-code="')[1].split('"')[0], page


def went_on(client: Client, person: Person) -> None:
    """The password is a way in all the same."""
    sent = {"username": person.username, "password": PASSWORD}
    assert client.post("/login/", sent).status_code == 302


NOW = int(time.time())
CLAIMS: dict[str, tuple[dict[str, Any], str]] = {
    "nonce of another": ({"nonce": "another"}, "nonce"),
    "no nonce": ({"nonce": None}, "nonce"),
    "other audience": ({"aud": "other-client"}, "aud"),
    "no audience": ({"aud": None}, "aud"),
    "several audiences without a party": ({"aud": ["bingo-hall", "other"]}, "azp"),
    "other party": ({"azp": "other-client"}, "azp"),
    "other issuer": ({"iss": "https://login.other.example"}, "iss"),
    "issuer with a stroke": ({"iss": "http://127.0.0.1/"}, "iss"),
    "run out": ({"exp": NOW - 3600}, "exp"),
    "never runs out": ({"exp": None}, "exp"),
    "exp as words": ({"exp": "tomorrow"}, "exp"),
    "exp that is no number": ({"exp": float("nan")}, "exp"),
    "made long ago": ({"iat": NOW - 7200}, "iat"),
    "made tomorrow": ({"iat": NOW + 86_400}, "iat"),
    "good from tomorrow on": ({"nbf": NOW + 86_400}, "nbf"),
    "signed in an hour before": ({"auth_time": NOW - 3600}, "auth_time"),
    "no word of when": ({"auth_time": None}, "auth_time"),
    "no subject": ({"sub": None}, "sub"),
    "empty subject": ({"sub": ""}, "sub"),
    "long subject": ({"sub": "a" * 256}, "sub"),
    "subject with a line": ({"sub": "ana-4711\n"}, "sub"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_token_that_says_what_it_must_not(name: str, chain: IdentityProvider) -> None:
    chain.claims, cause = CLAIMS[name]
    code, page = refused(there_and_back(Client()))
    assert (code, f"({cause})" in page) == ("provider_token_wrong", True)


def test_several_audiences_with_the_hall_as_party_are_good(chain: IdentityProvider) -> None:
    chain.claims = {"aud": ["bingo-hall", "other"], "azp": "bingo-hall"}
    assert there_and_back(Client()).status_code == 302


def by_hash(secret: bytes) -> Callable[[bytes], bytes]:
    """Sign as HS256 does."""
    return lambda text: hmac.new(secret, text, hashlib.sha256).digest()


def test_token_without_a_signature_or_by_a_secret_that_all_know(chain: IdentityProvider) -> None:
    numbers = json.loads(chain.key_set())["keys"][0]["n"]
    tried: list[tuple[dict[str, Any], Callable[[bytes], bytes]]] = [
        ({"alg": "none"}, lambda _text: b""),
        ({"alg": "nOnE"}, lambda _text: b""),
        ({"alg": "HS256"}, by_hash(chain.public_pem())),
        ({"alg": "HS256"}, by_hash(numbers.encode())),
        ({"alg": "HS256"}, by_hash(SECRET.encode())),
        ({"alg": ["RS256"]}, by_rsa(chain.key)),
    ]
    for header, sign in tried:
        chain.header, chain.sign = header, sign
        code, page = refused(there_and_back(Client()))
        assert (code, "(alg)" in page) == ("provider_token_wrong", True), header


@pytest.mark.slow
def test_token_by_another_key_or_of_another_kind(chain: IdentityProvider) -> None:
    chain.sign = by_rsa(new_key())
    assert "(signature)" in refused(there_and_back(Client()))[1]
    # A key that the token itself brings is nobody's.
    own = new_key()
    chain.sign, chain.header = by_rsa(own), {"jwk": {"kty": "RSA", "e": "AQAB", "n": "AQ"}}
    assert "(signature)" in refused(there_and_back(Client()))[1]
    chain.sign, chain.header = None, {"typ": "at+jwt"}
    assert "(typ)" in refused(there_and_back(Client()))[1]
    chain.header = {"kid": "unknown"}
    assert "(key)" in refused(there_and_back(Client()))[1]
    chain.header = {"alg": "ES256"}
    assert "(key)" in refused(there_and_back(Client()))[1]
    chain.header = {"crit": ["exp"]}
    assert "(signature)" in refused(there_and_back(Client()))[1]
    chain.header = {}
    assert there_and_back(Client()).status_code == 302


@pytest.mark.slow
def test_short_keys_and_keys_for_encrypting_sign_nothing(chain: IdentityProvider) -> None:
    true = json.loads(chain.key_set())["keys"][0]
    short = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    numbers = short.public_key().public_numbers().n.to_bytes(128, "big")
    kept, chain.key = chain.key, short
    chain.keys = json.dumps({"keys": [true | {"n": encoded(numbers)}]}).encode()
    assert "(key)" in refused(there_and_back(Client()))[1]
    chain.key = kept
    for keys in ([true | {"use": "enc"}], [true, true], ["words", None, 7], []):
        chain.keys = json.dumps({"keys": keys}).encode()
        provider.forget()
        assert "(key)" in refused(there_and_back(Client()))[1], keys


@pytest.mark.slow
def test_new_key_is_fetched_once_and_not_for_everybody_who_names_one(
    chain: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert there_and_back(Client()).status_code == 302
    SignIn.objects.all().delete()
    chain.key, chain.kid = new_key(), "k2"
    assert "(key)" in refused(there_and_back(Client()))[1]
    assert chain.asked.count("/keys") == 1
    monkeypatch.setattr(provider, "RENEWED", 0.0)
    assert there_and_back(Client()).status_code == 302
    assert chain.asked.count("/keys") == 2


def test_answer_to_what_this_browser_did_not_begin(chain: IdentityProvider) -> None:
    client, other = Client(), Client()
    back = signed_in(client.get("/login/provider/")["Location"])
    theirs = signed_in(other.get("/login/provider/")["Location"])
    asked = chain.asked.count("/token")
    # Without its cookie, with another's state, with none, and with a cookie that was made up.
    assert refused(come_back(Client(), back))[0] == "provider_stale"
    assert refused(come_back(client, theirs))[0] == "provider_stale"
    forged = Client()
    forged.cookies["provider_begun"] = "gAAAAABmadeup"
    assert refused(come_back(forged, back))[0] == "provider_stale"
    for query in ("", "?code=a", "?state=", "?state=a&state=b"):
        fresh = Client()
        fresh.get("/login/provider/")
        assert (
            refused(come_back(fresh, f"http://x/login/provider/return/{query}"))[0]
            == "provider_stale"
        )
    assert chain.asked.count("/token") == asked == 0


@pytest.mark.slow
def test_code_is_good_once_and_for_its_own_browser(chain: IdentityProvider) -> None:
    client = Client()
    back = signed_in(client.get("/login/provider/")["Location"])
    cookie = client.cookies["provider_begun"].value
    assert come_back(client, back).status_code == 302
    SignIn.objects.all().delete()
    # The browser has forgotten it; whoever has copied the cookie is refused by the provider.
    assert refused(come_back(Client(), back))[0] == "provider_stale"
    thief = Client()
    thief.cookies["provider_begun"] = cookie
    assert refused(come_back(thief, back))[0] == "provider_refused"
    # A code of another browser under this one's state: PKCE, and the nonce, are not its own.
    mine, theirs = Client(), Client()
    state = signed_in(mine.get("/login/provider/")["Location"]).split("state=")[1].split("&")[0]
    code = signed_in(theirs.get("/login/provider/")["Location"]).split("code=")[1].split("&")[0]
    injected = f"http://x/login/provider/return/?code={code}&state={state}"
    assert refused(come_back(mine, injected))[0] == "provider_refused"


def test_answer_of_another_provider(chain: IdentityProvider) -> None:
    chain.answer = {"iss": "https://login.other.example"}
    assert "(answer)" in refused(there_and_back(Client()))[1]
    assert chain.asked.count("/token") == 0
    chain.told, chain.answer = {"authorization_response_iss_parameter_supported": True}, {}
    provider.forget()
    assert there_and_back(Client()).status_code == 302


def test_refusal_at_the_provider_is_said(chain: IdentityProvider) -> None:
    chain.error = "access_denied"
    code, page = refused(there_and_back(Client()))
    assert (code, "access_denied" in page) == ("provider_called_off", False)
    chain.error = "server_error"
    assert refused(there_and_back(Client()))[0] == "provider_refused"
    chain.error = "<script>alert(1)</script>"
    assert "<script>alert" not in refused(there_and_back(Client()))[1]


@pytest.mark.parametrize(
    "next",
    [
        "https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)",
        "http:evil.example", "https:///evil.example", "\t//evil.example",
    ],
)  # fmt: skip
def test_next_leads_to_no_other_site(next: str) -> None:
    assert there_and_back(Client(), next=next)["Location"] == "/"


@pytest.mark.slow
def test_provider_that_is_away_slow_or_too_large_keeps_nobody_out(
    chain: IdentityProvider, linked: Person, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    client = Client()
    monkeypatch.setattr(provider, "SECONDS", 0.3)
    for path in ("/.well-known/openid-configuration", "/token", "/keys"):
        provider.forget()
        chain.delay = {path: 1.0}
        assert refused(there_and_back(client))[0] == "provider_away", path
    monkeypatch.undo()
    chain.delay = {}
    for keys in (b'{"keys": [' + b" " * 200_000 + b"]}", b"[" * 100_000, b"[]", b"{", b"\xff"):
        provider.forget()
        chain.keys = keys
        assert refused(there_and_back(client))[0] == "provider_away"
    settings.PROVIDER = {**settings.PROVIDER, "ISSUER": "http://127.0.0.1:9"}
    assert refused(there_and_back(client))[0] == "provider_away"
    # Who comes next does not wait for it again.
    begun = time.monotonic()
    assert refused(there_and_back(client))[0] == "provider_away"
    assert time.monotonic() - begun < provider.SECONDS
    assert "Conta da cadeia" in client.get("/login/").content.decode()
    went_on(client, linked)


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "https://login.other.example"},
        {"issuer": None},
        {"token_endpoint": "http://10.0.0.1/token"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": "http://ana@127.0.0.1/keys"},
        {"jwks_uri": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"end_session_endpoint": "javascript:alert(1)"},
    ],
)
def test_discovery_of_another_or_that_leads_elsewhere(
    wrong: dict[str, Any], chain: IdentityProvider
) -> None:
    chain.told = wrong
    assert refused(there_and_back(Client()))[0] == "provider_away"
    assert chain.asked == ["/.well-known/openid-configuration"]


def test_provider_by_https_names_no_address_of_http(settings: LazySettings) -> None:
    settings.PROVIDER = {**settings.PROVIDER, "ISSUER": "https://login.chain.example"}
    told = {"token_endpoint": "http://login.chain.example/token"}
    with pytest.raises(Exception, match="provider_away"):
        provider._address(told, "token_endpoint")
    good = {"token_endpoint": "https://login.chain.example/token"}
    assert provider._address(good, "token_endpoint") == good["token_endpoint"]


@pytest.mark.slow
def test_who_fails_again_and_again_waits_and_the_password_does_not(
    chain: IdentityProvider, linked: Person
) -> None:
    chain.claims = {"aud": "other-client"}
    client = Client()
    told = [refused(there_and_back(client))[0] for _time in range(23)]
    assert set(told[:21]) == {"provider_token_wrong"}
    assert told[-1] == "provider_locked"
    asked = chain.asked.count("/token")
    refused(there_and_back(client))
    assert chain.asked.count("/token") == asked
    went_on(client, linked)


def test_nothing_of_the_provider_is_kept_or_logged(
    chain: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client()
    assert there_and_back(client).status_code == 302
    chain.claims = {"aud": "other-client"}
    there_and_back(Client())
    kept = json.dumps(dict(client.session)) + caplog.text
    assert SECRET not in kept
    assert "eyJ" not in kept
    assert ProviderLink.objects.get().subject == chain.subject
    assert id_token.LONGEST == 16_000
