"""The end of a session: when it is planned, its last game announced (R53), and perpetual totals.

The last game is announced ten minutes before the planned end. The totals say what a hall has sold,
collected and paid since its first session, and are never reset. Every amount is counted where it
moves: cards and money at the sale, prizes and tax when they are paid or set aside, refunds when
they are given back or set aside; and what was set aside once more when it leaves the hall. So they
can be held against what the days say of themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from bingo.rules import jackpots, unclaimed
from bingo.rules import journal_json_and_chain as fact_json
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SETTLED, Ending, GameState, Phase, SessionState
from bingo.rules.texts import require_text

BEFORE = timedelta(minutes=10)  # R53
LONGEST = timedelta(days=1)  # an end further away is a slip of the hand
# A game whose balls are over is no longer the one of which "it is the last" can be said.
OVER = (Phase.PAYING, Phase.VOIDED, Phase.COMPLETE)


def due_at(ending: Ending) -> datetime | None:
    """Return from when on the last game is to be announced (R53), None where no end is planned."""
    return fact_json.read_moment(ending.ends_at) - BEFORE if ending.ends_at else None


def is_over(session: SessionState) -> bool:
    """Return whether the game announced as the last is over, so that no sale follows (R53).

    Of double cards it is not before their second game, which players have paid for (R15).
    """
    said = 0 < session.ending.last_game <= session.games
    return said and not (session.playing or session.half_due)


def voided(session: SessionState, game: GameState) -> SessionState:
    """Let a void first game of double cards be the last where their second one was to be (R53)."""
    ending = session.ending
    if game.half != 1 or game.duties < SETTLED or ending.last_game != game.number + 1:
        return session
    return replace(session, ending=replace(ending, last_game=game.number))


def require_may_open(ending: Ending, *, games: int) -> None:
    """Refuse a game after the one announced as the last (R53): last_game_played."""
    if 0 < ending.last_game <= games:
        raise Refusal("last_game_played", game=ending.last_game)


def last_of(session: SessionState) -> int:
    """Return the game that is the last if it is said so now.

    It is the one under way until its balls are over, and then the next; of double cards it is
    their second game, which players have paid for (R15).
    """
    known = session.game
    if known is None or known.phase in OVER:
        return session.games + 1
    return session.games + (1 if known.half == 1 else 0)


def require_end(ends_at: str, moment: str) -> None:
    """Refuse an end that is over or more than a day away. Raises Refusal: bad_moment, bad_session_end."""
    end, now = fact_json.read_moment(ends_at), fact_json.read_moment(moment)
    if not now < end <= now + LONGEST:
        raise Refusal("bad_session_end")


def require_for_sale(session: SessionState, data: Data) -> None:
    """Let a sale within the last ten minutes begin only as the last one, announced as such (R53).

    `data` is the announcement of the sale. A session older than its duties, or without a planned
    end, is not judged. Raises Refusal: bad_moment, last_game_due.
    """
    due = due_at(session.ending)
    if due is None or not session.terms.get("duties") or session.ending.last_game:
        return
    if fact_json.read_moment(data.get("moment", "")) >= due:
        raise Refusal("last_game_due")


def plan_ending(session: SessionState, *, ends_at: str, reason: str, moment: str) -> Data:
    """Plan when the session ends, or move it before the last game is announced, with a reason.

    `ends_at` and `moment`, when it was decided, as `written_moment` gives them. Raises Refusal:
    bad_moment, bad_session_end, reason_missing, last_game_announced.
    """
    if session.ending.last_game:
        raise Refusal("last_game_announced", game=session.ending.last_game)
    require_end(ends_at, moment)
    if session.ending.ends_at:
        require_text(reason)
    before = {"before": session.ending.ends_at} if session.ending.ends_at else {}
    return {"ends_at": ends_at, "reason": reason, "moment": moment, **before}


def planned(session: SessionState, data: Data) -> SessionState:
    """Keep the end."""
    return replace(session, ending=replace(session.ending, ends_at=data["ends_at"]))


def announce_ending(session: SessionState, *, moment: str) -> Data:
    """Say which game is the last, from ten minutes before the planned end on (R53).

    Raises Refusal: bad_moment, last_game_announced, no_session_end, last_game_too_early (`left`
    seconds).
    """
    now, due = fact_json.read_moment(moment), due_at(session.ending)
    if session.ending.last_game:
        raise Refusal("last_game_announced", game=session.ending.last_game)
    if due is None:
        raise Refusal("no_session_end")
    if now < due:
        raise Refusal("last_game_too_early", left=int((due - now).total_seconds()))
    return {"game": last_of(session), "moment": moment}


def announced(session: SessionState, data: Data) -> SessionState:
    """Keep which game it is."""
    return replace(session, ending=replace(session.ending, last_game=data["game"]))


STEPS: MappingProxyType[
    str, tuple[Callable[..., Data], Callable[[SessionState, Data], SessionState]]
] = MappingProxyType(
    {
        "session_end_planned": (plan_ending, planned),
        "last_game_announced": (announce_ending, announced),
    }
)


SOLD = ("cards_sold", "block_settled")
PRIZED = ("sale_closed", "second_half_opened")


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of one currency, in minor units.

    `prizes` are before `tax` and hold the jackpot's, which `awarded` tells once more; neither has
    what coins left over. `accrued` is what games that were not void have put into the jackpot (R10).
    `sales_tax` is what the hall owes of a tax on sales (R61 g).
    `set_aside` is what of prizes (less tax) and refunds nobody fetched, `paid_later` what of it
    players have had since.
    """

    cards: int = 0
    collected: int = 0
    prizes: int = 0
    tax: int = 0
    accrued: int = 0
    awarded: int = 0
    refunded: int = 0
    set_aside: int = 0
    paid_later: int = 0
    sales_tax: int = 0

    @property
    def taxes(self) -> int:
        """The tax on prizes and on sales."""
        return self.tax + self.sales_tax

    def __add__(self, other: Totals) -> Totals:
        """Return both together."""
        return Totals(*(getattr(self, name) + getattr(other, name) for name in NAMES))


NAMES = tuple(one.name for one in fields(Totals))
# Told only where there is any: closings older than these are without them.
SELDOM = frozenset(["set_aside", "paid_later", "sales_tax"])


@dataclass(frozen=True, slots=True)
class SessionTally:
    """What a session has come to; `accrual` is that of the game under way, which a void takes back."""

    totals: Totals = Totals()
    accrual: int = 0


EMPTY = SessionTally()


MOVED: Mapping[str, Callable[[Data], dict[str, int]]] = MappingProxyType(
    {
        # What coins leave over of a prize is paid with another one.
        "prize_paid": lambda data: {
            "prizes": data["amount"] - data.get("left_over", 0),
            "tax": data["tax"],
        },
        "cards_refunded": lambda data: {"refunded": data["amount"]},
        "prize_set_aside": lambda data: {
            "prizes": data["amount"] - data.get("left_over", 0),
            "tax": data["tax"],
            "set_aside": data["net"],
        },
        "refund_set_aside": lambda data: {
            "refunded": data["amount"],
            "set_aside": data["amount"],
        },
        unclaimed.PAID: lambda data: {"paid_later": data["amount"]},
    }
)

TAKEN_BACK = "sale_taken_back"
COUNTED = (*SOLD, *PRIZED, *MOVED, TAKEN_BACK, "game_voided", "entry_completed")


def counted(tally: SessionTally, fact: Fact) -> SessionTally:
    """Return the tally after a fact of the session; most facts change nothing."""
    data = fact.data
    if fact.kind in SOLD:
        return _more(tally, cards=data["quantity"], collected=data["amount"])
    if fact.kind == TAKEN_BACK:
        return _more(tally, cards=-data["quantity"], collected=-data["amount"])
    if fact.kind in PRIZED:
        return replace(tally, accrual=data["prizes"]["jackpot"])
    if fact.kind in MOVED:
        return _more(tally, **MOVED[fact.kind](data))
    match fact.kind:
        case "game_voided":
            return replace(tally, accrual=0)
        case "entry_completed":
            done = _more(
                tally,
                accrued=tally.accrual,
                awarded=_awarded(data["paid"]),
                sales_tax=data.get("sales_tax", 0),
            )
            return replace(done, accrual=0)
    return tally


def totals_of_session(facts: Iterable[Fact]) -> Totals:
    """Return what one session's facts come to; those of kinds that are not COUNTED may be left out."""
    tally = EMPTY
    for fact in facts:
        tally = counted(tally, fact)
    return tally.totals


def carried(before: Mapping[str, Data], currency: str, totals: Totals) -> dict[str, Data]:
    """Return the hall's totals by currency, as the journal has them, with a session more."""
    already = load_totals(before[currency]) if currency in before else Totals()
    return {**before, currency: totals_dump(already + totals)}


def totals_dump(totals: Totals) -> Data:
    """Return the totals as the journal has them."""
    return {name: sum for name, sum in asdict(totals).items() if sum or name not in SELDOM}


def load_totals(data: Data) -> Totals:
    """Read the totals of one currency. Raises ValueError when they are none."""
    if set(data) | SELDOM != set(NAMES) or not all(map(_is_sum, data.values())):
        raise ValueError("totals")
    return Totals(**data)


def _more(tally: SessionTally, **sums: int) -> SessionTally:
    return replace(tally, totals=tally.totals + Totals(**sums))


def _awarded(paid: Mapping[str, int]) -> int:
    names = {jackpots.prize(level) for level in range(len(paid))}
    return sum(amount for name, amount in paid.items() if name in names)


def _is_sum(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
