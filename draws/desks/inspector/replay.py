"""The replay of a game: one page that shows any of its moments, and plays them at their own pace.

It is one JSON value: moments in words, each with what changed at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Max, Min, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.engine.winners import Lacks, lacking, table
from bingo.rules import jackpots, prizes
from bingo.rules import session as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session import MALFORMED
from bingo.rules.session_state import GameState, Phase, SessionState
from draws import trade_words
from draws.balls import queries as balls_queries
from draws.balls.labels import draw_log_sure
from draws.cards import hall_patterns
from draws.cards import labels as cards_labels
from draws.claims import queries as claims_queries
from draws.games import queries as games_queries
from draws.games.queries import Winning, winning
from draws.models import Card, Game, Issue, Sale
from draws.prizes import labels as prizes_labels
from draws.record import journal_text
from draws.record.audit.session_entries import BESIDE
from draws.sales.labels import money_in
from draws.web import listing
from draws.web.forms import for_roles
from draws.web.page_classes import READERS, PageRequest
from halls import inspection
from halls import jackpots as halls_jackpots
from halls.models import JournalEntry, Person
from halls.models.journal import INCIDENTS


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """An entry, and the game as the rules know it after it; `balls` came or went until then."""

    entry: JournalEntry
    known: GameState
    balls: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A game's moments in order; `balls` as they came, one taken back as its negative.

    `cards` are those sold, (issue, number), with what each lacked in `lacks`. `refused` is the
    number of the entry from which the rules no longer follow the journal, if there is one.
    """

    moments: tuple[ReplayMoment, ...]
    balls: tuple[int, ...]
    cards: tuple[tuple[int, int], ...]
    lacks: tuple[Lacks, ...]
    refused: int | None = None


def replay(game: Game) -> Replay:
    """Play a game again from its session's journal, judged by the rules as the audit does.

    It ends with its last fact: what is said of it later, such as a complaint, moves neither it nor a
    till, and what the session did meanwhile is not its own.
    """
    of_session = JournalEntry.objects.filter(session=game.session)
    facts = of_session.filter(game=game.number).exclude(kind__in=BESIDE)
    ends = facts.aggregate(first=Min("number"), last=Max("number"))
    if ends["first"] is None:
        return Replay((), (), (), ())
    try:
        state = _until(game, ends["first"])
    except (Refusal, *MALFORMED):
        return Replay((), (), (), (), refused=ends["first"])
    during = Q(game__isnull=True, number__lte=ends["last"])
    entries = of_session.filter(Q(game=game.number) | during, number__gte=ends["first"])
    moments: list[ReplayMoment] = []
    balls: list[int] = []
    refused = None
    for entry in entries.select_related("by", "hall", "session").order_by("number"):
        try:
            state = _followed(state, entry, balls)
        except (Refusal, *MALFORMED):
            refused = entry.number
            break
        if state is not None and state.game is not None and state.game.number == game.number:
            moments.append(ReplayMoment(entry, state.game, len(balls)))
    cards, lacks = _sold_cards(moments[-1].known, balls) if moments else ((), ())
    return Replay(tuple(moments), tuple(balls), cards, lacks, refused)


def _until(game: Game, number: int) -> SessionState | None:
    """Return the session's state before an entry. Raises what the rules raise at a broken journal."""
    before = JournalEntry.objects.filter(session=game.session, number__lt=number)
    facts = before.exclude(kind__in=BESIDE).order_by("number").values_list("kind", "data")
    state: SessionState | None = None
    for kind, data in facts.iterator(chunk_size=2_000):
        fact = Fact(kind, data)
        # Other games were judged when they were played: what they leave to this one is enough.
        state = rules.judge(None, fact) if state is None else rules.after(state, fact)
    return state


def _followed(
    state: SessionState | None, entry: JournalEntry, balls: list[int]
) -> SessionState | None:
    if entry.kind in BESIDE:
        return state
    by = entry.by.username if entry.by else None
    after = rules.judge(state, Fact(entry.kind, entry.data), by=by)
    if entry.kind == "ball_announced":
        balls.append(entry.data["number"])
    elif entry.kind == "ball_recalled":
        balls.append(-entry.data["number"])
    return after


def _sold_cards(
    known: GameState, balls: Sequence[int]
) -> tuple[tuple[tuple[int, int], ...], tuple[Lacks, ...]]:
    """Return the sold cards, run by run in their order, and what each lacked ball by ball."""
    series = dict(
        Issue.objects.filter(pk__in=[run.issue for run in known.runs]).values_list("pk", "series")
    )
    keys: list[tuple[int, int]] = []
    rows: list[list[list[int | None]]] = []
    for run in known.runs:
        for first, last in run.sold_parts:
            found = Card.objects.filter(series=series[run.issue], number__range=(first, last))
            for number, card in found.order_by("number").values_list("number", "rows"):
                keys.append((run.issue, number))
                rows.append(card)
    if not keys:
        return (), ()
    return tuple(keys), lacking(table(rows), combinations=known.won, balls=balls)


Value = dict[str, Any]
Money = Callable[[int], str]
# What a tick on the time line stands for; entries of other kinds are grey.
MARKS = dict.fromkeys(INCIDENTS, "alarm") | {
    "ball_announced": "ball",
    "claim_called": "claim",
    "claim_checked": "claim",
    "card_shown": "claim",
    "window_closed": "won",
    "prize_paid": "won",
    "prize_set_aside": "won",
}


def build_replay(game: Game, played: Replay, linked: Sequence[dict[str, int]]) -> Value:
    """Return what the page shows at each moment; amounts and hours are written out, times in ms.

    `linked` is what `linked_worths` gives.
    """
    hall = game.session.hall
    money = money_in(hall.written_currency, get_language() or "pt")
    start = played.moments[0].entry.at if played.moments else game.opened_at
    zone = ZoneInfo(hall.time_zone)
    issues = _issues(played)
    return {
        "steps": list(_steps(played.moments, linked, money, start, zone, issues)),
        "symbols": cards_labels.all_names() if _of_symbols(played) else None,
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
    moments: Sequence[ReplayMoment],
    linked: Sequence[dict[str, int]],
    money: Money,
    start: datetime,
    zone: ZoneInfo,
    issues: dict[int, str],
) -> Iterator[Value]:
    """Return each moment with only that of its state which the moment before had not."""
    last: Value = {}
    out: list[Value] = []  # the balls that are out, as they came
    # A complaint that comes hours later leaves the time line to the game.
    ends = max((one.entry.at for one in moments if one.entry.kind not in BESIDE), default=start)
    for moment, worth in zip(moments, linked, strict=True):
        entry = moment.entry
        if entry.kind == "ball_announced":
            out.append(_ball(entry))
        elif entry.kind == "ball_recalled":
            out.pop()
        state = _state(games_queries.with_linked(moment.known, worth), money, issues)
        state["ball"] = out[-1] if out else None
        told: Value = {
            "n": entry.number,
            "t": round((min(entry.at, ends) - start).total_seconds() * 1000),
            "at": entry.at.astimezone(zone).strftime("%H:%M:%S"),
            "kind": str(trade_words.kind(entry.kind)),
            "mark": MARKS.get(entry.kind, ""),
            "told": journal_text.describe_entry(entry, issues if len(issues) > 1 else {}),
            "by": entry.by.name if entry.by else "",
            "b": moment.balls,
        }
        yield (
            told
            | _own(moment, issues)
            | {name: new for name, new in state.items() if last.get(name) != new}
        )
        last = state


def linked_worths(played: Replay) -> list[dict[str, int]]:
    """Return what the game's linked jackpot held for its players at each moment, by its code."""
    moments = played.moments
    levels = moments[0].known.jackpots if moments else ()
    level = jackpots.linked(levels)
    if level is None:
        return [{} for _moment in moments]
    entries = [one.entry for one in moments]
    code = levels[level].link
    return [
        {code: worth} for worth in halls_jackpots.list_worth_after(entries[0].hall, code, entries)
    ]


def _ball(entry: JournalEntry) -> Value:
    """Return an announced ball with its picture and who announced it."""
    data = entry.data
    sureness = draw_log_sure(data["confidence"]) if data.get("confidence") is not None else ""
    return {
        "number": data["number"],
        "source": str(trade_words.source(data["source"])),
        "sure": sureness,
        "picture": balls_queries.picture_address(data.get("picture", "")),
        "by": entry.by.name if entry.by else "",
    }


def _own(moment: ReplayMoment, issues: dict[int, str]) -> Value:
    """Return what only an entry of its kind has: a card that was checked, or its picture."""
    data, kind = moment.entry.data, moment.entry.kind
    if kind == "claim_checked":
        return {
            "check": {
                "card": _card(issues, data["issue"], data["card"]),
                "label": str(trade_words.COMBINATIONS[data["combination"]]),
                "valid": data["valid"],
                "verdict": str(claims_queries.verdict(data)),
            }
        }
    if kind == "card_shown":
        return {
            "shown": {
                "card": _card(issues, data["issue"], data["card"]),
                "picture": balls_queries.picture_address(data["picture"]),
            }
        }
    return {}


def _card(issues: dict[int, str], issue: int, card: int) -> str:
    """Name a card, and its issue unless it is the game's only one; any card may be called."""
    if list(issues) == [issue]:
        return str(card)
    named = issues.get(issue) or Issue.objects.select_related("series").get(pk=issue)
    return f"{named} · {card}"


def _state(known: GameState, money: Money, issues: dict[int, str]) -> Value:
    return {
        "phase": str(trade_words.PHASES[known.shown_phase]),
        "sold": known.cards,
        "balls": list(known.balls),
        "money": [[str(label), money(amount)] for label, amount in _money(known)],
        "won": [
            [
                str(trade_words.COMBINATIONS[one.combination]),
                _card(issues, one.issue, one.card),
                money(one.amount),
                prizes_labels.handed_over(one, money),
            ]
            for one in known.awards
        ],
    }


def _money(known: GameState) -> Iterator[tuple[object, int]]:
    """Return the game's money as it stands, each amount with its name."""
    yield _("Collected"), known.collected
    if known.tax.on_sales and not known.void:
        yield _("Tax on sales"), prizes.on_sales(known.gross, known.tax)
    if not known.void:
        yield _("Prize fund"), known.growing.fund
    for name, amount in known.played_for.items():
        if amount:
            yield trade_words.COMBINATIONS[name], amount
    for level, balance in known.played_balances:
        yield trade_words.COMBINATIONS[jackpots.prize(level)], balance
    awards = (*known.carried, *known.awards)
    if awards:
        paid = [one for one in awards if (one.issue, one.card) in known.paid]
        yield _("Won"), sum(one.amount for one in awards)
        yield _("Tax withheld"), sum(one.tax for one in awards)
        yield _("Paid out"), sum(one.net for one in paid)
    if known.refunds or known.phase == Phase.VOIDED:
        yield _("Refunded"), known.refunds


def _cards(played: Replay, issues: Sequence[int]) -> list[list[int]]:
    """Return the sold cards: the place of each one's issue, and its number."""
    place = {issue: at for at, issue in enumerate(issues)}
    return [[place[issue], number] for issue, number in played.cards]


def _lacks(one: Lacks) -> Value:
    """Return what cards lack; where all lack as many at first, that is told once."""
    [(usual, _many)] = Counter(one.starts).most_common(1)
    return {
        "label": str(trade_words.COMBINATIONS[one.combination]),
        "start": usual,
        "starts": {at: start for at, start in enumerate(one.starts) if start != usual},
        "changes": one.changes,
    }


def _sold(game: Game) -> list[Sale]:
    found = games_queries.sold_in(game).select_related("shift__till", "seller", "entry__by")
    return list(found)


def _sale(sale: Sale, game: Game, issues: Sequence[int]) -> Value:
    """Return cards sold, where and to whom; `n` is their entry, 0 where the first half sold them."""
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
    """Return the ticks of the time line: where on a thousand, which entry, what it stands for."""
    steps = told["steps"]
    whole = max((one["t"] for one in steps), default=0) or 1
    return [
        {"x": one["t"] * 996 // whole, "n": one["n"], "step": at, **_said(one)}
        for at, one in enumerate(steps)
        if one["mark"]
    ]


def _said(step: Value) -> Value:
    return {"mark": step["mark"], "title": f"{step['at']} {step['kind']} {step['told']}".strip()}


LARGEST = 2**63 - 1
SPEEDS = (1, 2, 5, 10, 30, 60)


@require_GET
@for_roles(*READERS)
def replay_page(request: HttpRequest, person: Person, number: int, game: int) -> HttpResponse:
    """Show a game at the moment that the address names, or at its first; 404 where there is none."""
    asks = PageRequest(person, {}, request.GET)
    with inspection.reading(asks.hall):
        found = get_object_or_404(
            Game.objects.select_related("session__hall", "issue__series", "first_half"),
            session__hall=asks.hall,
            session__number=number,
            number=game,
        )
        played = replay(found)
    # Without the role, which sees of a jackpot of several halls only what its own one moved.
    linked = linked_worths(played)
    with inspection.reading(asks.hall):
        told = build_replay(found, played, linked)
        at = listing.number(asks.query, "at", most=LARGEST)
        context = {
            "game": found,
            "played": told | {"from": _step(played, at)},
            "marks": marks(told),
            "speeds": SPEEDS,
            "refused": played.refused,
            "winning": _winning(found, played),
        }
        return render(request, "desks/inspector/replay.html", context)


def _winning(game: Game, played: Replay) -> tuple[Winning, ...]:
    """Return what wins each prize of the game (R67, R75, R84)."""
    if not played.moments:
        return ()
    known = played.moments[-1].known
    return winning(known, figure=hall_patterns.figure_name(game.session.hall, known.pattern))


def _step(played: Replay, number: int | None) -> int:
    """Return the place of the last moment up to an entry, the first without one."""
    before = [at for at, one in enumerate(played.moments) if number and one.entry.number <= number]
    return before[-1] if before else 0


replay_urls = [
    path(
        "inspector/<int:number>/<int:game>/replay/",
        never_cache(replay_page),
        name="inspector-replay",
    )
]
