"""Requests to a witness over HTTP."""

from __future__ import annotations

import http.client


def ask(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        link.request(
            method, path, body or None, {k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = link.getresponse()
        return answer.status, answer.read().decode()
    finally:
        link.close()


def post(port: int, body: bytes) -> tuple[int, str]:
    return ask(port, "POST", "/add-checkpoint", body)
