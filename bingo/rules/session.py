"""One session as a list of facts: opening, shifts, games one after another, notes, the close.

A session owns the terms frozen when it opened (R9), at most one game at a time (R60), the drawers
of its tills and the jackpot. Facts of a game are decided by `game_flow`, those of a till by
`till_cash_and_shifts`; what the one does to the other is added here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bingo.rules import approvals_and_roll_calls_due as duty_rules
from bingo.rules import (
    authorisations,
    double_cards,
    game_flow,
    jackpots,
    journal_json_and_chain,
    patterns,
    policies,
    prize_distributions,
    prizes,
    session_end_and_totals,
    till_cash_and_shifts,
    unclaimed,
)
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from bingo.rules.session_opening import begin, without_later_fields
from bingo.rules.session_state import Award, GameState, SessionState
from bingo.rules.steps import drawing, paying_and_completing, selling, voiding
from bingo.rules.texts import require_text

# What is paid later needs a second person where paying it in its game would have.
OWED_AS = MappingProxyType({unclaimed.PRIZE: "prize_paid", unclaimed.REFUND: "cards_refunded"})
FURTHER_ISSUES = ("second_issue_opened", "issue_added")
# What must have been done before these facts.
DUE_WITH: Mapping[str, tuple[Callable[[SessionState, Data], None], ...]] = MappingProxyType(
    {
        "sale_announced": (session_end_and_totals.require_for_sale, duty_rules.require_for_sale),
        "ball_announced": (duty_rules.require_for_ball,),
    }
)
NOTES = ("complaint", "substitution", "breakdown", "occurrence", "other")
MALFORMED = (TypeError, ValueError, KeyError, AttributeError, IndexError)


def note(
    session: SessionState,
    *,
    category: str,
    text: str,
    decision: str,
    issue: int | None = None,
    card: int | None = None,
) -> Data:
    """Note a complaint, substitution, breakdown or occurrence (R61 j-m).

    `issue` and `card` name the card it is about, of the open game or the last. Raises Refusal:
    unknown_category, text_missing, issue_not_on_sale, no_such_card.
    """
    if category not in NOTES:
        raise Refusal("unknown_category", category=category)
    require_text(text, missing=Refusal("text_missing"))
    told: Data = {"category": category, "text": text, "decision": decision, "game": session.games}
    return told if issue is None and card is None else told | _about(session, issue, card)


def _about(session: SessionState, issue: int | None, card: int | None) -> Data:
    runs = session.game.runs if session.game else ()
    run = next((run for run in runs if run.issue == issue), None)
    if run is None:
        raise Refusal("issue_not_on_sale")
    if card is None or not 1 <= card <= run.size:
        raise Refusal("no_such_card", card=card)
    return {"issue": issue, "card": card}


def open_game(
    session: SessionState,
    *,
    format: int,
    face: int,
    issue: Data,
    matrix: str,
    pattern: list[str] | None = None,
) -> Data:
    """Prepare the next game (R60); `matrix` is the SHA-256 of the series' card matrix.

    `pattern` is the figure that is its bingo (R73 b). Raises Refusal: game_not_complete,
    second_half_due, last_game_played (R53), format_not_authorised, face_not_authorised,
    out_of_order, figure_not_authorised, or what `game_flow.open_game` and `patterns.read` refuse.
    """
    if session.playing:
        raise Refusal("game_not_complete")
    if session.half_due:
        raise Refusal("second_half_due")
    session_end_and_totals.require_may_open(session.ending, games=session.games)
    if "formats" in session.terms:
        authorisations.require_format(format, session.terms["formats"])
    if "faces" in session.terms:
        authorisations.require_face(face, session.terms["faces"])
    _goes_on(session, issue)
    data = {"format": format, "face": face, "issue": issue, "matrix": matrix}
    data |= {} if pattern is None else {"pattern": pattern}
    _prepared(session, data)
    return {**data, "number": session.games + 1}


def _goes_on(session: SessionState, issue: Data) -> None:
    """Refuse an issue that does not go on where this session left it (R37)."""
    last = dict(session.last_sold).get(issue["issue"])
    if last is not None and last != issue["last_sold"]:
        raise Refusal("out_of_order", asked=issue["last_sold"] + 1, next=last + 1)


def _prepared(session: SessionState, data: Data) -> GameState:
    pattern = data.get("pattern")
    if pattern is not None:
        patterns.read(pattern)
    played = prize_distributions.chosen(
        [prize_distributions.load(one) for one in session.terms.get("distributions", ())],
        format=data["format"],
        figure=pattern is not None,
        otherwise=journal_json_and_chain.load(Shares, session.terms["shares"]),
    )
    return game_flow.open_game(
        number=session.games + 1,
        format=data["format"],
        rulebook=session.terms["rulebook"],
        face=data["face"],
        shares=journal_json_and_chain.dump(played.shares),
        counts=played.counts,
        pattern=pattern or (),
        jackpot=journal_json_and_chain.dump(session.jackpot) if session.jackpot else None,
        levels=[journal_json_and_chain.dump(one) for one in session.levels],
        tax=session.terms["tax"],
        issue=data["issue"],
        player_limit=session.terms.get("player_limit"),
        cash_step=policies.of(session.terms).cash_step,
        cash_rounding=prizes.rounding_of(session.terms),
        brought=session.carried,
        duties=session.terms.get("duties", 0),
    )


def game_opened(session: SessionState, data: Data) -> SessionState:
    """Take the prepared game as the open one."""
    return replace(session, games=session.games + 1, game=_prepared(session, data))


def second_half_opened(session: SessionState, data: Data) -> SessionState:
    """Take it as the open game; the jackpot has its accrual."""
    half = selling.sale_closed(double_cards.second_half(session), data)
    if "players" in data:
        players = tuple((player, cards) for player, cards in data["players"])
        half = replace(half, players=players, player_limit=session.terms.get("player_limit"))
    return _held(replace(session, games=session.games + 1, game=half), half)


def _held(session: SessionState, known: GameState) -> SessionState:
    """Let each level of the jackpot, and the next game's fund, hold what the game leaves in it."""
    session = replace(session, carried=known.leaves)
    if session.jackpot is None:
        return session
    first, *others = (
        jackpots.moved(one, balance=balance, won=known.has_won(jackpots.prize(level)))
        for level, (one, balance) in enumerate(
            zip(session.jackpots, known.jackpot_balances, strict=True)
        )
    )
    return replace(session, jackpot=first, levels=tuple(others))


# What a jackpot and the next game's fund follow from, once a game is open.
MONEY = ("prizes", "void", "awards", "to_jackpot", "to_fund", "brought")


def _same_money(before: GameState, after: GameState) -> bool:
    """Return whether a fact of a game leaves the jackpot and the next game's fund as they are."""
    return all(getattr(before, name) == getattr(after, name) for name in MONEY)


def close_shift(session: SessionState, *, till: str, counted: int, comment: str) -> Data:
    """Close a till's shift by its count, and tell which prizes are handed on unpaid (R44).

    Raises what `till_cash_and_shifts.close_shift` refuses.
    """
    limit = policies.of(session.terms).difference_limit
    data = till_cash_and_shifts.close_shift(
        session.shifts, till=till, counted=counted, comment=comment, limit=limit
    )
    unpaid = _unpaid(session.game) if session.game else []
    return data | ({"unpaid": unpaid} if unpaid else {})


def _unpaid(known: GameState) -> list[Data]:
    won = ((known.number - 1, known.carried), (known.number, known.awards))
    return [
        {"game": number, "issue": issue, "card": card, "amount": amount}
        for number, awards in won
        for issue, card in known.unpaid
        if (amount := _net(awards, issue, card))
    ]


def _net(awards: tuple[Award, ...], issue: int, card: int) -> int:
    return sum(a.net for a in awards if (a.issue, a.card) == (issue, card))


def shift_closed(session: SessionState, data: Data) -> SessionState:
    """Keep the count."""
    return replace(session, shifts=till_cash_and_shifts.shift_closed(session.shifts, data))


def close_session(
    session: SessionState,
    *,
    totals: Data | None = None,
    roll_calls: Sequence[Sequence[Any]] = (),
) -> Data:
    """Close the session: no game open or to come, so nothing unpaid, and no till open.

    `totals` are the hall's perpetual ones by currency, with this session; journals older than they
    are have none. `roll_calls` are pairs of a ball set's serial and the entry of its roll call after
    the last game drawn from it (R23). Raises Refusal: game_not_complete, second_half_due,
    shifts_open, closing_call_missing.
    """
    if session.playing:
        raise Refusal("game_not_complete")
    if session.half_due:
        raise Refusal("second_half_due")
    if till_cash_and_shifts.still_open(session.shifts):
        raise Refusal("shifts_open", left=len(till_cash_and_shifts.still_open(session.shifts)))
    for one in (totals or {}).values():
        session_end_and_totals.load_totals(one)
    duty_rules.require_for_close(session, roll_calls)
    called = {"roll_calls": [list(one) for one in roll_calls]} if roll_calls else {}
    return {"games": session.games} | ({} if totals is None else {"totals": totals}) | called


def session_closed(session: SessionState, _data: Data) -> SessionState:
    """Nothing follows."""
    return replace(session, open=False)


def pay_unclaimed(
    session: SessionState,
    *,
    item: int,
    owed: str,
    of_session: int,
    of_game: int,
    issue: int,
    first: int,
    last: int,
    amount: int,
    till: str,
    complaint: list[int] | None = None,
) -> Data:
    """Pay later what was set aside, out of a till; `unclaimed.pay` has judged the account.

    Minor units. Raises Refusal: bad_amount, shift_not_open, cash_short.
    """
    if amount <= 0:
        raise Refusal("bad_amount", amount=amount)
    told = {
        "item": item, "owed": owed, "of_session": of_session, "of_game": of_game, "issue": issue,
        "first": first, "last": last, "amount": amount, "till": till,
    }  # fmt: skip
    till_cash_and_shifts.require_cash_in_till(session.shifts, unclaimed.PAID, told)
    return told | ({"complaint": complaint} if complaint is not None else {})


def unclaimed_paid(session: SessionState, data: Data) -> SessionState:
    """Move the drawer."""
    return replace(
        session, shifts=till_cash_and_shifts.game_cash(session.shifts, unclaimed.PAID, data)
    )


def note_recorded(session: SessionState, _data: Data) -> SessionState:
    """A note changes nothing but the record."""
    return session


STEPS: MappingProxyType[
    str, tuple[Callable[..., Data], Callable[[SessionState, Data], SessionState]]
] = MappingProxyType(
    {
        "game_opened": (open_game, game_opened),
        "second_half_opened": (double_cards.open_second_half, second_half_opened),
        "shift_closed": (close_shift, shift_closed),
        "note_recorded": (note, note_recorded),
        "session_closed": (close_session, session_closed),
        unclaimed.PAID: (pay_unclaimed, unclaimed_paid),
        **session_end_and_totals.STEPS,
        **duty_rules.STEPS,
    }
)

DECIDERS: Mapping[str, Callable[..., Data]] = MappingProxyType(
    {kind: step[0] for kind, step in till_cash_and_shifts.STEPS.items()}
    | {kind: step[0] for kind, step in STEPS.items()}
    | {kind: step.decide for kind, step in game_flow.STEPS.items()}
)


def decide(
    session: SessionState,
    kind: str,
    *,
    witness: str | None = None,
    by: str | None = None,
    **inputs: Any,
) -> Fact:
    """Return the fact that this command makes: the one door for session, tills and games.

    `witness` is the second person, for what the hall wants two to do, and somebody else than `by`,
    where it is known who commands. Raises Refusal: session_closed, second_person_needed,
    witness_same_person, no_game, shift_not_open, cash_short, out_of_order,
    several_prices_not_authorised, face_not_authorised, or the step's own.
    """
    if not session.open:
        raise Refusal("session_closed")
    if witness is not None and witness == by:
        raise Refusal("witness_same_person")
    if witness is None and _two_must(session, kind, inputs):
        raise Refusal("second_person_needed", command=kind)
    fact = _decided(session, kind, inputs)
    # A refund has no limit, paid in its game or later.
    if witness is None and OWED_AS.get(fact.data.get("owed", ""), kind) == "prize_paid":
        paying_and_completing.require_within_limit(
            fact.data, policies.of(session.terms).payment_limit
        )
    return fact if witness is None else Fact(kind, fact.data | {"witness": witness})


def _two_must(session: SessionState, kind: str, inputs: Data) -> bool:
    """Return whether the hall, or the law (R4, R22, R23, R30, R44, R55), wants a second person."""
    if kind in ("refusal_reversed", *duty_rules.STEPS, *unclaimed.SET_ASIDE):
        return True
    if kind == "ball_announced" and session.game is not None:
        return drawing.needs_second(session.game, inputs["source"])
    voids = kind == "game_voided" and session.game is not None
    if voids and voiding.needs_second(session.present_game, inputs["cause"]):
        return True
    asked = policies.of(session.terms).four_eyes
    if kind == unclaimed.PAID:
        # Money without its card, or as the hall has decided of the money itself (R44).
        return inputs.get("complaint") is not None or OWED_AS[inputs["owed"]] in asked
    return kind in asked


def _decided(session: SessionState, kind: str, inputs: Data) -> Fact:
    if kind in STEPS:
        return Fact(kind, STEPS[kind][0](session, **inputs))
    if kind in till_cash_and_shifts.STEPS:
        return Fact(kind, till_cash_and_shifts.STEPS[kind][0](session.shifts, **inputs))
    if kind == "source_changed":
        _require_rng(session)
    fact = _due(session, game_flow.decide(session.present_game, kind, **inputs))
    if kind in till_cash_and_shifts.CASH_IN:
        till_cash_and_shifts.require_cash_in_till(session.shifts, kind, fact.data)
    elif "till" in fact.data:
        till_cash_and_shifts.find(session.shifts, fact.data["till"])
    if kind in FURTHER_ISSUES:
        _goes_on(session, fact.data["issue"])
    if kind == "issue_added":
        _may_add(session, fact.data["face"])
    return fact


def _due(session: SessionState, fact: Fact) -> Fact:
    """Return a fact of a game for which all that the session owes has been done."""
    if fact.kind == "ball_announced" and session.extracting:
        return fact
    for require in DUE_WITH.get(fact.kind, ()):
        require(session, fact.data)
    return fact


def _require_rng(session: SessionState) -> None:
    """Refuse to decide a game's source before its draw where the hall does not draw from the RNG.

    Any other source needs nothing before the sale: its fault is answered when it comes (R55).
    Raises Refusal source_open.
    """
    known = session.present_game
    if known.phase in drawing.BEFORE_THE_DRAW and policies.of(session.terms).source != drawing.RNG:
        raise Refusal("source_open")


def _may_add(session: SessionState, face: int) -> None:
    if not session.terms.get("several_prices"):
        raise Refusal("several_prices_not_authorised")
    if "faces" in session.terms:
        authorisations.require_face(face, session.terms["faces"])


def apply_fact(session: SessionState, fact: Fact, *, by: str | None = None) -> SessionState:
    """Return the state after a fact, decided anew from its own inputs; `by` whom, where it is known.

    Raises Refusal: what deciding refuses, fact_disagrees, unknown_fact.
    """
    asked = {name: fact.data[name] for name in inputs(fact.kind) if name in fact.data}
    decided = decide(session, fact.kind, witness=fact.data.get("witness"), by=by, **asked)
    if decided != fact and without_later_fields(decided) != fact:
        raise Refusal("fact_disagrees", kind=fact.kind)
    return after(session, fact)


def after(session: SessionState, fact: Fact) -> SessionState:
    """Return the state after a fact that `decide` has just made of it."""
    if fact.kind in STEPS:
        return STEPS[fact.kind][1](session, fact.data)
    if fact.kind in till_cash_and_shifts.STEPS:
        return replace(
            session, shifts=till_cash_and_shifts.STEPS[fact.kind][1](session.shifts, fact.data)
        )
    return _game_moved(session, fact)


def _game_moved(session: SessionState, fact: Fact) -> SessionState:
    moved = game_flow.apply(session.present_game, fact)
    drawers = session.shifts
    if fact.kind in till_cash_and_shifts.CASH_IN:
        drawers = till_cash_and_shifts.game_cash(drawers, fact.kind, fact.data)
    held = session if _same_money(session.present_game, moved) else _held(session, moved)
    if fact.kind == "ball_announced" and ("ball_set" in fact.data or not session.extracting):
        held = duty_rules.ball_announced(held, fact.data)
    if fact.kind == "game_voided":
        held = session_end_and_totals.voided(held, moved)
    return replace(held, game=moved, shifts=drawers, last_sold=_last(session, moved))


def _last(session: SessionState, moved: GameState) -> tuple[tuple[int, int], ...]:
    """Return the last card taken of each issue; all of a game's may have come back to the stack."""
    last = dict(session.last_sold)
    for run in moved.runs:
        if run.last is not None or run.issue in last:
            last[run.issue] = run.top
    return tuple(sorted(last.items()))


def inputs(kind: str) -> list[str]:
    """Return the names of the inputs that decide a kind of fact. Raises Refusal unknown_fact."""
    if kind not in DECIDERS:
        raise Refusal("unknown_fact", kind=kind)
    parameters = inspect.signature(DECIDERS[kind]).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


def judge(session: SessionState | None, fact: Fact, *, by: str | None = None) -> SessionState:
    """Follow a stranger's fact, such as one read from a file: whatever is wrong is a Refusal."""
    try:
        return begin(fact) if session is None else apply_fact(session, fact, by=by)
    except MALFORMED as error:
        raise Refusal("fact_malformed", kind=fact.kind) from error


def replay(facts: Iterable[Fact]) -> SessionState | None:
    """Return a session's state from its journal, first fact to last; None without facts."""
    session: SessionState | None = None
    for fact in facts:
        session = judge(session, fact)
    return session
