"""Rectifying an acta: a new one that says what was wrong, why, and which one it corrects (R58)."""

from __future__ import annotations

from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.signs import LONGEST_REASON, is_shown

RECTIFIED = "acta_rectified"
LONGEST_CORRECTION = 4000
MOST = 99  # of one session: who needs more has lost the thread


def rectify(
    *, session: int, before: int, digest: str | None, reason: str, what: str
) -> dict[str, Any]:
    """Correct the acta of a session, or its rectification `before`, whose file has that SHA-256.

    `before` is 0 for the acta itself; `digest` is None while it is not sealed. Raises Refusal:
    acta_not_sealed, too_many_rectifications, reason_missing, correction_missing, bad_text.
    """
    if digest is None:
        raise Refusal("acta_not_sealed", session=session)
    if before >= MOST:
        raise Refusal("too_many_rectifications", most=MOST)
    if not reason.strip():
        raise Refusal("reason_missing")
    if not what.strip():
        raise Refusal("correction_missing")
    for text, longest in ((reason, LONGEST_REASON), (what, LONGEST_CORRECTION)):
        if len(text.strip()) > longest or not is_shown(text):
            raise Refusal("bad_text", most=longest)
    return {
        "session": session,
        "rectification": before + 1,
        "rectifies": before,
        "digest": digest,
        "reason": reason.strip(),
        "what": what.strip(),
    }
