"""The public state of a hall for every board: one JSON value, encoded once.

Also when an open session ends and which game is its last, as pages and boards tell it (R53).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bingo import money_and_dates
from bingo.rules import cards, jackpots, journal_json_and_chain, rulebooks, session_end_and_totals
from bingo.rules.sale_order import Run
from bingo.rules.session_state import Award, GameState, Phase
from draws import trade_words
from draws.balls import queries as balls_queries
from draws.boards.announcements import Spoken, Voice, announcements_now, voices
from draws.cards import labels as cards_labels
from draws.claims import queries as claims_queries
from draws.games.queries import HallState, get_hall_state, last_check, suspension
from draws.models import Issue
from draws.prizes import labels as prizes_labels
from draws.prizes.labels import NOTHING, Carried
from halls.journal import clock
from halls.models import Hall, JournalEntry

# Nothing is said yet, or the balls need the place.
UNWRITTEN = (Phase.PREPARED, Phase.DRAWING)


def board(hall_code: str) -> tuple[int, dict[str, Any]]:
    """Return the hall's journal number and its public board. Raises Hall.DoesNotExist."""
    now = get_hall_state(hall_code)
    with translation.override(now.hall.language):
        return now.number, _board(now)


# What a board tells of a game, and nothing of without one.
UNTOLD = (
    "session", "game", "price", "cards", "left", "last", "jackpot_limit", "bonus_limit", "check", "window",
    "announcement", "void", "source", "ball_source", "ball_picture", "suspended", "recalled", "last_game",
    "figure", "symbols", "carried",
)  # fmt: skip
LISTS = ("issues", "balls", "jackpots", "winners", "signalled", "also", "winning")


def still(hall: Hall) -> dict[str, Any]:
    """Return the board that tells nothing but whose it is: of any moment, it is true."""
    return {
        **dict.fromkeys(UNTOLD),
        **{name: [] for name in LISTS},
        "hall": hall.name,
        "language": hall.language,
        "called": False,
        "format": 90,
        "phase": "none",
        "title": hall.name,
        "prizes": dict.fromkeys(("line", "bingo", "jackpot")),
        "count": 0,
        "camera": False,
    }


def _board(now: HallState) -> dict[str, Any]:
    of_hall = still(now.hall) | {
        "session": now.session.number if now.session else None,
        "title": str(trade_words.PHASES["open" if now.session else "none"]),
        "last_game": board_line(now) if now.state and now.state.ending.last_game else None,
    }
    return of_hall if now.game_state is None else of_hall | _game(now, now.game_state)


def _game(now: HallState, game: GameState) -> dict[str, Any]:
    said = [] if game.phase in UNWRITTEN else announcements_now(now)
    last = now.game.balls.last() if now.game and game.balls else None
    return {
        "format": game.format,
        "game": game.number,
        "phase": game.phase.value,
        "title": _title(game),
        "called": bool(_called_prize(game)),
        "price": price(now.hall, game),
        "cards": game.cards,
        "left": sum(run.left for run in game.runs),
        "issues": [_issue(now.hall, game, run) for run in game.runs],
        "prizes": prizes(now.hall, game),
        "balls": list(game.balls),
        "last": game.balls[-1] if game.balls else None,
        "count": len(game.balls),
        "jackpot_limit": limit(game),
        "bonus_limit": None if game.void else game.bonus_limit,
        "jackpots": levels(now.hall, game),
        "check": _check(last_check(now), game),
        "window": _window(game, said),
        "winners": _winners(now.hall, game),
        "signalled": _signalled(game),
        # In the window a question stands for what is said.
        "announcement": said[0].text if said and game.phase != Phase.WINDOW else None,
        "also": [{"language": other.language, "text": other.text} for other in said[1:]],
        # Why it is void is the record's; the hall is told what happens now.
        "void": _("Keep your cards: the price of each is given back at the tills")
        if game.cards_to_refund
        else None,
        "source": game.source or None,
        # Where the next ball comes from may be another source by now.
        "ball_source": last.source if last else None,
        "ball_picture": balls_queries.picture_address(last.picture) if last else None,
        "camera": balls_queries.is_before_a_camera(game),
        "suspended": _suspended(now),
        "recalled": _recalled(now, game),
        "figure": {"name": now.figure, "drawing": list(game.pattern)} if game.pattern else None,
        "winning": [one.as_json() for one in now.winning],
        "symbols": cards_labels.all_names() if game.symbols else None,
        "carried": _carried(now.hall, game),
    }


def _carried(hall: Hall, game: GameState) -> str | None:
    """Tell what the smallest coin left over of the prizes, and where it goes (R6)."""
    brought = 0 if game.void else game.brought
    over = Carried(brought, game.to_jackpot, game.to_fund)
    if over == NOTHING:
        return None
    told = prizes_labels.describe_carry(over, lambda amount: money(hall, amount))
    return " · ".join(told)


def _suspended(now: HallState) -> dict[str, str] | None:
    held = suspension(now)
    if held is None:
        return None
    # Walls count by the hall's clock as it is now: one that was set is no shorter quarter of an hour.
    return {"reason": held.data["reason"], "since": clock.began(held).isoformat()}


def _recalled(now: HallState, game: GameState) -> str | None:
    """Tell the whole hall of a ball that was taken back, until the next one (R57)."""
    if not game.recalled:
        return None
    taken_back = JournalEntry.objects.filter(
        session=now.session, game=game.number, kind="ball_recalled"
    ).last()
    return _("Ball %(number)s recalled") % {"number": _called(taken_back)} if taken_back else None


def _called(entry: JournalEntry) -> str:
    return cards_labels.of_code(entry.data.get("symbol"), entry.data["number"])


def _title(game: GameState) -> str:
    if game.half == 2 and game.phase == Phase.CLOSED:
        return _("Second game of the double cards")
    phase = str(trade_words.PHASES[game.shown_phase])
    prize = _called_prize(game)
    return f"{phase}: {trade_words.COMBINATIONS[prize]}" if prize else phase


def _called_prize(game: GameState) -> str:
    """Return which prize was called, before a card of it is checked: then the card says it (R43)."""
    return game.unanswered if game.phase == Phase.STOPPED else ""


def _issue(hall: Hall, game: GameState, run: Run) -> dict[str, Any]:
    """Return an issue on sale: `next` is the card sold next, None when none is left; `price` is paid for a card."""
    return {
        "issue": run.issue,
        "name": f"{run.letter} {run.identification}",
        "face": game.price(run),
        "price": money(hall, game.costs(game.price(run))),
        "next": run.upcoming,
        "left": run.left,
        "sold": run.sold,
    }


def limit(game: GameState) -> int | None:
    """The balls within which the jackpot, or a level of it, can still be won (R9, R13); a void game has none."""
    if game.void:
        return None
    open_ones = (one for one in game.limits if one is not None and len(game.balls) <= one)
    return max(open_ones, default=None)


def levels(hall: Hall, game: GameState) -> list[dict[str, Any] | None]:
    """Return each level of the jackpot: what it holds, within how many balls, and whether it is gone.

    A level is gone once more balls are out than it may be won with, and nobody has won it (R9, R13).
    None stands for one that this game does not play for, or no longer because it is void.
    """
    return [
        None
        if limit is None or game.void
        else {
            "label": str(trade_words.COMBINATIONS[jackpots.prize(level)]),
            "amount": money(hall, balance),
            "within": limit,
            "left": max(0, limit - len(game.balls)),
            "gone": len(game.balls) > limit and not game.has_won(jackpots.prize(level)),
        }
        for level, (limit, balance) in enumerate(
            zip(game.limits, game.jackpot_balances, strict=True)
        )
    ]


def money(hall: Hall, amount: int) -> str:
    """Return an amount as the reader's language writes it: on a wall the hall's."""
    language = get_language() or hall.language
    return money_and_dates.amounts_text(amount, currency=hall.written_currency, language=language)


def price(hall: Hall, game: GameState) -> str:
    """Return what a card costs, each price where there are several; a double card costs two (R15)."""
    return " · ".join(money(hall, game.costs(face)) for face in game.prices)


def prizes(hall: Hall, game: GameState) -> dict[str, str | None]:
    """Return each prize that the game has as it stands, growing while cards are sold (R29); none once it is void.

    A bonus that came too late is the bingo's (R7).
    """
    told: dict[str, str | None] = dict.fromkeys(trade_words.COMBINATIONS)
    told |= {name: money(hall, amount) for name, amount in game.played_for.items()}
    return told | {jackpots.prize(level): money(hall, one) for level, one in game.played_balances}


def _check(entry: JournalEntry | None, game: GameState) -> dict[str, Any] | None:
    if entry is None:
        return None
    rows = tuple(tuple(row) for row in entry.data["rows"])
    issue = Issue.objects.select_related("series").get(pk=entry.data["issue"])
    # Any card may be called: one of another game has its own symbols and figure, or none (R76, R80).
    is_of_game = any(run.issue == issue.pk for run in game.runs)
    figure = list(game.pattern) if is_of_game else issue.figure.split("/") if issue.figure else []
    return {
        "picture": balls_queries.of_card(entry),
        "combination": entry.data["combination"],
        "label": str(trade_words.COMBINATIONS[entry.data["combination"]]),
        "card": entry.data["card"],
        "issue": str(issue),
        "rows": entry.data["rows"],
        "symbols": cards_labels.all_names() if issue.symbols else None,
        "figure": {"drawing": figure} if figure else None,
        "called": sorted(cards.numbers(rows) & set(game.balls)),
        "missing": entry.data["missing"],
        "verdict": "valid" if entry.data["valid"] else "wrong",
        "text": claims_queries.verdict(entry.data),
    }


def issue_name(game: GameState, issue: int) -> str:
    """Name an issue as people call it; one that is not in the game is looked up."""
    run = next((run for run in game.runs if run.issue == issue), None)
    if run is not None:
        return f"{run.letter} {run.identification}"
    found = Issue.objects.select_related("series").filter(pk=issue).first()
    return str(found) if found else ""


def card_name(game: GameState, issue: int, card: int) -> str:
    """Name a card, and its issue unless it is the game's only one: two may have the same number."""
    alone = [run.issue for run in game.runs] == [issue]
    return str(card) if alone else f"{card} ({issue_name(game, issue)})"


def _signalled(game: GameState) -> list[dict[str, Any]]:
    """Return the cards found right and where their players sit, until each is paid (R48)."""
    return [
        {"card": card, "issue": issue_name(game, issue), "place": place}
        for issue, card, place in game.signalled
    ]


def _window(game: GameState, said: list[Spoken]) -> dict[str, str] | None:
    if game.phase != Phase.WINDOW:
        return None
    return {"text": said[0].text if said else ""}


def _winners(hall: Hall, game: GameState) -> list[dict[str, Any]]:
    """Return each prize won with its cards; cards of several prices win several amounts."""
    won: dict[tuple[str, int], list[Award]] = {}
    for name in trade_words.COMBINATIONS:
        for award in game.awards:
            if award.combination == name:
                won.setdefault((name, award.amount), []).append(award)
    return [
        {
            "label": str(trade_words.COMBINATIONS[name]),
            "cards": [card_name(game, award.issue, award.card) for award in awards],
            "amount": money(hall, amount),
            "each": len(awards) > 1,
        }
        for (name, amount), awards in won.items()
    ]


@dataclass(frozen=True, slots=True)
class LastGame:
    """The planned end and the last game; `left` seconds until it is to be announced, 0 when due.

    `game` is the game announced as the last, or which it would be if that were said now; `under_way`:
    it is being sold or played. `spoken` is what to say, in each language of the hall.
    """

    ends_at: datetime
    due_at: datetime
    left: int
    announced: bool
    over: bool
    game: int
    under_way: bool
    spoken: tuple[Spoken, ...]

    @property
    def due(self) -> bool:
        """Whether it is to be announced now."""
        return not self.announced and not self.left


def session_end_last_game(now: HallState, *, at: datetime) -> LastGame | None:
    """Return it `at` this moment, None where no session is open or no end planned."""
    if now.state is None or not now.state.ending.ends_at:
        return None
    state, ending = now.state, now.state.ending
    ends_at = journal_json_and_chain.read_moment(ending.ends_at)
    due_at = ends_at - session_end_and_totals.BEFORE
    game = ending.last_game or session_end_and_totals.last_of(state)
    return LastGame(
        ends_at=ends_at,
        due_at=due_at,
        left=max(0, ceil((due_at - at).total_seconds())),
        announced=bool(ending.last_game),
        over=session_end_and_totals.is_over(state),
        game=game,
        under_way=state.playing and game == state.games,
        spoken=tuple(_spoken(now)),
    )


def board_line(now: HallState) -> str | None:
    """Return what the boards say from the announcement until the last game is over."""
    if now.state is None or not now.state.ending.last_game:
        return None
    state = now.state
    if session_end_and_totals.is_over(state):
        return None
    return " ".join(said.text for said in _spoken(now)[:1])


def _spoken(now: HallState) -> list[Spoken]:
    terms = now.state.terms if now.state else {}
    also = terms.get("languages") or ()
    tongues = voices(terms["rulebook"], currency=now.hall.written_currency, also=also)
    return last_game(terms["rulebook"], tongues)


def last_game(rulebook: str, voices: Iterable[Voice]) -> list[Spoken]:
    """Return the announcement of the session's last game in each language, the law's first (R53)."""
    speeches = rulebooks.get(rulebook).speeches
    return [Spoken(one.language, (speeches[one.language].single.last_game,)) for one in voices]
