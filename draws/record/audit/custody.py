"""Audit entries about cards after their game, and complaints about them (R51, R52, R61 j).

Cards handed on are judged anew by what the journal has told of the game until then (R56).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bingo.rules import complaints, custody, rulebooks, sale_order
from bingo.rules.custody import Card, Collected, KeptCard
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from bingo.rules.unclaimed import UnclaimedState
from draws.record.audit.engine import author, require, require_same, two_persons
from draws.record.audit.expected_rows import Books, Key
from halls.models import JournalEntry


def shelve_paid(books: Books, entry: JournalEntry) -> None:
    """Put a winning card that was paid on the shelf."""
    card = (entry.data["issue"], entry.data["card"])
    _shelve(books, entry, card, (entry.session_id, entry.game or 0), paid=True)


def shelve_paid_later(books: Books, entry: JournalEntry, item: UnclaimedState) -> None:
    """Put a winning card on the shelf whose prize was set aside and is paid now."""
    game = (session_numbered(books, item.session), item.game)
    _shelve(books, entry, (item.issue, item.first), game, paid=True)


def leave_out_unfetched(books: Books, entry: JournalEntry) -> None:
    """Leave a winning card that nobody came with out of the used ones of its game."""
    key = (entry.session_id, entry.game)
    session = books.tables["session"][key[:1]].values["number"]
    books.kept_of[session, _play(books, key)].add((entry.data["issue"], entry.data["card"]))


def _shelve(books: Books, entry: JournalEntry, card: Card, game: Key, *, paid: bool) -> None:
    values = books.tables["game"][game].values
    kept = KeptCard(
        issue=card[0],
        card=card[1],
        session=books.tables["session"][game[:1]].values["number"],
        game=game[1],
        play=values["first_half__number"] or game[1],
        played=entry.hall.day(values["opened_at"]),
        paid=entry.hall.day(entry.at) if paid else None,
        gone=books.shelf[card].gone if card in books.shelf else "",
    )
    books.shelf[kept.key] = kept
    books.kept_of[kept.session, kept.play].add(kept.key)


def destroy_used(books: Books, entry: JournalEntry) -> None:
    """Judge the destruction of a game's used cards. Raises Refusal: fact_disagrees, the rules'."""
    data = entry.data
    key, state = _used_up(books, entry)
    held = complaints.holding(books.complaints.values())
    kept = books.kept_of[data["session"], _play(books, key)]
    used = (card for card in held if card not in kept)
    custody.require_not_held([card for card in used if _was_sold(state, *card)], held)
    told = custody.destroy_used(
        session=data["session"], game=data["game"], used=_used(books, entry, state),
        cards=data["cards"], note=data.get("note", ""),
        collected=custody.by_whom(books.collected.get(key, [])),
    )  # fmt: skip
    require_same(entry, told)


def collect_used(books: Books, entry: JournalEntry) -> None:
    """Judge and remember what was collected of a game's used cards. Raises Refusal: likewise."""
    data, by = entry.data, author(books, entry) or ""
    key, state = _used_up(books, entry)
    told = custody.collect(
        session=data["session"], game=data["game"], cards=data["cards"],
        used=_used(books, entry, state), by=by,
        others=custody.newest(books.collected.get(key, [])),
    )  # fmt: skip
    require_same(entry, told)
    books.collected[key].append(Collected(by, data["cards"]))


def _used_up(books: Books, entry: JournalEntry) -> tuple[Key, GameState]:
    """Return a game that is over and whose used cards are still there. Raises Refusal."""
    key = (session_of(books, entry), entry.data["game"])
    state = _over(books, key, used_up=True)
    if key in books.tables["used_destruction"]:
        raise Refusal("used_destroyed_already", game=key[1])
    return key, state


def _used(books: Books, entry: JournalEntry, state: GameState) -> int:
    key = (session_of(books, entry), entry.data["game"])
    return state.cards - len(books.kept_of[entry.data["session"], _play(books, key)])


def remember_call(books: Books, entry: JournalEntry) -> None:
    """Remember the call that cards are brought for."""
    books.calls[entry.session_id, entry.game] = entry.number


def carry_card(books: Books, entry: JournalEntry) -> None:
    """Judge a card that was brought to the table. Raises Refusal: fact_disagrees, the rules'."""
    data, session = entry.data, session_of(books, entry)
    call = books.calls.get((session, data["game"]))
    rows = (row.values for row in books.tables["carried_card"].values())
    told = custody.carry(
        books.states[session].game, session=data["session"], call=call,
        issue=data["issue"], card=data["card"], place=data.get("place", ""),
        size=books.tables["issue"][data["issue"],].values["series__size"],
        brought={(one["issue"], one["card"]) for one in rows if one["call"] == call},
    )  # fmt: skip
    require_same(entry, told)


def destroy_winning(books: Books, entry: JournalEntry) -> None:
    """Follow the destruction of winning cards. Raises Refusal: second_person_needed, the rules'."""
    witness = two_persons(books, entry)
    newest = next(row.values for row in reversed(books.tables["session"].values()))
    told = custody.destroy(
        books.shelf,
        _cards(entry),
        cases=books.cases.values(),
        held=complaints.holding(books.complaints.values()),
        open_session=newest["number"] if newest["closed_at"] is None else None,
        days=rulebooks.get(entry.hall.rulebook).winning_card_days,
        on=entry.hall.day(entry.at),
    )
    require_same(entry, told | witness)
    custody.leave(books.shelf, entry.data["cards"], custody.DESTROYED)


def lose_card(books: Books, entry: JournalEntry) -> None:
    """Follow the loss of a card. Raises Refusal: second_person_needed, the rules'."""
    witness = two_persons(books, entry)
    told = custody.lose(books.shelf, _cards(entry), reason=entry.data["reason"])
    require_same(entry, told | witness)
    custody.leave(books.shelf, entry.data["cards"], custody.GONE_MISSING)


def hand_over_evidence(books: Books, entry: JournalEntry) -> None:
    """Follow what was handed over to a case. Raises Refusal: fact_disagrees, the rules'."""
    case = books.cases[entry.data["case"]]
    acta = books.tables["acta"][(session_numbered(books, case.session),)].values["digest"]
    told = custody.hand_over_cards(
        books.shelf, _cards(entry), case=case, acta=acta, to=entry.data["to"]
    )
    require_same(entry, told)
    custody.leave(books.shelf, entry.data["cards"], custody.HANDED_OVER)


def _cards(entry: JournalEntry) -> list[Card]:
    return [(one["issue"], one["card"]) for one in entry.data["cards"]]


def open_case(books: Books, entry: JournalEntry) -> None:
    """Follow a case, and the cards set aside for it. Raises Refusal: fact_disagrees, the rules'."""
    data, number = entry.data, entry.data["case"]
    key = (session_of(books, entry), data["game"])
    cards = [(issue, card) for issue, card in data.get("cards", ())]
    state = _over(books, key, used_up=bool(cards))
    custody.require_set_aside(
        cards, shelf=books.shelf, winning=books.kept_of[data["session"], _play(books, key)],
        destroyed=key in books.tables["used_destruction"],
        was_sold=lambda issue, card: _was_sold(state, issue, card),
    )  # fmt: skip
    named = {name: data[name] for name in ("session", "game", "reference", "reason")}
    ordered = custody.in_order(cards)
    require_same(entry, custody.open_case(case=len(books.cases) + 1, **named, cards=ordered))
    books.cases[number] = custody.CaseState(number, data["session"], _play(books, key))
    for card in cards:
        _shelve(books, entry, card, key, paid=False)
        books.put(
            "set_aside", card, entry.number,
            game__session=key[0], game__number=key[1], case__number=number,
        )  # fmt: skip


def close_case(books: Books, entry: JournalEntry) -> None:
    """Let a case hold nothing any longer."""
    number = entry.data["case"]
    books.cases[number] = replace(books.cases[number], open=False)


def _over(books: Books, key: Key, *, used_up: bool) -> GameState:
    """Return a game that is over. Raises Refusal: game_not_over; played_on where it must be used up."""
    values, state = books.tables["game"][key].values, books.games[key]
    custody.require_over(game=key[1], over=values["ended_at"] is not None)
    if used_up:
        custody.require_used_up(game=key[1], played_on=state.half == 1 and state.void is None)
    return state


def _was_sold(state: GameState, issue: int, card: int) -> bool:
    return sale_order.was_sold(state.runs, issue=issue, number=card)


def _play(books: Books, key: Key) -> int:
    return int(books.tables["game"][key].values["first_half__number"] or key[1])


def session_of(books: Books, entry: JournalEntry) -> int:
    """Return the key of the session that an entry names by its number. Raises KeyError."""
    return session_numbered(books, entry.data["session"])


def session_numbered(books: Books, number: int) -> int:
    """Return the key of a session by its number in the hall, most often the newest. Raises KeyError."""
    for key, row in reversed(books.tables["session"].items()):
        if row.values["number"] == number:
            return int(key[0])
    raise KeyError(number)


def open_complaint(books: Books, entry: JournalEntry) -> None:
    """Follow a complaint. Raises Refusal: session_closed, fact_disagrees, the rules'."""
    data, session = entry.data, entry.session_id or 0
    if not books.states[session].open:
        raise Refusal("session_closed")
    number = books.states[session].number
    state = books.games[session, data["game"]] if data["game"] is not None else None
    ball = books.tables["ball"].get((session, data["game"], data["ball"]))
    of = {name: data[name] for name in ("of_session", "of_game") if name in data}
    told = complaints.open_complaint(
        session=number,
        complaint=sum(one.session == number for one in books.complaints.values()) + 1,
        text=data["text"],
        game=data["game"],
        ball=data["ball"],
        drawn=len(state.balls) if state else 0,
        issue=data["issue"],
        card=data["card"],
        sold=state is not None and _was_sold(state, data["issue"], data["card"] or 0),
        **of,
        owed=bool(of) and _is_owed(books, data),
        picture=(ball.values["picture"] or None) if ball else None,
    )
    require(entry, told == data and entry.game == data["game"])
    card = None if data["card"] is None else (data["issue"], data["card"])
    books.complaints[number, data["complaint"]] = complaints.ComplaintState(
        number, data["complaint"], card, of_session=data.get("of_session")
    )


def _is_owed(books: Books, data: Mapping[str, Any]) -> bool:
    """Return whether money is owed still for the card that a complaint names, of that game."""
    named = (data["of_session"], data["of_game"], data["issue"])
    return any(
        (item.session, item.game, item.issue) == named
        and any(first <= data["card"] <= last for first, last in item.open_parts)
        for item in books.unclaimed.values()
    )


def decide_complaint(books: Books, entry: JournalEntry) -> None:
    """Let a complaint hold nothing any longer."""
    key = (entry.data["session"], entry.data["complaint"])
    books.complaints[key] = replace(books.complaints[key], open=False)
    books.decided[key] = entry.number


def hand_on(books: Books, entry: JournalEntry) -> None:
    """Judge and keep what was handed on. Raises Refusal not_the_players."""
    data = entry.data
    play = _sold_in(books, (entry.session_id, entry.game))
    handed = books.handed[play, data["issue"]]
    cards = (data["first"], data["last"])
    sold = _sold(books, play, data["issue"])
    other = sale_order.first_of_another(cards, player=data["player"], sold=sold, handed=handed)
    if other is not None:
        raise Refusal("not_the_players", card=other, player=data["player"])
    handed.append((cards, data["to"]))


def _sold_in(books: Books, game: Key) -> Key:
    """Return the game in which its cards were sold: of double cards the first (R15)."""
    first = books.tables["game"][game].values["first_half__number"]
    return game if first is None else (game[0], first)


def _sold(books: Books, game: Key, issue: int) -> list[tuple[tuple[int, int], str]]:
    return sorted(
        ((first, row.values["last"]), row.values["player"])
        for (_entry, of, first), row in books.tables["sale"].items()
        if of == issue and (row.values["game__session"], row.values["game__number"]) == game
    )
