"""What a journal entry says, in a line that an inspector can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bingo import amounts
from bingo.rules.refusal import Refusal
from draws.documents import words
from halls.models import JournalEntry

Data = dict[str, Any]
Money = Callable[[int], str]


def told(entry: JournalEntry) -> str:
    """Tell an entry's data in the active language; kinds without a telling show nothing."""
    teller = TELLERS.get(entry.kind)
    if teller is None:
        return ""
    currency = entry.hall.currency

    def money(amount: int) -> str:
        return amounts.text(amount, currency=currency, language=get_language() or "pt")

    return teller(entry.data, money)


def _ranges(parts: list[Data]) -> str:
    return ", ".join(f"{part['first']}-{part['last']}" for part in parts)


def _sold(data: Data, money: Money) -> str:
    seller = f" · {data['seller']}" if data["seller"] else ""
    return f"{_ranges(data['ranges'])} · {money(data['amount'])} · {data['till']}{seller}"


def _closed(data: Data, money: Money) -> str:
    prizes = data["prizes"]
    values = {
        "cards": data["cards"],
        "line": money(prizes["line"]),
        "bingo": money(prizes["bingo"]),
    }
    return _("%(cards)s cards · line %(line)s · bingo %(bingo)s") % values


def _ball(data: Data, _money: Money) -> str:
    values = {"number": data["number"], "count": data["count"]}
    told = _("%(number)s, ball %(count)s of the game") % values
    return f"{told} · {words.source(data['source'])}"


def _checked(data: Data, _money: Money) -> str:
    verdict = words.verdict(data["reason"], len(data["missing"]))
    return f"{words.combination(data['combination'])} · {data['card']} · {verdict}"


def _awards(data: Data, money: Money) -> str:
    return " · ".join(
        f"{words.combination(award['combination'])} {award['card']}: {money(award['amount'])}"
        for award in data["awards"]
    )


def _paid(data: Data, money: Money) -> str:
    return f"{data['card']} · {money(data['amount'] - data['tax'])} · {data['till']}"


def _on_sale(data: Data, money: Money) -> str:
    issues = [f"{one['letter']} {one['identification']}" for one in data["issues"]]
    return f"{', '.join(issues)} · {money(data['face'])}"


def _prizes(data: Data, money: Money) -> str:
    return " · ".join(
        f"{words.combination(name)} {money(data[name])}" for name in ("line", "bingo")
    )


def _completed(data: Data, money: Money) -> str:
    paid = [
        f"{words.combination(name)} {money(amount)}"
        for name, amount in data["paid"].items()
        if amount
    ]
    return " · ".join([money(data["gross"]), *paid])


def _refused(data: Data, _money: Money) -> str:
    return words.refusal(Refusal(data["code"], **data["values"]))


def _count(data: Data, money: Money) -> str:
    values = {"counted": money(data["counted"]), "difference": money(data["difference"])}
    told = _("counted %(counted)s, difference %(difference)s") % values
    return " · ".join(part for part in (data["till"], told, data["comment"]) if part)


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "session_opened": lambda data, _money: f"{data['authorisation']} · {data['rulebook']}",
    "acta_sealed": lambda data, _money: f"SHA-256 {data['digest']}",
    "shift_opened": lambda data, money: (
        f"{data['till']} · {data['cashier']} · {money(data['float'])}"
    ),
    "cash_moved": lambda data, money: (
        f"{data['till']} · {money(data['amount'])} · {data['reason']}"
    ),
    "shift_closed": _count,
    "note_recorded": lambda data, _money: f"{words.CATEGORIES[data['category']]}: {data['text']}",
    "series_published": lambda data, _money: (
        f"{data['letter']} ({data['size']}) · SHA-256 {data['digest']}"
    ),
    "issue_received": lambda data, money: (
        f"{data['letter']} {data['identification']} · {money(data['face'])}"
    ),
    "game_opened": lambda data, money: (
        f"{data['issue']['letter']} {data['issue']['identification']} · {money(data['face'])}"
    ),
    "sale_announced": _on_sale,
    "cards_sold": _sold,
    "second_issue_opened": lambda data, _money: data["issue"]["identification"],
    "sale_closed": _closed,
    "draw_announced": _prizes,
    "ball_announced": _ball,
    "ball_recalled": lambda data, _money: str(data["number"]),
    "claim_called": lambda data, _money: str(words.combination(data["combination"])),
    "claim_checked": _checked,
    "window_opened": lambda data, _money: " · ".join(
        str(words.combination(name)) for name in data["combinations"]
    ),
    "window_closed": _awards,
    "game_voided": lambda data, _money: data["reason"],
    "prize_paid": _paid,
    "cards_refunded": lambda data, money: (
        f"{data['first']}-{data['last']} · {money(data['amount'])} · {data['till']}"
    ),
    "entry_completed": _completed,
    "command_refused": _refused,
    "clock_anomaly": lambda data, _money: data["clock"],
}
