"""Change an account at the machine: the first inspector, one vouched for by the regulator, what is stuck."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from bingo.rules import staff
from bingo.rules.refusal import Refusal
from draws.refusals.text import in_english
from halls import accounts
from halls.accounts import Voucher
from halls.management.reporting import HallReport, read_file, the_hall
from halls.models import Hall, Role
from halls.passwords import Given

CHANGES = ("enrol", "password", "disable", "enable", "factor")
KINDS = {
    "enrol": staff.ENROLLED,
    "password": staff.PASSWORD,
    "disable": staff.DISABLED,
    "enable": staff.ENABLED,
    "factor": staff.FACTOR,
}
LONGEST_NOTE = 16 * 1024  # bytes


class Command(HallReport):
    """Exit code 0: changed, or the text to be signed was printed. 1: refused, said why."""

    help = "Change an account at the machine; the journal tells everybody that it was done here."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is done, to whom, and what the regulator says."""
        super().add_arguments(parser)
        parser.add_argument("change", choices=CHANGES)
        parser.add_argument("username", help="the person's name for the login")
        parser.add_argument("--name", default="", help="with enrol: the whole name")
        parser.add_argument(
            "--role", action="append", choices=Role.values, help="with enrol; inspector by default"
        )
        parser.add_argument("--language", default="", help="with enrol; the hall's by default")
        parser.add_argument(
            "--text",
            action="store_true",
            help="print what the regulator's key signs, and do nothing",
        )
        parser.add_argument("--note", type=Path, help="the text with the regulator's signature")

    def handle(
        self, *, hall: str | None, change: str, username: str, text: bool, note: Path | None,
        json: bool, **options: Any,
    ) -> None:  # fmt: skip
        """Print the text, or change the account and tell."""
        found, kind = the_hall(hall), KINDS[change]
        if text:
            signed = accounts.text_to_sign(found, change=kind, username=username)
            self.stdout.write(signed, ending="")
            return
        said = read_file(note, most=LONGEST_NOTE).decode(errors="replace") if note else ""
        voucher = Voucher(settings.REGULATOR_KEY, said)
        try:
            given = _changed(found, kind, username, voucher, options)
        except Refusal as refused:
            raise CommandError(_said(refused)) from refused
        value: dict[str, Any] = {"hall": found.code, "username": username, "change": kind}
        line = (
            f"{username}: {kind}; the journal of {found.code} tells that it was done at the machine"
        )
        lines = [line]
        if given is not None and given.until is not None:
            with timezone.override(found.time_zone):
                until = timezone.localtime(given.until)
            value |= {"password": given.password, "until": until.isoformat(timespec="minutes")}
            lines += [
                "",
                f"    {username}  {given.password}",
                "",
                "The password is shown this once: hand it over. Its owner changes it at the first login.",
                f"It holds until {until:%Y-%m-%d %H:%M} ({found.time_zone}).",
            ]
        self.report(value, lines, as_json=json)


def _changed(
    hall: Hall, kind: str, username: str, voucher: Voucher, options: dict[str, Any]
) -> Given | None:
    """Change the account, and return the password that was drawn, if one was."""
    at = timezone.now()
    if kind == staff.PASSWORD:
        return accounts.give_password_at_machine(
            hall=hall, username=username, voucher=voucher, at=at
        )
    if kind != staff.ENROLLED:
        accounts.change_at_machine(
            hall=hall, change=kind, username=username, voucher=voucher, at=at
        )
        return None
    return accounts.enrol_at_machine(
        hall=hall,
        username=username,
        name=options["name"],
        roles=options["role"] or [staff.INSPECTOR],
        language=options["language"] or hall.language,
        voucher=voucher,
        at=at,
    )


# What is said at the machine otherwise than on a page.
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "regulator_needed": "an inspector changes this account, or the regulator: sign what --text prints, and give --note",
        "regulator_note_wrong": "the note is not signed by the key of BINGO_REGULATOR_KEY for this change, or was used before",
        "password_weak": "every password that is drawn holds a part of this name",  # nosec B105: a sentence
        "factor_unknown": "this person has no second factor",
        "not_allowed": "two people of the hall take this factor away, on the page Sign-in",
        "person_unknown": "nobody is called so here",
    }
)


def _said(refused: Refusal) -> str:
    return WORDS.get(refused.code) or in_english(refused)
