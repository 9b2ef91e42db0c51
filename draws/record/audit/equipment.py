"""What is told of a session's balls, held against the books: sets, approvals, roll calls (R4, R20, R23).

What entries about balls and equipment must have written into which rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from bingo.rules import equipment as rules
from bingo.rules import policies
from bingo.rules.equipment import BallSetState, SetPlace
from bingo.rules.refusal import Refusal
from draws.record.audit.expected_rows import Books, Key
from halls.models import JournalEntry

DUTY_SET, DUTY_DEVICE = "ball_set", "device"


def bound(books: Books) -> bool:
    """Return whether a session of the hall was opened under its duties."""
    return any(state.terms.get("duties") for state in books.states.values())


def require_all(books: Books, entry: JournalEntry, required: Sequence[str]) -> None:
    """Refuse a check that asked for less than the law names, but for what is exempt (R2)."""
    day = _day(entry, entry.at).isoformat()
    valid = [
        row
        for row in books.tables["authorisation"].values()
        if _iso(row.values["valid_from"]) <= day
        and (row.values["valid_until"] is None or day <= _iso(row.values["valid_until"]))
    ]
    # Of two from the same day the later one holds.
    newest = max(valid, key=lambda row: (_iso(row.values["valid_from"]), row.number), default=None)
    asked = rules.required(
        entry.hall.rulebook,
        exempt=newest.values["exempt"] if newest else [],
        source=policies.of({"policy": books.policy}).source,
    )
    if list(required) != asked:
        raise Refusal("fact_disagrees", kind=entry.kind)


def check_sale_duties(books: Books, entry: JournalEntry) -> None:
    """Hold what the announcement of a sale tells of its set against the books."""
    if "ball_set" in entry.data:
        check_duty_facts(books, entry)


def check_duty_facts(books: Books, entry: JournalEntry) -> None:
    """Hold the set, its approvals and its roll call that a fact tells against the books.

    Raises Refusal: ball_set_not_in_use, fact_disagrees.
    """
    state = books.states[entry.session_id or 0]
    if not state.terms.get("duties"):
        return
    serial = entry.data["ball_set"]
    values = books.tables[DUTY_SET][(serial,)].values
    format = state.game.format if state.game else None
    if (values["standing"], values["format"]) != (SetPlace.IN_USE.value, format):
        raise Refusal("ball_set_not_in_use", ball_set=serial)
    if entry.data.get("unapproved", []) != _unapproved(books, serial, _day(entry, entry.at)):
        raise Refusal("fact_disagrees", kind=entry.kind)
    if "roll_call" in entry.data:
        called = _whole(books, entry, entry.data["roll_call"], serial, "opening")
        opened = books.tables["session"][(entry.session_id,)].values["opened_at"]
        since = max((number for number, _digest in books.closings.values()), default=0)
        early = _day(entry, called.at) < _day(entry, opened)
        if called.number < since or early:
            raise Refusal("fact_disagrees", kind=entry.kind)


def closed(books: Books, entry: JournalEntry) -> None:
    """Hold the roll calls that a session closes with against the books."""
    for serial, number in entry.data.get("roll_calls", ()):
        called = _whole(books, entry, number, serial, "closing")
        if called.number < books.extracted.get((entry.session_id or 0, serial), 0):
            raise Refusal("fact_disagrees", kind=entry.kind)


def remember_drawn_set(books: Books, entry: JournalEntry) -> None:
    """Remember the last ball of a game that was drawn from a set."""
    game = books.tables["game"][(entry.session_id, entry.game)].values
    if serial := game["ball_set__serial"]:
        books.extracted[entry.session_id or 0, serial] = entry.number


def _whole(books: Books, entry: JournalEntry, number: int, serial: str, when: str) -> JournalEntry:
    called = books.roll_calls.get(number)
    if called is None or called.data["missing"] or called.data["foreign"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if (called.data["ball_set"], called.data["when"]) != (serial, when):
        raise Refusal("fact_disagrees", kind=entry.kind)
    return called


def _unapproved(books: Books, serial: str, day: date) -> list[str]:
    used = books.tables[DUTY_SET][(serial,)].values
    names = [] if _approved(used, day) else [serial]
    machine = used["extractor__name"]
    if machine and not _approved(books.tables[DUTY_DEVICE][(machine,)].values, day):
        names.append(machine)
    return names


def _approved(values: dict[str, Any], day: date) -> bool:
    fields = ("approval", "authority", "approved_on", "approved_until")
    return rules.is_approved(**{name: values[name] for name in fields}, day=day)


def _day(entry: JournalEntry, at: datetime) -> date:
    return entry.hall.day(at)


def _iso(day: Any) -> str:
    return day if isinstance(day, str) else day.isoformat()


SET, DEVICE = "ball_set", "device"
# What a row holds of an approval of which only the number was ever told.
UNAPPROVED: dict[str, Any] = {"authority": "", "approved_on": None, "approved_until": None}


def _device_registered(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    _same(entry, rules.register_device(**data))
    told = UNAPPROVED | data | rules.approved(data)
    books.put(
        DEVICE, (data["name"],), entry.number, **told, registered_at=entry.at, retired_at=None
    )


def _approval_recorded(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    _same(entry, rules.record_approval(**data))
    table = SET if data["of"] == rules.BALLS else DEVICE
    if books.tables[table][(data["name"],)].values.get("standing") == SetPlace.RETIRED.value:
        raise Refusal("ball_set_retired", ball_set=data["name"])
    books.change(table, (data["name"],), **rules.approved(data))


def _device_retired(books: Books, entry: JournalEntry) -> None:
    books.change(DEVICE, (entry.data["name"],), retired_at=entry.at)


def _set_registered(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    _same(entry, rules.register_set(**data))
    books.put(
        SET, _key(entry), entry.number,
        **(UNAPPROVED | {n: data[n] for n in data if n != "ball_set"} | rules.approved(data)),
        standing=SetPlace.KEPT.value, fit=True, extractor__name=None, registered_at=entry.at,
    )  # fmt: skip


def _set_used(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    known = _known(books, entry)
    kind = books.tables[DEVICE][(data["extractor"],)].values["kind"] if data["extractor"] else None
    worn = rules.wear(known.games, rulebook=entry.hall.rulebook, extractor=kind)
    named = {name: data[name] for name in ("extractor", "replaced")}
    _same(entry, rules.use(known, worn, kind=kind, **named))
    used = [key for key, row in books.tables[SET].items() if _of(row.values, known.format)]
    if used != ([(data["replaced"],)] if data["replaced"] else []):
        raise Refusal("fact_disagrees", kind=entry.kind)
    for key in used:
        books.change(SET, key, standing=SetPlace.KEPT.value, extractor__name=None)
    books.change(
        SET, _key(entry), standing=SetPlace.IN_USE.value, extractor__name=data["extractor"]
    )


def _of(values: Mapping[str, Any], format: int) -> bool:
    return (values["standing"], values["format"]) == (SetPlace.IN_USE.value, format)


def _set_kept(books: Books, entry: JournalEntry) -> None:
    _same(entry, rules.put_on_shelf(_known(books, entry), reason=entry.data["reason"]))
    books.change(SET, _key(entry), standing=SetPlace.KEPT.value, extractor__name=None)


def _set_retired(books: Books, entry: JournalEntry) -> None:
    _same(entry, rules.retire(_known(books, entry), reason=entry.data["reason"]))
    books.change(SET, _key(entry), standing=SetPlace.RETIRED.value, extractor__name=None)


def _ball_replaced(books: Books, entry: JournalEntry) -> None:
    _same(entry, rules.replace_ball(_known(books, entry), **_inputs(entry)))


def _inspected(books: Books, entry: JournalEntry) -> None:
    _same(entry, rules.inspect(_known(books, entry), **_inputs(entry)))
    books.change(SET, _key(entry), fit=entry.data["fit"])


def _called(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    told = rules.call_balls(
        _known(books, entry), when=data["when"], source=data["source"],
        seen=[*data["seen"], *data["foreign"]],
    )  # fmt: skip
    _same(entry, told)
    books.roll_calls[entry.number] = entry


def _checked(books: Books, entry: JournalEntry) -> None:
    items, required = entry.data["items"], entry.data.get("required", [])
    due = [(one["kind"], one["name"]) for one in items]
    _same(entry, rules.check(items, due=due, required=required))
    if required or bound(books):
        require_all(books, entry, required)
    books.put(
        "equipment_check", (entry.pk,), entry.number,
        items=items, passed=entry.data["passed"], at=entry.at,
    )  # fmt: skip


def _waived(books: Books, entry: JournalEntry) -> None:
    """A decision writes no row; once a session was bound to its duties, two persons stand for it."""
    two = rules.needs_two(entry.data["kind"]) and bound(books)
    if two and "witness" not in entry.data:
        raise Refusal("second_person_needed", command=entry.kind)
    told = {name: entry.data[name] for name in entry.data if name != "witness"}
    if rules.waive(**told) != told:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _breakdown_opened(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    _same(entry, rules.open_breakdown(**data))
    books.put(
        "breakdown", (entry.number,), entry.number,
        entry=entry.pk, device__name=data["equipment"], reason=data["reason"],
        opened_at=entry.at, ended_at=None, remedy="",
    )  # fmt: skip


def _breakdown_ended(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    _same(entry, rules.end_breakdown(**data))
    books.change("breakdown", (data["breakdown"],), ended_at=entry.at, remedy=data["remedy"])


def drawn(books: Books, game: Key, serial: str) -> None:
    """Book that a game's first ball not of the RNG came from a set: it has served one more (R25)."""
    values = books.tables[SET][(serial,)].values
    if values["standing"] != SetPlace.IN_USE.value:
        raise Refusal("ball_set_not_in_use", ball_set=serial)
    if books.tables["game"][game].values["ball_set__serial"] is not None:
        raise Refusal("ball_set_in_game", ball_set=serial)
    values["games"] += 1
    books.change("game", game, ball_set__serial=serial, extractor__name=values["extractor__name"])


def _known(books: Books, entry: JournalEntry) -> BallSetState:
    values = books.tables[SET][_key(entry)].values
    return BallSetState(
        serial=entry.data["ball_set"],
        format=values["format"],
        standing=SetPlace(values["standing"]),
        fit=values["fit"],
        games=values["games"],
    )


def _key(entry: JournalEntry) -> Key:
    return (entry.data["ball_set"],)


def _inputs(entry: JournalEntry) -> dict[str, Any]:
    return {name: entry.data[name] for name in entry.data if name != "ball_set"}


def _same(entry: JournalEntry, decided: Mapping[str, Any]) -> None:
    """Refuse an entry that the rules would have written otherwise: fact_disagrees."""
    if decided != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "device_registered": _device_registered,
        "device_retired": _device_retired,
        "ball_set_registered": _set_registered,
        "ball_set_used": _set_used,
        "ball_set_kept": _set_kept,
        "ball_set_retired": _set_retired,
        "ball_replaced": _ball_replaced,
        "ball_set_inspected": _inspected,
        "balls_called": _called,
        "equipment_checked": _checked,
        "equipment_waived": _waived,
        "approval_recorded": _approval_recorded,
        "breakdown_opened": _breakdown_opened,
        "breakdown_ended": _breakdown_ended,
    }
)
