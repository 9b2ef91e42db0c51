"""What journal entries about seals and rectified actas say (R58)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from draws.documents.sale_facts import Data, Money


def _sealed(data: Data, _money: Money) -> str:
    told = []
    if "rectification" in data:
        told.append(_("rectification %(number)s") % {"number": data["rectification"]})
    if "level" in data:
        told.append(f"PAdES {data['level']}")
    if "key" in data:
        told.append(_("key %(number)s") % {"number": data["key"]})
    return " · ".join([*told, f"SHA-256 {data['digest']}"])


def _rectified(data: Data, _money: Money) -> str:
    named = f"{data['session']}/{data['rectification']}"
    return " · ".join([named, data["reason"], data["what"], f"SHA-256 {data['digest']}"])


def _key_changed(data: Data, _money: Money) -> str:
    key = _("key %(number)s") % {"number": data["key"]}
    return " · ".join([key, str(HOW[data["how"]]), f"SHA-256 {data['certificate']}"])


HOW = {
    "renewed": gettext_lazy("made by the hall's own authority"),
    "revoked": gettext_lazy("the one before counts no longer"),
    "pkcs12": gettext_lazy("taken from a file"),
    "pkcs11": gettext_lazy("in a token"),
}

TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "acta_sealed": _sealed,
    "acta_rectified": _rectified,
    "seal_key_changed": _key_changed,
}
