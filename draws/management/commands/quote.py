"""Say what a game would pay, before anybody plays by it."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import translation

from bingo.money_and_dates import Writing
from bingo.rules import jackpot_chances, jackpots, patterns, rulebooks
from bingo.rules.jackpots import Limit
from bingo.rules.prize_distributions import Quote, quote
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import PROPORTIONAL, SOURCES, Tax
from bingo.rules.refusal import Refusal
from draws.authorisations import labels as authorisations_labels
from draws.refusals import text
from halls.management.reporting import Report

REFUSED = 1
HUNDRED = 100  # basis points of a per cent, and minor units of an amount
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
            "--cash-step", type=_hundredths, default=1, help="smallest coin that is paid: 0.05"
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
        asked = {name: options[name] for name in ("cards", "face", "source", "winners")}
        book = rulebooks.get(options["rulebook"])
        with translation.override("en"):
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
        value, lines = _value(options, found), _lines(options, found)
        if chance is not None:
            value["jackpot_chance"] = chance
            writing = Writing("en", "EUR")
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


def _value(options: dict[str, Any], found: Quote) -> dict[str, Any]:
    fixed = found.prizes
    return {
        "rulebook": options["rulebook"],
        "currency": options["currency"] or rulebooks.get(options["rulebook"]).currency,
        "cards": options["cards"],
        "face": _exact(options["face"]),
        "gross": _exact(fixed.gross),
        "fund": _exact(fixed.fund),
        "line": _exact(fixed.line),
        "bingo": _exact(fixed.bingo),
        "jackpot": _exact(fixed.jackpot),
        "winners": _each_exact(found.shared),
        "tax": _each_exact(found.tax),
        "handed_over": _each_exact(found.handed_over),
        "carried": _exact(found.carried),
    }


def _lines(options: dict[str, Any], found: Quote) -> list[str]:
    fixed = found.prizes
    parts = f"line {_text(fixed.line)}, bingo {_text(fixed.bingo)}, jackpot {_text(fixed.jackpot)}"
    lines = [
        f"{options['cards']:,} cards at {_text(options['face'])}: {_text(fixed.gross)}",
        f"prizes {_text(fixed.fund)}: {parts}",
    ]
    for name, won in found.shared.items():
        lines.append(f"{name}, winners {len(won)}: {_each(won)}")
        if found.handed_over[name] != won:
            lines.append(f"{name}, tax withheld: {_each(found.tax[name])}")
            lines.append(f"{name}, handed over: {_each(found.handed_over[name])}")
    return [*lines, f"carried on: {_text(found.carried)}"] if found.carried else lines


def _exact(minor: int) -> str:
    """Return an amount as a decimal text for programs, "488.88": a float could not hold every one."""
    return f"{Decimal(minor) / HUNDRED:.2f}"


def _each_exact(by_prize: Mapping[str, Sequence[int]]) -> dict[str, list[str]]:
    return {name: list(map(_exact, parts)) for name, parts in by_prize.items()}


def _each(parts: Sequence[int]) -> str:
    more = f" and {len(parts) - NAMED:,} more" if len(parts) > NAMED else ""
    return ", ".join(map(_text, parts[:NAMED])) + more


def _text(minor: int) -> str:
    return f"{Decimal(minor) / HUNDRED:,.2f}"


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
