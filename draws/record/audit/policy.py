"""Audit a hall's policy: what protects less waited, two persons took a second person away.

Journals in which nothing ever waited are read as they were written.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from bingo.rules import policies
from bingo.rules.refusal import Refusal
from draws.record.audit.engine import require, second_person_of_entry
from draws.record.audit.expected_rows import Books
from halls.models import JournalEntry

# What a policy tells only where it is not this.
TOLD_SELDOM = MappingProxyType({name: getattr(policies.DEFAULT, name) for name in policies.SELDOM})


def change(books: Books, entry: JournalEntry) -> None:
    """Follow a change of the policy, or that what waited was withdrawn.

    Raises Refusal: the rules', second_person_needed, fact_disagrees.
    """
    told = {name: value for name, value in entry.data.items() if name != "witness"}
    books.noticed |= bool({"later", "withdraws"} & set(told))
    if "withdraws" in told:
        decided = policies.withdraw(books.policy, entry.at, entry=books.policy_number)
    else:
        decided = _changed(books, entry, told)
    require(entry, decided == told)
    kept = {name: told[name] for name in (*policies.NAMES, "later") if name in told}
    books.put("policy", (entry.pk,), entry.number, **({"later": None} | TOLD_SELDOM | kept))
    books.policy, books.policy_number = entry.data, entry.number


def _changed(books: Books, entry: JournalEntry, told: dict[str, Any]) -> dict[str, Any]:
    later = told.get("later", {}).get("policy", {})
    asked = {name: told[name] for name in policies.NAMES if name in told} | later
    settled = bool(books.states) and books.noticed
    before = books.policy_at(entry)
    after = policies.of({"policy": asked})
    if settled and policies.needs_two(before, after) and "witness" not in entry.data:
        raise Refusal("second_person_needed", command=entry.kind)
    if "witness" in entry.data:
        second_person_of_entry(books, entry)
    # Of the tills only the rows tell, and a till that was renamed is found beside its shifts.
    tills = {*after.printers, *before.printers}
    return policies.change(before, tills=tills, at=entry.at, settled=settled, **asked)
