"""What the regulator says of a sealed acta, and what the hall answers (R59, R61)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.signs import LONGEST_REASON, is_record

Data = dict[str, Any]


def acknowledge(*, session: int, acta: str, known: Collection[str]) -> Data:
    """Acknowledge the acta of a session by its digest; `known` are those acknowledged before.

    Raises Refusal acta_acknowledged_already.
    """
    if acta in known:
        raise Refusal("acta_acknowledged_already", session=session)
    return {"session": session, "acta": acta}


def remark(*, session: int, acta: str, text: str) -> Data:
    """Remark on the acta of a session. Raises Refusal: text_missing, bad_text."""
    return {"session": session, "acta": acta, "text": _said(text)}


def answer(
    *,
    session: int,
    remark: int,
    text: str,
    remarks: Collection[int],
    answered: Collection[int],
) -> Data:
    """Answer a remark by the number of its entry, once; `remarks` are those on the session's acta.

    Raises Refusal: unknown_remark, remark_answered_already, text_missing, bad_text.
    """
    if remark not in remarks:
        raise Refusal("unknown_remark")
    if remark in answered:
        raise Refusal("remark_answered_already")
    return {"session": session, "remark": remark, "text": _said(text)}


def _said(text: str) -> str:
    said = text.strip()
    if not said:
        raise Refusal("text_missing")
    if not is_record(said):
        raise Refusal("bad_text", most=LONGEST_REASON)
    return said
