"""The word that opens the first hall: shown on the server's own terminal, good once.

Whoever reaches a new server first over the network does not have it. Only its digest is kept, in a
file of the server's data; the word has 128 bits of chance, so that no guess at its digest finds it.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest

from bingo.rules.refusal import Refusal
from halls.services import passwords

BYTES = 16
PART = 4  # signs between two hyphens
LONGEST = 100  # signs of what is typed
WHO = "/first/"  # in the place of a name; nobody is called so


def give() -> str:
    """Make a new word, in the place of any before, and keep its digest."""
    word = secrets.token_hex(BYTES)
    kept, new = _file(), _file().with_suffix(".new")
    kept.parent.mkdir(parents=True, exist_ok=True)
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as out:
        out.write(_digest(word))
    new.replace(kept)
    return "-".join(word[start : start + PART] for start in range(0, len(word), PART))


def require(typed: str, *, request: HttpRequest) -> None:
    """Refuse whoever does not know the word; too many failures close it for a while, as the login's.

    Raises Refusal: setup_word_wrong, setup_word_locked.
    """
    asking = passwords.bare(request)
    named = {"username": WHO}
    if not AxesProxyHandler.is_allowed(asking, named):
        raise Refusal("setup_word_locked")
    if not _is_right(typed):
        user_login_failed.send(sender=__name__, credentials=named, request=asking)
        raise Refusal("setup_word_wrong")


def forget() -> None:
    """Let the word be good for nothing any more."""
    _file().unlink(missing_ok=True)


def _is_right(typed: str) -> bool:
    kept = ""
    with contextlib.suppress(FileNotFoundError):
        kept = _file().read_text()
    plain = "".join(typed[:LONGEST].lower().replace("-", " ").split())
    return hmac.compare_digest(kept, _digest(plain)) and bool(kept)


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def _file() -> Path:
    return Path(settings.DATA_DIR) / "setup_word.sha256"
