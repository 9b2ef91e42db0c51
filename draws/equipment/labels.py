"""The words of balls, equipment and the RNG: kinds, faults, remedies, journal entries.

Journal entries are those of R20-R26, R32, R61 k, l.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from bingo import catalogues
from bingo.money_and_dates import Whole
from bingo.rules.approvals_and_roll_calls_due import APPROVAL, CLOSING
from draws.sales.labels import Data, Money
from halls.equipment.approvals_and_roll_calls_due import Due

Text = Promise | str
_WORDS = catalogues.words_beside(__file__)

WELL = _("The RNG answers, and its self-test is passed")

# What is wrong, and what to do now.
FAULTS: Mapping[str, tuple[Text, Text]] = {
    "rng_not_running": (
        _("The RNG does not answer"),
        _(
            "It is started again by itself within seconds, and this page follows. If it does not come back, have the hall's computer looked at, and draw by camera or by hand."
        ),
    ),
    "rng_failed": (
        _("The RNG has failed its self-test"),
        _(
            "It draws no ball until it is started again. Have it looked at, and draw by camera or by hand until then."
        ),
    ),
}


def rng_fault(code: str) -> Text:
    """Say how the RNG is, by the code of its fault, empty where it has none."""
    return FAULTS[code][0] if code in FAULTS else (code or WELL)


def rng_remedy(code: str) -> Text:
    """Say what to do about a fault; nothing where there is none."""
    return FAULTS[code][1] if code in FAULTS else ""


UNAPPROVED = "unapproved"  # as a check notes a device without an approval

DEVICES: Mapping[str, Text] = _WORDS["devices"]

# What is looked at where the hall has registered nothing of the kind.
ITEMS: Mapping[str, Text] = {
    **DEVICES,
    "extractor": _("Extractor of the balls"),
    "screen": _("Screens for the players"),
    "board": _("Boards of numbers and prices"),
    "rng": _("Random number generator: its own test"),
    "printer": _("Printers"),
}

STANDINGS: Mapping[str, Text] = _WORDS["standings"]
MOMENTS: Mapping[str, Text] = _WORDS["moments"]
READERS: Mapping[str, Text] = _WORDS["readers"]
# What two persons may leave out of a session, by what it is about.
DUTIES: Mapping[str, Text] = _WORDS["duties"]
# What is due and how it is done.
DUE: Mapping[str, Text] = _WORDS["due"]

FOUND: Mapping[bool | None, Text] = {
    True: _("Works"),
    False: _("Fails"),
    None: _("Not in this hall"),
}


def equipment_item(kind: str, name: str) -> str:
    """Name one item of a check."""
    if kind == "ball_set":
        return gettext("Ball set %(ball_set)s: every ball there and sound") % {"ball_set": name}
    return name or str(ITEMS.get(kind, kind))


def left_out(duty: str, subject: str) -> str:
    """Name what was left out of a session."""
    return str(DUTIES[duty]) % {"subject": subject}


def equipment_due(duty: str, subject: str) -> str:
    """Say what is due and how it is done."""
    return str(DUE[duty]) % {"subject": subject}


def due_url(one: Due) -> str:
    """Return the page, and the place on it, where a duty is done."""
    if one.ball_set is None:
        return f"{reverse('equipment')}#sets"
    if one.duty == APPROVAL and one.subject != one.ball_set.serial:
        return f"{reverse('equipment')}#approval-form"
    moment = "closing" if one.duty == CLOSING else "opening"
    place = "#approval-form" if one.duty == APPROVAL else f"?when={moment}#call-form"
    return reverse("equipment-set", args=[one.ball_set.pk]) + place


def due_amiss(one: Due) -> str:
    """Say what the newest roll call found wrong, empty where it found nothing."""
    told = []
    if one.missing:
        told.append(gettext("missing: %(numbers)s") % {"numbers": equipment_numbers(one.missing)})
    if one.foreign:
        numbers = equipment_numbers(one.foreign)
        told.append(gettext("of another set: %(numbers)s") % {"numbers": numbers})
    return "; ".join(told)


def note_equipment(text: str) -> str:
    """Say what is wrong with an item; what somebody wrote stays as it is."""
    if text == UNAPPROVED:
        return gettext("no approval in force")
    return str(FAULTS[text][0]) if text in FAULTS else text


def equipment_numbers(found: Iterable[int]) -> str:
    """Write numbers one after the other."""
    return ", ".join(str(number) for number in found)


def _set_registered(data: Data, _money: Money) -> str:
    told = [data["ball_set"], str(data["format"]), data["maker"], data["model"], data["approval"]]
    if games := data["games"]:
        told.append(
            ngettext("%(n)s game before", "%(n)s games before", games) % {"n": Whole(games)}
        )
    return _joined(told)


def _set_used(data: Data, _money: Money) -> str:
    told = [data["ball_set"], data["extractor"]]
    if data["replaced"]:
        told.append(gettext("in the place of %(ball_set)s") % {"ball_set": data["replaced"]})
    return _joined(told)


def _ball_replaced(data: Data, _money: Money) -> str:
    told = [
        data["ball_set"],
        gettext("ball %(number)s") % {"number": data["number"]},
        data["reason"],
    ]
    if data["old"] or data["new"]:
        told.append(f"{data['old'] or '?'} → {data['new'] or '?'}")
    return _joined(told)


def _inspected(data: Data, _money: Money) -> str:
    found = gettext("fit for use") if data["fit"] else gettext("not fit for use")
    return _joined([data["ball_set"], found, data["note"]])


def _called(data: Data, _money: Money) -> str:
    seen = len(data["seen"])
    told = [
        data["ball_set"],
        str(MOMENTS[data["when"]]),
        str(READERS[data["source"]]),
        ngettext("%(n)s ball seen", "%(n)s balls seen", seen) % {"n": Whole(seen)},
    ]
    if data["missing"]:
        told.append(
            gettext("missing: %(numbers)s") % {"numbers": equipment_numbers(data["missing"])}
        )
    if data["foreign"]:
        told.append(
            gettext("of another set: %(numbers)s") % {"numbers": equipment_numbers(data["foreign"])}
        )
    return _joined(told)


def _checked(data: Data, _money: Money) -> str:
    failed = [one for one in data["items"] if one["ok"] is False]
    if not failed:
        n = len(data["items"])
        return ngettext("%(n)s item, all works", "%(n)s items, all works", n) % {"n": Whole(n)}
    return _joined(
        f"{equipment_item(one['kind'], one['name'])}: {note_equipment(one['note'])}"
        for one in failed
    )


def _waived(data: Data, _money: Money) -> str:
    item = f"{equipment_item(data['kind'], data['name'])}: {note_equipment(data['note'])}"
    return _joined([item, data["reason"]])


def _approved(data: Data, _money: Money) -> str:
    told = [data["name"], data["approval"], data["authority"], data["approved_on"]]
    if until := data.get("approved_until"):
        told.append(gettext("until %(day)s") % {"day": until})
    return _joined(told)


def _joined(parts: Iterable[str | None]) -> str:
    return " · ".join(part for part in parts if part)


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "device_registered": lambda data, _money: _joined(
        [data["name"], str(DEVICES[data["kind"]]), data["maker"], data["approval"]]
    ),
    "device_retired": lambda data, _money: f"{data['name']} · {data['reason']}",
    "ball_set_registered": _set_registered,
    "ball_set_used": _set_used,
    "ball_set_kept": lambda data, _money: f"{data['ball_set']} · {data['reason']}",
    "ball_set_retired": lambda data, _money: f"{data['ball_set']} · {data['reason']}",
    "ball_replaced": _ball_replaced,
    "ball_set_inspected": _inspected,
    "balls_called": _called,
    "equipment_checked": _checked,
    "equipment_waived": _waived,
    "duty_left_out": lambda data, _money: _joined(
        [left_out(data["duty"], data["subject"]), data["reason"]]
    ),
    "approval_recorded": _approved,
    "breakdown_opened": lambda data, _money: f"{data['equipment']} · {data['reason']}",
    "breakdown_ended": lambda data, _money: f"{data['equipment']} · {data['remedy']}",
}
