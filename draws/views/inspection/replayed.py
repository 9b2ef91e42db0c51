"""A game played again as one JSON value: moments in words, each with what changed at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bingo.engine.lacking import Lacks
from bingo.rules import jackpots
from bingo.rules.state import GameState, Phase
from draws.documents import carried_words, claim_words, facts, symbol_names, words
from draws.documents.draw_facts import sure
from draws.documents.sale_facts import money_in
from draws.models import Game, Sale
from draws.queries import pictures, record
from draws.queries.replay import Moment, Replay

Value = dict[str, Any]
Money = Callable[[int], str]
# What a tick on the time line stands for; entries of other kinds are grey.
MARKS = {
    "ball_announced": "ball",
    "ball_recalled": "alarm",
    "claim_called": "claim",
    "claim_checked": "claim",
    "card_shown": "claim",
    "window_closed": "won",
    "prize_paid": "won",
    "prize_set_aside": "won",
    "game_voided": "alarm",
    "game_suspended": "alarm",
    "command_refused": "alarm",
    "note_recorded": "alarm",
}


def value(game: Game, played: Replay) -> Value:
    """Give what the page shows at each moment; amounts and hours are written out, times in ms."""
    hall = game.session.hall
    money = money_in(hall.currency, get_language() or "pt")
    start = played.moments[0].entry.at if played.moments else game.opened_at
    zone = ZoneInfo(hall.time_zone)
    issues = _issues(played)
    return {
        "steps": list(_steps(played.moments, money, start, zone, issues)),
        "symbols": symbol_names.all_names() if _of_symbols(played) else None,
        "issues": list(issues.values()),
        "cards": _cards(played, list(issues)),
        "lacks": [_lacks(one) for one in played.lacks],
        "sales": [_sale(sale, game, list(issues)) for sale in _sold(game)],
    }


def _of_symbols(played: Replay) -> bool:
    return bool(played.moments) and played.moments[-1].known.symbols


def _issues(played: Replay) -> dict[int, str]:
    known = played.moments[-1].known if played.moments else None
    runs = known.runs if known else ()
    return {run.issue: f"{run.letter} {run.identification}" for run in runs}


def _steps(
    moments: Sequence[Moment],
    money: Money,
    start: datetime,
    zone: ZoneInfo,
    issues: dict[int, str],
) -> Iterator[Value]:
    """Give each moment with only that of its state which the moment before had not."""
    last: Value = {}
    for moment in moments:
        state = _state(moment.known, money, issues)
        entry = moment.entry
        told: Value = {
            "n": entry.number,
            "t": round((entry.at - start).total_seconds() * 1000),
            "at": entry.at.astimezone(zone).strftime("%H:%M:%S"),
            "kind": str(words.kind(entry.kind)),
            "mark": MARKS.get(entry.kind, ""),
            "told": facts.told(entry),
            "by": entry.by.name if entry.by else "",
            "b": moment.balls,
        }
        yield (
            told
            | _own(moment, issues)
            | {name: new for name, new in state.items() if last.get(name) != new}
        )
        last = state


def _own(moment: Moment, issues: dict[int, str]) -> Value:
    """Give what only an entry of its kind has: a ball with its picture, a card that was checked."""
    data, kind = moment.entry.data, moment.entry.kind
    if kind == "ball_announced":
        sureness = sure(data["confidence"]) if data.get("confidence") is not None else ""
        return {
            "ball": {
                "number": data["number"],
                "source": str(words.source(data["source"])),
                "sure": sureness,
                "picture": pictures.address(data.get("picture", "")),
                "by": moment.entry.by.name if moment.entry.by else "",
            }
        }
    if kind == "claim_checked":
        return {
            "check": {
                "card": _card(issues, data["issue"], data["card"]),
                "label": str(words.combination(data["combination"])),
                "valid": data["valid"],
                "verdict": str(claim_words.verdict(data)),
            }
        }
    if kind == "card_shown":
        return {
            "shown": {
                "card": _card(issues, data["issue"], data["card"]),
                "picture": pictures.address(data["picture"]),
            }
        }
    return {}


def _card(issues: dict[int, str], issue: int, card: int) -> str:
    return f"{issues.get(issue, '')} · {card}" if len(issues) > 1 else str(card)


def _state(known: GameState, money: Money, issues: dict[int, str]) -> Value:
    return {
        "phase": str(words.phase(known.phase.value)),
        "sold": known.cards,
        "balls": list(known.balls),
        "money": [[str(label), money(amount)] for label, amount in _money(known)],
        "won": [
            [
                str(words.combination(one.combination)),
                _card(issues, one.issue, one.card),
                money(one.amount),
                carried_words.handed_over(one, money),
            ]
            for one in known.awards
        ],
    }


def _money(known: GameState) -> Iterator[tuple[object, int]]:
    """Give the game's money as it stands, each amount with its name."""
    worth = known.growing
    yield _("Collected"), worth.gross
    yield _("Prize fund"), worth.fund
    for name, amount in (("line", worth.line), ("bingo", worth.bingo), *worth.extras):
        if amount:
            yield words.combination(name), amount
    for level, balance in known.played_balances:
        yield words.combination(jackpots.prize(level)), balance
    awards = (*known.carried, *known.awards)
    if awards:
        paid = [one for one in awards if (one.issue, one.card) in known.paid]
        yield _("Won"), sum(one.amount for one in awards)
        yield _("Tax withheld"), sum(one.tax for one in awards)
        yield _("Paid out"), sum(one.net for one in paid)
    if known.refunds or known.phase == Phase.VOIDED:
        yield _("Refunded"), known.refunds


def _cards(played: Replay, issues: Sequence[int]) -> list[list[int]]:
    """Give the sold cards: the place of each one's issue, and its number."""
    place = {issue: at for at, issue in enumerate(issues)}
    return [[place[issue], number] for issue, number in played.cards]


def _lacks(one: Lacks) -> Value:
    """Give what cards lack; where all lack as many at first, that is told once."""
    [(usual, _many)] = Counter(one.starts).most_common(1)
    return {
        "label": str(words.combination(one.combination)),
        "start": usual,
        "starts": {at: start for at, start in enumerate(one.starts) if start != usual},
        "changes": one.changes,
    }


def _sold(game: Game) -> list[Sale]:
    found = record.sold_in(game).select_related("shift__till", "seller", "entry__by")
    return list(found)


def _sale(sale: Sale, game: Game, issues: Sequence[int]) -> Value:
    """Give cards sold, where and to whom; `n` is their entry, 0 where the first half sold them."""
    seller = sale.seller or sale.entry.by
    return {
        "n": sale.entry.number if sale.game_id == game.pk else 0,
        "issue": issues.index(sale.issue_id) if sale.issue_id in issues else -1,
        "first": sale.first,
        "last": sale.last,
        "till": sale.shift.till.name,
        "seller": seller.name if seller else "",
        "player": sale.player,
    }


def marks(told: Value) -> list[Value]:
    """Give the ticks of the time line: where on a thousand, which entry, what it stands for."""
    steps = told["steps"]
    whole = max((one["t"] for one in steps), default=0) or 1
    return [
        {"x": one["t"] * 996 // whole, "n": one["n"], "step": at, **_said(one)}
        for at, one in enumerate(steps)
        if one["mark"]
    ]


def _said(step: Value) -> Value:
    return {"mark": step["mark"], "title": f"{step['at']} {step['kind']} {step['told']}".strip()}
