"""An OpenID Connect provider on a socket of this machine, which can be made to lie.

It holds every request against the standard: client, secret, address to come back to, PKCE, and a
code once. Tokens are signed by `cryptography` alone, not by the library that the hall reads them with.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from django.test import Client

CLIENT, SECRET = "bingo-hall", "um-segredo-de-ensaio+/="
BACK = "/login/provider/return/"
PAGE = '<!doctype html><html lang="pt"><title>Cadeia</title><form method="post"><h1>Cadeia</h1><button>Entrar</button></form></html>'


def encoded(value: bytes) -> str:
    """Base64url as tokens have it."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def new_key() -> rsa.RSAPrivateKey:
    """A key of two halves."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def by_rsa(key: rsa.RSAPrivateKey) -> Callable[[bytes], bytes]:
    """Sign as RS256 does."""
    return lambda text: key.sign(text, padding.PKCS1v15(), hashes.SHA256())


@dataclass(slots=True)
class IdentityProvider:
    """The provider: who signs in there, and in what it lies."""

    url: str
    key: rsa.RSAPrivateKey = field(default_factory=new_key)
    kid: str = "k1"
    subject: str = "ana-4711"
    claims: dict[str, Any] = field(default_factory=dict)  # in the place of true ones; None for none
    header: dict[str, Any] = field(default_factory=dict)
    sign: Callable[[bytes], bytes] | None = None
    told: dict[str, Any] = field(default_factory=dict)  # of discovery, likewise
    answer: dict[str, str] = field(default_factory=dict)  # of what the browser brings back
    keys: bytes | None = None
    delay: dict[str, float] = field(default_factory=dict)  # seconds, by path
    error: str = ""
    asked: list[str] = field(default_factory=list)  # the paths that were asked for
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def discovery(self) -> dict[str, Any]:
        """What it says of itself."""
        true = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "end_session_endpoint": f"{self.url}/leave",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }
        return {name: value for name, value in (true | self.told).items() if value is not None}

    def key_set(self) -> bytes:
        """Its public key."""
        if self.keys is not None:
            return self.keys
        numbers = self.key.public_key().public_numbers()
        modulus = numbers.n.to_bytes((numbers.n.bit_length() + 7) // 8, "big")
        one = {"kty": "RSA", "kid": self.kid, "use": "sig", "alg": "RS256", "e": "AQAB"}
        return json.dumps({"keys": [one | {"n": encoded(modulus)}]}).encode()

    def public_pem(self) -> bytes:
        """What everybody knows of its key."""
        return self.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def token(self, nonce: str) -> str:
        """An ID token."""
        now = int(time.time())
        true = {
            "iss": self.url, "sub": self.subject, "aud": CLIENT, "nonce": nonce, "iat": now,
            "exp": now + 300, "auth_time": now,
        }  # fmt: skip
        claims = {name: one for name, one in (true | self.claims).items() if one is not None}
        header = {"alg": "RS256", "typ": "JWT", "kid": self.kid} | self.header
        parts = [json.dumps(one).encode() for one in (header, claims)]
        text = ".".join(encoded(one) for one in parts)
        signature = (self.sign or by_rsa(self.key))(text.encode())
        return f"{text}.{encoded(signature)}"

    def authorised(self, query: str) -> str:
        """Where a browser goes that has signed in; AssertionError for a request that is not right."""
        asked = dict(parse_qsl(query, strict_parsing=True))
        assert asked["client_id"] == CLIENT
        assert asked["response_type"] == "code"
        assert asked["scope"] == "openid"
        assert asked["code_challenge_method"] == "S256"
        assert (asked["prompt"], asked["max_age"]) == ("login", "0")
        assert urlsplit(asked["redirect_uri"]).path == BACK
        if self.error:
            answer = {"error": self.error, "state": asked["state"]}
        else:
            code = secrets.token_urlsafe(16)
            self.codes[code] = asked
            answer = {"code": code, "state": asked["state"], "iss": self.url}
        return f"{asked['redirect_uri']}?{urlencode(answer | self.answer)}"

    def redeemed(self, form: str, authorization: str) -> tuple[int, dict[str, Any]]:
        """What a code is given for: once, to whom it was made for."""
        sent = {name: one[0] for name, one in parse_qs(form).items()}
        pair = base64.b64decode(authorization.removeprefix("Basic ") or "Og==").decode()
        client, _colon, secret = (unquote_plus(one) for one in pair.partition(":"))
        if not authorization:
            client, secret = sent.get("client_id", ""), sent.get("client_secret", "")
        if (client, secret) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(sent.get("code", ""), None)
        proof = encoded(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())
        if asked is None or not hmac.compare_digest(proof, asked["code_challenge"]):
            return 400, {"error": "invalid_grant"}
        if sent.get("redirect_uri") != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        return 200, {
            "access_token": "unused", "token_type": "Bearer", "id_token": self.token(asked["nonce"])
        }  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    provider: IdentityProvider

    def log_message(self, *_told: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Discovery, keys, and the page on which one signs in or out."""
        there = self._begin()
        if there == "/.well-known/openid-configuration":
            self._json(200, json.dumps(self.provider.discovery()).encode())
        elif there == "/keys":
            self._json(200, self.provider.key_set())
        else:
            self._send(200, PAGE.encode(), "text/html")

    def do_POST(self) -> None:
        """Somebody signs in, or a code comes in."""
        there = self._begin()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if there == "/token":
            status, told = self.provider.redeemed(body, self.headers.get("Authorization") or "")
            self._json(status, json.dumps(told).encode())
        else:
            self.send_response(302)
            self.send_header("Location", self.provider.authorised(urlsplit(self.path).query))
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _begin(self) -> str:
        there = urlsplit(self.path).path
        self.provider.asked.append(there)
        time.sleep(self.provider.delay.get(there, 0))
        return there

    def _json(self, status: int, content: bytes) -> None:
        self._send(status, content, "application/json")

    def _send(self, status: int, content: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:
            self.close_connection = True  # whoever asked waits no longer, or reads no further


@contextmanager
def running() -> Iterator[IdentityProvider]:
    """A provider that answers meanwhile."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    found = IdentityProvider(f"http://127.0.0.1:{server.server_address[1]}")
    handler.provider = found  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def signed_in(address: str, *, form: str = "") -> str:
    """Sign in at a provider, as a browser does; return where it leads back to."""
    parts = urlsplit(address)
    link = http.client.HTTPConnection(parts.netloc, timeout=10)
    try:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        link.request("POST", f"{parts.path}?{parts.query}", form, kind)
        return link.getresponse().headers["Location"]
    finally:
        link.close()


def come_back(client: Client, address: str, **more: Any) -> Any:
    """Follow a provider's way back, as the hall's browser, and on to the login where that refuses."""
    parts = urlsplit(address)
    answer = client.get(f"{parts.path}?{parts.query}", **more)
    there = answer.get("Location", "")
    return client.get(there, **more) if there.startswith("/login/") else answer


def there_and_back(client: Client, *, next: str = "", **more: Any) -> Any:
    """Sign in at the provider and come back; return the hall's answer."""
    begun = client.get("/login/provider/", {"next": next} if next else {}, **more)
    if begun.status_code != 302:
        return begun
    return come_back(client, signed_in(begun["Location"]), **more)
