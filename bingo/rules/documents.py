"""Documents that say who somebody is: read, and known from then on by a keyed hash alone (BOE III).

A number of an identity card has so few possible values that a bare hash of it is as good as the
number: all of them can be tried. The hash is an HMAC, and its key lies outside the database.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

from bingo.rules.refusal import Refusal

Data = dict[str, Any]

KEY_MADE = "document_key_made"
IDENTITY_CARD, PASSPORT, RESIDENCE, OTHER = "identity_card", "passport", "residence", "other"
KINDS = (IDENTITY_CARD, PASSPORT, RESIDENCE, OTHER)
# ISO 3166-1, alpha-2
COUNTRIES = frozenset(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
    BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
    EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
    LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """.split()  # noqa: SIM905 - read as a list of the standard, not as Python
)
FEWEST_SIGNS, MOST_SIGNS = 4, 24
LONGEST = 60  # characters typed, with spaces and strokes
PLAIN = re.compile(r"[0-9A-Za-z]+")
PARTING = ("Z", "P")  # Unicode's spaces and punctuation
SHOWN = 8  # hex digits of a hash that a page shows


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its kind, the country that issued it, its number as it is compared."""

    kind: str
    country: str
    number: str = field(repr=False)


def read(kind: str, country: str, number: str) -> Document:
    """Return a document as it is compared, however it was typed: 12.345.678-z is 12345678Z.

    Raises Refusal: unknown_document, unknown_country, bad_document. None says what was typed.
    """
    if kind not in KINDS:
        raise Refusal("unknown_document", field="document_kind")
    issuer = country.strip().upper()
    if issuer not in COUNTRIES:
        raise Refusal("unknown_country", field="document_country")
    if len(number) > LONGEST:
        raise _bad()
    signs = [
        one
        for one in unicodedata.normalize("NFKC", number)
        if not unicodedata.category(one).startswith(PARTING)
    ]
    joined = "".join(signs)
    # Before letters are made large: a dotless i would become an I.
    if not PLAIN.fullmatch(joined) or not FEWEST_SIGNS <= len(joined) <= MOST_SIGNS:
        raise _bad()
    return Document(kind, issuer, joined.upper())


def _bad() -> Refusal:
    return Refusal("bad_document", field="document", least=FEWEST_SIGNS, most=MOST_SIGNS)


def digest(document: Document, *, key: bytes) -> str:
    """Return the hash of a document under a hall's key, in hex."""
    told = f"{document.kind}/{document.country}/{document.number}"
    return hmac.new(key, told.encode(), hashlib.sha256).hexdigest()


def fingerprint(key: bytes) -> str:
    """Return what a key is told from another by; it gives nothing of the key away."""
    return hmac.new(key, b"bingo-document-key", hashlib.sha256).hexdigest()


def made(key: bytes, *, version: int) -> Data:
    """Return the making of a hall's key as the journal has it."""
    return {"version": version, "fingerprint": fingerprint(key)}


def sealed(document: str, *, salt: str) -> str:
    """Return what the journal keeps of a document's hash: proof of the row beside it, and no more.

    The journal is for good and the row is not: without the row's salt nothing can be told from it.
    """
    return hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(document)).hexdigest()
