"""Whose cards were handed on, judged anew by what the journal has told of the game until then (R56)."""

from __future__ import annotations

from bingo.rules import holdings
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books, Key
from halls.models import JournalEntry


def handed_on(books: Books, entry: JournalEntry) -> None:
    """Judge and keep what was handed on. Raises Refusal not_the_players."""
    data = entry.data
    play = _sold_in(books, (entry.session_id, entry.game))
    handed = books.handed[play, data["issue"]]
    other = holdings.first_of_another(
        (data["first"], data["last"]),
        player=data["player"],
        sold=_sold(books, play, data["issue"]),
        handed=handed,
    )
    if other is not None:
        raise Refusal("not_the_players", card=other, player=data["player"])
    handed.append(((data["first"], data["last"]), data["to"]))


def _sold_in(books: Books, game: Key) -> Key:
    """Give the game in which its cards were sold: of double cards the first (R15)."""
    first = books.tables["game"][game].values["first_half__number"]
    return game if first is None else (game[0], first)


def _sold(books: Books, game: Key, issue: int) -> list[tuple[tuple[int, int], str]]:
    sales = books.tables["sale"].items()
    return sorted(
        ((first, row.values["last"]), row.values["player"])
        for (_entry, of, first), row in sales
        if of == issue and (row.values["game__session"], row.values["game__number"]) == game
    )
