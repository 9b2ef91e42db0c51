"""Sell a demonstration's game by tills in turn and floor sellers, and summarise a played session."""

from __future__ import annotations

from typing import Any

from bingo import money_and_dates
from bingo.rules import cards_handed_out_and_written_off
from bingo.rules.sale_order import Range
from bingo.rules.session_state import GameState
from draws.demonstration.evening import Evening, GamePlan, command_by
from draws.demonstration.hall import issue
from draws.games import queries as games_queries
from draws.games import services as games_services
from draws.models import Game, Issue
from draws.sales import floor
from draws.sales import services as sales_services
from halls.models import JournalEntry, Person, Role, Session, Shift

LARGEST_SALE = 12
BLOCK = 24
MOST_RETURNED = 4


def sell_cards(evening: Evening, game: Game, plan: GamePlan) -> None:
    """Sell what the plan asks for, and a few more where sellers bring cards back."""
    turn = 0
    while (sold := _sold(evening)) < plan.cards:
        _open_second(evening, game, plan)
        _turn(evening, game, plan, turn=turn, wanted=plan.cards - sold)
        turn += 1
        evening.progress("cards", min(sold, plan.cards), plan.cards)
    _settle_all(evening, game)
    evening.progress("cards", plan.cards, plan.cards)


def _turn(evening: Evening, game: Game, plan: GamePlan, *, turn: int, wanted: int) -> None:
    """Serve somebody at a till; each third turn is a seller's, who takes a block or settles one."""
    shifts, sellers = evening.shifts(), evening.people(Role.SELLER)
    shift, seller = shifts[turn % len(shifts)], sellers[turn % len(sellers)]
    face = _price(evening, turn)
    if turn % 3 == 2 and _seller_comes(evening, game, shift, seller, face, wanted=wanted):
        if plan.damaged and turn == 2:
            _write_off(evening, game, seller)
        return
    left = sum(run.left for run in evening.game_state().runs_at(face))
    quantity = min(wanted, left, 1 + evening.chance.randrange(LARGEST_SALE))
    if quantity < 1:
        _settle_all(evening, game)
        return
    sales_services.sell(
        game=game, shift=shift, quantity=quantity, face=_named(evening, face), **command_by(shift.cashier),
    )  # fmt: skip


def _price(evening: Evening, turn: int) -> int:
    prices = evening.game_state().prices
    return prices[turn % len(prices)]


def _named(evening: Evening, face: int) -> int | None:
    return face if len(evening.game_state().prices) > 1 else None


def _seller_comes(
    evening: Evening, game: Game, shift: Shift, seller: Person, face: int, *, wanted: int
) -> bool:
    """Let a seller settle the block in hand, or take one; tell whether there was anything to do."""
    held = cards_handed_out_and_written_off.cards_in_hand(
        evening.game_state().runs, seller.username
    )
    if held:
        _settle(evening, game, shift, seller, held)
        return True
    left = sum(run.left for run in evening.game_state().runs_at(face))
    quantity = min(BLOCK, wanted, left)
    if quantity < 1:
        return False
    floor.hand_out(
        game=game, shift=shift, seller=seller, quantity=quantity, face=_named(evening, face),
        **command_by(shift.cashier),
    )  # fmt: skip
    return True


def _settle(
    evening: Evening, game: Game, shift: Shift, seller: Person, held: tuple[Range, ...]
) -> None:
    """Pay for what was sold; a few of the last cards may come back."""
    for block in held:
        back = min(evening.chance.randrange(MOST_RETURNED), block.last - block.first)
        returned = [(block.last - back + 1, block.last)] if back else []
        floor.settle(
            game=game, shift=shift, seller=seller, issue=Issue.objects.get(pk=block.issue),
            first=block.first, last=block.last, returned=returned, **command_by(shift.cashier),
        )  # fmt: skip


def _settle_all(evening: Evening, game: Game) -> None:
    """Take everything off the floor, and sell what came back in the midst."""
    shift = evening.shifts()[0]
    for seller in evening.people(Role.SELLER):
        _settle(
            evening,
            game,
            shift,
            seller,
            cards_handed_out_and_written_off.cards_in_hand(
                evening.game_state().runs, seller.username
            ),
        )
    while gap := _gap(evening.game_state()):
        face, quantity = gap
        sales_services.sell(
            game=game, shift=shift, quantity=quantity, face=_named(evening, face),
            **command_by(shift.cashier),
        )  # fmt: skip


def _gap(known: GameState) -> tuple[int, int] | None:
    """Return the price and number of cards that must be sold before the sale can close."""
    for face in known.prices:
        first, *second = known.runs_at(face)
        if second and second[0].sold and first.left:
            return face, first.left
        for run in (first, *second):
            if run.back:
                return face, run.back[0][1] - run.back[0][0] + 1
    return None


def _write_off(evening: Evening, game: Game, seller: Person) -> None:
    """Write off a card that a seller found torn."""
    block = cards_handed_out_and_written_off.cards_in_hand(
        evening.game_state().runs, seller.username
    )[0]
    floor.write_off(
        game=game, issue=Issue.objects.get(pk=block.issue), first=block.first, last=block.first,
        reason=evening.country.torn, **command_by(evening.person(Role.TABLE_CHIEF)),
    )  # fmt: skip


def _open_second(evening: Evening, game: Game, plan: GamePlan) -> None:
    runs = evening.game_state().runs
    if plan.second and not runs[0].left and len(runs) == 1:
        games_services.open_second_issue(
            game=game, issue=issue(evening.hall, plan.second),
            **command_by(evening.person(Role.TABLE_CHIEF)),
        )  # fmt: skip


def _sold(evening: Evening) -> int:
    """Cards sold or in hand."""
    known = evening.game_state()
    return known.cards + sum(b.last - b.first + 1 for run in known.runs for b in run.out)


def build_summary(session: Session) -> dict[str, Any]:
    """Return a session's figures; money in minor units of the currency."""
    return {
        "hall": session.hall.code,
        "session": session.number,
        "currency": session.hall.currency,
        "games": [_game(game) for game in games_queries.games_of(session)],
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
            for run in games_queries.ranges(game)
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


def summary_table(figures: dict[str, Any]) -> list[str]:
    """Return the figures as lines of a table."""
    heads = ("game", "cards", "sold", "amount", "line", "bingo", "jackpot", "balls", "winners")
    rows = [heads] + [_row(game, figures["currency"]) for game in figures["games"]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def _row(game: dict[str, Any], currency: str) -> tuple[str, ...]:
    def money(amount: int) -> str:
        return money_and_dates.amounts_text(amount, currency=currency, language="pt")

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
