"""Audit entries about balls and equipment: sets, approvals, roll calls, sale duties (R4, R20, R23)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from bingo.rules import equipment as rules
from bingo.rules.equipment import BallSetState, SetPlace
from bingo.rules.refusal import Refusal
from draws.record.audit import admission
from draws.record.audit.engine import require, second_person_of_entry, two_persons
from draws.record.audit.expected_rows import Books, Key
from halls.models import JournalEntry

SET, DEVICE = "ball_set", "device"


def bound(books: Books) -> bool:
    """Return whether a session of the hall was opened under its duties."""
    return any(state.terms.get("duties") for state in books.states.values())


def require_all(books: Books, entry: JournalEntry) -> None:
    """Refuse a check that asked for less than the law names, but for what is exempt (R2)."""
    required: Sequence[str] = entry.data.get("required", [])
    if not required and not bound(books):
        return
    exempt = admission.in_force(books, entry).get("exempt", [])
    source = books.policy_at(entry).source
    asked = rules.required(entry.hall.rulebook, exempt=exempt, source=source)
    require(entry, list(required) == asked)


def second_person_of_waiver(books: Books, entry: JournalEntry) -> dict[str, str]:
    """Return the second person who let equipment pass: since a session was bound, the law wants one.

    Raises Refusal second_person_needed where it or the hall does, or it is who gave the command.
    """
    if rules.needs_two(entry.data["kind"]) and bound(books):
        return two_persons(books, entry)
    return second_person_of_entry(books, entry)


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
    values = books.tables[SET][(serial,)].values
    format = state.game.format if state.game else None
    if (values["standing"], values["format"]) != (SetPlace.IN_USE.value, format):
        raise Refusal("ball_set_not_in_use", ball_set=serial)
    unapproved = _unapproved(books, serial, entry.hall.day(entry.at))
    require(entry, entry.data.get("unapproved", []) == unapproved)
    if "roll_call" in entry.data:
        called = _whole(books, entry, entry.data["roll_call"], serial, "opening")
        opened = books.tables["session"][(entry.session_id,)].values["opened_at"]
        since = max((number for number, _digest in books.closings.values()), default=0)
        early = entry.hall.day(called.at) < entry.hall.day(opened)
        require(entry, called.number >= since and not early)


def check_closing_calls(books: Books, entry: JournalEntry) -> None:
    """Hold the roll calls that a session closes with against the books."""
    for serial, number in entry.data.get("roll_calls", ()):
        called = _whole(books, entry, number, serial, "closing")
        last = books.extracted.get((entry.session_id or 0, serial), 0)
        require(entry, called.number >= last)


def draw_from_set(books: Books, entry: JournalEntry) -> None:
    """Book the set that a ball was drawn from; with the first of a game it has served one more (R25)."""
    if "ball_set" in entry.data:
        check_duty_facts(books, entry)
        _begin_set(books, (entry.session_id, entry.game), entry.data["ball_set"])
    game = books.tables["game"][(entry.session_id, entry.game)].values
    if serial := game["ball_set__serial"]:
        books.extracted[entry.session_id or 0, serial] = entry.number


def _begin_set(books: Books, game: Key, serial: str) -> None:
    values = books.tables[SET][(serial,)].values
    if values["standing"] != SetPlace.IN_USE.value:
        raise Refusal("ball_set_not_in_use", ball_set=serial)
    if books.tables["game"][game].values["ball_set__serial"] is not None:
        raise Refusal("ball_set_in_game", ball_set=serial)
    values["games"] += 1
    books.change("game", game, ball_set__serial=serial, extractor__name=values["extractor__name"])


def _whole(books: Books, entry: JournalEntry, number: int, serial: str, when: str) -> JournalEntry:
    called = books.roll_calls.get(number)
    if called is None or called.data["missing"] or called.data["foreign"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    require(entry, (called.data["ball_set"], called.data["when"]) == (serial, when))
    return called


def _unapproved(books: Books, serial: str, day: date) -> list[str]:
    used = books.tables[SET][(serial,)].values
    names = [] if _approved(used, day) else [serial]
    machine = used["extractor__name"]
    if machine and not _approved(books.tables[DEVICE][(machine,)].values, day):
        names.append(machine)
    return names


def _approved(values: dict[str, Any], day: date) -> bool:
    fields = ("approval", "authority", "approved_on", "approved_until")
    return rules.is_approved(**{name: values[name] for name in fields}, day=day)


def book_approval(books: Books, entry: JournalEntry) -> None:
    """Book a newer approval of a set or a device. Raises Refusal ball_set_retired."""
    data = entry.data
    table = SET if data["of"] == rules.BALLS else DEVICE
    if books.tables[table][(data["name"],)].values.get("standing") == SetPlace.RETIRED.value:
        raise Refusal("ball_set_retired", ball_set=data["name"])
    books.change(table, (data["name"],), **rules.approved(data))


def use_set(books: Books, entry: JournalEntry) -> None:
    """Book that a set is drawn from now, and the one before it no longer. Raises Refusal: the rules'."""
    data = entry.data
    known = ball_set(books, entry)
    kind = books.tables[DEVICE][(data["extractor"],)].values["kind"] if data["extractor"] else None
    worn = rules.wear(known.games, rulebook=entry.hall.rulebook, extractor=kind)
    named = {name: data[name] for name in ("extractor", "replaced")}
    require(entry, rules.use(known, worn, kind=kind, **named) == data)
    in_use = (SetPlace.IN_USE.value, known.format)
    rows = books.tables[SET].items()
    used = [key for key, row in rows if (row.values["standing"], row.values["format"]) == in_use]
    require(entry, used == ([(data["replaced"],)] if data["replaced"] else []))
    for key in used:
        books.change(SET, key, standing=SetPlace.KEPT.value, extractor__name=None)
    books.change(
        SET, (known.serial,), standing=SetPlace.IN_USE.value, extractor__name=data["extractor"]
    )


def drawn_from(books: Books, entry: JournalEntry) -> tuple[str, ...]:
    """Return the sets that the session of an entry was drawn from, none outside of one."""
    state = books.states.get(entry.session_id or 0)
    return state.balls.drawn if state else ()


def remember_roll_call(books: Books, entry: JournalEntry) -> None:
    """Remember a roll call, which sales and closings name."""
    books.roll_calls[entry.number] = entry


def ball_set(books: Books, entry: JournalEntry) -> BallSetState:
    """Return the set that an entry names. Raises KeyError where there is none."""
    serial = entry.data["ball_set"]
    values = books.tables[SET][(serial,)].values
    return BallSetState(
        serial=serial,
        format=values["format"],
        standing=SetPlace(values["standing"]),
        fit=values["fit"],
        games=values["games"],
    )
