"""What each kind of entry must have written into which row: the table the audit goes by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bingo.rules import policies, sales
from bingo.rules.authorisations import UNGRANTED
from bingo.rules.jackpots import granted, load, require_in_time
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Range, Run
from bingo.rules.session_state import SessionState
from bingo.rules.shifts import cash_of, find, paid_out
from draws.record.audit import (
    admission,
    balls,
    cards,
    custody,
    equipment,
    games,
    jackpots,
    people,
    record,
    retention,
)
from draws.record.audit.expected_rows import Books, Key
from halls.models import JournalEntry

# What every jackpot has of an authorisation.
FIXED = frozenset(["rate", "limit", "base"])
# What a policy tells only where it is not this.
TOLD_SELDOM = MappingProxyType({name: getattr(policies.DEFAULT, name) for name in policies.SELDOM})


def book(books: Books, entry: JournalEntry) -> None:
    """Write down what an entry must have made of the rows, after the rules have followed it.

    Raises Refusal, where only the whole journal tells that it is against the rules; KeyError, TypeError, AttributeError when the data of the entry is not of its kind.
    """
    games.apply_fault(books, entry)
    if entry.kind in WRITES:
        WRITES[entry.kind](books, entry)
    books.at = entry.at


def _session_opened(books: Books, entry: JournalEntry) -> None:
    terms = entry.data
    named = {
        f"authorisation__{name}": terms[name] for name in ("formats", "faces") if name in terms
    }
    named |= {
        f"authorisation__{name}": terms.get(name, ungranted)
        for name, ungranted in UNGRANTED.items()
        # What the door goes by is no term of a session: it asks on the day itself.
        if name not in ("capacity", "identity_asked")
    }
    named |= _jackpot(terms)
    require_in_time(terms.get("until"), _day(entry))
    # A session opens with what the hall had decided until then.
    # No session forgets the duties of those before it.
    if terms.get("policy") != books.policy or terms.get("duties", 0) < books.duties:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.duties = terms.get("duties", 0)
    books.put(
        "session", (entry.session_id,), entry.number,
        number=terms["number"], opened_at=entry.at, opened_by__username=_by(entry),
        closed_at=None, closed_by__username=None,
        authorisation__reference=terms["authorisation"], authorisation__hall=entry.hall_id,
        authorisation__line_share=terms["shares"]["line"],
        authorisation__bingo_share=terms["shares"]["bingo"],
        authorisation__tax_rate=terms["tax"]["rate"],
        authorisation__tax_threshold=terms["tax"]["threshold"],
        **named,
    )  # fmt: skip


def _day(entry: JournalEntry) -> str:
    """Return the day of the hall on which an entry was written."""
    return entry.hall.day(entry.at).isoformat()


def _jackpot(terms: dict[str, Any]) -> dict[str, Any]:
    """Return what the authorisation of these terms must say of the jackpot (R9-R12)."""
    if terms["jackpot"] is None:
        return {"authorisation__jackpot_rate": 0}
    first = granted(load(terms["jackpot"]))
    until = {"until": terms["until"]} if "until" in terms else {}
    return {
        **{f"authorisation__jackpot_{name}": first.get(name, 0) for name in FIXED},
        "authorisation__jackpot_terms": {name: first[name] for name in first.keys() - FIXED}
        | until,
        "authorisation__jackpot_levels": [granted(load(one)) for one in terms.get("levels", ())],
    }


def _policy_set(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    # Of the tills only the rows tell, and a till that was renamed is found beside its shifts.
    if policies.record(tills=data["printers"], **data) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.put("policy", (entry.pk,), entry.number, **(TOLD_SELDOM | data))
    books.policy = data


def _session_closed(books: Books, entry: JournalEntry) -> None:
    equipment.closed(books, entry)
    books.change("session", (entry.session_id,), closed_at=entry.at, closed_by__username=_by(entry))
    books.closings[_session(entry)] = (entry.number, entry.digest)


def _shift_opened(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    people.require_in_use(books, data["till"])
    books.put(
        "shift", (entry.session_id, data["shift"]), entry.number,
        till__name=data["till"], till__hall=entry.hall_id, cashier__username=data["cashier"],
        opened_at=entry.at, closed_at=None, counted=None, comment="",
    )  # fmt: skip
    _cash(books, entry, "float", data["float"])


def _shift_closed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.change(
        "shift", (entry.session_id, data["shift"]),
        closed_at=entry.at, counted=data["counted"], comment=data["comment"],
    )  # fmt: skip


def _cash_moved(books: Books, entry: JournalEntry) -> None:
    _cash(books, entry, "moved", entry.data["amount"])


def _cash(books: Books, entry: JournalEntry, kind: str, amount: int) -> None:
    books.put("cash", (entry.pk,), entry.number, kind=kind, amount=amount, **_shift(books, entry))


def _game_opened(books: Books, entry: JournalEntry) -> None:
    cards.put_on_sale(books, entry.data["issue"], kind=entry.kind)
    books.put(
        "game", _game(entry), entry.number,
        issue=entry.data["issue"]["issue"], first_half__number=None, opened_at=entry.at,
        ended_at=None, ball_set__serial=None, extractor__name=None,
    )  # fmt: skip


def _second_half_opened(books: Books, entry: JournalEntry) -> None:
    session, number = _game(entry)
    issue = books.tables["game"][session, number - 1].values["issue"]
    books.put(
        "game", (session, number), entry.number,
        issue=issue, first_half__number=number - 1, opened_at=entry.at, ended_at=None,
        ball_set__serial=None, extractor__name=None,
    )  # fmt: skip
    for key in [key for key in books.tables["further"] if key[:2] == (session, number - 1)]:
        books.put("further", (session, number, key[2]), entry.number)


def _issue_added(books: Books, entry: JournalEntry) -> None:
    cards.put_on_sale(books, entry.data["issue"], kind=entry.kind)
    key = (*_game(entry), entry.data["issue"]["issue"])
    books.put("further", key, entry.number)


def _taken(books: Books, entry: JournalEntry) -> None:
    """Let the takings of the entry's issues be those that the game has come to."""
    for issue in {part["issue"] for part in entry.data["ranges"]}:
        cards.moved_to(books, _run(books, entry, issue), game=_game(entry))


def _run(books: Books, entry: JournalEntry, issue: int) -> Run:
    game = _state(books, entry).game
    return next(run for run in game.runs if run.issue == issue) if game else _no_run()


def _no_run() -> Run:
    raise KeyError("game")


def _cards_handed_out(books: Books, entry: JournalEntry) -> None:
    _taken(books, entry)


def _block_settled(books: Books, entry: JournalEntry) -> None:
    _cards_sold(books, entry)
    cards.moved_to(books, _run(books, entry, entry.data["issue"]), game=_game(entry))


def _block_handed_over(books: Books, entry: JournalEntry) -> None:
    cards.moved_to(books, _run(books, entry, entry.data["issue"]), game=_game(entry))


def _cards_written_off(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        "retirement", (entry.pk,), entry.number,
        issue=data["issue"], first=data["first"], last=data["last"], reason=data["reason"],
        at=entry.at,
    )  # fmt: skip
    cards.written_off(books, data)
    cards.moved_to(books, _run(books, entry, data["issue"]), game=_game(entry))


def _cards_sold(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    ranges = [Range(**part) for part in data["ranges"]]
    for player, part in sales.shared_out(ranges, data.get("players", ())):
        cards = part.last - part.first + 1
        books.put(
            "sale", (entry.pk, part.issue, part.first), entry.number,
            last=part.last, amount=cards * (data["amount"] // data["quantity"]),
            seller__username=data["seller"], player=data.get("player") or player, at=entry.at,
            **_in_game(entry), **_shift(books, entry),
        )  # fmt: skip
    _cash(books, entry, "sale", cash_of(entry.kind, data))
    if entry.kind == "cards_sold":
        _taken(books, entry)


def _ball_announced(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        "ball", (*_game(entry), data["count"]), entry.number,
        previous=data["count"] - 1 or None, number=data["number"], source=data["source"],
        at=entry.at, picture=data.get("picture", ""), confidence=data.get("confidence"),
    )  # fmt: skip
    balls.announced(books, entry)
    if "ball_set" in data:
        equipment.check_duty_facts(books, entry)
        equipment.drawn(books, _game(entry), data["ball_set"])
    equipment.remember_drawn_set(books, entry)


def _ball_recalled(books: Books, entry: JournalEntry) -> None:
    del books.tables["ball"][(*_game(entry), entry.data["count"])]
    balls.recalled(books, entry)


def _claim_checked(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        "check", (entry.pk,), entry.number,
        combination=data["combination"], issue=data["issue"], card=data["card"],
        valid=data["valid"], reason=data["reason"] or "", at=entry.at, **_in_game(entry),
    )  # fmt: skip


def _window_closed(books: Books, entry: JournalEntry) -> None:
    for award in entry.data["awards"]:
        key = (*_game(entry), award["combination"], award["issue"], award["card"])
        books.put(
            "prize", key, entry.number, amount=award["amount"], tax=award["tax"],
            left_over=award.get("left_over", 0),
        )  # fmt: skip


def _game_voided(books: Books, entry: JournalEntry) -> None:
    books.drop("prize", _game(entry))


def _prize_paid(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        "payment", (entry.pk,), entry.number,
        issue=data["issue"], card=data["card"], amount=paid_out(data), at=entry.at,
        **_in_game(entry), **_shift(books, entry),
    )  # fmt: skip
    _cash(books, entry, "prize", cash_of(entry.kind, data))
    custody.paid(books, entry)


def _cards_refunded(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        "refund", (entry.pk,), entry.number,
        issue=data["issue"], first=data["first"], last=data["last"], amount=data["amount"],
        at=entry.at, **_in_game(entry), **_shift(books, entry),
    )  # fmt: skip
    _cash(books, entry, "refund", cash_of(entry.kind, data))


def _entry_completed(books: Books, entry: JournalEntry) -> None:
    books.change("game", _game(entry), ended_at=entry.at)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        **cards.WRITES,
        **equipment.WRITES,
        **balls.READING_WRITES,
        **balls.ENROLMENT_WRITES,
        **balls.EXPIRED_PICTURE_WRITES,
        **jackpots.JACKPOT_ACCOUNT_WRITES,
        **jackpots.LINK_WRITES,
        **custody.WRITES,
        **record.ACTA_WRITES,
        **admission.WRITES,
        **record.REMARK_WRITES,
        **record.CHECKPOINT_WRITES,
        **record.CLOCK_WRITES,
        **custody.COMPLAINT_WRITES,
        **retention.WRITES,
        **games.CARD_SHOWN_WRITES,
        **games.CALLING_WRITES,
        **people.TRAINING_WRITES,
        **people.STAFF_WRITES,
        **people.TILL_WRITES,
        **games.UNCLAIMED_WRITES,
        "policy_set": _policy_set,
        "session_opened": _session_opened,
        "shift_opened": _shift_opened,
        "cash_moved": _cash_moved,
        "shift_closed": _shift_closed,
        "game_opened": _game_opened,
        "second_half_opened": _second_half_opened,
        "second_issue_opened": _issue_added,
        "issue_added": _issue_added,
        "cards_handed_out": _cards_handed_out,
        "block_settled": _block_settled,
        "block_handed_over": _block_handed_over,
        "cards_written_off": _cards_written_off,
        "cards_sold": _cards_sold,
        "cards_transferred": custody.handed_on,
        "reading_dismissed": balls.dismissed,
        "ball_announced": _ball_announced,
        "ball_recalled": _ball_recalled,
        "claim_called": custody.called,
        "claim_checked": _claim_checked,
        "window_closed": _window_closed,
        "game_voided": _game_voided,
        "prize_paid": _prize_paid,
        "cards_refunded": _cards_refunded,
        "prize_set_aside": games.set_aside,
        "refund_set_aside": games.set_aside,
        "unclaimed_paid": games.paid,
        "entry_completed": _entry_completed,
        "sale_announced": equipment.check_sale_duties,
        "session_closed": _session_closed,
    }
)


def _by(entry: JournalEntry) -> str | None:
    return entry.by.username if entry.by else None


def _session(entry: JournalEntry) -> int:
    return entry.session_id or 0


def _state(books: Books, entry: JournalEntry) -> SessionState:
    return books.states[_session(entry)]


def _game(entry: JournalEntry) -> Key:
    return (entry.session_id, entry.game)


def _in_game(entry: JournalEntry) -> dict[str, Any]:
    return {"game__session": entry.session_id, "game__number": entry.game}


def _shift(books: Books, entry: JournalEntry) -> dict[str, Any]:
    """Return the shift that was open at the entry's till."""
    shift = find(_state(books, entry).shifts, entry.data["till"])
    return {"shift__session": entry.session_id, "shift__number": shift.shift}
