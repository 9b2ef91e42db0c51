"""The staff of a hall: who is taken on, what they may do, who has left (BOE III).

Nobody is ever deleted: who has left is disabled and stays in the record. Also the opening of a
training hall: its name, the roles of its people, and its first entry.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from bingo.rules.journal_json_and_chain import Data, is_printable
from bingo.rules.refusal import Refusal

BEGUN = "training_begun"
# To learn alone somebody sells, calls and checks in turn; only a manager manages here too.
EVERYBODYS = ("cashier", "seller", "caller", "table_chief", "floor_assistant", "door")
OWN = ("hall_manager",)
LONGEST_CODE = 50
PARTNER = "partner"
# What concerns accounts and what hangs in the real hall has no place to be practised: the addresses
# under which it lies.
REAL_ONLY = (
    "staff", "security-log", "password", "first", "first-steps", "cameras", "account", "second-factor", "sign-in",
    "sign-ins",
)  # fmt: skip


def roles(own: Iterable[str]) -> list[str]:
    """Return what somebody of these roles is in training; nothing for whoever is no staff (BOE III)."""
    held = set(own)
    if held.isdisjoint((*EVERYBODYS, *OWN)):
        return []
    return [*EVERYBODYS, *(role for role in OWN if role in held)]


def is_partners(username: str) -> bool:
    """Return whether a name for the login is kept for the second person of a training hall."""
    return username.startswith(f"{PARTNER}.")


TRAINS = r".*-training(-[0-9]+)?"  # what the code of each of them is; no other hall's


def code(trained: str, *, number: int) -> str:
    """Return the code of a hall's training hall, of its first, second or later one."""
    ending = "-training" if number == 1 else f"-training-{number}"
    return trained[: LONGEST_CODE - len(ending)] + ending


def begin_training(trained: str) -> dict[str, Any]:
    """Return the first entry of a training hall: whoever reads its journal knows what it is."""
    return {"trains": trained}


CHANGED, PASSWORD_CHANGED = "staff_changed", "password_changed"
ENROLLED, SET, DISABLED, ENABLED, PASSWORD = "enrolled", "set", "disabled", "enabled", "password"
FACTOR = "factor"  # every second factor of an inspector taken away, at the machine alone
CHANGES = (ENROLLED, SET, DISABLED, ENABLED, PASSWORD, FACTOR)

# Inspectors' accounts, changed by inspectors; and any account, changed at the machine by its owner.
INSPECTOR_CHANGED, AT_MACHINE = "inspector_changed", "account_changed"
BY_OTHERS = (CHANGED, INSPECTOR_CHANGED, AT_MACHINE)
# For how long somebody can log in with a password that was given to them.
PASSWORD_HOLDS = timedelta(hours=72)

MANAGER, INSPECTOR = "hall_manager", "inspector"
ROLES = (
    "cashier", "seller", "caller", "table_chief", "floor_assistant", "door", MANAGER, INSPECTOR,
)  # fmt: skip
# Whom no session goes without: the functions of the law, and whoever reads the record for it.
NEEDED = (MANAGER, "table_chief", "caller", "cashier", INSPECTOR)
# Who may stand for a command beside whoever gives it; a caller for a ball alone (R55), an inspector
# for what is an inspector's own.
STANDING = (MANAGER, "table_chief", "caller", INSPECTOR)
# For how long somebody made, let in again, given such a role or a password by others stands for nothing.
WAIT = timedelta(hours=24)
# Typed at every login, told in the record: small letters and digits, which look like no others.
USERNAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,148}[a-z0-9])")
LONGEST_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of the staff; `open_shift` is the till whose drawer they have, empty for none."""

    username: str
    name: str
    roles: tuple[str, ...]
    active: bool = True
    open_shift: str = ""

    @property
    def manages(self) -> bool:
        """Whether they can log in and manage the hall."""
        return self.active and MANAGER in self.roles


def enrol(*, username: str, name: str, roles: Collection[str], language: str) -> Data:
    """Return somebody new as the journal has them.

    Raises Refusal: bad_username, username_taken, bad_person_name, unknown_role, role_missing, inspector_apart.
    """
    if not USERNAME.fullmatch(username):
        raise Refusal("bad_username")
    if is_partners(username):
        raise Refusal("username_taken", username=username)
    return {
        "username": username,
        "name": _name(name),
        "roles": _roles(roles),
        "language": language,
    }


def require_language(language: str, *, known: Collection[str]) -> None:
    """Refuse a language that no page is written in: unknown_language.

    It is asked of what is told now: whoever an older journal took on keeps what stands there.
    """
    if language not in known:
        raise Refusal("unknown_language", known=", ".join(known))


def change(people: Sequence[Member], change: str, *, of: str, by: str, **told: Any) -> Data:
    """Return what becomes of one of the staff, as the journal has it.

    `told` are what `enrol` gave for ENROLLED, `name` and `roles` for SET, nothing else.
    Raises Refusal: username_taken, person_unknown, own_account, nothing_changed, shift_still_open,
    last_manager, or those of `enrol`.
    """
    if change == ENROLLED:
        if any(one.username == of for one in people):
            raise Refusal("username_taken", username=of)
        return {"change": change, **enrol(username=of, **told)}
    member = _find(people, of)
    if of == by:
        # Whoever gives the rights cannot take more of them, nor lock themself out by a slip.
        raise Refusal("own_account")
    after, said = _after(member, change, told)
    if after == member and change not in (PASSWORD, FACTOR):
        raise Refusal("nothing_changed")
    _require_drawer_counted(member, after)
    left = [after if one.username == of else one for one in people]
    if not any(one.manages for one in left):
        raise Refusal("last_manager")
    return {"change": change, "username": of, **said}


def _after(member: Member, change: str, told: Data) -> tuple[Member, Data]:
    match change:
        case "set":
            name, roles = _name(told["name"]), _roles(told["roles"])
            said = {"name": name, "roles": roles}
            return replace(member, name=name, roles=tuple(roles)), said
        case "disabled" | "enabled":
            return replace(member, active=change == ENABLED), {}
        case "password" | "factor":
            return member, {}
    raise Refusal("bad_input", field="change")


def require_apart(change: Data, before: Member | None, *, inspects: bool) -> None:
    """Refuse who changes an account that is none of theirs: inspectors' are changed by inspectors.

    `before` is whom the account belonged to, None for a new one; `inspects` whether an inspector
    gives the order. Raises Refusal: bad_input, inspectors_account, not_allowed to inspectors.
    """
    if change["change"] == FACTOR:
        raise Refusal("bad_input", field="change")
    held = {*(before.roles if before else ()), *change.get("roles", ())}
    if INSPECTOR in held and not inspects:
        raise Refusal("inspectors_account")
    if inspects and held != {INSPECTOR}:
        raise Refusal("not_allowed", roles=[MANAGER])


def vouched_text(hall: str, *, first: str, after: int, change: str, username: str) -> str:
    """Return what the regulator's key signs so that an inspector's account is changed, once.

    `first` is the digest of the hall's first entry, `after` the number of the last entry of its kind.
    """
    return f"bingo-account/{hall}\n{first}\n{after}\n{change} {username}\n"


def require_vouched(
    people: Sequence[Member], change: Data, before: Member | None, *, key: str, vouched: bool
) -> None:
    """Refuse to change an inspector's account at the machine without the regulator: regulator_needed.

    The first of a hall comes about there without a signature where no `key` of a regulator is known.
    Second factors of others are no matter of the machine: not_allowed.
    """
    held = {*(before.roles if before else ()), *change.get("roles", ())}
    if change["change"] == FACTOR and INSPECTOR not in held:
        raise Refusal("not_allowed", roles=[MANAGER])
    if INSPECTOR not in held or vouched:
        return
    if key or change["change"] != ENROLLED or any(INSPECTOR in one.roles for one in people):
        raise Refusal("regulator_needed")


def waits(change: Data, before: Member | None) -> bool:
    """Return whether a change makes somebody wait before they stand as a second person."""
    roles = set(change.get("roles", before.roles if before else ())) & set(STANDING)
    match change["change"]:
        case "set":
            return bool(roles - set(before.roles if before else ()))
        case "enrolled" | "enabled" | "password":
            return bool(roles)
    return False


def _find(people: Sequence[Member], username: str) -> Member:
    for one in people:
        if one.username == username:
            return one
    raise Refusal("person_unknown")


def _require_drawer_counted(before: Member, after: Member) -> None:
    """Refuse to send a cashier away whose drawer was not counted: shift_still_open."""
    stays = after.active and "cashier" in after.roles
    if before.open_shift and not stays:
        raise Refusal("shift_still_open", till=before.open_shift)


def _name(name: str) -> str:
    one_line = is_printable(name) and not set("\r\n\t") & set(name)
    if not one_line or not 0 < len(name) <= LONGEST_NAME:
        raise Refusal("bad_person_name", most=LONGEST_NAME)
    if name != unicodedata.normalize("NFC", name).strip():
        raise Refusal("bad_person_name", most=LONGEST_NAME)
    return name


def _roles(roles: Collection[str]) -> list[str]:
    """Return roles in their order. An inspector of the hall is nobody who works in it."""
    for role in roles:
        if role not in ROLES:
            raise Refusal("unknown_role")
    if not roles:
        raise Refusal("role_missing")
    if INSPECTOR in roles and set(roles) != {INSPECTOR}:
        raise Refusal("inspector_apart")
    return in_order(roles)


def in_order(roles: Collection[str]) -> list[str]:
    """Return roles as the record has them, once each; those that nobody knows come last."""
    return [role for role in ROLES if role in roles] + sorted(set(roles) - set(ROLES))


def missing(people: Sequence[Member]) -> tuple[str, ...]:
    """Return the roles that a session needs and nobody has who can log in."""
    there = {role for one in people if one.active for role in one.roles}
    return tuple(role for role in NEEDED if role not in there)
