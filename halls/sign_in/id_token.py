"""An ID token held against what was asked for (OpenID Connect Core 1.0, 3.1.3.7).

Signatures are the library's (joserfc); which of them are taken, and what must stand in the token, is
told here. Only signatures by a key of two halves are taken: by one that both sides know, whoever
knows a provider's public key could make a token.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from joserfc import jwk, jws, jwt
from joserfc.errors import JoseError

# By algorithm: the kind of key, and its curve.
ALGORITHMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), ("RSA", "")),
        "ES256": ("EC", "P-256"),
        "ES384": ("EC", "P-384"),
        "ES512": ("EC", "P-521"),
    }
)
LONGEST = 16_000  # characters of a token
SHORTEST_MODULUS = 342  # characters of base64url: 2048 bits
LEEWAY = timedelta(seconds=60)  # by how much the two clocks may differ
OLDEST = timedelta(minutes=10)  # how long ago a token may have been made
LONGEST_SUBJECT = 255
WRONG = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)

Values = Mapping[str, Any]


class Wrong(Exception):
    """A token that does not hold; `cause` says by what."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token must say: of whom, for whom, which request, and a sign-in not before it."""

    issuer: str
    client: str
    nonce: str
    since: datetime
    acr: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is at the provider, and whether it says that they showed it a second factor."""

    subject: str
    vouched: bool


def knows_key(token: str, keys: Sequence[Values]) -> bool:
    """Return whether one of the keys is the token's."""
    try:
        return len(_fitting(_header(token), keys)) == 1
    except Wrong:
        return True  # no other key would make it right


def read(token: str, keys: Sequence[Values], expected: Expected, *, at: datetime) -> Identity:
    """Return whom a token tells of. Raises Wrong."""
    header = _header(token)
    fitting = _fitting(header, keys)
    if len(fitting) != 1:
        raise Wrong("key")
    try:
        key = jwk.import_key(dict(fitting[0]))
        claims = jwt.decode(token, key, algorithms=[header["alg"]]).claims
    except WRONG:
        raise Wrong("signature") from None
    _require_parties(claims, expected)
    _require_times(claims, expected, at=at)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject.isascii() or not subject.isprintable():
        raise Wrong("sub")
    if not 0 < len(subject) <= LONGEST_SUBJECT:
        raise Wrong("sub")
    return Identity(subject, bool(expected.acr) and claims.get("acr") == expected.acr)


def _header(token: str) -> dict[str, Any]:
    """Return what a token says of its signature. Raises Wrong: form, alg, typ."""
    if len(token) > LONGEST or not token.isascii():
        raise Wrong("form")
    try:
        header = dict(jws.extract_compact(token.encode()).headers())
    except WRONG:
        raise Wrong("form") from None
    if not isinstance(header.get("alg"), str) or header["alg"] not in ALGORITHMS:
        raise Wrong("alg")
    # A token of another kind, as an access token (at+jwt) or one of a logout, is none.
    if str(header.get("typ", "JWT")).upper() != "JWT":
        raise Wrong("typ")
    return header


def _fitting(header: Values, keys: Sequence[Values]) -> list[Values]:
    """Return the keys that a token may be signed with: of its name, where it gives one, and its kind."""
    kind, curve = ALGORITHMS[header["alg"]]
    return [
        one
        for one in keys
        if one.get("kty") == kind
        and one.get("use", "sig") == "sig"
        and one.get("alg", header["alg"]) == header["alg"]
        and header.get("kid") in (None, one.get("kid"))
        and (one.get("crv") == curve if curve else len(str(one.get("n"))) >= SHORTEST_MODULUS)
    ]


def _require_parties(claims: Values, expected: Expected) -> None:
    """Refuse a token of another provider, for somebody else, or of another request."""
    if claims.get("iss") != expected.issuer:
        raise Wrong("iss")
    told = claims.get("aud")
    audience = told if isinstance(told, list) else [told]
    if expected.client not in audience:
        raise Wrong("aud")
    if claims.get("azp", None if len(audience) > 1 else expected.client) != expected.client:
        raise Wrong("azp")
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode(), expected.nonce.encode()
    ):
        raise Wrong("nonce")


def _require_times(claims: Values, expected: Expected, *, at: datetime) -> None:
    """Refuse a token that has run out, is old or of tomorrow, or of a sign-in before it was asked for."""
    now, leeway = at.timestamp(), LEEWAY.total_seconds()
    if _moment(claims, "exp") <= now - leeway:
        raise Wrong("exp")
    if not now - OLDEST.total_seconds() <= _moment(claims, "iat") <= now + leeway:
        raise Wrong("iat")
    if "nbf" in claims and _moment(claims, "nbf") > now + leeway:
        raise Wrong("nbf")
    if _moment(claims, "auth_time") < expected.since.timestamp() - leeway:
        raise Wrong("auth_time")


def _moment(claims: Values, name: str) -> float:
    """Return a moment as seconds since 1970. Raises Wrong."""
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise Wrong(name)
    return float(value)
