"""Retention: for how many days a hall keeps things besides the record, and what a removal says."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from types import MappingProxyType

from bingo.rules.journal_json_and_chain import Data, canonical
from bingo.rules.policies import DAYS, FEWEST_DAYS, MOST_DAYS
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks.rulebook import Rulebook

Days = Mapping[str, int]

SET, APPLIED = "retention_set", "retention_applied"
PICTURES, LOOKS, PRINTS, STILLS = "pictures", "looks", "prints", "stills"
ADMISSIONS = "admissions"
KINDS = (PICTURES, LOOKS, PRINTS, STILLS, ADMISSIONS)
ALWAYS = 0  # days: nothing of that kind is removed
# The days of winning cards bind their other proof too (R52). The law knows no days for who looked at
# what: an inspector who comes once a quarter finds it.
FEWEST: Mapping[str, int] = MappingProxyType(
    {PICTURES: FEWEST_DAYS, LOOKS: 90, PRINTS: 1, STILLS: 1}
)
# A hall that has decided nothing loses nothing that it did not lose before.
UNDECIDED: Days = MappingProxyType(
    {PICTURES: DAYS, LOOKS: ALWAYS, PRINTS: ALWAYS, STILLS: ALWAYS, ADMISSIONS: ALWAYS}
)

# Why something is kept beyond its days; the first three hold a whole session.
CASE, COMPLAINT, REMARK = "case", "complaint", "remark"
NAMED, CERTIFICATE = "named", "certificate"


@dataclass(frozen=True, slots=True)
class Decision:
    """Days by kind from a day on."""

    valid_from: date
    days: Days


@dataclass(frozen=True, slots=True)
class RemovalItem:
    """One thing to be removed; `name` finds it again, `at` is when it came into being.

    `count` is how many it stands for, up to `until`: a run of looks is one item.
    """

    kind: str
    name: str
    at: datetime
    count: int = 1
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class KeptBack:
    """What is kept beyond its days: why, what holds it by its name, and how many."""

    kind: str
    why: str
    name: str
    count: int


def fewest(book: Rulebook) -> Days:
    """Return for how many days at least things of each kind are kept under a rule book."""
    return {**FEWEST, ADMISSIONS: book.admission_days}


def decide(
    *, days: Mapping[str, int], valid_from: date, today: date, fewest: Mapping[str, int]
) -> Data:
    """Return a decision as the journal has it; 0 days: kept for good.

    Decisions older than the register of admissions do not tell of it. Raises Refusal:
    retention_in_the_past, bad_retention (`kind`, `least`, `most` days).
    """
    if valid_from < today:
        raise Refusal("retention_in_the_past", today=today.isoformat())
    told = {kind: days[kind] for kind in KINDS if kind in days or kind != ADMISSIONS}
    for kind in told:
        if days[kind] != ALWAYS and not fewest[kind] <= days[kind] <= MOST_DAYS:
            raise Refusal("bad_retention", kind=kind, least=fewest[kind], most=MOST_DAYS)
    return {"valid_from": valid_from.isoformat(), "days": told}


def require_notice(
    *, days: Mapping[str, int], held: Days, valid_from: date, earliest: date
) -> None:
    """Refuse to keep anything shorter than it is kept on that day, before `earliest`: retention_too_soon.

    `held` are the days that would hold on `valid_from` otherwise.
    """
    shorter = any(
        days[kind] != ALWAYS and (held[kind] == ALWAYS or days[kind] < held[kind])
        for kind in KINDS
        if kind in days
    )
    if shorter and valid_from < earliest:
        raise Refusal("retention_too_soon", day=earliest.isoformat())


def in_force(decisions: Iterable[Decision], *, on: date, pictures: int = DAYS) -> Days:
    """Return the days by kind on a day, of decisions in the order they were taken.

    Each replaces those before it from its own day on. `pictures` are the days of the hall's rules,
    which hold until the hall has decided here.
    """
    days: Days = {**UNDECIDED, PICTURES: pictures}
    for one in decisions:
        if one.valid_from <= on:
            days = {ADMISSIONS: ALWAYS, **one.days}
    return days


def listed(items: Iterable[RemovalItem]) -> str:
    """Return the list of a removal, a line each: kind, name, when; of several how many and until when."""
    return "".join(f"{_line(one)}\n" for one in items)


def _line(item: RemovalItem) -> str:
    line = f"{item.kind} {item.name} {utc_text(item.at)}"
    return line if item.until is None else f"{line} {item.count} {utc_text(item.until)}"


def read(text: str) -> list[RemovalItem]:
    """Return the items of a list. Raises ValueError for what is none."""
    found = []
    for line in text.splitlines():
        kind, name, at, *more = line.split(" ")
        item = RemovalItem(kind, name, datetime.fromisoformat(at))
        if more:
            count, until = more
            item = replace(item, count=int(count), until=datetime.fromisoformat(until))
        found.append(item)
    return found


def utc_text(at: datetime) -> str:
    """Return a time as lists have it: UTC, to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def visit_line(*, first: int, last: int, said: str) -> str:
    """Return the name of a run of admissions: their numbers at the door, the SHA-256 of their rows."""
    return f"{first}-{last}/{said}"


def visits_end(text: str) -> int | None:
    """Return the number of the last admission that a list names, None for none. Raises ValueError."""
    names = [one.name for one in read(text) if one.kind == ADMISSIONS]
    return int(names[-1].partition("/")[0].partition("-")[2]) if names else None


def look_line(*, first: int, last: int, said: str, head: str) -> str:
    """Return the name of a run of looks: their keys, the SHA-256 of what they said, the last's own."""
    return f"{first}-{last}/{said}/{head}"


def looks_end(text: str) -> int | None:
    """Return the key of the last look that a list names, None for none. Raises ValueError."""
    names = [one.name for one in read(text) if one.kind == LOOKS]
    return int(names[-1].partition("/")[0].partition("-")[2]) if names else None


def last_look(text: str) -> str | None:
    """Return the digest of the last look that a list names, None where lists did not tell it yet."""
    names = [one.name.split("/") for one in read(text) if one.kind == LOOKS]
    return names[-1][2] if names and len(names[-1]) > 2 else None


def digest(text: str) -> str:
    """Return the SHA-256 of a list in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def removed(items: Sequence[RemovalItem]) -> Data:
    """Count what is removed, by kind, with the oldest and the newest."""
    found: Data = {}
    for kind in KINDS:
        ours = [one for one in items if one.kind == kind]
        if ours:
            at = [one.at for one in ours] + [one.until for one in ours if one.until]
            count = sum(one.count for one in ours)
            found[kind] = {"count": count, "oldest": utc_text(min(at)), "newest": utc_text(max(at))}
    return found


def apply(
    *,
    removal: int,
    items: Sequence[RemovalItem],
    days: Days,
    sessions: Sequence[tuple[int, int]],
    enrolments: Sequence[int],
    prints: Sequence[int],
    absent: int,
    kept_back: Sequence[KeptBack],
    key: int,
    visits_upto: int | None = None,
) -> Data:
    """Return a removal, the hall's next, as the journal has it before it is signed.

    `sessions` are those, first to last, whose pictures are removed, `absent` how many of the
    pictures were gone already, `key` the version of the key that signs, `visits_upto` the number at
    the door of the last admission that goes from the register. Raises Refusal nothing_to_remove.
    """
    if not items:
        raise Refusal("nothing_to_remove")
    return {
        "removal": removal,
        "list": digest(listed(items)),
        "removed": removed(items),
        "days": dict(days),
        "sessions": [list(one) for one in sessions],
        "enrolments": list(enrolments),
        "prints": list(prints),
        "kept_back": [
            {"kind": one.kind, "why": one.why, "name": one.name, "count": one.count}
            for one in kept_back
        ],
        "key": key,
        **({"absent": absent} if absent else {}),
        **({"visits_upto": visits_upto} if visits_upto else {}),
    }


def signed(hall: str, data: Data) -> str:
    """Return the text that is signed of a removal: all that its entry says but the note itself."""
    said = {name: value for name, value in data.items() if name != "note"}
    whole = base64.b64encode(hashlib.sha256(canonical(said)).digest()).decode()
    return f"bingo-removal/{hall}\n{data['removal']}\n{whole}\n"


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges of whole numbers in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def covers(ranges: Iterable[tuple[int, int]], number: int) -> bool:
    """Return whether a number lies in one of the ranges."""
    return any(first <= number <= last for first, last in ranges)
