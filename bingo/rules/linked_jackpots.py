"""A linked jackpot: one balance that several halls add to, each from its own journal (R9-R12).

The theory. Every hall tells in its journal what its games add and win; the balance is the sum of
what all of them tell, in the order in which it was booked. What a game adds counts at once, but
while that game can still be voided only its own hall can win it, for a void must find it there:
it waits. So a bingo wins the balance less what waits in the other halls, a void never lacks what
it takes back, and no order of things makes the balance fall below 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bingo.rules import jackpot_account, jackpots, rulebooks, texts
from bingo.rules.formats import Cell
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import ACCRUED, AWARDED, LEFT_OVER, RESTORED, REVERSED
from bingo.rules.jackpots import MOST, Jackpot, Limit
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.patterns import BINGO
from bingo.rules.refusal import Refusal

LINKED, FUNDED, ENDED, MOVED = "jackpot_linked", "link_funded", "link_ended", "link_moved"
SETTLED = "settled"  # what a game added waits no longer: its bingo was not in time
KINDS = (ACCRUED, REVERSED, AWARDED, LEFT_OVER, RESTORED, SETTLED, FUNDED, ENDED, MOVED)
WAITS_NO_LONGER = (REVERSED, AWARDED, SETTLED)
HIGHEST = 90  # balls
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class BalanceMovement:
    """What a fact of one hall does to a link's balance, in minor units: in, or out where below 0."""

    link: str
    kind: str
    amount: int


def link(
    *,
    link: str,
    name: str,
    currency: str,
    rulebook: str,
    base: int,
    reference: str,
    limits: Sequence[Data] | None = None,
    limit: int | None = None,
) -> Data:
    """Let a hall take part in a link, on terms that are the same in every hall (R9, R11, R12).

    `link` is its code, `limits` as `journal_json_and_chain.dump` gives them those within which it is won,
    `base` in minor units what the operator of the hall that wins it puts back, `reference` the
    regulator's decision. Journals older than limits by kind of card have one `limit` for all of
    them. Raises Refusal: bad_link_code, bad_link_name, jackpot_limit_missing, bad_jackpot, bad_amount,
    paper_missing, reference_too_long, bad_link (its limits never rise), or what
    `jackpots.require_limits` refuses.
    """
    if not jackpots.LINK.fullmatch(link):
        raise Refusal("bad_link_code")
    if not name.strip() or len(name) > LONGEST_NAME or not texts.is_plain(name):
        raise Refusal("bad_link_name", most=LONGEST_NAME)
    if limit is None:
        _require_limits(limits or (), rulebook)
    elif limits is not None or not 0 < limit <= HIGHEST:
        raise Refusal("jackpot_limit_missing")
    if not 0 <= base <= MOST:
        raise Refusal("bad_amount", amount=base)
    jackpot_account.require_reference(reference)
    return {
        "link": link,
        "name": name,
        "currency": currency,
        "rulebook": rulebook,
        **({"limits": list(limits or ())} if limit is None else {"limit": limit}),
        "base": base,
        "reference": reference,
    }


def _require_limits(limits: Sequence[Data], rulebook: str) -> None:
    if not limits:
        raise Refusal("jackpot_limit_missing")
    read = jackpots.read_limits(limits)
    if any(one.most for one in read):
        raise Refusal("bad_link")
    jackpots.require_limits(read, formats=list(rulebooks.get(rulebook).column_counts))


def require_same(asked: Data, known: Data) -> None:
    """Refuse to join on other terms than stand: other_money_or_rules, link_terms_differ."""
    if any(asked[name] != known[name] for name in ("currency", "rulebook")):
        raise Refusal("other_money_or_rules")
    same = asked["base"] == known["base"] and _sorted(asked) == _sorted(known)
    if not same or asked.get("limit") != known.get("limit"):
        raise _other_terms(known)


def require_granted(level: Jackpot, known: Data) -> None:
    """Refuse a level that is authorised on other terms than the link stands on: link_terms_differ.

    A hall need not play for it with every kind of card that the link has a limit for (R9).
    """
    if level.base != known["base"] or not _is_of(level, known):
        raise _other_terms(known)


def _is_of(level: Jackpot, known: Data) -> bool:
    """Return whether each limit of a level is the link's for those cards."""
    if not level.limits:
        return level.limit == known.get("limit")
    if "limit" in known:
        # Such a link was begun for full cards of whatever kind.
        return all(one.balls == known["limit"] and not one.figure for one in level.limits)
    theirs = _sorted(known)
    return all(_key(one) in theirs for one in level.limits)


def _sorted(terms: Data) -> list[tuple[int, list[Cell], int]]:
    return sorted(_key(one) for one in jackpots.read_limits(terms.get("limits", ())))


def _key(limit: Limit) -> tuple[int, list[Cell], int]:
    """Return what a limit is for, and its balls; a figure is the same with its free centre or not."""
    return limit.format, sorted(limit.cells), limit.balls


def _other_terms(known: Data) -> Refusal:
    if "limit" in known:
        return Refusal("link_terms_differ", limit=known["limit"], base=known["base"])
    return Refusal("link_limits_differ", limits=known["limits"], base=known["base"])


def fund(held: int, *, link: str, amount: int, reference: str) -> Data:
    """Let the operator of a hall add to a link, as its base is (R11); it never returns (rule 20).

    Minor units; `held` is what the link holds. Raises Refusal: bad_amount, paper_missing,
    reference_too_long.
    """
    return {"link": link, **jackpot_account.put_in(held, amount=amount, reference=reference)}


def end(held: int, *, link: str, to: str, reference: str) -> Data:
    """Hand over all that a link holds to whom the regulator names, and end it (rules 23, 24).

    Raises Refusal: nothing_held, receiver_missing, paper_missing, reference_too_long.
    """
    return {"link": link, **jackpot_account.hand_over(held, to=to, reference=reference)}


def move(held: int, *, link: str, to: str, to_level: int, reference: str) -> Data:
    """Move all that a link holds to a level of a hall's own jackpot, and end it (rule 23).

    `to` is the hall's code. Raises Refusal: unknown_level, or what `end` refuses.
    """
    jackpot_account.level_balance((), to_level)
    return end(held, link=link, to=to, reference=reference) | {"to_level": to_level}


@dataclass(slots=True)
class Pool:
    """What a link holds, and what waits in each hall for a game that can still be voided there.

    Once it is `over`, nothing moves it.
    """

    balance: int = 0
    waiting: dict[int, int] = field(default_factory=dict)
    over: bool = False

    def open_to(self, hall: int) -> int:
        """Return what a bingo in a hall wins now, in minor units."""
        return self.balance - sum(one for other, one in self.waiting.items() if other != hall)

    def book(self, hall: int, kind: str, amount: int) -> None:
        """Take a movement of a hall. Raises Refusal link_differs where it cannot have been so."""
        wrong = {
            ACCRUED: amount < 0,
            REVERSED: amount != -self.waiting.get(hall, 0),
            AWARDED: amount != -self.open_to(hall),
            LEFT_OVER: amount <= 0,
            RESTORED: amount <= 0,
            SETTLED: amount != 0,
            FUNDED: amount <= 0,
            ENDED: not self._is_all(amount),
            MOVED: not self._is_all(amount),
        }
        if self.over or wrong.get(kind, True) or not 0 <= self.balance + amount <= MOST:
            raise Refusal("link_differs", kind=kind, amount=amount)
        self.apply(hall, kind, amount)

    def apply(self, hall: int, kind: str, amount: int) -> None:
        """Take a movement that was booked."""
        self.balance += amount
        self.over = kind in (ENDED, MOVED)
        if kind == ACCRUED:
            self.waiting[hall] = self.waiting.get(hall, 0) + amount
        elif kind in WAITS_NO_LONGER:
            self.waiting[hall] = 0

    def _is_all(self, amount: int) -> bool:
        return amount == -self.balance and not any(self.waiting.values())


@dataclass(slots=True)
class LinkShare:
    """One hall's part in links, followed fact by fact; `levels` are the terms of its session.

    `added` is what the game in hand has added, as long as it waits; it is played with cards of
    `format`, for a `figure` where it is not empty.
    """

    levels: Sequence[Jackpot] = ()
    added: int = 0
    format: int = HIGHEST
    figure: tuple[str, ...] = ()

    def movements(self, fact: Fact) -> Iterator[BalanceMovement]:
        """Return what a fact of the hall's journal moves."""
        if fact.kind in (FUNDED, ENDED, MOVED):
            sign = 1 if fact.kind == FUNDED else -1
            yield BalanceMovement(fact.data["link"], fact.kind, sign * fact.data["amount"])
        elif fact.kind == "session_opened":
            self.levels = jackpots.load_levels(fact.data["jackpot"], fact.data.get("levels"))
            self.added = 0
        elif fact.kind == "game_opened":
            self.format = fact.data["format"]
            self.figure = tuple(fact.data.get("pattern", ()))
        elif (level := jackpots.linked(self.levels)) is not None:
            for kind, amount in self._played(level, fact):
                yield BalanceMovement(self.levels[level].link, kind, amount)

    def _played(self, level: int, fact: Fact) -> Iterator[tuple[str, int]]:
        match fact.kind:
            case "sale_closed" | "second_half_opened":
                fund = fact.data["prizes"]["fund"]
                levels = jackpots.playing(self.levels, format=self.format, figure=self.figure)
                self.added = jackpots.accruals(fund, levels)[level]
                if self.added:
                    yield ACCRUED, self.added
            case "game_voided":
                if self.added:
                    yield REVERSED, -self.added
                self.added = 0
            case "window_closed":
                yield from self._closed(level, fact.data)

    def _closed(self, level: int, data: Data) -> Iterator[tuple[str, int]]:
        """A bingo that was shared can no longer be voided (R57), whether it was in time or not."""
        awards = data["awards"]
        if not any(one["combination"] == BINGO for one in awards):
            return
        prize = jackpots.prize(level)
        won = [jackpot_account.spent(one) for one in awards if one["combination"] == prize]
        if won:
            yield AWARDED, -data["linked"]
            # What the hall's smallest coin cannot pay is no hall's to keep.
            if left := data["linked"] - sum(won):
                yield LEFT_OVER, left
            if self.levels[level].base:
                yield RESTORED, self.levels[level].base
        elif self.added:
            yield SETTLED, 0
        self.added = 0
