"""The account of a jackpot: every movement of the money held in trust, by the journal (R10, R11).

Money comes in as what a game adds, what a cash step leaves over of its prizes, what the operator
puts in as a base and what nobody fetched within its period, where the authorisation says so; it
leaves as an award, as what a void takes back, or when the jackpot is moved or ended as the regulator says (related rules
20, 21, 23, 24). So a level's balance is always the sum of its movements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bingo.rules import formats, jackpots, setup, unclaimed
from bingo.rules.game_flow import Fact
from bingo.rules.jackpots import MOST, MOST_LEVELS, Jackpot
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.texts import require_text

CARRIED, ACCRUED, REVERSED, AWARDED, RESTORED, LEFT_OVER = (
    "carried", "accrued", "reversed", "awarded", "restored", "left_over",
)  # fmt: skip
FUNDED, ENDED, MOVED, RECEIVED = (
    "jackpot_funded", "jackpot_ended", "jackpot_moved", "jackpot_received",
)  # fmt: skip
UNCLAIMED = unclaimed.EXPIRED
# What moves money between games, and whether it comes or goes.
BETWEEN_GAMES = {FUNDED: 1, RECEIVED: 1, ENDED: -1, MOVED: -1, UNCLAIMED: 1}
# The facts that an account is made of: any other moves nothing, nor does the hall's opening, which
# says that nothing was held before.
KINDS = (
    setup.OPENED, "session_opened", "game_opened", "sale_closed", "second_half_opened", "game_voided",
    "window_closed", "entry_completed", *BETWEEN_GAMES,
)  # fmt: skip
LONGEST = 200  # characters of a reference


@dataclass(frozen=True, slots=True)
class LevelMovement:
    """What one fact does to a level, counted from 0: minor units in, or out where below 0."""

    level: int
    kind: str
    amount: int
    balance: int


def level_balance(balances: Sequence[int], level: int) -> int:
    """Return what a level holds, 0 where nothing has come to it yet. Refusal unknown_level."""
    if not 0 <= level < MOST_LEVELS:
        raise Refusal("unknown_level", most=MOST_LEVELS)
    return balances[level] if level < len(balances) else 0


def changed(balances: Sequence[int], level: int, by: int) -> list[int]:
    """Return the balances with one changed, as many as there are levels up to it."""
    after = [*balances, *(0,) * (level + 1 - len(balances))]
    after[level] += by
    return after


def fund(balances: Sequence[int], *, level: int, amount: int, reference: str) -> Data:
    """Let the operator add to a level, as its base is (R11); it is the players' from then on (rule 20).

    Minor units. Refusals: unknown_level, bad_amount, paper_missing, reference_too_long.
    """
    before = level_balance(balances, level)
    put = put_in(before, amount=amount, reference=reference)
    return {"level": level, **put, "balance": before + amount}


def end(balances: Sequence[int], *, level: int, to: str, reference: str) -> Data:
    """Hand over all that a level holds to whom the regulator names (rule 24), by its decision.

    Refusals: unknown_level, nothing_held, receiver_missing, paper_missing, reference_too_long.
    """
    held = level_balance(balances, level)
    return {"level": level, **hand_over(held, to=to, reference=reference)}


def move(balances: Sequence[int], *, level: int, to: str, to_level: int, reference: str) -> Data:
    """Move all that a level holds to a level of a hall (rule 23), by the regulator's decision.

    `to` is the hall's code. Refusals: those of `end`.
    """
    level_balance((), to_level)
    return end(balances, level=level, to=to, reference=reference) | {"to_level": to_level}


def receive(
    balances: Sequence[int], *, level: int, amount: int, origin: str, reference: str
) -> Data:
    """Take in what another level or hall held; `origin` is that hall's code. Refusals: as of `fund`."""
    return fund(balances, level=level, amount=amount, reference=reference) | {"origin": origin}


def before(data: Data) -> int:
    """Return what a level held before money was put in, moved or handed over, as that fact tells it."""
    return int(data["balance"] - data["amount"] if "balance" in data else data["amount"])


def between_games(fact: Fact) -> tuple[int, int] | None:
    """Return the level and the minor units that a fact between games moves, out below 0; None without.

    What nobody fetched comes to the first level that is the hall's own, where it goes to the jackpot.
    """
    elsewhere = fact.kind == UNCLAIMED and fact.data["to"] != unclaimed.JACKPOT
    if fact.kind not in BETWEEN_GAMES or elsewhere:
        return None
    return fact.data.get("level", 0), BETWEEN_GAMES[fact.kind] * int(fact.data["amount"])


def put_in(held: int, *, amount: int, reference: str) -> Data:
    """Let the operator add minor units to what a level or a link holds.

    Refusals: bad_amount, paper_missing, reference_too_long.
    """
    if not 0 < amount <= MOST - held:
        raise Refusal("bad_amount", amount=amount)
    require_reference(reference)
    return {"amount": amount, "reference": reference}


def hand_over(held: int, *, to: str, reference: str) -> Data:
    """Let all that a level or a link holds go where the regulator's decision says.

    Refusals: receiver_missing, paper_missing, reference_too_long, nothing_held.
    """
    _require_reference(to, missing=Refusal("receiver_missing"))
    require_reference(reference)
    if not held:
        raise Refusal("nothing_held")
    return {"amount": held, "to": to, "reference": reference}


def require_reference(reference: str) -> None:
    """Refuse money that no paper stands for: paper_missing, reference_too_long."""
    _require_reference(reference, missing=Refusal("paper_missing"))


def _require_reference(text: str, *, missing: Refusal) -> None:
    require_text(text, missing=missing)
    if len(text) > LONGEST:
        raise Refusal("reference_too_long", most=LONGEST)


@dataclass(slots=True)
class JackpotAccount:
    """The money of every level, followed fact by fact.

    `levels` are the terms of the session; `added` what the game in hand has added to each, which
    is played with cards of `format`, for a `figure` where it is not empty. `whole`: the record begins
    with the hall's opening, so that nothing was held before it.
    """

    balances: list[int] = field(default_factory=list)
    levels: tuple[Jackpot, ...] = ()
    added: tuple[int, ...] = ()
    format: int = formats.NINETY.highest
    figure: tuple[str, ...] = ()
    whole: bool = False

    def movements(self, fact: Fact) -> Iterator[LevelMovement]:
        """Return what a fact of the hall's journal moves; only those of KINDS do."""
        if fact.kind not in KINDS:
            return
        self.whole |= fact.kind == setup.OPENED
        match fact.kind:
            case "session_opened":
                yield from self._opened(fact.data)
            case "game_opened":
                self.format = fact.data["format"]
                self.figure = tuple(fact.data.get("pattern", ()))
            case "sale_closed" | "second_half_opened":
                self.added = jackpots.accruals(fact.data["prizes"]["fund"], self._now())
                yield from self._each(ACCRUED, self.added)
            case "game_voided":
                yield from self._each(REVERSED, [-one for one in self.added])
                self.added = ()
            case "window_closed":
                yield from self._awarded(fact.data["awards"])
                yield from self._left_over(fact.data.get("carried", {}).get("jackpot", 0))
            case "entry_completed":
                self.added = ()
            case _:
                yield from self._between_games(fact)

    def _between_games(self, fact: Fact) -> Iterator[LevelMovement]:
        """Return what the operator, the regulator or an ended period moves."""
        if moved := between_games(fact):
            level, amount = moved
            if self._is_untold and (carried := before(fact.data)):
                yield self._moved(level, CARRIED, carried)
            yield self._moved(level, fact.kind, amount)

    def _opened(self, terms: Data) -> Iterator[LevelMovement]:
        """Take the session's terms; what was held before the journal told of it is carried over."""
        self.levels = jackpots.load_levels(terms["jackpot"], terms.get("levels"))
        self.added = ()
        if self._is_untold:
            yield from self._each(CARRIED, [one.balance for one in self.levels])

    @property
    def _is_untold(self) -> bool:
        """Whether more may be held than the journal has told of until now."""
        return not (self.balances or self.whole)

    def _now(self) -> list[Jackpot]:
        levels = jackpots.playing(self.levels, format=self.format, figure=self.figure)
        return [
            jackpots.moved(one, balance=level_balance(self.balances, level), won=False)
            for level, one in enumerate(levels)
        ]

    def _awarded(self, awards: Sequence[Data]) -> Iterator[LevelMovement]:
        for level, one in enumerate(self.levels):
            if one.link:
                continue
            prize = jackpots.prize(level)
            amounts = [spent(award) for award in awards if award["combination"] == prize]
            if not amounts:
                continue
            yield self._moved(level, AWARDED, -sum(amounts))
            if one.base:
                yield self._moved(level, RESTORED, one.base)

    def _left_over(self, amount: int) -> Iterator[LevelMovement]:
        """Take in what a cash step left over of the prizes; a void takes it back with the rest."""
        if not amount:
            return
        first, *others = self.added
        self.added = (first + amount, *others)
        yield self._moved(0, LEFT_OVER, amount)

    def _each(self, kind: str, amounts: Sequence[int]) -> Iterator[LevelMovement]:
        for level, amount in enumerate(amounts):
            # What a linked level holds is told by the link's own movements.
            if amount and not self.levels[level].link:
                yield self._moved(level, kind, amount)

    def _moved(self, level: int, kind: str, amount: int) -> LevelMovement:
        self.balances = changed(self.balances, level, amount)
        return LevelMovement(level, kind, amount, self.balances[level])


def spent(award: Data) -> int:
    """Return what an award takes out of a level, in minor units: what coins leave over stays in it."""
    return int(award["amount"] - award.get("left_over", 0))


def movements(facts: Iterable[Fact]) -> Iterator[LevelMovement]:
    """Return every movement that a hall's facts tell, the first first."""
    account = JackpotAccount()
    for fact in facts:
        yield from account.movements(fact)
