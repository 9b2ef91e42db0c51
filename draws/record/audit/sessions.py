"""Audit the opening of sessions against authorisations, policies and duties (R9-R12)."""

from __future__ import annotations

from typing import Any

from bingo.rules import facts, policies
from bingo.rules.authorisations import UNGRANTED
from bingo.rules.jackpots import Jackpot, granted, require_in_time
from draws.record.audit.engine import author, require
from draws.record.audit.expected_rows import Books
from halls.models import JournalEntry

# What every jackpot has of an authorisation.
FIXED = frozenset(["rate", "limit", "base"])
# What the door goes by is no term of a session: it asks on the day itself.
OF_THE_DOOR = frozenset(["capacity", "identity_asked"])


def open_session(books: Books, entry: JournalEntry) -> None:
    """Book a session with what its authorisation must grant. Raises Refusal: fact_disagrees, the rules'."""
    terms = entry.data
    named = {name: terms.get(name, UNGRANTED[name]) for name in UNGRANTED.keys() - OF_THE_DOOR}
    named |= {name: terms[name] for name in ("formats", "faces") if name in terms}
    named |= _jackpot(terms)
    named |= {"line_share": terms["shares"]["line"], "bingo_share": terms["shares"]["bingo"]}
    named |= {f"tax_{name}": terms["tax"][name] for name in ("rate", "threshold")}
    named |= {"reference": terms["authorisation"], "hall": entry.hall_id}
    require_in_time(terms.get("until"), entry.hall.day(entry.at).isoformat())
    # A session opens with what the hall had decided until then.
    # No session forgets the duties of those before it.
    duties = terms.get("duties", 0)
    held = policies.holding(books.policy, entry.at)
    require(entry, terms.get("policy") == held and duties >= books.duties)
    books.duties = duties
    books.put(
        "session", (entry.session_id,), entry.number,
        number=terms["number"], opened_at=entry.at, opened_by__username=author(books, entry),
        closed_at=None, closed_by__username=None,
        **{f"authorisation__{name}": value for name, value in named.items()},
    )  # fmt: skip


def _jackpot(terms: dict[str, Any]) -> dict[str, Any]:
    """Return what the authorisation of these terms must say of the jackpot (R9-R12)."""
    if terms["jackpot"] is None:
        return {"jackpot_rate": 0}
    first = granted(facts.load(Jackpot, terms["jackpot"]))
    until = {"until": terms["until"]} if "until" in terms else {}
    return {
        **{f"jackpot_{name}": first.get(name, 0) for name in FIXED},
        "jackpot_terms": {name: first[name] for name in first.keys() - FIXED} | until,
        "jackpot_levels": [granted(facts.load(Jackpot, one)) for one in terms.get("levels", ())],
    }


def remember_closing(books: Books, entry: JournalEntry) -> None:
    """Remember the entry that closed a session, which its acta carries."""
    books.closings[entry.session_id or 0] = (entry.number, entry.digest)
