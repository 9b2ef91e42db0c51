"""Say what a game would pay, before anybody plays by it."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import translation

from bingo.money_and_dates import Writing, currency_override
from bingo.rules import jackpot_chances, jackpots, patterns, rulebooks
from bingo.rules.jackpots import Limit
from bingo.rules.prize_distributions import Quote, quote
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import NONE, PROPORTIONAL, SOURCES, Tax
from bingo.rules.refusal import Refusal
from draws.authorisations import labels as authorisations_labels
from draws.refusals import text
from halls.management.reporting import Report

REFUSED, UNREAD = 1, 2
HUNDRED = 100  # basis points of a per cent, and parts of a typed amount
MOST = Decimal(10) ** 13
NAMED = 20  # winners whose parts are told to a person


class Command(Report):
    """Exit code 0: what it pays. 1: it may not be so, and why. 2: it cannot be read."""

    help = "Say what a distribution of prizes pays for so many cards (R6, R7, R10)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the sale, the distribution and the winners."""
        super().add_arguments(parser)
        parser.add_argument("--cards", type=int, required=True, help="cards sold")
        parser.add_argument("--face", type=_hundredths, required=True, help="price of a card: 2.00")
        parser.add_argument(
            "--split", type=_split, default=Shares(2000, 6000), metavar="LINE/BINGO",
            help="per cent of the sales: 20/60",
        )  # fmt: skip
        parser.add_argument(
            "--jackpot", type=_hundredths, default=0, help="per cent of the fund that it takes: 3"
        )
        parser.add_argument(
            "--within", type=_limit, metavar="FORMAT/BALLS[/FIGURE]",
            help="balls within which it is won, to be told how often: 90/46, 75/12/four_corners",
        )  # fmt: skip
        parser.add_argument(
            "--source", choices=SOURCES, default=PROPORTIONAL, help="what the jackpot is taken from"
        )
        parser.add_argument(
            "--winners", type=_winners, default={}, metavar="line=2,bingo=1", help="winning cards"
        )
        parser.add_argument(
            "--cash-step", type=_hundredths, help="smallest coin that is paid: 0.05"
        )
        parser.add_argument(
            "--tax", type=_hundredths, default=0, help="per cent withheld of a prize: 20"
        )
        parser.add_argument(
            "--tax-above",
            type=_hundredths,
            default=0,
            help="only of what a prize has above: 100.00",
        )
        parser.add_argument(
            "--rulebook", choices=sorted(rulebooks.RULEBOOKS), default="cape-verde-2017",
            help="the rule book that must allow it",
        )  # fmt: skip
        parser.add_argument(
            "--currency", metavar="EUR", help="what the amounts are of: the rule book's country's"
        )

    def handle(self, *, json: bool, **options: Any) -> None:
        """Ask the rules, report."""
        book = rulebooks.get(options["rulebook"])
        currency = options["currency"] or book.currency
        writing = Writing("en", currency)
        options |= _in_minor_units(options, writing)
        asked = {name: options[name] for name in ("cards", "face", "source", "winners")}
        with translation.override("en"), currency_override(currency):
            try:
                found = quote(
                    **asked, shares=options["split"], jackpot_rate=options["jackpot"],
                    step=options["cash_step"], rulebook=book,
                    tax=Tax(options["tax"], options["tax_above"]),
                )  # fmt: skip
            except Refusal as refusal:
                said = f"{text.refusal(refusal)} ({book.title})"
                raise CommandError(said, returncode=REFUSED) from refusal
            chance = _chance(options)
        value, lines = _value(options, found, writing), _lines(options, found, writing)
        if chance is not None:
            value["jackpot_chance"] = chance
            lines.append(f"won within these balls {authorisations_labels.often(chance, writing)}")
        self.report(value, lines, as_json=json)


def _chance(options: dict[str, Any]) -> float | None:
    """Return how likely the jackpot is won in a game with these cards (R9); None where nobody asks."""
    limit = options["within"]
    if limit is None:
        return None
    return jackpot_chances.bingo_by(
        limit.balls, cards=options["cards"], format=limit.format, figure=limit.figure
    )


def _limit(text: str) -> Limit:
    """Read a kind of bingo and its balls. Raises ArgumentTypeError."""
    try:
        format, balls, *figure = text.split("/")
        drawn = [patterns.draw(patterns.get(one).cells) for one in figure]
        limit = Limit(int(format), int(balls), figure=drawn[0] if drawn else ())
        jackpots.require_limits([limit], formats=[limit.format])
    except (ValueError, Refusal) as error:
        raise ArgumentTypeError(f"{text}: {error}") from error
    return limit


def _in_minor_units(options: dict[str, Any], writing: Writing) -> dict[str, int]:
    """Return the amounts that were typed in minor units of their currency. Raises CommandError."""
    found = {"cash_step": NONE}
    for name in ("face", "cash_step", "tax_above"):
        if options[name] is not None:
            found[name], broken = divmod(options[name] * 10**writing.places, HUNDRED)
            if broken:
                said = f"--{name.replace('_', '-')}: {writing.currency} has no such small money"
                raise CommandError(said, returncode=UNREAD)
    return found


def _value(options: dict[str, Any], found: Quote, writing: Writing) -> dict[str, Any]:
    def exact(minor: int) -> str:
        # A decimal text for programs, "488.88": a float could not hold every one.
        return f"{Decimal(minor).scaleb(-writing.places):f}"

    def each(by_prize: Mapping[str, Sequence[int]]) -> dict[str, list[str]]:
        return {name: list(map(exact, parts)) for name, parts in by_prize.items()}

    fixed = found.prizes
    return {
        "rulebook": options["rulebook"],
        "currency": writing.currency,
        "cards": options["cards"],
        "face": exact(options["face"]),
        "gross": exact(fixed.gross),
        "fund": exact(fixed.fund),
        "line": exact(fixed.line),
        "bingo": exact(fixed.bingo),
        "jackpot": exact(fixed.jackpot),
        "winners": each(found.shared),
        "tax": each(found.tax),
        "handed_over": each(found.handed_over),
        "carried": exact(found.carried),
    }


def _lines(options: dict[str, Any], found: Quote, writing: Writing) -> list[str]:
    def each(parts: Sequence[int]) -> str:
        more = f" and {len(parts) - NAMED:,} more" if len(parts) > NAMED else ""
        return ", ".join(map(money, parts[:NAMED])) + more

    fixed, money = found.prizes, writing.amount
    parts = f"line {money(fixed.line)}, bingo {money(fixed.bingo)}, jackpot {money(fixed.jackpot)}"
    lines = [
        f"{options['cards']:,} cards at {money(options['face'])}: {money(fixed.gross)}",
        f"prizes {money(fixed.fund)}: {parts}",
    ]
    for name, won in found.shared.items():
        lines.append(f"{name}, winners {len(won)}: {each(won)}")
        if found.handed_over[name] != won:
            lines.append(f"{name}, tax withheld: {each(found.tax[name])}")
            lines.append(f"{name}, handed over: {each(found.handed_over[name])}")
    return [*lines, f"carried on: {money(found.carried)}"] if found.carried else lines


def _hundredths(written: str) -> int:
    """Read a number of at most two places as hundredths. Raises ArgumentTypeError."""
    wrong = ArgumentTypeError(
        f"{written[:30]!r} is no number of at most two decimals, such as 2.00"
    )
    try:
        value = Decimal(written)
    except InvalidOperation as error:
        raise wrong from error
    if not value.is_finite() or not 0 <= value <= MOST or value * HUNDRED % 1:
        raise wrong
    return int(value * HUNDRED)


def _split(written: str) -> Shares:
    line, slash, bingo = written.partition("/")
    if not slash:
        raise ArgumentTypeError("write the parts of line and bingo so: 20/60")
    return Shares(_hundredths(line), _hundredths(bingo))


def _winners(written: str) -> dict[str, int]:
    pairs = [part.partition("=") for part in written.split(",")]
    found = {name.strip(): count for name, _is, count in pairs}
    if len(found) != len(pairs) or not all(one.strip().isdecimal() for one in found.values()):
        raise ArgumentTypeError("write each prize once, with how many win it: line=2,bingo=1")
    return {name: int(count) for name, count in found.items()}
