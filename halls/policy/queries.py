"""What a hall has decided for itself: what holds now, and every decision before.

The words of what a hall decides for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

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


def policy_named(four_eyes: tuple[str, ...]) -> list[Text]:
    """Name what needs a second person."""
    return [FOUR_EYES.get(kind, kind) for kind in four_eyes] or [NOBODY_ELSE]


def describe_policy(data: Mapping[str, Any], money: Callable[[int], str]) -> str:
    """Tell in a line what was decided."""
    policy = rules.of({"policy": data})
    said = [_difference(policy, money), _count(policy), *_of_payments(policy, money)]
    return " · ".join([*said, *_others(policy)])


def _difference(policy: HallPolicy, money: Callable[[int], str]) -> str:
    if not policy.difference_limit:
        return gettext("every difference has a reason")
    values = {"limit": money(policy.difference_limit)}
    return gettext("a difference above %(limit)s has a reason") % values


def _count(policy: HallPolicy) -> str:
    if policy.blind_count:
        return gettext("tills are counted blind")
    return gettext("the count is shown what is due")


def _of_payments(policy: HallPolicy, money: Callable[[int], str]) -> list[str]:
    """Tell from which prize on two persons pay, and the smallest coin, where the hall has said it."""
    told = []
    if policy.payment_limit:
        values = {"limit": money(policy.payment_limit)}
        told.append(gettext("prizes above %(limit)s are paid by two persons") % values)
    if policy.cash_step != rules.DEFAULT.cash_step:
        step = {"step": money(policy.cash_step)}
        told.append(gettext("prizes are shared in coins of %(step)s") % step)
    return told


def _others(policy: HallPolicy) -> list[str]:
    kinds = ", ".join(str(name) for name in policy_named(policy.four_eyes))
    receipts = RECEIPTS.get(policy.receipts, policy.receipts)
    return [
        gettext("second person: %(kinds)s") % {"kinds": kinds},
        gettext("receipts: %(receipts)s") % {"receipts": receipts},
        gettext("stock short below %(cards)s") % {"cards": policy.low_stock},
        *_of_the_draw(policy),
        *_of_checkpoints(policy),
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
    if policy.patience != rules.DEFAULT.patience:
        told.append(_patience(policy.patience))
    if policy.picture_days != rules.DEFAULT.picture_days:
        kept = ngettext(
            "pictures of balls kept %(n)s day", "pictures of balls kept %(n)s days",
            policy.picture_days,
        )  # fmt: skip
        told.append(kept % {"n": policy.picture_days})
    return told


def _patience(seconds: int) -> str:
    if not seconds:
        return gettext("a missing ball is not told")
    return gettext("a ball is missed after %(n)s s") % {"n": seconds}
