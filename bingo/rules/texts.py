"""Which typed texts are taken: what everybody can read on a card or paper, and what a record keeps."""

import re
import unicodedata

from bingo.rules.journal_json_and_chain import is_printable
from bingo.rules.refusal import Refusal

LONGEST_REASON = 500

# The letters of the Iberian languages and what forms are filled in with; one space at a time.
PLAIN = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ÿ.,:;/()&+ºª°·–'’\"#_ -]+")
NUMBER = re.compile(r"[0-9A-Za-z]+(?:[ ./-][0-9A-Za-z]+)*")


def is_plain(text: str) -> bool:
    """Return whether a text has only signs that our typeface prints and that look like no other."""
    return bool(PLAIN.fullmatch(text)) and text == unicodedata.normalize("NFC", text).strip()


def is_number(text: str) -> bool:
    """Return whether a text is an identification: letters A to Z and digits, parted by one sign."""
    return bool(NUMBER.fullmatch(text))


def is_record(text: str) -> bool:
    """Return whether a text can be kept as a reason: not too long, and shown."""
    return is_printable(text) and len(text) <= LONGEST_REASON


def require_text(text: str, *, missing: Refusal | None = None) -> str:
    """Return a text trimmed. Raises `missing` where nothing is left of it, else reason_missing."""
    if not text.strip():
        raise missing or Refusal("reason_missing")
    return text.strip()


def require_record(text: str, *, longest: int = LONGEST_REASON) -> str:
    """Return a text that can be kept, trimmed; it may be empty. Raises Refusal bad_text."""
    if len(text) > longest or not is_record(text):
        raise Refusal("bad_text", most=longest)
    return text.strip()
