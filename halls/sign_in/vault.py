"""Seal small secrets with the installation's own key, so that a copy of the database tells none."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def seal(text: str, *, use: str) -> str:
    """Return a text sealed for one use: what was sealed for another does not open it."""
    return _box(use).encrypt(text.encode()).decode()


def unseal(sealed: str, *, use: str, seconds: int | None = None) -> str | None:
    """Return a sealed text, None where it is of another key or use, changed, or older than `seconds`."""
    try:
        return _box(use).decrypt(sealed.encode(), ttl=seconds).decode()
    except (InvalidToken, UnicodeError):
        return None


def _box(use: str) -> Fernet:
    derived = HKDF(SHA256(), length=32, salt=None, info=f"sign-in {use}".encode())
    key: bytes = derived.derive(settings.SECRET_KEY.encode())
    return Fernet(base64.urlsafe_b64encode(key))
