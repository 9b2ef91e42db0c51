"""Floor sellers' accounts at the till: blocks handed out, settled, handed over, written off.

Also cards that a player who leaves hands on; no money is given back (R56).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import F, Sum
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole, number_range
from bingo.rules.game_flow import FOLLOWS
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Block, Run
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps.selling import LONGEST_PLAYER
from draws.desks.till.sale import seller
from draws.games.queries import HallState
from draws.models import Sale
from draws.sales import floor, handing_on_and_taking_back
from draws.sales import labels as sales_labels
from draws.web.forms import CommandForm, issue_of, shift_and_game, witness_of
from draws.web.page_classes import Notice
from halls.models import Person

LONGEST_PLAYERS = 4_000  # signs: a line for each card of the largest block


def hand_out(order: CommandForm, now: HallState) -> str:
    """Hand the next cards to a floor seller."""
    shift, game = shift_and_game(order)
    to = _seller(order, "to")
    entry = floor.hand_out(
        game=game,
        shift=shift,
        seller=to,
        quantity=order.integer("quantity"),
        face=order.optional_integer("face"),
        **order.who,
    )
    told = ngettext(
        "Hand card %(cards)s to %(seller)s",
        "Hand cards %(cards)s to %(seller)s",
        entry.data["quantity"],
    )
    cards = sales_labels.ranges_named(now.game_state, entry.data["ranges"])
    return told % {"cards": cards, "seller": to.name}


def settle(order: CommandForm, now: HallState) -> str:
    """Settle a block: all sold, or all from the first unsold card on brought back."""
    shift, game = shift_and_game(order)
    issue, first, last = issue_of(order), order.integer("first"), order.integer("last")
    unsold = order.optional_integer("unsold")
    if unsold is not None and not first <= unsold <= last:
        raise Refusal("not_in_the_block", first=first, last=last)
    entry = floor.settle(
        game=game,
        shift=shift,
        seller=_seller(order, "seller"),
        issue=issue,
        first=first,
        last=last,
        returned=[] if unsold is None else [(unsold, last)],
        players=_players(order),
        **order.who,
    )
    cards = entry.data["quantity"]
    said = ngettext(
        "%(cards)s card sold: take %(amount)s", "%(cards)s cards sold: take %(amount)s", cards
    )
    told = said % {"cards": Whole(cards), "amount": order.money(entry.data["amount"])}
    if unsold is None:
        return told
    back = ngettext(
        "card %(cards)s is back and is offered again first",
        "cards %(cards)s are back and are offered again first",
        last - unsold + 1,
    )
    named = sales_labels.cards_named(now.game_state, issue.pk, number_range(unsold, last))
    return f"{told} · " + back % {"cards": named}


def _players(order: CommandForm) -> list[tuple[str, int]]:
    """Return who bought the cards of a block: a player or seat a line, and last how many.

    Raises Refusal: bad_input, bad_players.
    """
    if not order.fields.get("players", "").strip():
        return []
    told = []
    for line in order.text("players", longest=LONGEST_PLAYERS).splitlines():
        player, _gap, cards = line.strip().rpartition(" ")
        if not player.strip() or not (cards.isascii() and cards.isdigit() and len(cards) < 6):
            raise Refusal("bad_players")
        told.append((player.strip(), int(cards)))
    return told


def hand_over(order: CommandForm, now: HallState) -> str:
    """Pass a block from one seller to a colleague."""
    _shift, game = shift_and_game(order)
    to, issue = _seller(order, "to"), issue_of(order)
    first, last = order.integer("first"), order.integer("last")
    floor.hand_over(
        game=game, seller=_seller(order, "seller"), to=to, issue=issue,
        first=first, last=last, **order.who,
    )  # fmt: skip
    named = sales_labels.cards_named(now.game_state, issue.pk, number_range(first, last))
    told = ngettext(
        "Card %(cards)s is with %(seller)s now",
        "Cards %(cards)s are with %(seller)s now",
        last - first + 1,
    )
    return told % {"cards": named, "seller": to.name}


def write_off(order: CommandForm, _now: HallState) -> Notice:
    """Write off damaged cards that nobody has bought."""
    _shift, game = shift_and_game(order)
    issue, first = issue_of(order), order.integer("first")
    last = order.optional_integer("last")
    last = first if last is None else last
    floor.write_off(
        game=game,
        issue=issue,
        first=first,
        last=last,
        reason=order.text("reason"),
        witness=witness_of(order, kind="cards_written_off"),
        **order.who,
    )
    cards = number_range(first, last)
    told = ngettext(
        "Card %(cards)s of %(issue)s is written off: it is not sold",
        "Cards %(cards)s of %(issue)s are written off: they are not sold",
        last - first + 1,
    )
    return Notice(told % {"cards": cards, "issue": issue}, "warning")


def _seller(order: CommandForm, field: str) -> Person:
    found = seller(order, field)
    if found is None:
        raise Refusal("unknown_seller")
    return found


def floor_context(now: HallState, people: Iterable[Person]) -> dict[str, Any]:
    """Return each seller's account in this game, and what has come back to the stack."""
    known = now.game_state
    if known is None or known.phase not in (Phase.PREPARED, Phase.SELLING):
        return {"accounts": [], "on_floor": False}
    sold = _sold(now)
    accounts = [_account(one, known, sold.get(one.pk, {})) for one in _holders(known, people)]
    return {
        "on_floor": True,
        "accounts": accounts,
        "with_cards": [one for one in accounts if one["cards"] or one["sold"]],
        "out": sum(one["cards"] for one in accounts),
        "owed": sum(one["due"] for one in accounts),
        "back": [_part(run, first, last) for run in known.runs for first, last in run.back],
    }


def _holders(known: GameState, people: Iterable[Person]) -> list[Person]:
    """Return the floor sellers, and whoever else still has cards in hand."""
    listed = list(people)
    names = {block.seller for run in known.runs for block in run.out}
    others = names - {one.username for one in listed}
    return listed + list(Person.objects.filter(username__in=others)) if others else listed


def _sold(now: HallState) -> dict[int, dict[str, Any]]:
    """Return what each seller has sold in this game, by their rows' numbers."""
    found = Sale.objects.filter(game=now.game, seller__isnull=False).values("seller")
    summed = found.annotate(cards=Sum(F("last") - F("first") + 1), amount=Sum("amount"))
    return {one["seller"]: dict(one) for one in summed.order_by()}


def _account(person: Person, known: GameState, sold: dict[str, Any]) -> dict[str, Any]:
    blocks = [
        _block(known, run, block)
        for run in known.runs
        for block in run.out
        if block.seller == person.username
    ]
    return {
        "seller": person,
        "blocks": blocks,
        "cards": _total(blocks, "cards"),
        "due": _total(blocks, "due"),
        "sold": sold.get("cards", 0),
        "paid": sold.get("amount", 0),
    }


def _block(known: GameState, run: Run, block: Block) -> dict[str, Any]:
    price = known.price(run) * known.paid_for
    cards = block.last - block.first + 1
    return _part(run, block.first, block.last) | {"price": price, "due": cards * price}


def _part(run: Run, first: int, last: int) -> dict[str, Any]:
    return {
        "issue": run.issue,
        "name": f"{run.letter} {run.identification}",
        "first": first,
        "last": last,
        "cards": last - first + 1,
    }


def _total(blocks: Iterable[dict[str, Any]], name: str) -> int:
    return sum(block[name] for block in blocks)


def transfer(order: CommandForm, now: HallState) -> str:
    """Write down who has the cards of a player that leaves."""
    _shift, game = shift_and_game(order)
    first = order.integer("first")
    last = order.optional_integer("last") or first
    to, issue = order.text("to", longest=LONGEST_PLAYER), issue_of(order)
    handing_on_and_taking_back.transfer(
        game=game, issue=issue, first=first, last=last,
        player=order.text("player", longest=LONGEST_PLAYER), to=to, **order.who,
    )  # fmt: skip
    told = ngettext(
        "Card %(cards)s is %(player)s's now; no money is given back",
        "Cards %(cards)s are %(player)s's now; no money is given back",
        last - first + 1,
    )
    named = sales_labels.cards_named(now.game_state, issue.pk, number_range(first, last))
    return told % {"cards": named, "player": to}


def departure_context(now: HallState) -> dict[str, Any]:
    """Return who may hand cards on: the players named in this game while it is under way."""
    known = now.game_state
    if known is None or "cards_transferred" not in FOLLOWS[known.phase]:
        return {"players": []}
    return {"players": [player for player, _cards in known.players]}
