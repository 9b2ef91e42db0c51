"""Which texts can stand on a card or a paper so that everybody reads the same."""

import re
import unicodedata

LONGEST_REASON = 500

# The letters of the Iberian languages and what forms are filled in with; one space at a time.
PLAIN = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ÿ.,:;/()&+ºª°·–'’\"#_ -]+")
NUMBER = re.compile(r"[0-9A-Za-z]+(?:[ ./-][0-9A-Za-z]+)*")


def is_plain(text: str) -> bool:
    """Tell whether a text has only signs that our typeface prints and that look like no other."""
    return bool(PLAIN.fullmatch(text)) and text == unicodedata.normalize("NFC", text).strip()


def is_number(text: str) -> bool:
    """Tell whether a text is an identification: letters A to Z and digits, parted by one sign."""
    return bool(NUMBER.fullmatch(text))


def is_shown(text: str) -> bool:
    """Tell whether a text has nothing in it that a page or a paper cannot show."""
    return all(sign.isprintable() or sign in "\r\n\t\xa0\u202f" for sign in text)


def is_record(text: str) -> bool:
    """Tell whether a text can be kept as a reason: not too long, and shown."""
    return is_shown(text) and len(text) <= LONGEST_REASON
