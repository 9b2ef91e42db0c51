"""Where a camera is and how it was set up, as its entry in the journal tells it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import Any
from urllib.parse import urlsplit

from bingo.rules.refusal import Refusal


def bare(url: str) -> str:
    """Give an address without the name, password and questions in it; a device's as it is."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if not parts.scheme or not parts.hostname:
        return url.partition("?")[0].rpartition("@")[2]
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def digest(url: str, *, salt: str) -> str:
    """Give the HMAC-SHA256 in hex of all of an address but its name and password.

    Two channels of one machine differ by their questions alone, and a question may hold a secret:
    the journal tells this instead, by which nobody without the camera's salt can try guesses.
    """
    whole = re.sub(r"//[^/?#]*@", "//", url, count=1)
    return hmac.new(salt.encode(), whole.encode(), hashlib.sha256).hexdigest()


def settings_digest(settings: dict[str, Any]) -> str:
    """Give the SHA-256 in hex of a camera's settings. Raises Refusal bad_camera_settings."""
    try:
        text = json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise Refusal("bad_camera_settings") from None
    return hashlib.sha256(text.encode()).hexdigest()
