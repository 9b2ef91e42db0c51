"""From a new hall to its first session: what must be there, in order, and what is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STEPS = (
    "hall", "rulebook", "staff", "authorisation", "policy", "jackpot", "series", "stock", "balls",
    "source", "seal", "checkpoints", "board", "check", "session",
)  # fmt: skip
# Where balls come from that no machine of the hall holds, and that no camera reads.
RNG, BY_HAND = "rng", "by_hand"


@dataclass(frozen=True, slots=True)
class Found:
    """What a hall has, as its rows tell.

    `missing_roles` nobody has who can log in; `authorised`: one is in force; `jackpot_lacks` minor
    units of the base that it grants; `series`, `issues` made by chance that nobody can repeat,
    `received` ones that were not counted yet, `demonstration` series that anybody can; `source` of balls that the hall has decided on;
    `ball_set`: one is in use, `kept_set`: one is registered and is not; `equipment`: the check stands, or a session has opened on one; `session`: one was opened.
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


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and whether it is done; `why` says what is particular about it, if anything."""

    name: str
    done: bool
    why: str = ""


def steps(found: Found) -> tuple[Step, ...]:
    """Give every step in order. Nothing is ticked: what is gone again is to be done again."""
    return (
        Step("hall", True),
        Step("rulebook", True),
        Step("staff", not found.missing_roles),
        Step("authorisation", found.authorised),
        Step("policy", found.policy),
        Step("jackpot", not found.jackpot_lacks, "" if found.jackpot_lacks else "whole"),
        Step("series", found.series, "demonstration" if found.demonstration else ""),
        Step("stock", found.issues, "received" if found.received and not found.issues else ""),
        _balls(found),
        _source(found),
        Step("seal", found.seal),
        Step("checkpoints", found.checkpoints),
        Step("board", found.board),
        Step("check", found.equipment),
        Step("session", found.session),
    )


def _balls(found: Found) -> Step:
    if found.source == RNG and not found.ball_set:
        return Step("balls", True, RNG)
    return Step("balls", found.ball_set, "kept" if found.kept_set and not found.ball_set else "")


def _source(found: Found) -> Step:
    """Tell whether balls come from somewhere: no camera is an answer, but one that was given."""
    if found.source in (RNG, BY_HAND):
        return Step("source", True, found.source)
    return Step("source", found.camera)


def following(found: Sequence[Step]) -> Step | None:
    """Give the next step, None where all are done."""
    return next((step for step in found if not step.done), None)
