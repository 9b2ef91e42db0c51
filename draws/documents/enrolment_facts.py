"""What the journal entry of an enrolment says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draws.documents import draw_facts
from draws.documents.sale_facts import Data, Money


def _enrolled(data: Data, _money: Money) -> str:
    found = data["found"]
    n, wrong = found["pictures"], found["wrong"]
    sure = draw_facts.sure(data["threshold"])
    return " · ".join(
        [
            data["ball_set"],
            data["camera"],
            ngettext("%(n)s picture", "%(n)s pictures", n) % {"n": n},
            ngettext("%(n)s read wrong", "%(n)s read wrong", wrong) % {"n": wrong},
            _("by itself from %(sure)s") % {"sure": sure}
            if data["threshold"]
            else _("never by itself"),
            f"SHA-256 {data['certificate']}",
        ]
    )


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {"balls_enrolled": _enrolled}
