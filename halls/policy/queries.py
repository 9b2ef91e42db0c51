"""Read a hall's policy: what it decides for itself now, every decision before, and its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from bingo import money_and_dates
from bingo.money_and_dates import Whole
from bingo.rules import journal_json_and_chain, setup
from bingo.rules import policies as rules
from bingo.rules.policies import HallPolicy
from halls.journal import head
from halls.models import Hall, JournalEntry, Session
from halls.models import Policy as models_Policy


def in_force(hall: Hall, at: datetime) -> rules.HallPolicy:
    """Return what a hall has decided and holds at a moment, or the defaults; a session opens with it."""
    return rules.of({"policy": decided(hall, at)})


def printers(hall: Hall) -> Mapping[str, str]:
    """Return the "host:port" of each till's printer: what is set holds at once, also in a session."""
    return in_force(hall, timezone.now()).printers


def decided(hall: Hall, at: datetime) -> dict[str, Any] | None:
    """Return what holds at a moment as the journal has it; None when the hall has decided nothing.

    No moment is before the last entry: by the time that an entry bears it is judged.
    """
    return rules.holding(newest(hall), head.stamp(at, hall.head_at))


def newest(hall: Hall) -> dict[str, Any] | None:
    """Return the newest policy with what waits of it: set, or what the hall was opened with."""
    found = history(hall).first()
    if found is not None:
        data: dict[str, Any] = found.entry.data
        return data
    opening = JournalEntry.objects.filter(hall=hall, number=1, kind=setup.OPENED)
    return opening.values_list("data__policy", flat=True).first()


def newest_number(hall: Hall) -> int:
    """Return the number of the entry that set the newest policy, 0 before the first."""
    return history(hall).values_list("entry__number", flat=True).first() or 0


def waiting(hall: Hall, at: datetime) -> dict[str, Any] | None:
    """Return what will protect less and waits yet, None where nothing does."""
    return rules.waiting(newest(hall), at)


def settled(hall: Hall) -> bool:
    """Return whether a hall has opened its first session: until then it is being set up."""
    return Session.objects.filter(hall=hall).exists()


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
    "policy_set": _("Changing these rules"),
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
        full=_("Stock is short when fewer cards than %(n)s are left."),
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
    shown: object = Whole(value)
    if rules.NUMBERS[name].money:
        language = get_language() or "pt"
        shown = money_and_dates.amounts_text(
            value, currency=hall.written_currency, language=language
        )
    return str((not value and words.full_of_none) or words.full) % {"n": shown}


def policy_named(four_eyes: tuple[str, ...]) -> list[Text]:
    """Name what needs a second person."""
    return [FOUR_EYES.get(kind, kind) for kind in four_eyes] or [NOBODY_ELSE]


def describe_policy(data: Mapping[str, Any], money: Callable[[int], str]) -> str:
    """Tell in a line what was decided."""
    policy = rules.of({"policy": rules.values(dict(data))})
    told = [*_decided_numbers(policy, money), _count(policy), *_others(policy)]
    if "withdraws" in data:
        told.append(gettext("what waited is withdrawn"))
    if "later" in data:
        changes = " · ".join(told_later(data, money))
        told.append(
            gettext("from %(moment)s on: %(changes)s")
            % {
                "moment": _written(journal_json_and_chain.read_moment(data["later"]["from"])),
                "changes": changes,
            }
        )
    return " · ".join(told)


def _written(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT")


def told_later(data: Mapping[str, Any], money: Callable[[int], str]) -> list[str]:
    """Tell what will protect less, of a policy of which something waits."""
    before = rules.of({"policy": rules.values(dict(data))})
    after = replace(before, **data["later"]["policy"])
    return [_looser(name, before, after, money) for name in rules.loosened(before, after)]


def _looser(name: str, before: HallPolicy, after: HallPolicy, money: Callable[[int], str]) -> str:
    if words := NUMBERS.get(name):
        value = getattr(after, name)
        shown = money(value) if rules.NUMBERS[name].money else Whole(value)
        return words.brief(value) % {"n": shown}
    match name:
        case "four_eyes":
            fewer = [kind for kind in before.four_eyes if kind not in after.four_eyes]
            kinds = ", ".join(str(FOUR_EYES.get(kind, kind)) for kind in fewer)
            return gettext("no second person any more: %(kinds)s") % {"kinds": kinds}
        case "blind_count":
            return _count(after)
        case "receipts":
            return gettext("receipts: %(receipts)s") % {"receipts": RECEIPTS[after.receipts]}
        case "checkpoint_till":
            return "".join(_of_checkpoints(after)) or gettext("checkpoints are printed no more")
        case "picture_days":
            return _pictures(after)
        case "interval":
            return gettext("%(n)s s between balls of the RNG") % {
                "n": after.interval or rules.INTERVAL
            }
    return " · ".join(_of_the_draw(replace(rules.DEFAULT, **{name: getattr(after, name)})))


@dataclass(frozen=True, slots=True)
class Waiting:
    """What will protect less from a moment on, in the reader's words."""

    since: datetime
    told: list[str]


def says_waiting(hall: Hall, at: datetime) -> Waiting | None:
    """Return what waits of a hall's policy, None where nothing does."""
    data = newest(hall)
    later = rules.waiting(data, at)
    if data is None or later is None:
        return None
    language = get_language() or "pt"
    money = partial(_money, hall.written_currency, language)
    return Waiting(journal_json_and_chain.read_moment(later["from"]), told_later(data, money))


def _money(currency: str, language: str, amount: int) -> str:
    return money_and_dates.amounts_text(amount, currency=currency, language=language)


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
            shown = money(value) if rules.NUMBERS[name].money else Whole(value)
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
        told.append(_pictures(policy))
    return told


def _pictures(policy: HallPolicy) -> str:
    kept = ngettext(
        "pictures of balls kept %(n)s day", "pictures of balls kept %(n)s days", policy.picture_days
    )
    return kept % {"n": Whole(policy.picture_days)}
