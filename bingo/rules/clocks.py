"""What a system's clock says of itself, and when the journal is told (R58)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bingo.rules.refusal import Refusal

READ = "clock_read"
STEP = 500_000  # microseconds: a smaller one is the noise of two readings, or no matter
TOO_FAR = 1_000_000  # microseconds of error from which on the hours may be wrong by a second


@dataclass(frozen=True, slots=True)
class Reading:
    """The clock at one moment; microseconds.

    `synchronised` is None where the system does not tell; `error` is then None too. `boot` names
    the system's run, `began` the hour at which its uninterrupted count of time was nought, so that
    it moves only when somebody sets the clock.
    """

    synchronised: bool | None
    error: int | None
    boot: str
    began: int

    @property
    def exact(self) -> bool:
        """Whether the system vouches for the hour to a second."""
        return bool(self.synchronised) and self.error is not None and self.error < TOO_FAR


def told(before: Reading | None, now: Reading) -> dict[str, Any] | None:
    """Give what the journal is told of a reading, or None where it says nothing new.

    `before` is the last reading of the session that was told: a session's first one always is.
    `step` is by how much the clock was set forward (or, below nought, back) since.
    """
    step = now.began - before.began if before and before.boot == now.boot else 0
    same = before is not None and (before.boot, before.synchronised, before.exact) == (
        now.boot, now.synchronised, now.exact,
    )  # fmt: skip
    if same and abs(step) < STEP:
        return None
    data: dict[str, Any] = {
        "synchronised": now.synchronised,
        "error": now.error,
        "boot": now.boot,
        "began": now.began,
    }
    return data | {"step": step} if abs(step) >= STEP else data


def read(data: Mapping[str, Any]) -> Reading:
    """Give the reading that an entry tells. Raises Refusal fact_disagrees."""
    error, synchronised = data["error"], data["synchronised"]
    right = (
        (error is None or (type(error) is int and error >= 0))
        and (synchronised is None or type(synchronised) is bool)
        and type(data["boot"]) is str
        and type(data["began"]) is int
    )
    if not right:
        raise Refusal("fact_disagrees", kind=READ)
    return Reading(synchronised, error, data["boot"], data["began"])
