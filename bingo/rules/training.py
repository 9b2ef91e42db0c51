"""Training is another hall: what it is called, who is what in it, and its first entry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

BEGUN = "training_begun"
# To learn alone somebody sells, calls and checks in turn; only a manager manages here too.
EVERYBODYS = ("cashier", "seller", "caller", "table_chief", "floor_assistant", "door")
OWN = ("hall_manager",)
LONGEST_CODE = 50
PARTNER = "partner"
# What concerns accounts and what hangs in the real hall has no place to be practised: the addresses
# under which it lies.
REAL_ONLY = ("staff", "password", "first", "first-steps", "cameras")


def roles(own: Iterable[str]) -> list[str]:
    """Give what somebody of these roles is in training; nothing for whoever is no staff (BOE III)."""
    held = set(own)
    if held.isdisjoint((*EVERYBODYS, *OWN)):
        return []
    return [*EVERYBODYS, *(role for role in OWN if role in held)]


def is_partners(username: str) -> bool:
    """Tell whether a name for the login is kept for the second person of a training hall."""
    return username.startswith(f"{PARTNER}.")


def code(trained: str, *, number: int) -> str:
    """Give the code of a hall's training hall, of its first, second or later one."""
    ending = "-training" if number == 1 else f"-training-{number}"
    return trained[: LONGEST_CODE - len(ending)] + ending


def begin(trained: str) -> dict[str, Any]:
    """Give the first entry of a training hall: whoever reads its journal knows what it is."""
    return {"trains": trained}
