"""What a played session came to, game by game."""

from __future__ import annotations

from typing import Any

from bingo import amounts
from draws.models import Game
from draws.queries import record
from halls.models import JournalEntry, Session


def summary(session: Session) -> dict[str, Any]:
    """Give a session's figures; money in minor units of the currency."""
    return {
        "hall": session.hall.code,
        "session": session.number,
        "currency": session.hall.currency,
        "games": [_game(game) for game in record.games_of(session)],
    }


def _game(game: Game) -> dict[str, Any]:
    entries = JournalEntry.objects.filter(session=game.session_id, game=game.number)
    completed = entries.get(kind="entry_completed").data
    return {
        "game": game.number,
        "face": game.face,
        "cards": game.cards,
        "ranges": [
            {
                "letter": run["issue__series__letter"],
                "identification": run["issue__identification"],
                "first": run["first"],
                "last": run["last"],
            }
            for run in record.ranges(game)
        ],
        "amount": game.gross,
        "line": game.line,
        "bingo": game.bingo,
        "jackpot": 0 if game.void else game.accrual,
        "jackpot_awarded": completed["paid"]["jackpot"],
        "tax": completed["tax"],
        "balls": list(game.balls.values_list("number", flat=True)),
        "winners": [
            {
                "combination": prize.combination,
                "issue": str(prize.issue),
                "card": prize.card,
                "amount": prize.amount,
                "tax": prize.tax,
                "left_over": prize.left_over,
            }
            for prize in game.prizes.select_related("issue__series")
        ],
        "refunded": completed["refunded"],
        "void": game.void or None,
    }


def table(figures: dict[str, Any]) -> list[str]:
    """Give the figures as lines of a table."""
    heads = ("game", "cards", "sold", "amount", "line", "bingo", "jackpot", "balls", "winners")
    rows = [heads] + [_row(game, figures["currency"]) for game in figures["games"]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def _row(game: dict[str, Any], currency: str) -> tuple[str, ...]:
    def money(amount: int) -> str:
        return amounts.text(amount, currency=currency, language="pt")

    won: dict[str, list[str]] = {}
    for winner in game["winners"]:
        won.setdefault(winner["combination"], []).append(f"{winner['issue']}/{winner['card']}")
    winners = "; ".join(f"{name} {', '.join(cards)}" for name, cards in won.items())
    return (
        str(game["game"]),
        str(game["cards"]),
        ", ".join(
            f"{r['letter']} {r['identification']}: {r['first']}-{r['last']}" for r in game["ranges"]
        ),
        money(game["amount"]),
        money(game["line"]),
        money(game["bingo"]),
        money(game["jackpot"]),
        str(len(game["balls"])),
        f"void, {money(game['refunded'])} refunded" if game["void"] else winners,
    )
