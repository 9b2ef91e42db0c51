"""What entries about cards after their game must have written into which rows (R51, R52).

What entries about complaints must have written into which rows (R61 j).

Whose cards were handed on, judged anew by what the journal has told of the game until then (R56).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from bingo.rules import custody, record, rulebooks, sales
from bingo.rules.custody import Card, Collected, KeptCard
from bingo.rules.game_state import GameState
from bingo.rules.refusal import Refusal
from bingo.rules.unclaimed import UnclaimedState
from draws.record.audit import people
from draws.record.audit.expected_rows import Books, Key
from halls.models import JournalEntry


def paid(books: Books, entry: JournalEntry) -> None:
    """Put a winning card that was paid on the shelf."""
    data, number = entry.data, entry.game or 0
    _put(books, entry, (data["issue"], data["card"]), (entry.session_id, number), paid=True)


def paid_later(books: Books, entry: JournalEntry, item: UnclaimedState) -> None:
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
    kept = KeptCard(
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
    held = record.holding(books.complaints.values())
    custody.require_not_held(
        (
            card
            for card in held
            if card not in books.shelf and sales.was_sold(state.runs, issue=card[0], number=card[1])
        ),
        held,
    )
    used = state.cards - len(books.kept_of[data["session"], _play(books, key)])
    told = custody.destroy_used(
        session=data["session"], game=data["game"], used=used, cards=data["cards"],
        note=data.get("note", ""), collected=custody.by_whom(_collected(books, key)),
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
    told = custody.carry(
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
    told = custody.collect(
        session=data["session"], game=data["game"], cards=data["cards"],
        used=state.cards - len(books.kept_of[data["session"], _play(books, key)]),
        by=entry.by.username if entry.by else "",
        others=custody.newest(_collected(books, key)),
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
    told = custody.destroy(
        books.shelf,
        _cards(data),
        cases=books.cases.values(),
        held=record.holding(books.complaints.values()),
        open_session=_open_session(books),
        days=rulebooks.get(entry.hall.rulebook).winning_card_days,
        on=_day(entry, entry.at),
    )
    _same(entry, told | {"witness": data["witness"]})
    _left(books, entry, custody.DESTROYED)


def _handed_over(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    case = books.cases[data["case"]]
    acta = books.tables["acta"][(_session_of(books, case.session),)].values["digest"]
    told = custody.hand_over_cards(books.shelf, _cards(data), case=case, acta=acta, to=data["to"])
    _same(entry, told)
    _left(books, entry, custody.HANDED_OVER)


def _left(books: Books, entry: JournalEntry, how: str) -> None:
    custody.leave(books.shelf, entry.data["cards"], how)
    for card in _cards(entry.data):
        books.put("departure", card, entry.number, entry=entry.pk, how=how, at=entry.at)


def _lost(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if not data["witness"] or (entry.by and entry.by.username == data["witness"]):
        raise Refusal("second_person_needed", command=entry.kind)
    told = custody.lose(books.shelf, _cards(data), reason=data["reason"])
    _same(entry, told | {"witness": data["witness"]})
    _left(books, entry, custody.GONE_MISSING)


def _case_opened(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = _game_of(books, data)
    cards = [(issue, card) for issue, card in data.get("cards", ())]
    state = _over(books, key, used_up=bool(cards))
    destroyed = key in books.tables["used_destruction"]

    def was_sold(issue: int, card: int) -> bool:
        return sales.was_sold(state.runs, issue=issue, number=card)

    custody.require_set_aside(cards, shelf=books.shelf, destroyed=destroyed, was_sold=was_sold)
    named = {name: data[name] for name in ("session", "game", "reference", "reason")}
    _same(
        entry, custody.open_case(case=len(books.cases) + 1, **named, cards=custody.in_order(cards))
    )
    number = data["case"]
    books.cases[number] = custody.CaseState(number, data["session"], _play(books, key))
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
    _same(entry, custody.close_case(case, outcome=data["outcome"]))
    books.cases[case.number] = replace(case, open=False)
    books.change("case", (case.number,), closed_at=entry.at, outcome=data["outcome"])


def _over(books: Books, key: Key, *, used_up: bool) -> GameState:
    """Return a game that is over. Raises Refusal: game_not_over; played_on where it must be used up."""
    values, state = books.tables["game"][key].values, books.games[key]
    custody.require_over(game=key[1], over=values["ended_at"] is not None)
    if used_up:
        custody.require_used_up(game=key[1], played_on=state.half == 1 and state.void is None)
    return state


def _play(books: Books, key: Key) -> int:
    return int(books.tables["game"][key].values["first_half__number"] or key[1])


def _game_of(books: Books, data: Mapping[str, Any]) -> Key:
    return (_session_of(books, data["session"]), data["game"])


def _session_of(books: Books, number: int) -> int:
    """Return the key of a session by its number in the hall, most often the newest. Raises KeyError."""
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
    return entry.hall.day(at)


def _same(entry: JournalEntry, decided: Mapping[str, Any]) -> None:
    """Refuse an entry that the rules would have written otherwise: fact_disagrees."""
    if decided != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        custody.CARRIED: _carried,
        custody.COLLECTED: _used_collected,
        "used_cards_destroyed": _used_destroyed,
        "winning_cards_destroyed": _destroyed,
        "kept_card_lost": _lost,
        "case_opened": _case_opened,
        "case_closed": _case_closed,
        "evidence_handed_over": _handed_over,
    }
)


def _opened(books: Books, entry: JournalEntry) -> None:
    data, session = entry.data, entry.session_id or 0
    if not books.states[session].open:
        raise Refusal("session_closed")
    number = books.states[session].number
    key = (session, data["game"])
    state = books.games[key] if data["game"] is not None else None
    ball = books.tables["ball"].get((*key, data["ball"]))
    sold = state is not None and sales.was_sold(
        state.runs, issue=data["issue"], number=data["card"] or 0
    )
    told = record.open_complaint(
        session=number,
        complaint=sum(one.session == number for one in books.complaints.values()) + 1,
        text=data["text"],
        game=data["game"],
        ball=data["ball"],
        drawn=len(state.balls) if state else 0,
        issue=data["issue"],
        card=data["card"],
        sold=sold,
        picture=(ball.values["picture"] or None) if ball else None,
    )
    if told != data or entry.game != data["game"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    card = None if data["card"] is None else (data["issue"], data["card"])
    books.complaints[number, data["complaint"]] = record.ComplaintState(
        number, data["complaint"], card
    )
    books.put(
        "complaint", (number, data["complaint"]), entry.number,
        entry=entry.pk, text=data["text"], game__session=session if state else None,
        game__number=data["game"], ball=data["ball"], issue=data["issue"], card=data["card"],
        picture=data["picture"] or "", opened_at=entry.at,
        decision="", reason="", decided_at=None, decided_by=None,
    )  # fmt: skip


def _decided(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = (data["session"], data["complaint"])
    told = record.decide_complaint(
        books.complaints[key], decision=data["decision"], text=data["text"]
    )
    if told | people.second_person_of_entry(books, entry) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.complaints[key] = replace(books.complaints[key], open=False)
    books.decided[key] = entry.number
    books.change(
        "complaint", key, decision=data["decision"], reason=data["text"], decided_at=entry.at,
        decided_by=entry.pk,
    )  # fmt: skip


COMPLAINT_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"complaint_opened": _opened, "complaint_decided": _decided}
)


def handed_on(books: Books, entry: JournalEntry) -> None:
    """Judge and keep what was handed on. Raises Refusal not_the_players."""
    data = entry.data
    play = _sold_in(books, (entry.session_id, entry.game))
    handed = books.handed[play, data["issue"]]
    other = sales.first_of_another(
        (data["first"], data["last"]),
        player=data["player"],
        sold=_sold(books, play, data["issue"]),
        handed=handed,
    )
    if other is not None:
        raise Refusal("not_the_players", card=other, player=data["player"])
    handed.append(((data["first"], data["last"]), data["to"]))


def _sold_in(books: Books, game: Key) -> Key:
    """Return the game in which its cards were sold: of double cards the first (R15)."""
    first = books.tables["game"][game].values["first_half__number"]
    return game if first is None else (game[0], first)


def _sold(books: Books, game: Key, issue: int) -> list[tuple[tuple[int, int], str]]:
    sales = books.tables["sale"].items()
    return sorted(
        ((first, row.values["last"]), row.values["player"])
        for (_entry, of, first), row in sales
        if of == issue and (row.values["game__session"], row.values["game__number"]) == game
    )
