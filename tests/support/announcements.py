"""Games at the stages that are read aloud, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bingo.rules import double_cards
from bingo.rules import game_flow as rules_game
from bingo.rules.session_state import GameState
from draws.boards.announcements import Say, Voice

PORTUGUESE, SPANISH = Voice("pt", "CVE"), Voice("es", "EUR")


# What counts as a line is said after what is on sale (R33, BOE I).
LINE_TOLD = {
    "pt": "Vale como linha qualquer das três linhas do cartão.",
    "es": "Vale como línea cualquiera de las tres líneas del cartón.",
    "gl": "Vale como liña calquera das tres liñas do cartón.",
    "ca": "Val com a línia qualsevol de les tres línies del cartró.",
    "en": "The line is any of the three rows of the card.",
}
JACKPOT: dict[str, Any] = {
    "rate": 300, "base": 50_000_00, "balance": 50_000_00, "limits": [{"format": 90, "balls": 40}],
}  # fmt: skip


def an_issue(
    issue: int, identification: str, *, last_sold: int = 0, letter: str = "H"
) -> dict[str, Any]:
    """An issue of 420 cards."""
    return {
        "issue": issue,
        "letter": letter,
        "identification": identification,
        "size": 420,
        "last_sold": last_sold,
    }


def _jackpot(limits: Any) -> dict[str, Any]:
    return JACKPOT if limits is None else JACKPOT | {"limit": 0, "limits": limits}


def prepared(
    *,
    last_sold: int = 0,
    jackpot: bool = True,
    limits: Any = None,
    rulebook: str = "cape-verde-2017",
    double: bool = False,
) -> GameState:
    """A game to be sold at 200.00 a card, a double card at twice that."""
    return rules_game.open_game(
        number=1, format=90, rulebook=rulebook, face=200_00, shares={"line": 2000, "bingo": 6000},
        jackpot=_jackpot(limits) if jackpot else None, tax={"rate": 0, "threshold": 0},
        issue=an_issue(1, "2001", last_sold=last_sold) | ({"double": True} if double else {}),
    )  # fmt: skip


def opened(**terms: Any) -> GameState:
    """The same on sale."""
    return after(prepared(**terms), "sale_announced")


def after(game: GameState, kind: str, **inputs: Any) -> GameState:
    """The game after one command."""
    return rules_game.apply(game, rules_game.decide(game, kind, **inputs))


def sold(game: GameState, quantity: int, *, face: int | None = None) -> GameState:
    """The game after a sale."""
    return after(
        game, "cards_sold", quantity=quantity, first=None, till="1", seller=None, face=face
    )


def two_issues(**terms: Any) -> GameState:
    """Cards 301 to 420 of the first issue and 1 to 30 of the second."""
    game = sold(opened(last_sold=300, **terms), 120)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    return sold(game, 30)


def beside(game: GameState) -> GameState:
    """The game with an issue of series K at 500.00 beside the other."""
    issue = an_issue(3, "3001", letter="K")
    return after(game, "issue_added", issue=issue, face=500_00, matrix="0" * 64)


def two_prices(**terms: Any) -> GameState:
    """99 cards of series H at 200.00 and 40 of series K at 500.00."""
    game = beside(prepared(**terms))
    game = sold(after(game, "sale_announced"), 99, face=200_00)
    return sold(game, 40, face=500_00)


def second_half(first: GameState) -> GameState:
    """The second game of double cards, after a first that nobody interrupted."""
    half = double_cards.second_half_of(first, number=2, jackpot=None)
    return replace(half, prizes=first.prizes)


def announced_texts(say: Say, game: GameState, voice: Voice = PORTUGUESE) -> list[str]:
    """An announcement's sentences, the blanks that keep money together made plain."""
    return [text.replace("\xa0", " ").replace("\u202f", " ") for text in say(game, voice)]


def written_off(game: GameState, first: int, last: int) -> GameState:
    """The game after cards were written off."""
    return after(game, "cards_written_off", issue=1, first=first, last=last, reason="Rasgados")
