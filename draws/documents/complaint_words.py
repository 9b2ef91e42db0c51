"""What is said of complaints: in the record, on the page, in the acta and on the player's slip (R61 j)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo.rules.complaints import REJECTED, UPHELD, WITHDRAWN
from draws.documents.sale_facts import Data, Money

DECISIONS: Mapping[str, Promise | str] = {
    UPHELD: _("Upheld"),
    REJECTED: _("Rejected"),
    WITHDRAWN: _("Withdrawn by the player"),
}


def about(complaint: Any) -> str:
    """Name a complaint (a row) by its number, ball and card: "complaint 2 · ball 12 · card A 7 · 5"."""
    card = f"{complaint.issue} · {complaint.card}" if complaint.card is not None else None
    return _told(complaint.number, complaint.ball, card)


def _told(number: int, ball: int | None, card: object) -> str:
    told = [_now("complaint %(number)s") % {"number": number}]
    if ball is not None:
        told.append(_now("ball no. %(place)s") % {"place": ball})
    if card is not None:
        told.append(_now("card %(card)s") % {"card": card})
    return " · ".join(told)


def _opened(data: Data, _money: Money) -> str:
    return f"{_told(data['complaint'], data['ball'], data['card'])}: {data['text']}"


def _decided(data: Data, _money: Money) -> str:
    named = {"number": data["complaint"], "session": data["session"]}
    told = _now("complaint %(number)s of session %(session)s") % named
    return f"{told} · {DECISIONS[data['decision']]}: {data['text']}"


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "complaint_opened": _opened,
    "complaint_decided": _decided,
}
