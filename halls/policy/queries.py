"""Read a hall's policy: what it decides for itself now, every decision before, and its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from bingo import writing
from bingo.rules import policies as rules
from bingo.rules.policies import HallPolicy
from halls.models import Hall
from halls.models import Policy as models_Policy


def in_force(hall: Hall) -> rules.HallPolicy:
    """Return the newest policy of a hall, or the defaults; the next session opens with it."""
    return rules.of({"policy": decided(hall)})


def decided(hall: Hall) -> dict[str, Any] | None:
    """Return the newest policy as the journal has it; None when the hall has set none."""
    newest = history(hall).first()
    return newest.entry.data if newest else None


def history(hall: Hall) -> QuerySet[models_Policy]:
    """Return every policy of a hall with its entry, newest first."""
    found = models_Policy.objects.filter(hall=hall).select_related("entry__by", "entry__hall")
    return found.order_by("-entry__number")


Text = Promise | str

# What needs a second person, as the form and the record name it.
FOUR_EYES: Mapping[str, Text] = {
    "cash_moved": _("Bringing cash to a till or taking it away"),
    "shift_closed": _("Closing a till"),
    "cards_refunded": _("Refunding cards"),
    "game_voided": _("Voiding a game"),
    "cards_written_off": _("Writing cards off"),
    "second_issue_opened": _("Putting a second issue on sale"),
    "prize_paid": _("Paying a prize"),
    "equipment_waived": _("Opening a session although equipment fails"),
    "complaint_decided": _("Deciding a complaint"),
    "jackpot_funded": _("Putting a base into the jackpot"),
    "jackpot_moved": _("Moving the jackpot"),
    "jackpot_ended": _("Ending the jackpot"),
    "link_funded": _("Putting a base into a jackpot of several halls"),
    "link_moved": _("Moving a jackpot of several halls"),
    "link_ended": _("Ending a jackpot of several halls"),
    "retention_set": _("Setting how long things are kept"),
    "staff_changed": _("Changing the staff"),
    "sale_taken_back": _("Taking a sale back"),
}

RECEIPTS: Mapping[str, Text] = {
    "none": _("No receipt"),
    "shown": _("Shown on the till's page"),
    "printed": _("Printed at the till"),
}

SOURCES: Mapping[str, Text] = {
    "": _("Decided by each game's first ball"),
    "rng": _("RNG"),
    "camera": _("Camera"),
    "by_hand": _("By hand"),
}

NOBODY_ELSE = _("for nothing")


@dataclass(frozen=True, slots=True)
class NumberWords:
    """How a number of the policy is called, and said: on its page in full, in the record in brief.

    `part` is the part of the page that it stands in; `hint` may name its `least` and `most`; `full`
    and `short` name its value `n`, and have other words where it is 0.
    """

    part: str
    label: Text
    hint: Text
    full: Text
    short: Text
    full_of_none: Text = ""
    short_of_none: Text = ""

    def brief(self, value: int) -> str:
        """Return the words of the record for a value."""
        return str((not value and self.short_of_none) or self.short)


# Those that the page of the policy sets by a number typed, in their order there.
NUMBERS: Mapping[str, NumberWords] = {
    "difference_limit": NumberWords(
        part="tills",
        label=_("Difference without a reason"),
        hint=_("A count that differs by more needs a reason. 0: every difference needs one."),
        full=_(
            "A count may differ from what is due by up to %(n)s without a reason; above that the reason is written down."
        ),
        full_of_none=_("Whenever a count differs from what is due, the reason is written down."),
        short=_("a difference above %(n)s has a reason"),
        short_of_none=_("every difference has a reason"),
    ),
    "payment_limit": NumberWords(
        part="second",
        label=_("Prizes paid by one person up to"),
        hint=_(
            "What a player receives above it is paid before a second person. 0: no amount asks for one."
        ),
        full=_(
            "A prize of which the player receives more than %(n)s is paid before a second person."
        ),
        full_of_none=_("No amount of a prize asks for a second person."),
        short=_("prizes above %(n)s are paid by two persons"),
        short_of_none=_("no amount of a prize asks for two persons"),
    ),
    "cash_step": NumberWords(
        part="prizes",
        label=_("Smallest coin that prizes are paid in"),
        hint=_(
            "Prizes are shared in whole coins (R6). What is left over stays the players': it goes into the jackpot, or without one into the next game's prizes."
        ),
        full=_(
            "Prizes are shared in coins of %(n)s; what is left over goes into the jackpot, or without one into the next game's prizes (R6)."
        ),
        short=_("prizes are shared in coins of %(n)s"),
    ),
    "low_stock": NumberWords(
        part="stock",
        label=_("Stock is short below"),
        hint=_("When fewer cards than this are left to sell, the pages say so."),
        full=_("Stock is short below %(n)s cards."),
        short=_("stock short below %(n)s"),
    ),
    "patience": NumberWords(
        part="draw",
        label=_("Camera: seconds without a ball until the caller is told"),
        hint=_("%(least)s to %(most)s seconds, or 0: the caller is never told."),
        full=_("The caller is told when the camera has seen no ball for %(n)s seconds."),
        full_of_none=_("The caller is not told of a missing ball."),
        short=_("a ball is missed after %(n)s s"),
        short_of_none=_("a missing ball is not told"),
    ),
}


def says(name: str, value: int, hall: Hall) -> str:
    """Return the sentence that says what a number means in a hall."""
    words = NUMBERS[name]
    shown: object = value
    if rules.NUMBERS[name].money:
        language = get_language() or "pt"
        shown = writing.amounts_text(value, currency=hall.written_currency, language=language)
    return str((not value and words.full_of_none) or words.full) % {"n": shown}


def policy_named(four_eyes: tuple[str, ...]) -> list[Text]:
    """Name what needs a second person."""
    return [FOUR_EYES.get(kind, kind) for kind in four_eyes] or [NOBODY_ELSE]


def describe_policy(data: Mapping[str, Any], money: Callable[[int], str]) -> str:
    """Tell in a line what was decided."""
    policy = rules.of({"policy": data})
    return " · ".join([*_decided_numbers(policy, money), _count(policy), *_others(policy)])


def _count(policy: HallPolicy) -> str:
    if policy.blind_count:
        return gettext("tills are counted blind")
    return gettext("the count is shown what is due")


def _decided_numbers(policy: HallPolicy, money: Callable[[int], str]) -> list[str]:
    """Tell the numbers that a line of the record names: those always told, and those decided."""
    usual = rules.DEFAULT
    told = []
    for name, words in NUMBERS.items():
        value = getattr(policy, name)
        if name in rules.ALWAYS or value != getattr(usual, name):
            shown = money(value) if rules.NUMBERS[name].money else value
            told.append(words.brief(value) % {"n": shown})
    return told


def _others(policy: HallPolicy) -> list[str]:
    kinds = ", ".join(str(name) for name in policy_named(policy.four_eyes))
    receipts = RECEIPTS.get(policy.receipts, policy.receipts)
    return [
        gettext("second person: %(kinds)s") % {"kinds": kinds},
        gettext("receipts: %(receipts)s") % {"receipts": receipts},
        *_of_the_draw(policy),
        *_of_checkpoints(policy),
        *([gettext("money written as 200$00")] if policy.escudo_sign else []),
        *(f"{till}: {printer}" for till, printer in sorted(policy.printers.items())),
    ]


def _of_checkpoints(policy: HallPolicy) -> list[str]:
    if not policy.checkpoint_till:
        return []
    return [gettext("checkpoints printed: %(till)s") % {"till": policy.checkpoint_till}]


def _of_the_draw(policy: HallPolicy) -> list[str]:
    """Tell what was decided of the draw, where it was."""
    told = []
    if policy.source:
        source = SOURCES.get(policy.source, policy.source)
        told.append(gettext("balls: %(source)s") % {"source": source})
    if policy.automatic:
        sure = number_format(policy.automatic / 10, 1)
        told.append(gettext("announced by itself from %(sure)s %% on") % {"sure": sure})
    if policy.interval:
        told.append(gettext("%(n)s s between balls of the RNG") % {"n": policy.interval})
    if policy.picture_days != rules.DEFAULT.picture_days:
        kept = ngettext(
            "pictures of balls kept %(n)s day", "pictures of balls kept %(n)s days",
            policy.picture_days,
        )  # fmt: skip
        told.append(kept % {"n": policy.picture_days})
    return told
