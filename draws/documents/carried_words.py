"""What is told of the money that the smallest coin leaves over of prizes (R6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bingo.rules.state import Award


@dataclass(frozen=True, slots=True)
class Carried:
    """Minor units: `brought` from earlier games into a game's fund, and left over of its prizes."""

    brought: int = 0
    to_jackpot: int = 0
    to_fund: int = 0


NOTHING = Carried()


def told(carried: Carried, money: Callable[[int], str]) -> list[str]:
    """Say each part that there is, a sentence for each."""
    said = (
        (_("In the prizes: %(amount)s left over from earlier games"), carried.brought),
        (_("Left over by the smallest coin, into the jackpot: %(amount)s"), carried.to_jackpot),
        (
            _("Left over by the smallest coin, into the next game's prizes: %(amount)s"),
            carried.to_fund,
        ),
    )
    return [template % {"amount": money(amount)} for template, amount in said if amount]


def handed_over(award: Award, money: Callable[[int], str]) -> str:
    """Return what is withheld of a prize and what the player gets, empty where that is all of it."""
    if award.net == award.amount:
        return ""
    said = [_("tax %(amount)s") % {"amount": money(award.tax)}] if award.tax else []
    return " · ".join([*said, _("to hand over %(amount)s") % {"amount": money(award.net)}])
