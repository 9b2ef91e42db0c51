"""Admission to a hall: who enters, who is refused, how many are inside, who is excluded (BOE III).

The count holds numbers and reasons, never names: a birth date is looked at and forgotten. Where the
hall asks for identity, the register of visits stores a hash of the document for as long as it is
kept. Excluded persons are listed by the same hash.

A number of an identity card has so few possible values that a bare hash of it is as good as the
number: all of them can be tried. The hash is an HMAC, and its key lies outside the database.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.texts import require_record, require_text

ADMITTED, LEFT, REFUSED, COUNTED = (
    "person_admitted", "person_left", "admission_refused", "inside_counted",
)  # fmt: skip
KINDS = (ADMITTED, LEFT, REFUSED, COUNTED)

FULL, MINOR, EXCLUDED, NO_DOCUMENT, CONDUCT, OTHER = (
    "full", "minor", "excluded", "no_document", "conduct", "other",
)  # fmt: skip
REASONS = (FULL, MINOR, EXCLUDED, NO_DOCUMENT, CONDUCT, OTHER)
MOST_INSIDE = 100_000  # people
OLDEST = 130  # years


@dataclass(frozen=True, slots=True)
class Doorway:
    """How many people are inside, and how many may be; None where nothing was granted."""

    inside: int = 0
    capacity: int | None = None

    @property
    def room(self) -> int | None:
        """How many more may come in, None where nothing limits it."""
        return None if self.capacity is None else max(0, self.capacity - self.inside)


def admit(
    doorway: Doorway,
    *,
    born: date | None,
    today: date,
    least_age: int,
    identity_asked: bool = False,
    identity: str | None = None,
    excluded: bool = False,
) -> Data:
    """Let one person in; `born` is their birth date where a document was looked at.

    `identity` is what the journal keeps of their document, see `admission.sealed`, where one was
    typed; it is kept only where identity is asked. `excluded` tells that the list has them.
    Raises Refusal: document_needed, minor (`age`), bad_birth_date, excluded, hall_full.
    """
    if identity_asked and identity is None:
        raise Refusal("document_needed", field="document")
    if born is not None:
        require_adult(born, today=today, least_age=least_age)
    if excluded:
        raise Refusal("excluded")
    if doorway.inside >= MOST_INSIDE or doorway.room == 0:
        raise Refusal("hall_full", capacity=doorway.capacity or MOST_INSIDE)
    told: Data = {"inside": doorway.inside + 1}
    if doorway.capacity is not None:
        told["capacity"] = doorway.capacity
    if identity is not None:
        told |= {"identity": identity} if identity_asked else {"document_checked": True}
    return told | ({"age_checked": True} if born is not None else {})


def leave(doorway: Doorway) -> Data:
    """Let one person out. Raises Refusal nobody_inside."""
    if doorway.inside == 0:
        raise Refusal("nobody_inside")
    return {"inside": doorway.inside - 1}


def refuse(doorway: Doorway, *, reason: str) -> Data:
    """Send somebody away, for one of `REASONS`. Raises Refusal unknown_reason."""
    if reason not in REASONS:
        raise Refusal("unknown_reason", reason=reason)
    return {"inside": doorway.inside, "reason": reason}


def count(doorway: Doorway, *, inside: int, reason: str) -> Data:
    """Set how many are inside to what was counted, with the reason.

    More than may be inside can be counted: what is so is written down, and nobody else is let in.
    Raises Refusal: bad_count, reason_missing, bad_text, nothing_changed.
    """
    if not 0 <= inside <= MOST_INSIDE:
        raise Refusal("bad_count", inside=inside, most=MOST_INSIDE)
    require_text(reason)
    said = require_record(reason)
    if inside == doorway.inside:
        raise Refusal("nothing_changed")
    return {"inside": inside, "before": doorway.inside, "reason": said}


def require_adult(born: date, *, today: date, least_age: int) -> None:
    """Refuse whoever has not had that birthday yet: minor; a date nobody living has: bad_birth_date."""
    years = age(born, today=today)
    if born > today or years > OLDEST:
        raise Refusal("bad_birth_date")
    if years < least_age:
        raise Refusal("minor", age=least_age)


def age(born: date, *, today: date) -> int:
    """Return somebody's age in whole years; who was born on 29 February has their day on 1 March."""
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


KEY_MADE = "document_key_made"
IDENTITY_CARD, PASSPORT, RESIDENCE, DOCUMENT_OTHER = (
    "identity_card",
    "passport",
    "residence",
    "other",
)
DOCUMENT_KINDS = (IDENTITY_CARD, PASSPORT, RESIDENCE, DOCUMENT_OTHER)
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


def read_document(kind: str, country: str, number: str) -> Document:
    """Return a document as it is compared, however it was typed: 12.345.678-z is 12345678Z.

    Raises Refusal: unknown_document, unknown_country, bad_document. None says what was typed.
    """
    if kind not in DOCUMENT_KINDS:
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


def document_digest(document: Document, *, key: bytes) -> str:
    """Return the hash of a document under a hall's key, in hex."""
    told = f"{document.kind}/{document.country}/{document.number}"
    return hmac.new(key, told.encode(), hashlib.sha256).hexdigest()


def fingerprint(key: bytes) -> str:
    """Return what a key is told from another by; it gives nothing of the key away."""
    return hmac.new(key, b"bingo-document-key", hashlib.sha256).hexdigest()


def document_made(key: bytes, *, version: int) -> Data:
    """Return the making of a hall's key as the journal has it."""
    return {"version": version, "fingerprint": fingerprint(key)}


def sealed(document: str, *, salt: str) -> str:
    """Return what the journal keeps of a document's hash: proof of the row beside it, and no more.

    The journal is for good and the row is not: without the row's salt nothing can be told from it.
    """
    return hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(document)).hexdigest()


ADDED, LIFTED = "exclusion_added", "exclusion_lifted"
OWN_REQUEST, AUTHORITY, HALL = "own_request", "authority", "hall"
EXCLUSION_REASONS = (OWN_REQUEST, AUTHORITY, HALL)


@dataclass(frozen=True, slots=True)
class ExclusionState:
    """One exclusion, from its first day to its last, both of them; without a last until it is lifted."""

    number: int
    document: str
    reason: str
    begins: date
    ends: date | None = None
    lifted: bool = False

    def holds(self, on: date) -> bool:
        """Return whether it keeps somebody out on a day of the hall's."""
        return not self.lifted and self.begins <= on <= (self.ends or on)


def add_exclusion(
    known: Iterable[ExclusionState],
    *,
    number: int,
    document: str,
    key: int,
    reason: str,
    begins: date,
    ends: date | None,
    today: date,
) -> Data:
    """Put somebody on the list as its next exclusion; `known` are those of the same document.

    `key` is the version of the key that the hash was made with. Raises Refusal:
    unknown_exclusion_reason, exclusion_ends_before, exclusion_over, already_excluded (`number`).
    """
    if reason not in EXCLUSION_REASONS:
        raise Refusal("unknown_exclusion_reason", reason=reason)
    if ends is not None and ends < begins:
        raise Refusal("exclusion_ends_before", field="excluded_until")
    if ends is not None and ends < today:
        raise Refusal("exclusion_over", field="excluded_until")
    for one in known:
        apart = (one.ends and one.ends < begins) or (ends and ends < one.begins)
        if one.reason == reason and not one.lifted and not apart:
            raise Refusal("already_excluded", number=one.number)
    told: Data = {
        "exclusion": number, "document": document, "key": key, "reason": reason,
        "begins": begins.isoformat(),
    }  # fmt: skip
    return told | ({"ends": ends.isoformat()} if ends else {})


def lift(known: ExclusionState, *, reason: str, witness: str | None) -> Data:
    """Take somebody off the list, by two persons and for a reason.

    Raises Refusal: exclusion_lifted, reason_missing, bad_text, second_person_needed.
    """
    if known.lifted:
        raise Refusal("exclusion_lifted", number=known.number)
    require_text(reason)
    said = require_record(reason)
    if not witness:
        raise Refusal("second_person_needed", command=LIFTED)
    return {"exclusion": known.number, "reason": said, "witness": witness}
