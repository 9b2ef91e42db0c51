"""Ball sets and equipment: what a set may be used for, its wear, checks, breakdowns (R20-R26, R32)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from bingo.rules import formats, rulebooks
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.texts import require_text

PNEUMATIC, MANUAL, RNG = "pneumatic", "manual", "rng"
EXTRACTORS = (PNEUMATIC, MANUAL)
DEVICES = (PNEUMATIC, MANUAL, RNG, "camera", "screen", "board", "sound", "printer", "other")
MOMENTS = (OPENING, CLOSING) = ("opening", "closing")
CAMERA, BY_HAND = "camera", "by_hand"
READERS = (CAMERA, BY_HAND)
# What is looked at before a session (R2, R32); a hall's own devices stand in the place of their kind.
CHECKED = ("extractor", "camera", "screen", "board", "sound", "rng", "printer")
BALLS = "ball_set"
# Those among them that the law names as the material of the game (R2 c-f).
NAMED = frozenset(["extractor", "camera", "screen", "board", "sound"])
# From here on the next set should be at hand.
WARNING = 95  # per cent of the games allowed
MOST_GAMES = 100_000
LONGEST_NAME, LONGEST_SERIAL, LONGEST_TEXT = 60, 40, 500
DEVICE = "device"
# What the law on approved models is about (R4 names what R2 does): neither RNG nor printer.
APPROVED = (PNEUMATIC, MANUAL, "camera", "screen", "board", "sound")
# What extracts balls and films them; the RNG is an extraction of its own, and has none.
OF_THE_BALLS = frozenset(["extractor", "camera"])


def checked_as(kind: str) -> str:
    """Return the item of a check in whose place a device of that kind stands."""
    return "extractor" if kind in EXTRACTORS else kind


class SetPlace(StrEnum):
    """Where a ball set is: in an extractor, on the shelf, or done with."""

    KEPT = "kept"
    IN_USE = "in_use"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class BallSetState:
    """What the rules know of a ball set; `fit` is what its last inspection found."""

    serial: str
    format: int
    standing: SetPlace
    fit: bool
    games: int


@dataclass(frozen=True, slots=True)
class Wear:
    """How many games a set has served, and the most it may; None where no rule limits it."""

    games: int
    most: int | None

    @property
    def left(self) -> int | None:
        """How many games it may still serve."""
        return None if self.most is None else max(0, self.most - self.games)

    @property
    def percent(self) -> int:
        """How much of its life is over, rounded down so that 100 means that it is."""
        return 0 if not self.most else min(100, self.games * 100 // self.most)

    @property
    def warned(self) -> bool:
        """Whether the next set should be at hand."""
        return self.most is not None and self.games * 100 >= self.most * WARNING

    @property
    def worn(self) -> bool:
        """Whether it may serve no more (R25)."""
        return self.left == 0


def wear(games: int, *, rulebook: str, extractor: str | None) -> Wear:
    """Return the wear of a set in that kind of extractor; where it is not known, as in the strictest.

    Raises Refusal unknown_rulebook.
    """
    book = rulebooks.get(rulebook)
    limited = book.ball_sets_wear_in
    if extractor is not None and limited is not None and extractor not in limited:
        return Wear(games, None)
    return Wear(games, book.ball_set_games)


def require_fit(known: BallSetState, worn: Wear, *, games: int = 1) -> None:
    """Let a set be used for some more games (R25). Raises Refusal: ball_set_worn, ball_set_faulty."""
    if worn.left is not None and worn.left < games:
        raise Refusal("ball_set_worn", ball_set=known.serial, games=worn.games, most=worn.most)
    if not known.fit:
        raise Refusal("ball_set_faulty", ball_set=known.serial)


def register_set(
    *,
    ball_set: str,
    format: int,
    maker: str,
    model: str,
    approval: str,
    marks: Iterable[int],
    zeros: bool,
    games: int,
    authority: str = "",
    approved_on: str | None = None,
    approved_until: str | None = None,
) -> Data:
    """Take a set into the hall's books, with the games it has served elsewhere or before (R20-R22).

    `marks` are the numbers printed with an underline, `zeros` whether 1 to 9 stand as 01 to 09, the
    rest of the approval as `record_approval` takes it. Raises Refusal: serial_missing, bad_text,
    unknown_format, ball_not_in_set, bad_ball_set_games, approval_incomplete, approval_ends_early.
    """
    if not ball_set:
        raise Refusal("serial_missing")
    _require_short(ball_set, LONGEST_SERIAL)
    for text in (maker, model, approval):
        _require_short(text, LONGEST_NAME)
    told = sorted(set(marks))
    for number in told:
        require_ball(number, format)
    formats.get_format(format)
    if not 0 <= games <= MOST_GAMES:
        raise Refusal("bad_ball_set_games", most=MOST_GAMES)
    return {
        "ball_set": ball_set,
        "format": format,
        "maker": maker,
        "model": model,
        "approval": approval,
        "marks": told,
        "zeros": zeros,
        "games": games,
        **_rest_of_approval(approval, authority, approved_on, approved_until),
    }


def require_ball(number: int, format: int) -> None:
    """Refuse a number that no ball of the format has: ball_not_in_set."""
    if number not in formats.get_format(format).numbers:
        raise Refusal("ball_not_in_set", number=number, highest=format)


def use(
    known: BallSetState,
    worn: Wear,
    *,
    extractor: str | None,
    kind: str | None,
    replaced: str | None,
) -> Data:
    """Put a set in use, in an extractor of that kind where one is named; `replaced` was there before.

    Raises Refusal: ball_set_retired, ball_set_in_use, not_an_extractor, ball_set_worn,
    ball_set_faulty.
    """
    if known.standing == SetPlace.RETIRED:
        raise Refusal("ball_set_retired", ball_set=known.serial)
    if known.standing == SetPlace.IN_USE:
        raise Refusal("ball_set_in_use", ball_set=known.serial)
    if kind is not None and kind not in EXTRACTORS:
        raise Refusal("not_an_extractor", equipment=extractor)
    require_fit(known, worn)
    return {"ball_set": known.serial, "extractor": extractor, "replaced": replaced}


def put_on_shelf(known: BallSetState, *, reason: str) -> Data:
    """Take a set out of use. Raises Refusal: ball_set_not_in_use, reason_missing, bad_text."""
    if known.standing != SetPlace.IN_USE:
        raise Refusal("ball_set_not_in_use", ball_set=known.serial)
    return {"ball_set": known.serial, "reason": _reason(reason)}


def retire(known: BallSetState, *, reason: str) -> Data:
    """Have done with a set for good. Raises Refusal: ball_set_retired, reason_missing, bad_text."""
    require_not_retired(known)
    return {"ball_set": known.serial, "reason": _reason(reason)}


def replace_ball(known: BallSetState, *, number: int, reason: str, old: str, new: str) -> Data:
    """Put another ball in the place of one (R26); `old` and `new` say how each can be known.

    Raises Refusal: ball_set_retired, ball_not_in_set, reason_missing, bad_text.
    """
    require_not_retired(known)
    require_ball(number, known.format)
    for text in (old, new):
        _require_short(text, LONGEST_NAME)
    return {
        "ball_set": known.serial,
        "number": number,
        "reason": _reason(reason),
        "old": old,
        "new": new,
    }


def inspect(known: BallSetState, *, fit: bool, note: str) -> Data:
    """Say what an inspection found (R25); a set that is not fit is not drawn from.

    Raises Refusal: ball_set_retired, reason_missing where it is not fit, bad_text.
    """
    require_not_retired(known)
    told = _reason(note) if not fit else note.strip()
    _require_short(told, LONGEST_TEXT)
    return {"ball_set": known.serial, "fit": fit, "note": told}


def call_balls(
    known: BallSetState,
    *,
    when: str,
    source: str,
    seen: Sequence[int],
    foreign: Sequence[int] = (),
    drawn: Collection[str] = (),
) -> Data:
    """Let all the balls run past the camera (R23): which were seen, are missing, are of another set.

    `foreign` are balls seen to be of another set, whatever their number; `drawn` are the sets that
    the open session was drawn from, by serial.
    Raises Refusal: ball_set_retired, unknown_moment, unknown_source.
    """
    if not may_be_called(known, when=when, drawn=drawn):
        raise Refusal("ball_set_retired", ball_set=known.serial)
    if when not in MOMENTS:
        raise Refusal("unknown_moment", when=when)
    if source not in READERS:
        raise Refusal("unknown_source", source=source)
    told, whole = set(seen), set(formats.get_format(known.format).numbers)
    return {
        "ball_set": known.serial,
        "when": when,
        "source": source,
        "seen": sorted(told & whole),
        "missing": sorted(whole - told),
        "foreign": sorted({*foreign} | told - whole),
    }


def record_approval(
    *,
    of: str,
    name: str,
    approval: str,
    authority: str,
    approved_on: str | None,
    approved_until: str | None = None,
) -> Data:
    """Write down the approval of a set's or a device's model (R4, R20); days are ISO texts.

    `of` is ball_set or device, `name` its serial or name, `approval` the number of the decision,
    `authority` whose it is, in force from `approved_on` until `approved_until`, or for good.
    Raises Refusal: unknown_device, bad_text, approval_incomplete, approval_ends_early.
    """
    if of not in (BALLS, DEVICE):
        raise Refusal("unknown_device", kind=of)
    rest = _rest_of_approval(approval, authority, approved_on, approved_until)
    if not rest:
        raise Refusal("approval_incomplete")
    return {"of": of, "name": name, "approval": approval, **rest}


def _rest_of_approval(
    number: str, authority: str, approved_on: str | None, approved_until: str | None
) -> Data:
    """Return what an approval has beside its number, nothing where only that was ever told."""
    if not authority and approved_on is None and approved_until is None:
        return {}
    if not (number.strip() and authority.strip() and approved_on):
        raise Refusal("approval_incomplete")
    for text in (number, authority):
        _require_short(text, LONGEST_NAME)
    if approved_until is not None and approved_until < approved_on:
        raise Refusal("approval_ends_early")
    until = {} if approved_until is None else {"approved_until": approved_until}
    return {"authority": authority, "approved_on": approved_on, **until}


def is_approved(
    *,
    approval: str,
    authority: str,
    approved_on: date | None,
    approved_until: date | None,
    day: date,
) -> bool:
    """Return whether an approval is whole and in force on the hall's own day (R4, R20)."""
    if not (approval and authority and approved_on):
        return False
    return approved_on <= day and (approved_until is None or day <= approved_until)


def approval_days(approved_on: date | None, approved_until: date | None) -> dict[str, str | None]:
    """Return the days of an approval as facts tell them."""
    return {
        "approved_on": approved_on.isoformat() if approved_on else None,
        "approved_until": approved_until.isoformat() if approved_until else None,
    }


def approved(data: Data) -> Data:
    """Return what the books hold of an approval that a fact tells, its days as days."""
    if "approved_on" not in data:
        return {}
    until = data.get("approved_until")
    return {
        "approval": data["approval"],
        "authority": data["authority"],
        "approved_on": date.fromisoformat(data["approved_on"]),
        "approved_until": date.fromisoformat(until) if until else None,
    }


def register_device(
    *,
    name: str,
    kind: str,
    maker: str,
    approval: str,
    authority: str = "",
    approved_on: str | None = None,
    approved_until: str | None = None,
) -> Data:
    """Take a piece of equipment into the hall's books, with the approval of its model (R2, R4).

    Raises Refusal: name_missing, bad_text, unknown_device, approval_incomplete, approval_ends_early.
    """
    if not name:
        raise Refusal("name_missing")
    for text in (name, maker, approval):
        _require_short(text, LONGEST_NAME)
    if kind not in DEVICES:
        raise Refusal("unknown_device", kind=kind)
    rest = _rest_of_approval(approval, authority, approved_on, approved_until)
    return {"name": name, "kind": kind, "maker": maker, "approval": approval, **rest}


def retire_device(*, name: str, reason: str) -> Data:
    """Have done with a piece of equipment. Raises Refusal: reason_missing, bad_text."""
    return {"name": name, "reason": _reason(reason)}


def required(rulebook: str, *, exempt: Collection[str], source: str) -> list[str]:
    """Return what a hall may not be without, as `CHECKED` names it (R2; BOE II).

    `exempt` is what its authorisation lets it do without, `source` where it has decided to draw
    from: the RNG neither extracts balls nor films them. Raises Refusal unknown_rulebook.
    """
    named = rulebooks.get(rulebook).equipment - frozenset(exempt)
    left = named - OF_THE_BALLS if source == RNG else named
    return [kind for kind in CHECKED if kind in left]


def require_there(kind: str, ok: bool | None, *, required: Collection[str]) -> None:
    """Refuse that a hall has none of what the law names (R2): equipment_required."""
    if ok is None and checked_as(kind) in required:
        raise Refusal("equipment_required", item=[kind, ""])


def check(
    items: Sequence[Mapping[str, Any]],
    *,
    due: Sequence[tuple[str, str]],
    required: Sequence[str] = (),
) -> Data:
    """Say what the check of the equipment found (R32): each item that is due, ticked or failed.

    An item is `kind`, `name` (empty for all of its kind), `ok` (None: the hall has none) and
    `note`; `due` are their kinds and names, `required` the kinds that a hall may not be without. It
    passes when nothing failed. Raises Refusal: check_not_complete, reason_missing where something
    failed, bad_text, equipment_required.
    """
    ticked = {(item["kind"], item["name"]): item for item in items}
    left = [one for one in due if one not in ticked]
    if left or not due:
        raise Refusal("check_not_complete", left=len(left))
    told = [_item(ticked[one]) for one in due]
    for item in told:
        require_there(item["kind"], item["ok"], required=required)
    named = {"required": list(required)} if required else {}
    return {"items": told, "passed": all(item["ok"] is not False for item in told), **named}


def _item(item: Mapping[str, Any]) -> Data:
    note = require_note(item["ok"], str(item["note"]))
    return {"kind": item["kind"], "name": item["name"], "ok": item["ok"], "note": note}


def require_note(ok: bool | None, note: str) -> str:
    """Return the note of an item, which what fails must have. Raises Refusal: reason_missing, bad_text."""
    told = note.strip()
    if ok is False:
        return _reason(told)
    _require_short(told, LONGEST_TEXT)
    return told


def needs_two(kind: str) -> bool:
    """Return whether two persons must stand for going on without it: what R2 names, balls and all."""
    return kind == BALLS or checked_as(kind) in NAMED


def waive(*, kind: str, name: str, note: str, reason: str) -> Data:
    """Let a session open although an item of the check fails (R32); `note` is what is wrong with it.

    Raises Refusal: reason_missing, bad_text.
    """
    return {"kind": kind, "name": name, "note": note, "reason": _reason(reason)}


def open_breakdown(*, equipment: str, reason: str) -> Data:
    """Note that a piece of equipment fails (R61 l). Raises Refusal: reason_missing, bad_text."""
    return {"equipment": equipment, "reason": _reason(reason)}


def end_breakdown(*, equipment: str, breakdown: int, remedy: str) -> Data:
    """Note that it works again; `breakdown` is the entry that opened it.

    Raises Refusal: reason_missing, bad_text.
    """
    return {"equipment": equipment, "breakdown": breakdown, "remedy": _reason(remedy)}


def require_not_retired(known: BallSetState) -> None:
    """Refuse a set that is done with: ball_set_retired."""
    if known.standing == SetPlace.RETIRED:
        raise Refusal("ball_set_retired", ball_set=known.serial)


def may_be_called(known: BallSetState, *, when: str, drawn: Collection[str]) -> bool:
    """Return whether the balls of a set may be called: of a retired one where the session owes it (R23).

    `drawn` are the sets that the open session was drawn from: they are called again at its end.
    """
    return known.standing != SetPlace.RETIRED or (when == CLOSING and known.serial in drawn)


def _reason(text: str) -> str:
    told = require_text(text)
    _require_short(told, LONGEST_TEXT)
    return told


def _require_short(text: str, most: int) -> None:
    if len(text) > most:
        raise Refusal("bad_text", most=most)
