"""The setup of a new hall: what is asked to open it, and the steps to its first session.

The steps are in order; each says what must be there and whether it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypedDict, Unpack

from bingo.rules import rulebooks, staff
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.texts import is_plain

OPENED = "hall_opened"
# It names the folder of the hall's keys and the address of its boards.
CODE = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?")
LONGEST_NAME, LONGEST_LICENCE = 200, 100  # characters
MOST_TILLS = 20


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to choose from: languages shipped, currencies, time zones.

    `taken` are the codes of other halls; no code is as `reserved`, a regular expression, where that is
    not empty.
    """

    languages: Collection[str]
    currencies: Collection[str]
    time_zones: Collection[str]
    taken: Collection[str] = ()
    reserved: str = ""


class NewHall(TypedDict):
    """What is asked of a new hall; `manager` is the username of its first manager."""

    name: str
    licence: str
    language: str
    currency: str
    time_zone: str
    rulebook: str
    tills: Sequence[str]
    manager: str
    manager_name: str


def open_hall(*, code: str, known: Known, **asked: Unpack[NewHall]) -> Data:
    """Return a hall's first fact.

    Raises Refusal: bad_hall_code, hall_code_taken, bad_hall_name, bad_licence, unknown_language,
    unknown_currency, unknown_time_zone, unknown_rulebook, bad_tills, bad_username, bad_person_name.
    """
    _require_code(code, known)
    if not _is_text(asked["name"], LONGEST_NAME):
        raise Refusal("bad_hall_name", most=LONGEST_NAME)
    if not _is_text(asked["licence"], LONGEST_LICENCE):
        raise Refusal("bad_licence", most=LONGEST_LICENCE)
    staff.require_language(asked["language"], known=known.languages)
    if asked["currency"] not in known.currencies:
        raise Refusal("unknown_currency")
    if asked["time_zone"] not in known.time_zones:
        raise Refusal("unknown_time_zone")
    rulebooks.get(asked["rulebook"])
    tills = asked["tills"]
    if not 0 < len(tills) <= MOST_TILLS or len(set(tills)) != len(tills):
        raise Refusal("bad_tills", most=MOST_TILLS)
    manager = staff.enrol(
        username=asked["manager"], name=asked["manager_name"], roles=[staff.MANAGER],
        language=asked["language"],
    )  # fmt: skip
    told = {name: value for name, value in asked.items() if name != "manager_name"}
    return {**told, "tills": list(tills), "manager": manager}


def unusual_currency(*, currency: str, rulebook: str) -> str | None:
    """Return the currency of a rule book's country where a hall chose another, else None.

    Raises Refusal unknown_rulebook.
    """
    usual = rulebooks.get(rulebook).currency
    return usual if currency != usual else None


def _require_code(code: str, known: Known) -> None:
    reserved = known.reserved and re.fullmatch(known.reserved, code)
    if not CODE.fullmatch(code) or reserved:
        raise Refusal("bad_hall_code")
    if code in known.taken:
        raise Refusal("hall_code_taken", hall=code)


def _is_text(text: str, longest: int) -> bool:
    # As other names on papers: no signs that our typeface does not print, none at the ends.
    return 0 < len(text) <= longest and is_plain(text)


STEPS = (
    "hall", "rulebook", "staff", "factors", "authorisation", "policy", "jackpot", "series", "stock", "balls",
    "approval", "source", "seal", "checkpoints", "board", "check", "roll_call", "session",
)  # fmt: skip
# The step that does what the opening of a session, or of the first sale, is refused for.
ASKED_BY: Mapping[str, str] = MappingProxyType(
    {
        "no_authorisation": "authorisation",
        "jackpot_time_over": "authorisation",
        "jackpot_limits_missing": "authorisation",
        "level_holds_money": "authorisation",
        "link_limits_differ": "authorisation",
        "link_over": "authorisation",
        "link_terms_differ": "authorisation",
        "unknown_link": "authorisation",
        "cash_step_over_prize": "policy",
        "equipment_not_checked": "check",
        "equipment_fails": "check",
        "equipment_failing": "check",
        "equipment_broken": "check",
        "equipment_unseen": "check",
        "equipment_unapproved": "check",
        "no_ball_set_in_use": "balls",
        "ball_set_missing": "balls",
        "ball_set_worn": "balls",
        "ball_set_faulty": "balls",
        "not_approved": "approval",
        "roll_call_missing": "roll_call",
        "roll_call_amiss": "roll_call",
        "rng_not_running": "source",
        "rng_failed": "source",
        "session_end_missing": "session",
        "bad_session_end": "session",
    }
)
# Where balls come from that no machine of the hall holds, and that no camera reads.
RNG, BY_HAND = "rng", "by_hand"


@dataclass(frozen=True, slots=True)
class StepsDone:
    """What a hall has, as its rows tell.

    `missing_roles` nobody has who can log in; `authorised`: one is in force; `jackpot_lacks` minor
    units of the base that it grants; `series`, `issues` made by chance that nobody can repeat,
    `received` ones that were not counted yet, `demonstration` series that anybody can; `source` of balls that the hall has decided on;
    `ball_set`: one is in use, `kept_set`: one is registered and is not; `equipment`: the check stands, or a session has opened on one; `session`: one was opened; `factors`: every manager
    has a second one, where the hall `asks_factors`; `refused`: the codes with which the opening of a
    session, or of its first sale, would be refused now.
    """

    missing_roles: Sequence[str]
    authorised: bool
    policy: bool
    jackpot_lacks: int
    series: bool
    demonstration: bool
    issues: bool
    received: bool
    ball_set: bool
    kept_set: bool
    source: str
    camera: bool
    seal: bool
    checkpoints: bool
    board: bool
    equipment: bool
    session: bool
    factors: bool = True
    asks_factors: bool = True
    refused: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step, and whether it is done; `why` says what is particular about it, if anything."""

    name: str
    done: bool
    why: str = ""


def first_steps(found: StepsDone) -> tuple[SetupStep, ...]:
    """Return every step in order. Nothing is ticked: what is gone again is to be done again.

    What a session or its first sale is refused for keeps its step from being done; a refusal that
    no step is named for keeps the last one.
    """
    asked = {ASKED_BY.get(code, STEPS[-1]) for code in found.refused}
    return tuple(replace(step, done=step.done and step.name not in asked) for step in _steps(found))


def _steps(found: StepsDone) -> tuple[SetupStep, ...]:
    return (
        SetupStep("hall", True),
        SetupStep("rulebook", True),
        SetupStep("staff", not found.missing_roles),
        SetupStep("factors", found.factors, "" if found.asks_factors else "waived"),
        SetupStep("authorisation", found.authorised),
        SetupStep("policy", found.policy),
        SetupStep("jackpot", not found.jackpot_lacks, "" if found.jackpot_lacks else "whole"),
        SetupStep("series", found.series, "demonstration" if found.demonstration else ""),
        SetupStep("stock", found.issues, "received" if found.received and not found.issues else ""),
        _balls(found),
        _of_the_set(found, "approval"),
        _source(found),
        SetupStep("seal", found.seal),
        SetupStep("checkpoints", found.checkpoints),
        SetupStep("board", found.board),
        SetupStep("check", found.equipment),
        _of_the_set(found, "roll_call"),
        SetupStep("session", found.session),
    )


def _balls(found: StepsDone) -> SetupStep:
    if found.source == RNG and not found.ball_set:
        return SetupStep("balls", True, RNG)
    return SetupStep(
        "balls", found.ball_set, "kept" if found.kept_set and not found.ball_set else ""
    )


def _of_the_set(found: StepsDone, name: str) -> SetupStep:
    """Return a step that is about the set in use: without one it cannot be done yet."""
    if found.source == RNG and not found.ball_set:
        return SetupStep(name, True, RNG)
    return SetupStep(name, found.ball_set)


def _source(found: StepsDone) -> SetupStep:
    """Return whether balls come from somewhere: no camera is an answer, but one that was given."""
    if found.source in (RNG, BY_HAND):
        return SetupStep("source", True, found.source)
    return SetupStep("source", found.camera)


def next_step(found: Sequence[SetupStep]) -> SetupStep | None:
    """Return the next step, None where all are done."""
    return next((step for step in found if not step.done), None)
