"""What journal entries about seals and rectified actas say (R58)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext_lazy as _

from draws.documents.sale_facts import Data, Money


def _sealed(data: Data, _money: Money) -> str:
    told = []
    if "rectification" in data:
        told.append(str(_("rectification %(number)s") % {"number": data["rectification"]}))
    if "level" in data:
        told.append(f"PAdES {data['level']}")
    if "key" in data:
        told.append(str(_("key %(number)s") % {"number": data["key"]}))
    return " · ".join([*told, f"SHA-256 {data['digest']}"])


def _rectified(data: Data, _money: Money) -> str:
    named = f"{data['session']}/{data['rectification']}"
    return " · ".join([named, data["reason"], data["what"], f"SHA-256 {data['digest']}"])


def _key_changed(data: Data, _money: Money) -> str:
    key = _("key %(number)s") % {"number": data["key"]}
    return " · ".join([str(key), str(HOW[data["how"]]), f"SHA-256 {data['certificate']}"])


HOW = {
    "renewed": _("made by the hall's own authority"),
    "revoked": _("the one before counts no longer"),
    "pkcs12": _("taken from a file"),
    "pkcs11": _("in a token"),
}

TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "acta_sealed": _sealed,
    "acta_rectified": _rectified,
    "seal_key_changed": _key_changed,
}
