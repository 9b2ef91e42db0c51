"""The state of a session and of its game after a number of facts: frozen values, written and read as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from bingo.rules import (
    formats,
    jackpots,
    journal_json_and_chain,
    patterns,
    prize_distributions,
    rulebooks,
    sale_order,
)
from bingo.rules import prizes as rules_prizes
from bingo.rules.jackpots import Jackpot
from bingo.rules.journal_json_and_chain import Data, stored
from bingo.rules.patterns import BINGO, LINE, Combination
from bingo.rules.prize_distributions import PRIMA, Distribution
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import Prizes, Tax
from bingo.rules.refusal import Refusal
from bingo.rules.till_cash_and_shifts import ShiftState

# Duties of a session (`session_opening.DUTIES`, 0 where it is older than any) from which on a call
# is answered before the draw goes on (R43) …
ANSWERED = 2
# … and what is carried on is closed, a right claim is asked for before the end (R7, R46), no
# sale follows a void one of the last two games of double cards (R53), and no announcement was wrong
# before a ball (R57) …
SETTLED = 3
# … and double cards are put on sale only where its authorisation grants them (R15), and the clock is
# read as a fault suspends a game and as it voids it (R55).
DOUBLE_GRANTED = TIMED = 4


class Phase(StrEnum):
    """Where a game stands; `game_flow.FOLLOWS` says what may happen there."""

    PREPARED = "prepared"
    SELLING = "selling"
    CLOSED = "closed"
    DRAWING = "drawing"
    STOPPED = "stopped"
    WINDOW = "window"
    PAYING = "paying"
    VOIDED = "voided"
    COMPLETE = "complete"


@lru_cache(maxsize=64)  # asked at each ball, and the same for as long as a hall plays alike
def won(
    format: int, shares: Shares, counts: tuple[str, ...], pattern: tuple[str, ...]
) -> tuple[Combination, ...]:
    """Return what may be called in a game that is played so, the bingo last; see `GameState`."""
    played = Distribution(format, shares, counts, bool(pattern))
    return prize_distributions.won(played, pattern=patterns.read(pattern) if pattern else None)


@dataclass(frozen=True, slots=True)
class Claim:
    """A card found right for a combination, before its window has closed."""

    combination: str
    issue: int
    card: int


@dataclass(frozen=True, slots=True)
class Award:
    """A prize won by one card, in minor units.

    Of `amount` the `tax` is withheld, and `left_over` is what coins cannot pay of the rest: it is
    carried on. The player gets `net`.
    """

    combination: str
    issue: int
    card: int
    amount: int
    tax: int
    left_over: int = 0

    @property
    def net(self) -> int:
        """What is handed over to the player."""
        return self.amount - self.tax - self.left_over

    @property
    def spent(self) -> int:
        """What the prize takes out of the money it is won of: all but what is carried on."""
        return self.amount - self.left_over


def _write(told: Data) -> Data:
    """Return the state's fields as they are stored: of what was called, the line by itself."""
    found = told.pop("found", ())
    told["line_called"] = LINE in found
    others = [name for name in found if name != LINE]
    told |= {"found": others} if others else {}
    # No lines at all is something to be told too.
    return told | ({"counts": [told["counts"]]} if "counts" in told else {})


def _read(data: Mapping[str, Any]) -> Data:
    """Return back the fields that `_write` stored."""
    fields = dict(data)
    line = (LINE,) if fields.pop("line_called") else ()
    fields["found"] = (*line, *data.get("found", ()))
    return fields | ({"counts": data["counts"][0]} if "counts" in data else {})


@stored(
    "prizes", "balls", "claims", "claim_at", "recalled", "asked", "closed", "awards", "paid",
    "refunded", "void", write=_write, read=_read,
)  # fmt: skip
@dataclass(frozen=True, slots=True)
class GameState:
    """One game; money in minor units, cards by (issue, number), balls in order announced.

    `counts` are the lines that count, as in `patterns.combination_line`, none where no line is won;
    `pattern` the figure that is the bingo, as `patterns.read` takes it, empty for the whole card.
    `found`: the combinations found right before any bingo. `claim_at`: how many balls were out
    when somebody last called. `recalled`: a ball was taken back and the next has not come yet.
    `asked`: the combinations the open window asks for. `closed`: those no longer heard (R47).
    `half`: 1 or 2 in a game of double cards (R15), else 0; `carried`: what the first half left to
    be paid. `players` holds (player, cards bought) where players are named; `player_limit` is the
    most one may buy (R35). `sources` holds (source, balls out when it began): none in games older
    than sources, `drawing.FIRST` where the first ball decides. `suspended`: why a fault holds the
    game before its first ball (R55). `levels` are those of the jackpot beyond its first, all as they
    stood when the game was opened. `places` holds (issue, card, where its player sits) of right
    cards, where it was told (R48). Prizes are paid in multiples of `cash_step` minor units; of what
    that leaves over of them `to_jackpot` went into the first level, and `to_fund` waits for the
    next game; `brought` is what waited for this one. `cash_rounding` is how, as in `prizes`.
    `duties` tells which duties bind the game: 0 where its session is older than any of `session_opening.DUTIES`.
    `called` is the combination that was called, until a card is checked for it or the draw goes on;
    `unanswered` tells whether it still waits (R43).
    `refused` holds (combination, issue, card) of cards refused for their marks, which stay refused
    until two persons reverse it (R30).
    `prizes_aside` are the winning cards (issue, number) that nobody fetched the prize of,
    `refunds_aside` the cards of a void game that did not come back: the hall owes their money
    (R44, R60).
    """

    phase: Phase
    number: int
    format: int
    rulebook: str
    face: int
    shares: Shares
    jackpot: Jackpot | None
    tax: Tax
    runs: tuple[sale_order.Run, ...]
    prizes: Prizes | None = None
    balls: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    found: tuple[str, ...] = ()
    claim_at: int | None = None
    recalled: bool = False
    asked: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    awards: tuple[Award, ...] = ()
    paid: tuple[tuple[int, int], ...] = ()
    refunded: tuple[sale_order.Range, ...] = ()
    void: str | None = None
    half: int = 0
    carried: tuple[Award, ...] = ()
    players: tuple[tuple[str, int], ...] = ()
    player_limit: int | None = None
    sources: tuple[tuple[str, int], ...] = ()
    suspended: str | None = None
    counts: tuple[str, ...] = (patterns.ROWS,)
    pattern: tuple[str, ...] = ()
    levels: tuple[Jackpot, ...] = ()
    places: tuple[tuple[int, int, str], ...] = ()
    cash_step: int = 1
    cash_rounding: str = rules_prizes.COIN_BY_COIN
    brought: int = 0
    to_jackpot: int = 0
    to_fund: int = 0
    duties: int = 0
    refused: tuple[tuple[str, int, int], ...] = ()
    prizes_aside: tuple[tuple[int, int], ...] = ()
    refunds_aside: tuple[sale_order.Range, ...] = ()
    called: str = ""

    @property
    def symbols(self) -> bool:
        """Whether its cards bear the thirty symbols, by which its balls are called (R80)."""
        return self.runs[0].symbols

    @property
    def numbers(self) -> range:
        """Every number that may be drawn."""
        return range(1, self.format + 1)

    def named(self, number: int) -> Data:
        """Return what is said of a ball besides its number: its symbol, in a game of symbols."""
        return formats.symbol_named(number) if self.symbols else {}

    def require_going(self) -> None:
        """Refuse what must wait while a fault holds the game: suspended (R55)."""
        if self.suspended is not None:
            raise Refusal("suspended", reason=self.suspended)

    @property
    def selling(self) -> bool:
        """Whether its cards are on sale now, and no fault holds it (R55)."""
        return self.phase == Phase.SELLING and self.suspended is None

    @property
    def extracted(self) -> bool:
        """Whether a ball has come out: one that was recalled was a ball all the same."""
        return bool(self.balls) or self.recalled

    @property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Every level of the jackpot, none without one."""
        return () if self.jackpot is None else (self.jackpot, *self.levels)

    @property
    def playing(self) -> tuple[Jackpot, ...]:
        """Every level as this game plays for it: of no rate where it has no limit for its cards (R9)."""
        return jackpots.playing(self.jackpots, format=self.format, figure=self.pattern)

    @property
    def limits(self) -> tuple[int | None, ...]:
        """The balls within which this game's bingo wins each level, None where it never does (R9)."""
        return tuple(one.within(self.format, self.pattern) for one in self.jackpots)

    @property
    def growing(self) -> Prizes:
        """What each prize is worth by the cards sold so far; fixed once the sale is closed (R7, R10)."""
        if self.prizes is not None:
            return self.prizes
        fund = rules_prizes.fund_of(self.gross, self.shares) + self.brought
        return rules_prizes.distribute(
            self.gross,
            shares=self.shares,
            jackpot_rate=jackpots.rate(self.playing),
            source=jackpots.source(self.jackpots),
            accrual=sum(jackpots.accruals(fund, self.playing)),
            brought=self.brought,
        )

    @property
    def leaves(self) -> int:
        """What waits for the next game's fund, in minor units: a void game hands on what it was brought."""
        return self.brought if self.prizes is None or self.void is not None else self.to_fund

    @property
    def won(self) -> tuple[Combination, ...]:
        """The combinations that may be called, the bingo last."""
        return won(self.format, self.shares, self.counts, self.pattern)

    @property
    def amounts(self) -> dict[str, int]:
        """What each prize is worth once the sale is closed, as they are said, without a jackpot."""
        return {} if self.prizes is None else self._named(self.prizes)

    @property
    def played_for(self) -> dict[str, int]:
        """What each prize is worth now, without a jackpot: the bingo has the bonus that came too late (R7).

        It grows while cards are sold (R29), and is what winners share; a void game is played for nothing.
        """
        if self.void is not None:
            return {}
        worth = self._named(self.growing)
        if PRIMA in worth and self.bonus_limit is None:
            worth[BINGO] += worth.pop(PRIMA)
        return worth

    def _named(self, fixed: Prizes) -> dict[str, int]:
        extras = dict(fixed.extras)
        worth = {LINE: fixed.line, BINGO: fixed.bingo, **extras}
        prima = {PRIMA: extras[PRIMA]} if PRIMA in extras else {}
        return {one.name: worth[one.name] for one in self.won} | prima

    @property
    def bonus_limit(self) -> int | None:
        """The balls within which a bingo still wins the bonus, None once it is gone or without one (R7)."""
        limits = (extra.limit for extra in self.shares.extras if extra.prize == PRIMA)
        return next((limit for limit in limits if len(self.balls) <= limit), None)

    @property
    def source(self) -> str:
        """Where its balls come from now; empty where any may, as in games older than sources."""
        return self.sources[-1][0] if self.sources else ""

    @property
    def cards(self) -> int:
        """Cards sold in this game."""
        return sale_order.cards_sold(self.runs)

    @property
    def gross(self) -> int:
        """Money collected for the cards, in minor units (R61 e)."""
        return sum(run.sold * self.price(run) for run in self.runs)

    @property
    def collected(self) -> int:
        """What its cards brought, in minor units: of a void first game of double cards both halves (R15)."""
        return self.gross if self.void is None else self.gross * self.paid_for

    @property
    def paid_for(self) -> int:
        """What a card cost, in prices: a double card is paid for both its games at once (R15)."""
        return 2 if self.half == 1 else 1

    def costs(self, face: int) -> int:
        """Return what a player pays for a card of a price: a double card costs two (R15)."""
        return face * (2 if self.half else 1)

    @property
    def prices(self) -> tuple[int, ...]:
        """The prices on sale, in minor units, in the order they were put up."""
        return tuple(dict.fromkeys(self.price(run) for run in self.runs))

    def price(self, run: sale_order.Run) -> int:
        """Return what a card of the run costs for this game, in minor units."""
        return self.face if run.face is None else run.face

    def price_of(self, issue: int) -> int:
        """Return what a card of an issue costs for this game, in minor units."""
        return next(self.price(run) for run in self.runs if run.issue == issue)

    def runs_at(self, face: int) -> tuple[sale_order.Run, ...]:
        """Return the runs of one price."""
        return tuple(run for run in self.runs if self.price(run) == face)

    @property
    def cards_refunded(self) -> int:
        """Cards whose price has been given back (R55, R57)."""
        return sum(part.last - part.first + 1 for part in self.refunded)

    @property
    def refunds(self) -> int:
        """What has been given back for them, in minor units."""
        return self._worth(self.refunded)

    @property
    def cards_aside(self) -> int:
        """Cards of a void game that did not come back, whose price is set aside."""
        return sum(part.last - part.first + 1 for part in self.refunds_aside)

    @property
    def cards_to_refund(self) -> int:
        """Cards of a void game whose price is neither given back nor set aside yet (R55, R57)."""
        return 0 if self.void is None else self.cards - self.cards_refunded - self.cards_aside

    @property
    def refunds_set_aside(self) -> int:
        """What is set aside for them, in minor units."""
        return self._worth(self.refunds_aside)

    @property
    def refunds_settled(self) -> tuple[sale_order.Range, ...]:
        """The cards of a void game that are refunded or set aside."""
        return (*self.refunded, *self.refunds_aside)

    def _worth(self, parts: tuple[sale_order.Range, ...]) -> int:
        priced = ((part.last - part.first + 1, self.price_of(part.issue)) for part in parts)
        return sum(cards * face * self.paid_for for cards, face in priced)

    def hears(self, combination: str) -> bool:
        """Return whether a call of it may still win: its window has not closed, nor the bingo's (R47)."""
        ended = BINGO in self.closed and not self.pending
        return combination not in self.closed and not ended

    @property
    def unanswered(self) -> str:
        """The combination of a call that waits for a card, empty without one (R43)."""
        return self.called if self.called and self.hears(self.called) else ""

    @property
    def pending(self) -> tuple[Claim, ...]:
        """Right claims whose window has not closed yet."""
        return tuple(claim for claim in self.claims if claim.combination not in self.closed)

    @property
    def unpaid(self) -> tuple[tuple[int, int], ...]:
        """Winning cards (issue, number) still to be paid, in card order; none that is set aside."""
        winning = {(award.issue, award.card) for award in (*self.awards, *self.carried)}
        return tuple(sorted(winning - set(self.paid) - set(self.prizes_aside)))

    @property
    def paid_after_second(self) -> bool:
        """Whether what is won in this first game of double cards is paid after the second (R45)."""
        return self.half == 1 and not rulebooks.get(self.rulebook).double_paid_at_once

    @property
    def shown_phase(self) -> str:
        """The phase by which pages name where the game stands: prizes may be paid later (R45).

        A void game of which no card is still to be refunded only waits for its entry (R57).
        """
        if self.phase == Phase.PAYING and self.paid_after_second:
            return "paid_later"
        if self.phase == Phase.VOIDED and not self.cards_to_refund:
            return "void_settled"
        return self.phase.value

    @property
    def signalled(self) -> tuple[tuple[int, int, str], ...]:
        """Right cards (issue, number) with their players' places, until each is paid (R48)."""
        places = {(issue, card): place for issue, card, place in self.places}
        held = {(claim.issue, claim.card) for claim in self.pending} | set(self.unpaid)
        return tuple((*card, places.get(card, "")) for card in sorted(held))

    @property
    def jackpot_balance(self) -> int:
        """The first level of the jackpot as it stands after this game's facts, 0 without one."""
        return self.jackpot_balances[0] if self.jackpot else 0

    @property
    def jackpot_balances(self) -> tuple[int, ...]:
        """Each level of the jackpot after this game's facts (R10, R11), in minor units.

        A linked level is what was given as its balance: the rules leave it at 0, screens fill it in.
        """
        held = self.prizes is not None and self.void is None
        added = jackpots.accruals(self.prizes.fund if self.prizes and held else 0, self.playing)
        left = (self.to_jackpot, *(0 for _one in self.levels))
        return tuple(
            jackpots.balance_after(one, added=added[level] + left[level], spent=self._spent(level))
            for level, one in enumerate(self.jackpots)
        )

    @property
    def played_balances(self) -> tuple[tuple[int, int], ...]:
        """Return (level, counted from 0, what it holds) of those that this game plays for (R9).

        A void game plays for none.
        """
        if self.void is not None:
            return ()
        held = zip(self.limits, self.jackpot_balances, strict=True)
        return tuple((at, balance) for at, (limit, balance) in enumerate(held) if limit is not None)

    def _spent(self, level: int) -> int | None:
        """Return what the awards of a level took out of it, None where nobody has won it."""
        prize = jackpots.prize(level)
        if not self.has_won(prize):
            return None
        return sum(award.spent for award in self.awards if award.combination == prize)

    @property
    def added_to_link(self) -> int:
        """What this game has added to a linked level, in minor units, void or not; 0 without one."""
        level = jackpots.linked(self.jackpots)
        if level is None or self.prizes is None:
            return 0
        return jackpots.accruals(self.prizes.fund, self.playing)[level]

    def has_won(self, prize: str) -> bool:
        """Return whether some card has won this prize."""
        return any(award.combination == prize for award in self.awards)


@stored("ends_at", "last_game")
@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ends: `ends_at` as `written_moment` gives it, empty where no end is planned.

    `last_game` is the number of the game announced as the last, 0 until then.
    """

    ends_at: str = ""
    last_game: int = 0


@stored("drawn", "extracted", "left_out")
@dataclass(frozen=True, slots=True)
class BallDuties:
    """What a session has come to: `drawn` the serials of the sets that its games were drawn from.

    `extracted` is the last game of which a ball has come from an extractor, 0 while there is none;
    `left_out` holds (duty, subject) of what two persons let be left out.
    """

    drawn: tuple[str, ...] = ()
    extracted: int = 0
    left_out: tuple[tuple[str, str], ...] = ()


@stored("open", "shifts", "games", "game", "jackpot", "last_sold")
@dataclass(frozen=True, slots=True)
class SessionState:
    """One session; `game` is the open one or the last, `levels` those of the jackpot beyond its first.

    `last_sold` holds, for each issue of which this session sold cards, (issue, last card sold);
    `carried` is what a cash step left over of earlier games' prizes, for the next game's fund.
    """

    number: int
    terms: Data
    open: bool = True
    shifts: tuple[ShiftState, ...] = ()
    games: int = 0
    game: GameState | None = None
    jackpot: Jackpot | None = None
    last_sold: tuple[tuple[int, int], ...] = ()
    levels: tuple[Jackpot, ...] = ()
    ending: Ending = Ending()
    carried: int = 0
    balls: BallDuties = BallDuties()

    @property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Every level of the jackpot, none without one."""
        return () if self.jackpot is None else (self.jackpot, *self.levels)

    @property
    def is_linked(self) -> bool:
        """Whether several halls add to a level of the jackpot."""
        return any(one.link for one in self.jackpots)

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.game is not None and self.game.phase != Phase.COMPLETE

    @property
    def extracting(self) -> bool:
        """Whether a ball of the game has come from an extractor, whose set was judged with it."""
        return self.game is not None and self.balls.extracted == self.game.number

    @property
    def present_game(self) -> GameState:
        """The game that is open, or the one before the next. Raises Refusal no_game."""
        if self.game is None:
            raise Refusal("no_game")
        return self.game

    @property
    def half_due(self) -> bool:
        """Whether the double cards of the last game have their second game to come (R15)."""
        last = self.game
        return (
            last is not None
            and last.phase == Phase.COMPLETE
            and last.half == 1
            and last.void is None
        )


def dump(session: SessionState) -> Data:
    """Return the state as JSON-ready values."""
    return journal_json_and_chain.dump(session)


def load(data: Data) -> SessionState:
    """Return back the state that `dump` wrote."""
    return journal_json_and_chain.load(SessionState, data)
