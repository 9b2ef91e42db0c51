"""Open a hall: its row, its first manager, its tills, the key of its seal."""

from __future__ import annotations

import os
import sys
from getpass import getpass
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone, translation

from bingo.pdf import SealError
from bingo.rules import policies, rulebooks, setup
from bingo.rules.refusal import Refusal
from draws.record import seal_queries
from draws.refusals import text
from halls import setup as halls_setup
from halls.management.reporting import Report
from halls.models import Hall

VARIABLE = "BINGO_MANAGER_PASSWORD"
# What is asked, in this order, of what no option gave: its name, what is asked, an example.
ASKED = (
    ("rulebook", "Rule book", ""),
    ("code", "Code, in small letters", "sala-mindelo"),
    ("name", "Name of the hall", ""),
    ("licence", "Number of its licence", ""),
    ("language", "Language", ""),
    ("currency", "Currency", ""),
    ("time_zone", "Time zone", ""),
    ("manager", "Name of its manager for the login", "maria.lima"),
    ("manager_name", "Whole name of the manager", ""),
)


class Command(Report):
    """Exit code 0: the hall is open. 1: refused, said why, and nothing was written."""

    help = "Open a hall; what no option says is asked for."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is said of the hall and of its manager."""
        super().add_arguments(parser)
        parser.add_argument("--code", help="names the hall in addresses, as sala-mindelo")
        parser.add_argument("--name", help="the hall's name, as papers have it")
        parser.add_argument("--licence", help="the number of its licence")
        parser.add_argument("--language", help=f"one of {', '.join(_languages())}")
        parser.add_argument("--currency", help="by default that of the rule book's country")
        parser.add_argument("--time-zone", help="by default that of the rule book's country")
        parser.add_argument("--rulebook", help=f"one of {', '.join(rulebooks.RULEBOOKS)}")
        parser.add_argument("--manager", help="the first manager's name for the login")
        parser.add_argument("--manager-name", help="the first manager's whole name")
        parser.add_argument("--tills", type=int, default=1, help="how many; 1 by default")
        parser.add_argument(
            "--one-person", action="store_true",
            help="let one person do what costs money or changes rights: only where people are too few",
        )  # fmt: skip

    def handle(self, *, json: bool, tills: int, one_person: bool, **options: Any) -> None:
        """Ask what is missing, open the hall, make its key, and tell."""
        with translation.override("en"):
            try:
                told = _asked(options)
                hall = _opened(told, tills, () if one_person else policies.STRICT)
            except Refusal as refused:
                raise CommandError(text.refusal(refused)) from refused
            warnings = [*_of_currency(told), *_key_fault(hall)]
        for warning in warnings:
            self.stderr.write(f"warning: {warning}")
        halls_setup.forget()
        value = {"hall": hall.code, "manager": told["manager"], "warnings": warnings}
        lines = [f"{hall.name} is open: log in as {told['manager']}"]
        self.report(value, lines, as_json=json)


def _languages() -> list[str]:
    return [code for code, _name in settings.LANGUAGES]


def _asked(options: dict[str, Any]) -> dict[str, str]:
    """Return what the options say, and ask for the rest; what follows from the rule book is offered."""
    told: dict[str, str] = {}
    for name, question, example in ASKED:
        given = options.get(name)
        told[name] = given if given is not None else _ask(name, question, example, told)
        if name == "rulebook":
            rulebooks.get(told[name])  # before more is asked for
    return {name: value.strip() for name, value in told.items()}


def _ask(name: str, question: str, example: str, told: dict[str, str]) -> str:
    offered = _offered(name, told)
    if not sys.stdin.isatty():
        if offered and name != "language":
            return offered
        raise CommandError(f"give --{name.replace('_', '-')}, or run this at a terminal")
    choices = {"rulebook": ", ".join(rulebooks.RULEBOOKS), "language": ", ".join(_languages())}
    hint = choices.get(name) or (f"as {example}" if example else "")
    shown = f"{question}{f' ({hint})' if hint else ''}{f' [{offered}]' if offered else ''}: "
    return input(shown) or offered


def _offered(name: str, told: dict[str, str]) -> str:
    if name not in ("currency", "time_zone", "language"):
        return ""
    return str(getattr(rulebooks.get(told["rulebook"]), name))


def _password() -> str:
    """Return the manager's password, typed twice, or of the environment. Raises Refusal passwords_differ."""
    if given := os.environ.get(VARIABLE):
        return given
    if not sys.stdin.isatty():
        raise CommandError(f"set {VARIABLE}, or run this at a terminal")
    password = getpass("Password of the manager: ")
    if password != getpass("The same again: "):
        raise Refusal("passwords_differ")
    return password


def _opened(told: dict[str, Any], tills: int, four_eyes: tuple[str, ...]) -> Hall:
    """Open it; everything but the password is judged before that is asked for."""
    named = halls_setup.numbered_tills(
        max(0, min(tills, setup.MOST_TILLS + 1)), language=told["language"]
    )
    halls_setup.require_good(**told, tills=named)
    return halls_setup.open_hall(
        **told, tills=named, password=_password(), four_eyes=four_eyes, at=timezone.now()
    )


def _of_currency(told: dict[str, str]) -> list[str]:
    usual = setup.unusual_currency(currency=told["currency"], rulebook=told["rulebook"])
    if usual is None:
        return []
    return [f"halls of {told['rulebook']} use {usual}; this one was opened with {told['currency']}"]


def _key_fault(hall: Hall) -> list[str]:
    """Make the key that seals the hall's actas; a hall without one makes it on its first steps."""
    try:
        seal_queries.signing_key(hall, at=timezone.now())
    except SealError as error:
        return [f"the key of the seal is not made: {seal_queries.seal_fault(error.code)}"]
    return []
