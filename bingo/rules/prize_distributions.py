"""How a game's prizes are divided, by its kind of card, as a regulator authorises it (R7, R66-R84).

`quote` tries a distribution on a number of cards before anybody plays by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bingo.rules import formats, jackpots, journal_json_and_chain, patterns, prizes
from bingo.rules.jackpots import Jackpot
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.patterns import COLUMN, CORNERS, LINE, Cells, Combination
from bingo.rules.prize_shares import Extra, Shares, in_coins, share_in_coins
from bingo.rules.prizes import PROPORTIONAL, UNTAXED, Prizes, Tax
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

# Won with a bingo within a number of balls, never called (R7: "prémios adicionais").
PRIMA = "prima"
# What may be won besides line and bingo, by format: R74 b, R84 b and c.
ADDITIONAL_PRIZES: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {90: (), 80: (), 75: (CORNERS,), 30: (COLUMN, CORNERS)}
)
ONE_ONLY = 30  # R84: "um dos seguintes prémios"


@dataclass(frozen=True, slots=True)
class Distribution:
    """What is won with cards of a format, and its parts of the sales.

    `counts`: what counts as a line, as in `patterns.combination_line`, nothing where none is won.
    `figure`: the bingo is a figure in place of the whole card (R73 b).
    """

    format: int
    shares: Shares
    counts: tuple[str, ...] = (patterns.ROWS,)
    figure: bool = False


def load(data: Data) -> Distribution:
    """Return the distribution that `dump` wrote."""
    return Distribution(
        data["format"],
        journal_json_and_chain.load(Shares, data["shares"]),
        tuple(data["counts"]),
        data["figure"],
    )


def dump(distribution: Distribution) -> Data:
    """Return a distribution as JSON values."""
    return {
        "format": distribution.format,
        "figure": distribution.figure,
        "counts": list(distribution.counts),
        "shares": journal_json_and_chain.dump(distribution.shares),
    }


def check(
    distribution: Distribution,
    *,
    jackpot_rate: int,
    rulebook: Rulebook,
    source: str = prizes.PROPORTIONAL,
) -> None:
    """Refuse a distribution that a kind of card, or the rule book, does not allow.

    Refusals: unknown_format, format_not_in_rulebook, pattern_not_in_format, line_share_missing,
    line_without_share, what `patterns.combination_line` refuses, extra_not_in_format, extra_repeated,
    one_extra_only, extra_share_missing, prima_limit_out_of_range, or what `prizes.check` refuses.
    """
    format = formats.get_format(distribution.format)
    rulebook.column_count(format)
    if distribution.figure and not format.letters:
        raise Refusal("pattern_not_in_format", format=format.highest)
    _require_line(distribution)
    for extra in distribution.shares.extras:
        _require_extra(distribution, extra)
    if format.highest == ONE_ONLY and len(_additional(distribution)) > 1:
        raise Refusal("one_extra_only", format=format.highest)
    prizes.check(distribution.shares, jackpot_rate=jackpot_rate, rulebook=rulebook, source=source)


def check_all(granted: Sequence[Data], *, levels: Sequence[Jackpot], rulebook: Rulebook) -> None:
    """Refuse what `check` refuses of any, and two for one kind of game: distribution_repeated.

    `levels` are those of the jackpot: of each kind of game they take what they have a limit for (R9).
    """
    kinds = [(one["format"], one["figure"]) for one in granted]
    for format, figure in kinds:
        if kinds.count((format, figure)) > 1:
            raise Refusal("distribution_repeated", format=format)
    source = jackpots.source(levels)
    for one in granted:
        for rate in jackpots.rates(levels, format=one["format"], figure=one["figure"]):
            check(load(one), jackpot_rate=rate, rulebook=rulebook, source=source)


def require_usual(
    granted: Sequence[Data],
    usual: Shares,
    *,
    formats: Sequence[int],
    levels: Sequence[Jackpot],
    rulebook: Rulebook,
) -> None:
    """Refuse the shares of all kinds of card that have none of their own in `granted`.

    Raises what `prizes.check` refuses.
    """
    own = {one["format"] for one in granted if not one["figure"]}
    others = [format for format in formats if format not in own] or list(formats)
    source = jackpots.source(levels)
    for format in others:
        [rate] = jackpots.rates(levels, format=format, figure=False)
        prizes.check(usual, jackpot_rate=rate, rulebook=rulebook, source=source)


def _require_line(distribution: Distribution) -> None:
    if distribution.figure and distribution.shares.line:
        raise Refusal("extra_not_in_format", prize=LINE, format=distribution.format)
    if distribution.counts and not distribution.shares.line:
        raise Refusal("line_share_missing")
    if distribution.shares.line and not distribution.counts:
        raise Refusal("line_missing")
    if distribution.counts:
        patterns.combination_line(formats.get_format(distribution.format), distribution.counts)


def _require_extra(distribution: Distribution, extra: Extra) -> None:
    named = [one.prize for one in distribution.shares.extras]
    allowed = () if distribution.figure else ADDITIONAL_PRIZES[distribution.format]
    if extra.prize not in (*allowed, PRIMA):
        raise Refusal("extra_not_in_format", prize=extra.prize, format=distribution.format)
    if named.count(extra.prize) > 1:
        raise Refusal("extra_repeated", prize=extra.prize)
    if not extra.share:
        raise Refusal("extra_share_missing", prize=extra.prize)
    most = distribution.format if extra.prize == PRIMA else 0
    if not min(1, most) <= extra.limit <= most:
        raise Refusal("prima_limit_out_of_range", most=distribution.format)


def _additional(distribution: Distribution) -> list[str]:
    """Return the prizes besides the bingo that are called for."""
    called = [one.prize for one in distribution.shares.extras if one.prize != PRIMA]
    return [LINE, *called] if distribution.shares.line else called


def won(distribution: Distribution, *, pattern: Cells | None = None) -> tuple[Combination, ...]:
    """Return the combinations that may be called, the bingo last; `pattern` is the figure's cells.

    Raises Refusal pattern_not_in_format.
    """
    format = formats.get_format(distribution.format)
    found = []
    if distribution.counts:
        found.append(patterns.combination_line(format, distribution.counts))
    made = {COLUMN: patterns.column, CORNERS: patterns.combination_corners}
    found += [made[one.prize](format) for one in distribution.shares.extras if one.prize in made]
    return (*found, patterns.bingo(format, pattern))


def chosen(
    granted: Sequence[Distribution], *, format: int, figure: bool, otherwise: Shares
) -> Distribution:
    """Return the distribution of a game with cards of a format; `otherwise` the hall's for all.

    Refusal figure_not_authorised: the 20 % of a figure's game need a distribution of their own.
    """
    for one in granted:
        if (one.format, one.figure) == (format, figure):
            return one
    if figure:
        raise Refusal("figure_not_authorised", format=format)
    return Distribution(format, otherwise)


MOST = 10**15  # minor units of sales


@dataclass(frozen=True, slots=True)
class Quote:
    """The prizes of a game, what each winner gets of them, and what a cash step leaves over.

    All in minor units; `shared`, the `tax` on it and what is `handed_over` by prize, each winner's
    in card order.
    """

    prizes: Prizes
    shared: Mapping[str, tuple[int, ...]]
    tax: Mapping[str, tuple[int, ...]]
    handed_over: Mapping[str, tuple[int, ...]]
    carried: int


def quote(
    *,
    cards: int,
    face: int,
    shares: Shares,
    jackpot_rate: int,
    rulebook: Rulebook,
    source: str = PROPORTIONAL,
    winners: Mapping[str, int] | None = None,
    step: int = 1,
    rates: Sequence[int] = (),
    tax: Tax = UNTAXED,
) -> Quote:
    """Return what `cards` sold at `face` minor units pay (R6, R7, R10); one winner a prize if not told.

    `rates` are those of a jackpot's levels where it has several, each rounded for itself. What a
    `step` of cash leaves over is carried into the jackpot or the next game's fund. Refusals:
    what `prizes.check` and `prizes.require_fits` refuse, no_cards, bad_face, bad_cash_step,
    bad_tax, winners_of_no_prize, winners_out_of_range.
    """
    if cards < 1:
        raise Refusal("no_cards")
    if not 0 < face <= MOST // cards:
        raise Refusal("bad_face", face=face, most=MOST // cards)
    prizes.check(shares, jackpot_rate=jackpot_rate, rulebook=rulebook, source=source)
    prizes.require(step)
    prizes.require_tax(tax)
    prizes.require_fits(
        step, faces=[face], played=[shares], jackpot_rate=jackpot_rate, source=source
    )
    fund = prizes.fund_of(cards * face, shares)
    # Each level is rounded down for itself.
    accrual = sum(fund * one // prizes.WHOLE for one in rates) if rates else None
    fixed = prizes.distribute(
        cards * face, shares=shares, jackpot_rate=jackpot_rate, source=source, accrual=accrual
    )
    won = {"line": fixed.line, "bingo": fixed.bingo, **dict(fixed.extras)}
    holders = {name: 1 for name, amount in won.items() if amount} | dict(winners or {})
    shared, taxed, handed_over, carried = {}, {}, {}, 0
    for name, count in holders.items():
        if name not in won:
            raise Refusal("winners_of_no_prize", prize=name)
        if not 1 <= count <= cards:
            raise Refusal("winners_out_of_range", most=cards)
        shared[name], left = share_in_coins(won[name], (1,) * count, step=step)
        taxed[name] = tuple(prizes.withheld(part, tax) for part in shared[name])
        due = [part - less for part, less in zip(shared[name], taxed[name], strict=True)]
        handed_over[name] = tuple(in_coins(amount, step) for amount in due)
        carried += left + sum(due) - sum(handed_over[name])
    return Quote(fixed, shared, taxed, handed_over, carried)
