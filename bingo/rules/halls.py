"""A new hall: what is asked of it before its first entry is written."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bingo.rules import rulebooks, staff
from bingo.rules.refusal import Refusal
from bingo.rules.signs import is_plain

Data = dict[str, Any]

OPENED = "hall_opened"
# It names the folder of the hall's keys and the address of its boards.
CODE = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?")
LONGEST_NAME, LONGEST_LICENCE = 200, 100  # characters
MOST_TILLS = 20


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to choose from: languages shipped, currencies, time zones.

    `taken` are the codes of other halls; no code begins with `reserved`, where that is not empty.
    """

    languages: Collection[str]
    currencies: Collection[str]
    time_zones: Collection[str]
    taken: Collection[str] = ()
    reserved: str = ""


def open_hall(
    *,
    code: str,
    name: str,
    licence: str,
    language: str,
    currency: str,
    time_zone: str,
    rulebook: str,
    tills: Collection[str],
    manager: str,
    manager_name: str,
    known: Known,
) -> Data:
    """Give a hall's first fact; `manager` is the username of its first manager.

    Raises Refusal: bad_hall_code, hall_code_taken, bad_hall_name, bad_licence, unknown_language,
    unknown_currency, unknown_time_zone, unknown_rulebook, bad_tills, bad_username, bad_person_name.
    """
    _require_code(code, known)
    if not _is_text(name, LONGEST_NAME):
        raise Refusal("bad_hall_name", most=LONGEST_NAME)
    if not _is_text(licence, LONGEST_LICENCE):
        raise Refusal("bad_licence", most=LONGEST_LICENCE)
    if language not in known.languages:
        raise Refusal("unknown_language", known=", ".join(known.languages))
    if currency not in known.currencies:
        raise Refusal("unknown_currency")
    if time_zone not in known.time_zones:
        raise Refusal("unknown_time_zone")
    rulebooks.get(rulebook)
    if not 0 < len(tills) <= MOST_TILLS or len(set(tills)) != len(tills):
        raise Refusal("bad_tills", most=MOST_TILLS)
    return {
        "name": name,
        "licence": licence,
        "language": language,
        "currency": currency,
        "time_zone": time_zone,
        "rulebook": rulebook,
        "tills": list(tills),
        "manager": staff.enrol(
            username=manager, name=manager_name, roles=[staff.MANAGER], language=language
        ),
    }


def unusual_currency(*, currency: str, rulebook: str) -> str | None:
    """Give the currency of a rule book's country where a hall chose another, else None.

    Raises Refusal unknown_rulebook.
    """
    usual = rulebooks.get(rulebook).currency
    return usual if currency != usual else None


def _require_code(code: str, known: Known) -> None:
    reserved = known.reserved and code.startswith(known.reserved)
    if not CODE.fullmatch(code) or reserved:
        raise Refusal("bad_hall_code")
    if code in known.taken:
        raise Refusal("hall_code_taken", hall=code)


def _is_text(text: str, longest: int) -> bool:
    # As other names on papers: no signs that our typeface does not print, none at the ends.
    return 0 < len(text) <= longest and is_plain(text)
