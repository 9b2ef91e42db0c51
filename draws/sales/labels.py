"""The words of journal entries of a sale: cards put up, sold, handed to sellers, written off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo import money_and_dates
from bingo.money_and_dates import Whole, number_range
from bingo.rules.session_state import GameState
from draws import trade_words

Data = dict[str, Any]
Money = Callable[[int], str]


def money_in(currency: str, language: str) -> Money:
    """Return what writes minor units of a currency as a language does."""

    def money(amount: int) -> str:
        return money_and_dates.amounts_text(amount, currency=currency, language=language)

    return money


def issue(data: Data) -> str:
    """Name an issue."""
    return f"{data['letter']} {data['identification']}"


def stretch(data: Data) -> str:
    """Name the cards from the first to the last."""
    return number_range(data["first"], data["last"])


def cards_named(known: GameState | None, issue: int, cards: str) -> str:
    """Return cards as a notice tells them, with their issue where the game has several."""
    runs = known.runs if known is not None and len(known.runs) > 1 else ()
    names = [f"{run.letter} {run.identification}" for run in runs if run.issue == issue]
    return " · ".join([*names, cards])


def ranges_named(known: GameState | None, ranges: Iterable[Data]) -> str:
    """Return ranges of cards likewise."""
    return ", ".join(cards_named(known, one["issue"], stretch(one)) for one in ranges)


def retired(data: Data, _money: Money) -> str:
    """Tell which cards nobody will buy, and why."""
    return f"{issue(data)} · {stretch(data)} · {data['reason']}"


def prizes(amounts: Mapping[str, int], money: Money) -> str:
    """Tell each prize that a game has with its amount, the additional ones too (R84)."""
    told = trade_words.COMBINATIONS.items()
    return " · ".join(f"{name} {money(amounts[one])}" for one, name in told if amounts.get(one))


def closed(data: Data, money: Money) -> str:
    """Tell how many cards were sold, and the prizes that follow."""
    fixed, many = data["prizes"], data["cards"]
    cards = ngettext("%(cards)s card", "%(cards)s cards", many) % {"cards": Whole(many)}
    amounts = {"line": fixed["line"], "bingo": fixed["bingo"]} | dict(fixed.get("extras", ()))
    return " · ".join(part for part in (cards, prizes(amounts, money)) if part)


def _opened(data: Data, money: Money) -> str:
    told = [issue(data["issue"]), money(data["face"])]
    if data["issue"].get("double"):
        told.append(_("double cards"))
    return " · ".join(told)


def _on_sale(data: Data, money: Money) -> str:
    issues = data["issues"]
    if not any("face" in one for one in issues):
        return f"{', '.join(issue(one) for one in issues)} · {money(data['face'])}"
    return ", ".join(f"{issue(one)} {money(one.get('face', data['face']))}" for one in issues)


def _ranges(data: Data) -> str:
    return ", ".join(stretch(part) for part in data["ranges"])


def _sold(data: Data, money: Money) -> str:
    told = [_ranges(data), money(data["amount"]), data["till"], data["seller"]]
    if "player" in data:
        told.append(_("for %(player)s") % {"player": data["player"]})
    return " · ".join(part for part in told if part)


def _taken_back(data: Data, money: Money) -> str:
    told = _("sale of entry %(entry)s") % {"entry": data["sale"]}
    return " · ".join([_ranges(data), money(data["amount"]), data["till"], told])


def _handed_out(data: Data, _money: Money) -> str:
    return f"{_ranges(data)} → {data['seller']} · {data['till']}"


def _settled(data: Data, money: Money) -> str:
    proceeds = {"cards": Whole(data["quantity"]), "amount": money(data["amount"])}
    told = [
        f"{data['seller']} · {stretch(data)}",
        _("%(cards)s sold, %(amount)s") % proceeds,
    ]
    if data["returned"]:
        back = ", ".join(number_range(*part) for part in data["returned"])
        told.append(_("back: %(cards)s") % {"cards": back})
    return " · ".join([*told, data["till"]])


def _handed_over(data: Data, _money: Money) -> str:
    return f"{stretch(data)} · {data['seller']} → {data['to']}"


def _transferred(data: Data, _money: Money) -> str:
    return f"{stretch(data)} · {data['player']} → {data['to']}"


def _refunded(data: Data, money: Money) -> str:
    return f"{stretch(data)} · {money(data['amount'])} · {data['till']}"


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "game_opened": _opened,
    "second_half_opened": closed,
    "issue_added": _opened,
    "sale_announced": _on_sale,
    "cards_sold": _sold,
    "sale_taken_back": _taken_back,
    "cards_handed_out": _handed_out,
    "block_settled": _settled,
    "block_handed_over": _handed_over,
    "cards_transferred": _transferred,
    "cards_written_off": retired,
    "second_issue_opened": lambda data, _money: data["issue"]["identification"],
    "sale_closed": closed,
    "cards_refunded": _refunded,
}
