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


def _authorised(data: Data, money: Money) -> str:
    days = f"{data['valid_from']} – {data['valid_until'] or ''}".rstrip()
    kinds = ", ".join(str(kind) for kind in data["formats"])
    prices = ", ".join(money(face) for face in data["faces"])
    own = ", ".join(f"{letter} {size}" for letter, size in data["sizes"].items())
    return " · ".join(part for part in (data["reference"], days, kinds, prices, own) if part)


def _received(data: Data, money: Money) -> str:
    told = [f"{data['letter']} {data['identification']}", money(data["face"])]
    if data.get("origin"):
        told.append(_("from %(hall)s") % {"hall": data["origin"]["hall"]})
    if data.get("counted") is not None:
        told.append(_counted(data["counted"], data["difference"]))
    return " · ".join(told)


def _counted(counted: int, difference: int) -> str:
    told = _("%(counted)s cards counted") % {"counted": counted}
    if not difference:
        return told
    return told + ", " + _("difference %(difference)s") % {"difference": f"{difference:+d}"}


def _recount(data: Data, _money: Money) -> str:
    counted = _counted(data["counted"], data["difference"])
    return " · ".join(part for part in (_issue(data), counted, data["comment"]) if part)


def _retired(data: Data, _money: Money) -> str:
    return f"{_issue(data)} · {data['first']}-{data['last']} · {data['reason']}"


def _moved(data: Data, _money: Money) -> str:
    return f"{_issue(data)} · {data['reason']}"


def _sent(data: Data, _money: Money) -> str:
    cards = _("%(cards)s cards") % {"cards": data["cards"]}
    return f"{_issue(data)} → {data['to']} · {cards} · {data['reason']}"


def _issue(data: Data) -> str:
    return f"{data['letter']} {data['identification']}"


def _printed(data: Data, _money: Money) -> str:
    told = [_print(data), f"{data['first']}-{data['last']}", data["paper"], data["reason"]]
    return " · ".join(part for part in told if part)


def _print(data: Data) -> str:
    return _("print %(job)s") % {"job": data["job"]}


def _print_done(data: Data, _money: Money) -> str:
    pages = _("%(pages)s pages") % {"pages": data["pages"]}
    return f"{_print(data)} · {pages} · SHA-256 {data['digest']}"


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "authorisation_recorded": _authorised,
    "pattern_saved": lambda data, _money: data["name"],
    "issue_counted": _recount,
    "cards_retired": _retired,
    "issue_withdrawn": _moved,
    "issue_reinstated": _moved,
    "issue_sent": _sent,
    "transfer_recalled": _moved,
    "print_ordered": _printed,
    "print_finished": _print_done,
    "print_failed": lambda data, _money: f"{_print(data)} · {words.print_fault(data['fault'])}",
    "print_cancelled": lambda data, _money: _print(data),
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
    "issue_received": _received,
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
