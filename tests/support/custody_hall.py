"""A hall whose cards have been played with: sessions ended, actas sealed, days gone by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from draws.custody import services as custody_services
from draws.games import services as games_services
from draws.models import Acta, Case, Issue, Rectification, UsedDestruction
from draws.prizes import services as prizes_services
from draws.record import rectifications, sealing
from halls.models import JournalEntry, Role, Session
from tests.support.evening import Evening
from tests.support.session_ends import ended

KEYS = TemporaryDirectory(prefix="bingo-keys-")
WINNER = 1  # of cards 1 to 6, which were sold
NINTH = 9  # days after it was paid


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    """Let what is done now have been done some days ago."""
    now = timezone.now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now() - timedelta(days=days))
        yield


def after(days: float) -> datetime:
    """Return a moment some days from now."""
    return timezone.now() + timedelta(days=days)


def kept() -> Evening:
    """Return a hall with a game whose used cards are destroyed, and whose winning card a case keeps."""
    evening = Evening()
    session = over(evening)
    manager = evening.who(Role.HALL_MANAGER)
    open_case(evening, manager, cards=[card(evening, 5)])
    destroy_used(evening, manager, cards=4)
    sealed(session)
    hand_over(evening, manager, number=5)
    return evening


def card(evening: Evening, number: int = WINNER) -> tuple[int, int]:
    """Return a card of the hall's first issue."""
    return (evening.issue().pk, number)


def completed(evening: Evening) -> Evening:
    """Play one game to its end: its winner is paid, its entry complete."""
    evening.reach("paying")
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=WINNER, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return evening


def over(evening: Evening) -> Session:
    """Play one game to its end, and end the session."""
    completed(evening)
    return ended(evening)


def sealed(session: Session) -> Acta:
    """Seal its acta, with a key that is kept for the tests of this run."""
    with override_settings(KEYS_DIR=Path(KEYS.name)):
        return sealing.seal_acta(session=session, at=timezone.now())


class Later(Evening):
    """The next evening of a hall, on which cards of its second issue are sold."""

    def issue(self, number: int = 1) -> Issue:
        """Return the second issue for the first."""
        return super().issue(3 - number)


def destroy_used(
    evening: Evening, who: dict[str, Any], *, cards: int = 5, **named: Any
) -> UsedDestruction:
    """Destroy the five cards that won nothing."""
    return custody_services.destroy_used(game=evening.game, cards=cards, **named, **who)


def open_case(
    evening: Evening, who: dict[str, Any], *, reference: str = "12/2026", cards: Any = ()
) -> Case:
    """Open a case about the game."""
    return custody_services.open_case(
        game=evening.game, reference=reference, reason="Queixa", cards=cards, **who
    )


def close_case(evening: Evening, who: dict[str, Any], *, outcome: str = "Arquivado") -> Case:
    """Close the last case."""
    case = Case.objects.filter(hall=evening.hall).latest("number")
    return custody_services.close_case(case=case, outcome=outcome, **who)


def hand_over(
    evening: Evening, who: dict[str, Any], *, to: str = "IGJ", number: int = WINNER
) -> Any:
    """Hand a card of the last case over."""
    case = Case.objects.filter(hall=evening.hall).latest("number")
    return custody_services.hand_over(case=case, cards=[card(evening, number)], to=to, **who)


def destroy(
    evening: Evening, who: dict[str, Any], *, cards: Any = None, witness: Any = "chief"
) -> JournalEntry:
    """Destroy kept cards before the table chief."""
    second = evening.person(Role.TABLE_CHIEF) if witness == "chief" else witness
    asked = [card(evening)] if cards is None else cards
    return custody_services.destroy(hall=evening.hall, cards=asked, witness=second, **who)


def destroy_aside(evening: Evening, who: dict[str, Any], *, last: int = 6) -> JournalEntry:
    """Destroy the used cards that were set aside, from 5 on."""
    cards = [card(evening, number) for number in range(5, last + 1)]
    return destroy(evening, who, cards=cards)


def set_aside_and_free(evening: Evening) -> None:
    """Set cards 5 and 6 aside for a case that is closed, and end the session."""
    completed(evening)
    manager = evening.who(Role.HALL_MANAGER)
    open_case(evening, manager, cards=[card(evening, 5), card(evening, 6)])
    close_case(evening, manager)
    ended(evening)


def sealed_away(evening: Evening) -> None:
    """Play, end the session and seal its acta."""
    sealed(over(evening))


def rectify(
    evening: Evening, who: dict[str, Any], *, what: str = "Onde se lê 5, leia-se 6."
) -> Rectification:
    """Say before the table chief what is wrong in the acta."""
    return rectifications.rectify(
        session=Session.objects.get(hall=evening.hall, number=1),
        reason="Erro de contagem",
        what=what,
        witness=evening.person(Role.TABLE_CHIEF),
        **who,
    )


def with_case(evening: Evening) -> None:
    """Open a case about the session's game, and seal its acta."""
    session = over(evening)
    open_case(evening, evening.who(Role.HALL_MANAGER))
    sealed(session)
