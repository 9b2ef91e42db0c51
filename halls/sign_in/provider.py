"""The chain's OpenID Connect provider: what it says of itself, its keys, and a code given for a token.

The hall asks it three things and follows nothing: discovery, keys, and the token of a code. Each has
its time and its size, and few are asked at once, so that a provider that is slow or gone keeps nobody
from signing in by the password. Of tokens the ID token alone is read, and none is kept.
"""

from __future__ import annotations

import base64
import http.client
import json
import stat
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from django.conf import settings

from bingo import hosts
from bingo.rules.refusal import Refusal
from halls.sign_in import id_token

SECONDS = 5.0  # for each of the three, with all it takes
LARGEST = 128 * 1024  # bytes of an answer
KEPT = 3600.0  # seconds for which discovery and keys are good
RENEWED = 60.0  # seconds before keys are fetched anew for a token of an unknown one
REST = 15.0  # seconds in which nobody waits for a provider that was away
AT_ONCE = 4  # requests to it; each waits in a thread of the pages
LONGEST_SECRET = 1000
DISCOVERY = "/.well-known/openid-configuration"

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Provider:
    """What discovery says: where one signs in and out, where codes and keys are asked."""

    authorization: str
    token: str
    keys: str
    end_session: str
    posts_secret: bool  # the client's secret goes into the form, not into a header
    names_itself: bool  # its answers say of whom they are (RFC 9207)


@dataclass(slots=True)
class _Kept:
    """What was fetched last from an address, and when; None where it was not there."""

    values: Values | None
    at: float


_kept: dict[str, _Kept] = {}
_turns = threading.BoundedSemaphore(AT_ONCE)


def is_set() -> bool:
    """Return whether there is a provider."""
    return bool(settings.PROVIDER["ISSUER"])


def issuer() -> str:
    """Return by what the provider is known. Raises Refusal provider_off."""
    if not is_set():
        raise Refusal("provider_off")
    return str(settings.PROVIDER["ISSUER"])


def label() -> str:
    """Return what people call it, empty where there is none."""
    return settings.PROVIDER["LABEL"] if is_set() else ""


def forget() -> None:
    """Forget what was fetched."""
    _kept.clear()


def discovered() -> Provider:
    """Return what the provider says of itself. Raises Refusal: provider_off, provider_away."""
    told = _fetched(issuer().rstrip("/") + DISCOVERY)
    # Another name in it, and it is not this provider's.
    if told.get("issuer") != issuer():
        raise _away("issuer")
    ways = told.get("token_endpoint_auth_methods_supported")
    return Provider(
        authorization=_address(told, "authorization_endpoint"),
        token=_address(told, "token_endpoint"),
        keys=_address(told, "jwks_uri"),
        end_session=_address(told, "end_session_endpoint", needed=False),
        posts_secret=isinstance(ways, list) and "client_secret_basic" not in ways,
        names_itself=told.get("authorization_response_iss_parameter_supported") is True,
    )


def sign_in_address(provider: Provider, *, back: str, state: str, nonce: str, proof: str) -> str:
    """Return where a browser signs in; `proof` is the digest of what the hall keeps for the code (PKCE).

    Machines of a hall are shared: the provider asks who it is each time, whoever signed in before.
    """
    asked = {
        "response_type": "code",
        "scope": "openid",
        "client_id": settings.PROVIDER["CLIENT"],
        "redirect_uri": back,
        "state": state,
        "nonce": nonce,
        "code_challenge": proof,
        "code_challenge_method": "S256",
        "prompt": "login",
        "max_age": "0",
    }
    if settings.PROVIDER["ACR"]:
        asked["acr_values"] = settings.PROVIDER["ACR"]
    return _with(provider.authorization, asked)


def sign_out_address(*, back: str) -> str:
    """Return where a browser signs out at the provider, empty where it has no such page."""
    there = discovered().end_session
    asked = {"client_id": settings.PROVIDER["CLIENT"], "post_logout_redirect_uri": back}
    return _with(there, asked) if there else ""


def token_of(provider: Provider, *, code: str, verifier: str, back: str) -> str:
    """Return the ID token that a code stands for. Raises Refusal: provider_refused, provider_away, provider_unready."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": verifier,
    }
    client, secret = settings.PROVIDER["CLIENT"], _secret()
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    if provider.posts_secret:
        form |= {"client_id": client, "client_secret": secret}
    else:
        pair = f"{quote_plus(client)}:{quote_plus(secret)}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    status, told = _asked(provider.token, body=urlencode(form).encode(), headers=headers)
    if status != http.HTTPStatus.OK:
        error = told.get("error")
        raise Refusal("provider_refused", provider=label(), cause=str(error or status)[:40])
    token = told.get("id_token")
    if not isinstance(token, str):
        raise _away("id_token")
    return token


def keys_for(provider: Provider, token: str) -> list[Values]:
    """Return the provider's keys; they are fetched anew where the token is of another one."""
    keys = _keys(_fetched(provider.keys))
    if id_token.knows_key(token, keys) or time.monotonic() - _kept[provider.keys].at < RENEWED:
        return keys
    del _kept[provider.keys]
    return _keys(_fetched(provider.keys))


def _keys(told: Values) -> list[Values]:
    keys = told.get("keys")
    return [one for one in keys if isinstance(one, dict)] if isinstance(keys, list) else []


def _fetched(address: str) -> Values:
    """Return what an address says, from a while ago or anew. Raises Refusal provider_away."""
    kept, now = _kept.get(address), time.monotonic()
    if kept is not None and now - kept.at < (REST if kept.values is None else KEPT):
        if kept.values is None:
            raise _away("resting")
        return kept.values
    try:
        status, told = _asked(address, headers={"Accept": "application/json"})
        if status != http.HTTPStatus.OK:
            raise _away(f"HTTP {status}")
    except Refusal:
        _kept[address] = _Kept(None, time.monotonic())
        raise
    _kept[address] = _Kept(told, time.monotonic())
    return told


def _asked(address: str, *, headers: Mapping[str, str], body: bytes = b"") -> tuple[int, Values]:
    """Return the status and the values that are answered. Raises Refusal provider_away."""
    if not _turns.acquire(timeout=1.0):
        raise _away("busy")
    try:
        status, content = hosts.ask(
            address, method="POST" if body else "GET", body=body, headers=headers,
            seconds=SECONDS, most=LARGEST,
        )  # fmt: skip
        told = json.loads(content)
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        raise _away(type(error).__name__) from None
    finally:
        _turns.release()
    if not isinstance(told, dict):
        raise _away("its answer")
    return status, told


def _away(cause: str) -> Refusal:
    return Refusal("provider_away", provider=label(), cause=cause)


def _address(told: Values, name: str, *, needed: bool = True) -> str:
    """Return an address of discovery: by https, or by http on this machine where the issuer is so."""
    found = told.get(name)
    if found is None and not needed:
        return ""
    try:
        parts, own = urlsplit(str(found)), urlsplit(issuer())
        good = parts.scheme == "https" or (
            own.scheme == "http" == parts.scheme and parts.hostname == own.hostname
        )
        good = good and bool(parts.hostname) and not parts.username and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good:
        raise _away(name)
    return str(found)


def _with(address: str, asked: Mapping[str, str]) -> str:
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(asked)}"


def _secret() -> str:
    """Return the client's secret. Raises Refusal provider_unready where others may read it, or it is missing."""
    place = settings.PROVIDER_SECRET
    try:
        with place.open(encoding="utf-8") as file:
            mode = stat.S_IMODE(place.stat().st_mode)
            secret = file.read(LONGEST_SECRET).strip()
    except (OSError, UnicodeError):
        mode, secret = 0, ""
    if mode & 0o077 or not secret:
        raise Refusal("provider_unready", provider=label())
    return secret
