"""What entries about cards after their game must have written into which rows (R51, R52)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from bingo.rules import assistants, complaints, rulebooks, sales
from bingo.rules import custody as rules
from bingo.rules.assistants import Collected
from bingo.rules.custody import Card, Kept
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from bingo.rules.unclaimed import Item
from draws.queries.audit.books import Books, Key
from halls.models import JournalEntry


def paid(books: Books, entry: JournalEntry) -> None:
    """Put a winning card that was paid on the shelf."""
    data, number = entry.data, entry.game or 0
    _put(books, entry, (data["issue"], data["card"]), (entry.session_id, number), paid=True)


def paid_later(books: Books, entry: JournalEntry, item: Item) -> None:
    """Put a winning card on the shelf whose prize was set aside and is paid now."""
    game = (_session_of(books, item.session), item.game)
    _put(books, entry, (item.issue, item.first), game, paid=True)


def won_and_not_fetched(books: Books, entry: JournalEntry) -> None:
    """Leave a winning card that nobody came with out of the used ones of its game."""
    card = (entry.data["issue"], entry.data["card"])
    key = (entry.session_id, entry.game)
    session = books.tables["session"][key[:1]].values["number"]
    books.kept_of[session, _play(books, key)].add(card)


def _put(books: Books, entry: JournalEntry, card: Card, game: Key, *, paid: bool) -> None:
    values = books.tables["game"][game].values
    kept = Kept(
        issue=card[0],
        card=card[1],
        session=books.tables["session"][game[:1]].values["number"],
        game=game[1],
        play=values["first_half__number"] or game[1],
        played=_day(entry, values["opened_at"]),
        paid=_day(entry, entry.at) if paid else None,
    )
    books.shelf[kept.key] = kept
    books.kept_of[kept.session, kept.play].add(kept.key)


def _used_destroyed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = _game_of(books, data)
    state = _over(books, key, used_up=True)
    if key in books.tables["used_destruction"]:
        raise Refusal("used_destroyed_already", game=key[1])
    held = complaints.holding(books.complaints.values())
    rules.require_not_held(
        (
            card
            for card in held
            if card not in books.shelf and sales.was_sold(state.runs, issue=card[0], number=card[1])
        ),
        held,
    )
    used = state.cards - len(books.kept_of[data["session"], _play(books, key)])
    told = rules.destroy_used(
        session=data["session"], game=data["game"], used=used, cards=data["cards"],
        note=data.get("note", ""), collected=assistants.by_whom(_collected(books, key)),
    )  # fmt: skip
    _same(entry, told)
    books.put(
        "used_destruction", key, entry.number,
        entry=entry.pk, cards=data["cards"], missing=data["missing"], at=entry.at,
    )  # fmt: skip


def called(books: Books, entry: JournalEntry) -> None:
    """Remember the call that cards are brought for."""
    books.calls[entry.session_id, entry.game] = entry.number


def _carried(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = _game_of(books, data)
    told = assistants.carry(
        books.states[key[0]].game, session=data["session"], call=books.calls.get(key),
        issue=data["issue"], card=data["card"], place=data.get("place", ""),
        size=books.tables["issue"][data["issue"],].values["series__size"],
        brought={
            (row.values["issue"], row.values["card"])
            for row in books.tables["carried_card"].values()
            if row.values["call"] == books.calls.get(key)
        },
    )  # fmt: skip
    _same(entry, told)
    books.put(
        "carried_card", (entry.pk,), entry.number,
        game__session=key[0], game__number=key[1], call=data["call"], issue=data["issue"],
        card=data["card"], place=data.get("place", ""), at=entry.at,
    )  # fmt: skip


def _used_collected(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = _game_of(books, data)
    state = _over(books, key, used_up=True)
    if key in books.tables["used_destruction"]:
        raise Refusal("used_destroyed_already", game=key[1])
    told = assistants.collect(
        session=data["session"], game=data["game"], cards=data["cards"],
        used=state.cards - len(books.kept_of[data["session"], _play(books, key)]),
        by=entry.by.username if entry.by else "",
        others=assistants.newest(_collected(books, key)),
    )  # fmt: skip
    _same(entry, told)
    books.collected[key].append(Collected(entry.by.username if entry.by else "", data["cards"]))
    books.put(
        "collection", (entry.pk,), entry.number,
        game__session=key[0], game__number=key[1], cards=data["cards"], at=entry.at,
    )  # fmt: skip


def _collected(books: Books, key: Key) -> list[Collected]:
    return books.collected.get(key, [])


def _destroyed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if not data["witness"] or (entry.by and entry.by.username == data["witness"]):
        raise Refusal("second_person_needed", command=entry.kind)
    told = rules.destroy(
        books.shelf,
        _cards(data),
        cases=books.cases.values(),
        held=complaints.holding(books.complaints.values()),
        open_session=_open_session(books),
        days=rulebooks.get(entry.hall.rulebook).winning_card_days,
        on=_day(entry, entry.at),
    )
    _same(entry, told | {"witness": data["witness"]})
    _left(books, entry, rules.DESTROYED)


def _handed_over(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    case = books.cases[data["case"]]
    acta = books.tables["acta"][(_session_of(books, case.session),)].values["digest"]
    told = rules.hand_over(books.shelf, _cards(data), case=case, acta=acta, to=data["to"])
    _same(entry, told)
    _left(books, entry, rules.HANDED_OVER)


def _left(books: Books, entry: JournalEntry, how: str) -> None:
    rules.leave(books.shelf, entry.data["cards"], how)
    for card in _cards(entry.data):
        books.put("departure", card, entry.number, entry=entry.pk, how=how, at=entry.at)


def _lost(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if not data["witness"] or (entry.by and entry.by.username == data["witness"]):
        raise Refusal("second_person_needed", command=entry.kind)
    told = rules.lose(books.shelf, _cards(data), reason=data["reason"])
    _same(entry, told | {"witness": data["witness"]})
    _left(books, entry, rules.GONE_MISSING)


def _case_opened(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = _game_of(books, data)
    cards = [(issue, card) for issue, card in data.get("cards", ())]
    state = _over(books, key, used_up=bool(cards))
    destroyed = key in books.tables["used_destruction"]

    def was_sold(issue: int, card: int) -> bool:
        return sales.was_sold(state.runs, issue=issue, number=card)

    rules.require_set_aside(cards, shelf=books.shelf, destroyed=destroyed, was_sold=was_sold)
    named = {name: data[name] for name in ("session", "game", "reference", "reason")}
    _same(entry, rules.open_case(case=len(books.cases) + 1, **named, cards=rules.in_order(cards)))
    number = data["case"]
    books.cases[number] = rules.Case(number, data["session"], _play(books, key))
    books.put(
        "case", (number,), entry.number,
        entry=entry.pk, game__session=key[0], game__number=key[1], reference=data["reference"],
        reason=data["reason"], opened_at=entry.at, closed_at=None, outcome="",
    )  # fmt: skip
    for card in cards:
        _put(books, entry, card, key, paid=False)
        books.put(
            "set_aside", card, entry.number,
            game__session=key[0], game__number=key[1], case__number=number,
        )  # fmt: skip


def _case_closed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    case = books.cases[data["case"]]
    _same(entry, rules.close_case(case, outcome=data["outcome"]))
    books.cases[case.number] = replace(case, open=False)
    books.change("case", (case.number,), closed_at=entry.at, outcome=data["outcome"])


def _over(books: Books, key: Key, *, used_up: bool) -> GameState:
    """Give a game that is over. Raises Refusal: game_not_over; played_on where it must be used up."""
    values, state = books.tables["game"][key].values, books.games[key]
    rules.require_over(game=key[1], over=values["ended_at"] is not None)
    if used_up:
        rules.require_used_up(game=key[1], played_on=state.half == 1 and state.void is None)
    return state


def _play(books: Books, key: Key) -> int:
    return int(books.tables["game"][key].values["first_half__number"] or key[1])


def _game_of(books: Books, data: Mapping[str, Any]) -> Key:
    return (_session_of(books, data["session"]), data["game"])


def _session_of(books: Books, number: int) -> int:
    """Give the key of a session by its number in the hall, most often the newest. Raises KeyError."""
    for key, row in reversed(books.tables["session"].items()):
        if row.values["number"] == number:
            return int(key[0])
    raise KeyError(number)


def _open_session(books: Books) -> int | None:
    newest = next(row.values for row in reversed(books.tables["session"].values()))
    return newest["number"] if newest["closed_at"] is None else None


def _cards(data: Mapping[str, Any]) -> list[Card]:
    return [(one["issue"], one["card"]) for one in data["cards"]]


def _day(entry: JournalEntry, at: datetime) -> date:
    return at.astimezone(ZoneInfo(entry.hall.time_zone)).date()


def _same(entry: JournalEntry, decided: Mapping[str, Any]) -> None:
    """Refuse an entry that the rules would have written otherwise: fact_disagrees."""
    if decided != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        assistants.CARRIED: _carried,
        assistants.COLLECTED: _used_collected,
        "used_cards_destroyed": _used_destroyed,
        "winning_cards_destroyed": _destroyed,
        "kept_card_lost": _lost,
        "case_opened": _case_opened,
        "case_closed": _case_closed,
        "evidence_handed_over": _handed_over,
    }
)
