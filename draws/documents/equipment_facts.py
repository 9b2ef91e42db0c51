"""What journal entries about balls and equipment say (R20-R26, R32, R61 k, l)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draws.documents import equipment_words as words
from draws.documents.sale_facts import Data, Money


def _set_registered(data: Data, _money: Money) -> str:
    told = [data["ball_set"], str(data["format"]), data["maker"], data["model"], data["approval"]]
    if games := data["games"]:
        told.append(ngettext("%(n)s game before", "%(n)s games before", games) % {"n": games})
    return _joined(told)


def _set_used(data: Data, _money: Money) -> str:
    told = [data["ball_set"], data["extractor"]]
    if data["replaced"]:
        told.append(_("in the place of %(ball_set)s") % {"ball_set": data["replaced"]})
    return _joined(told)


def _ball_replaced(data: Data, _money: Money) -> str:
    told = [data["ball_set"], _("ball %(number)s") % {"number": data["number"]}, data["reason"]]
    if data["old"] or data["new"]:
        told.append(f"{data['old'] or '?'} → {data['new'] or '?'}")
    return _joined(told)


def _inspected(data: Data, _money: Money) -> str:
    found = _("fit for use") if data["fit"] else _("not fit for use")
    return _joined([data["ball_set"], found, data["note"]])


def _called(data: Data, _money: Money) -> str:
    seen = len(data["seen"])
    told = [
        data["ball_set"],
        str(words.MOMENTS[data["when"]]),
        str(words.READERS[data["source"]]),
        ngettext("%(n)s ball seen", "%(n)s balls seen", seen) % {"n": seen},
    ]
    if data["missing"]:
        told.append(_("missing: %(numbers)s") % {"numbers": words.numbers(data["missing"])})
    if data["foreign"]:
        told.append(_("of another set: %(numbers)s") % {"numbers": words.numbers(data["foreign"])})
    return _joined(told)


def _checked(data: Data, _money: Money) -> str:
    failed = [one for one in data["items"] if one["ok"] is False]
    if not failed:
        n = len(data["items"])
        return ngettext("%(n)s item, all works", "%(n)s items, all works", n) % {"n": n}
    return _joined(
        f"{words.item(one['kind'], one['name'])}: {words.note(one['note'])}" for one in failed
    )


def _waived(data: Data, _money: Money) -> str:
    item = f"{words.item(data['kind'], data['name'])}: {words.note(data['note'])}"
    return _joined([item, data["reason"]])


def _approved(data: Data, _money: Money) -> str:
    told = [data["name"], data["approval"], data["authority"], data["approved_on"]]
    if until := data.get("approved_until"):
        told.append(_("until %(day)s") % {"day": until})
    return _joined(told)


def _joined(parts: Iterable[str | None]) -> str:
    return " · ".join(part for part in parts if part)


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "device_registered": lambda data, _money: _joined(
        [data["name"], str(words.DEVICES[data["kind"]]), data["maker"], data["approval"]]
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
        [words.left_out(data["duty"], data["subject"]), data["reason"]]
    ),
    "approval_recorded": _approved,
    "breakdown_opened": lambda data, _money: f"{data['equipment']} · {data['reason']}",
    "breakdown_ended": lambda data, _money: f"{data['equipment']} · {data['remedy']}",
}
