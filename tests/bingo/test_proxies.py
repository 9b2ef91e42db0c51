"""A request says for whom it asks only where the proxy that says so is named."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from bingo.proxies import Proxies

HALL, DEVICE = "127.0.0.1", "192.168.1.30"


def read(
    peer: str, *headers: tuple[str, str], named: tuple[str, ...] = (HALL,), kind: str = "http"
) -> tuple[str, str, list[str]]:
    """Return address, scheme and the headers that are left of a request."""
    scope: dict[str, Any] = {
        "type": kind, "client": (peer, 5000), "scheme": "http" if kind == "http" else "ws",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }  # fmt: skip
    Proxies(named).read(scope)
    return scope["client"][0], scope["scheme"], [name.decode() for name, _value in scope["headers"]]


def test_named_proxy_is_believed() -> None:
    told = read(HALL, ("host", "x"), ("x-forwarded-for", DEVICE), ("x-forwarded-proto", "https"))
    assert told == (DEVICE, "https", ["host"])


@pytest.mark.parametrize("named", [(), ("192.168.1.2",)])
def test_nobody_else_is(named: tuple[str, ...]) -> None:
    told = read(
        HALL, ("x-forwarded-for", DEVICE), ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "elsewhere"), ("forwarded", f"for={DEVICE}"), ("x-real-ip", DEVICE),
        named=named,
    )  # fmt: skip
    assert told == (HALL, "http", [])


@pytest.mark.parametrize(
    ("row", "client"),
    [
        (DEVICE, DEVICE),
        (f"10.9.9.9, {DEVICE}", DEVICE),  # what the device itself wrote stands before it
        (f"{DEVICE}, 10.0.0.5", DEVICE),  # two proxies in a row, both named
        (f"{DEVICE}, nonsense", HALL),
        (f"nonsense, {DEVICE}", DEVICE),
        ("", HALL),
        ("10.0.0.5", HALL),
        ("2001:db8::7", "2001:db8::7"),
    ],
)
def test_row_of_addresses_is_read_from_its_end(row: str, client: str) -> None:
    assert read(HALL, ("x-forwarded-for", row), named=(HALL, "10.0.0.0/24"))[0] == client


def test_row_in_several_headers_is_one_row() -> None:
    told = read(HALL, ("x-forwarded-for", DEVICE), ("x-forwarded-for", "10.9.9.9"))
    assert told[0] == "10.9.9.9"


def test_socket_of_a_screen_is_secure_behind_https() -> None:
    told = read(HALL, ("x-forwarded-proto", "https"), kind="websocket")
    assert told == (HALL, "wss", [])


@pytest.mark.parametrize("scheme", ["ftp", "", "https,http"])
def test_scheme_that_is_none_changes_nothing(scheme: str) -> None:
    assert read(HALL, ("x-forwarded-proto", scheme))[1] == "http"
    twice = read(HALL, ("x-forwarded-proto", "http"), ("x-forwarded-proto", "https"))
    assert twice[1] == "http"


def test_proxy_that_is_not_named_is_complained_of_once(caplog: pytest.LogCaptureFixture) -> None:
    proxies = Proxies(())
    with caplog.at_level(logging.WARNING):
        for _time in range(3):
            proxies.read(
                {"type": "http", "client": (HALL, 1), "scheme": "http",
                 "headers": [(b"x-forwarded-for", b"10.0.0.1")]}
            )  # fmt: skip
    assert len(caplog.records) == 1
    assert "TRUSTED_PROXIES" in caplog.text


def test_name_that_is_no_address_is_refused() -> None:
    with pytest.raises(ValueError, match="caddy"):
        Proxies(["caddy"])
