"""Accept an older copy of the database where checkpoints had been signed further."""

from __future__ import annotations

import getpass
import io
import json
import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.http import HttpRequest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.record.audit import LOST
from draws.refusals.text import in_english
from halls import second_person
from halls.attempts import Question
from halls.checkpoints import queries
from halls.checkpoints import services as checkpoints_services
from halls.management.reporting import HallReport, the_hall
from halls.models import Hall, Person
from halls.sign_in import factors, logins

REWRITTEN = "Keep everything as it is, and call the inspector"


class Command(HallReport):
    """Exit code 0: accepted. 1: refused, said why."""

    help = (
        "Go on from an older copy of the database, or where what was signed last is remembered no"
        " more, before a second person; for good in the record."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall, --by, --witness and --reason."""
        super().add_arguments(parser)
        parser.add_argument("--by", required=True, help="user name of a hall manager")
        parser.add_argument("--witness", required=True, help="user name of the second person")
        parser.add_argument("--reason", required=True, help="why the older copy goes on")

    def handle(
        self, *, hall: str | None, by: str, witness: str, reason: str, **options: Any
    ) -> None:
        """Ask both for their passwords and second factors, and accept."""
        found = the_hall(hall)
        first, second = _known(found, by), _known(found, witness)
        now = timezone.now()
        _require_audited(found)
        try:
            entry = checkpoints_services.accept(
                hall=found, by=first, witness=second, reason=reason, at=now
            )
        except Refusal as refused:
            raise CommandError(in_english(refused)) from refused
        checkpoints_services.deliver(found, at=now)
        told = {"hall": found.code, "entry": entry.number, "gone": entry.data["number"]}
        lines = [
            f"entry {entry.number}: the history was set back; it had been signed up to entry {entry.data['number']}",
            "give every folder of BINGO_CHECKPOINTS a new name, and tell the inspector",
        ]
        self.report(told, lines, as_json=options["json"])


def _require_audited(hall: Hall) -> None:
    """Refuse a record of which more is wrong than a loss or an older copy makes: it was not restored."""
    told = io.StringIO()
    try:
        call_command("audit", hall=hall.code, json=True, stdout=told)
    except SystemExit:
        borne = LOST | queries.STOPS | {"checkpoint_key_unreadable"}
        found = json.loads(told.getvalue())
        wrong = [("entry", one) for one in found["halls"][hall.code] if one["code"] not in borne]
        # The links are those that this hall takes part in; no loss makes one differ.
        wrong += [
            (f"link {code}, movement", one)
            for code, findings in found.get("links", {}).items()
            for one in findings
        ]
        for place, one in wrong[:1]:
            said = f"{place} {one['entry']}: {one['code']} {one['detail']}".strip()
            raise CommandError(f"the audit finds more than that ({said}). {REWRITTEN}") from None


def _known(hall: Hall, name: str) -> Person:
    """Return whoever types the password of that name, and shows a second factor where they have one."""
    asking = HttpRequest()
    asking.META, asking.path, asking.method = {"REMOTE_ADDR": "127.0.0.1"}, "/", "POST"
    try:
        person = second_person.identified(
            asking, Question.WITNESS, username=name, password=_typed(name), at=timezone.now()
        )
    except (second_person.LockedOut, second_person.RunOut, Refusal):
        person = None
    if person is None or person.hall_id != hall.pk:
        raise CommandError(f"name or password of {name} is wrong, or it was tried too often")
    _require_factor(asking, person)
    return person


def _require_factor(asking: HttpRequest, person: Person) -> None:
    """Ask whoever has a second factor, or needs one, for its code; a passkey needs a browser."""
    name = person.username
    if not factors.has(person):
        if logins.is_obliged(person):
            raise CommandError(f"{name} has no second factor yet: they log in first, and add one")
        return
    code = _typed(name, "code of the app, or a recovery code,")
    try:
        factors.prove(person=person, request=asking, code=code, passkey="", at=timezone.now())
    except Refusal as refused:
        raise CommandError(
            f"the code of {name} is wrong, or it was tried too often; whoever has a passkey alone"
            " types a recovery code"
        ) from refused


def _typed(name: str, what: str = "password") -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"{what} of {name}: ")
    return sys.stdin.readline().rstrip("\n")
