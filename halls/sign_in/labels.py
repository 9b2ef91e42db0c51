"""What the record says of the sign-in, and what its factors are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo.rules import journal_json_and_chain
from bingo.rules import sign_in_and_pins as rules

Data = Mapping[str, Any]
Teller = Callable[[Any, Callable[[int], str]], str]

KINDS: Mapping[str, Promise] = {
    rules.PASSKEY: _("Passkey"),
    rules.TOTP: _("Authenticator app"),
}
OWN: Mapping[str, Promise] = {
    rules.ADDED: _("added"),
    rules.DROPPED: _("given up"),
    rules.CODES_MADE: _("recovery codes made"),
    rules.CODE_USED: _("recovery code used"),
    rules.PIN_SET: _("PIN set"),
    rules.PIN_DROPPED: _("PIN given up"),
    rules.LINK_MADE: _("linked to the chain's provider"),
    rules.LINK_ENDED: _("no longer linked to the chain's provider"),
}
BROWSERS: Mapping[str, Promise] = {
    rules.ENROLLED: _("enrolled"),
    rules.ENDED: _("no longer enrolled"),
}


def kind(code: str) -> str:
    """Name a kind of factor in the active language."""
    return str(KINDS.get(code, code))


def _own(data: Data, _money: Callable[[int], str]) -> str:
    told = [kind(data["factor"]), data["name"]] if "factor" in data else []
    told += [data["issuer"]] if "issuer" in data else []
    return " · ".join([*told, str(OWN.get(data["change"], data["change"]))])


def _removed(data: Data, _money: Callable[[int], str]) -> str:
    return " · ".join([data["username"], kind(data["factor"]), data["name"]])


def _unlinked(data: Data, _money: Callable[[int], str]) -> str:
    return " · ".join([data["username"], data["issuer"]])


def _browser(data: Data, _money: Callable[[int], str]) -> str:
    return f"{data['browser']} · {BROWSERS.get(data['change'], data['change'])}"


def _duty(data: Data, _money: Callable[[int], str]) -> str:
    asked = _("asked for") if data["required"] else _("no longer asked for")
    told = [str(asked), data["reason"]]
    if "from" in data:
        since = date_format(
            localtime(journal_json_and_chain.read_moment(data["from"])), "SHORT_DATETIME_FORMAT"
        )
        told.append(gettext("from %(moment)s on") % {"moment": since})
    return " · ".join(told)


TELLERS: Mapping[str, Teller] = {
    rules.CHANGED: _own,
    rules.REMOVED: _removed,
    rules.UNLINKED: _unlinked,
    rules.BROWSER: _browser,
    rules.DUTY: _duty,
}
