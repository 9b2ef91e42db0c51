"""The commands of the office: rules, staff, tills, what is kept, the keys of the checkpoints."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from django.test import override_settings

from bingo import signed_notes
from bingo.rules.checkpoints_and_clock import JournalHead as Head
from bingo.rules.checkpoints_and_clock import origin, written
from draws.retention import services as retention_services
from halls import staff
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import JournalEntry, Person, Retention, Role
from halls.policy.services import set_policy
from halls.tills import change_tills
from tests.support.evening import Evening, authorise
from tests.support.service_commands.command import MANAGER, Command


def take_on(evening: Evening, who: dict[str, Any], *, name: str = "Maria Lima") -> Person:
    """Take a caller on."""
    return staff.enrol(
        hall=evening.hall, username="maria.lima", name=name, roles=["caller"], language="pt",
        **who,
    ).person  # fmt: skip


def take_inspector_on(evening: Evening, who: dict[str, Any], *, name: str = "Rita Lima") -> Person:
    """Take another inspector on."""
    return staff.enrol(
        hall=evening.hall, username="rita.lima", name=name, roles=["inspector"], language="pt",
        **who,
    ).person  # fmt: skip


def renew_key(evening: Evening, who: dict[str, Any]) -> JournalEntry:
    """Renew the key of the checkpoints, in a folder that no hall keeps."""
    with TemporaryDirectory() as folder, override_settings(KEYS_DIR=Path(folder)):
        return checkpoints_services.renew_key(hall=evening.hall, **who)


def choose_folder(evening: Evening, who: dict[str, Any]) -> JournalEntry:
    """Choose a folder of this machine for the checkpoints."""
    with override_settings(CHECKPOINT_DIRS=[]):
        return checkpoints_services.choose_folder(hall=evening.hall, folder=_disk(), **who)


@cache
def _disk() -> str:
    """Return a folder for as long as the tests run: what one key has chosen is chosen again by it."""
    return mkdtemp()


def set_back_history(evening: Evening, who: dict[str, Any]) -> JournalEntry:
    """Accept an older history, beside a head of what is gone in a folder that no hall keeps."""
    with TemporaryDirectory() as folder, override_settings(KEYS_DIR=Path(folder)):
        key = signed_notes.ensure(
            checkpoints_queries.keys_folder(evening.hall), name=origin("sala")
        )[1]
        note = signed_notes.sign_note(written(Head("sala", 9_999, "ab" * 32)), [key])
        signed_notes.write_note_head(checkpoints_queries.keys_folder(evening.hall), note)
        witness = evening.person(Role.TABLE_CHIEF)
        return checkpoints_services.accept(
            hall=evening.hall, witness=witness, reason="cópia", **who
        )


def keep_for(evening: Evening, who: dict[str, Any], *, looks: int = 90) -> Retention:
    """Set for how many days things are kept, from tomorrow on."""
    days = {"pictures": 30, "looks": looks, "prints": 7, "stills": 7, "admissions": 0}
    tomorrow = (who["at"] + timedelta(days=2)).date()
    return retention_services.set_days(hall=evening.hall, days=days, valid_from=tomorrow, **who)


COMMANDS = (
    Command(
        "authorisation_recorded", MANAGER, "none",
        lambda e, w: authorise(e.hall, reference="2/2026", **w),
        lambda e, w: authorise(e.hall, reference="3/2026", **w),
    ),
    Command(
        "policy_set", MANAGER, "none",
        lambda e, w: set_policy(hall=e.hall, low_stock=30, **w),
        lambda e, w: set_policy(hall=e.hall, low_stock=31, **w),
    ),
    Command(
        "retention_set", MANAGER, "none", keep_for, lambda e, w: keep_for(e, w, looks=100),
    ),
    Command(
        "staff_changed", MANAGER, "none", take_on, lambda e, w: take_on(e, w, name="Outra"),
    ),
    Command(
        "inspector_changed", Role.INSPECTOR, "none", take_inspector_on,
        lambda e, w: take_inspector_on(e, w, name="Outra"),
    ),
    Command(
        "tills_changed", MANAGER, "none",
        lambda e, w: change_tills(hall=e.hall, change="added", till="Caixa 7", **w),
        lambda e, w: change_tills(hall=e.hall, change="added", till="Caixa 8", **w),
    ),
    Command(
        "checkpoint_key_changed", MANAGER, "none",
        renew_key,
    ),
    Command(
        "checkpoint_folder_chosen", MANAGER, "none",
        choose_folder,
    ),
    Command(
        "checkpoint_history_set_back", MANAGER, "none",
        set_back_history,
    ),
)  # fmt: skip
