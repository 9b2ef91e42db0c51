"""The sign-in: who needs a second factor, how long a login lasts, what a PIN must not be.

Also what the journal tells of it. Times are kept here alone, a row a role.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from types import MappingProxyType

from bingo.rules import journal_json_and_chain
from bingo.rules.journal_json_and_chain import Data, is_printable
from bingo.rules.policies import NOTICE
from bingo.rules.refusal import Refusal

# What stands in the journal: what people do with their own sign-in, and what others do with it.
CHANGED, REMOVED = "sign_in_changed", "factor_removed"
BROWSER, DUTY = "till_browser_changed", "second_factor_set"
UNLINKED = (
    "provider_unlinked"  # by two others; what people link themselves is a change of their own
)

PASSKEY, TOTP, CODE = "passkey", "totp", "recovery_code"
FACTORS = (PASSKEY, TOTP)
ADDED, DROPPED, CODES_MADE, CODE_USED = "added", "removed", "codes_made", "code_used"
PIN_SET, PIN_DROPPED = "pin_set", "pin_removed"
LINK_MADE, LINK_ENDED = "provider_linked", "provider_unlinked"
OWN_CHANGES = (ADDED, DROPPED, CODES_MADE, CODE_USED, PIN_SET, PIN_DROPPED, LINK_MADE, LINK_ENDED)
PROVEN = (ADDED, DROPPED, CODE_USED, PIN_SET)  # that are told by the digest of what is kept
ENROLLED, ENDED = "enrolled", "ended"

MANAGER, INSPECTOR = "hall_manager", "inspector"
# Whoever changes how money is counted, shared or owed has a second factor as a manager has.
MONEY_RULES = (
    "policy_set", "authorisation_recorded", "jackpot_funded", "jackpot_moved", "jackpot_ended",
    "link_funded", "link_moved", "link_ended",
)  # fmt: skip
# Who may come by a PIN at a browser of a till; nobody who needs a second factor does.
AT_A_TILL = ("cashier", "seller", "floor_assistant", "door")

FRESH = timedelta(minutes=5)  # how long a second factor stands for what cannot be undone
MOST_FACTORS = 10
LONGEST_NAME = 60
LONGEST_ISSUER = 200
DIGEST = re.compile(r"[0-9a-f]{64}")  # SHA-256
RECOVERY_CODES = 10
STEP = 30  # seconds of a code (RFC 6238)
DRIFT = 1  # steps that a clock may be early or late
WRONG_PINS = 5


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long a login lasts: locked after so long without a key pressed, over after so long at all."""

    idle: timedelta
    whole: timedelta = timedelta(hours=12)


# A till stands open before strangers; a caller watches a draw that a camera reads for half an hour.
LASTING: Mapping[str, Lasting] = MappingProxyType(
    {
        "cashier": Lasting(timedelta(minutes=10)),
        "seller": Lasting(timedelta(minutes=10)),
        "floor_assistant": Lasting(timedelta(minutes=15)),
        "door": Lasting(timedelta(minutes=15)),
        "caller": Lasting(timedelta(minutes=30)),
        "table_chief": Lasting(timedelta(minutes=30)),
        MANAGER: Lasting(timedelta(minutes=15)),
        INSPECTOR: Lasting(timedelta(minutes=15)),
    }
)
SHORTEST = Lasting(timedelta(minutes=10))


def lasting(roles: Iterable[str]) -> Lasting:
    """Return how long a login of somebody with these roles lasts: the shortest of any of them."""
    known = [LASTING.get(role, SHORTEST) for role in roles] or [SHORTEST]
    return Lasting(min(one.idle for one in known), min(one.whole for one in known))


def is_fresh(shown_at: datetime, *, at: datetime) -> bool:
    """Return whether what was shown then stands now; nothing does that a clock set back puts ahead."""
    return timedelta() <= at - shown_at <= FRESH


def obliges(roles: Collection[str], commands: Mapping[str, Collection[str]]) -> bool:
    """Return whether somebody with these roles needs a second factor; `commands` says who may what."""
    held = set(roles)
    return bool(held & {MANAGER, INSPECTOR}) or any(
        held & set(commands[kind]) for kind in MONEY_RULES
    )


def may_use_provider(roles: Collection[str]) -> bool:
    """Return whether the chain's provider may say who somebody is: of no inspector, who is not the chain's."""
    return INSPECTOR not in roles


def may_use_pin(roles: Collection[str], commands: Mapping[str, Collection[str]]) -> bool:
    """Return whether somebody may come by a PIN: who works at a till or on the floor, and no more."""
    held = set(roles)
    return bool(held) and held <= set(AT_A_TILL) and not obliges(roles, commands)


PIN = re.compile(r"[0-9]{6,12}")
YEAR = re.compile(r"(?:19[0-9]|20[0-3])[0-9]")


def require_good_pin(pin: str) -> None:
    """Refuse a PIN that is guessed first: pin_malformed, pin_weak.

    Weak is one digit or group of digits again and again, digits that run up or down, a year in
    which somebody living may be born, and a day of the calendar.
    """
    if not PIN.fullmatch(pin):
        raise Refusal("pin_malformed")
    sizes = range(1, len(pin) // 2 + 1)
    repeated = any(pin == (pin[:size] * len(pin))[: len(pin)] for size in sizes)
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if repeated or steps in ({1}, {9}) or _tells_a_birthday(pin):
        raise Refusal("pin_weak")


def _tells_a_birthday(pin: str) -> bool:
    if YEAR.fullmatch(pin[:4]) or YEAR.fullmatch(pin[-4:]):
        return True
    if len(pin) != 6:
        return False
    first, second, third = (int(pin[at : at + 2]) for at in (0, 2, 4))
    return any(
        _is_day(year, month, day)
        for year, month, day in (
            (third, second, first),
            (third, first, second),
            (first, second, third),
        )
    )


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(2000 if year % 4 == 0 else 2001, month, day)
    except ValueError:
        return False
    return True


def digest_of(*kept: str) -> str:
    """Return what the journal knows by, of what the database keeps to prove somebody: its SHA-256.

    Hashes of passwords and PINs have 128 bits of salt, sealed secrets and recovery codes as many of
    chance, so that nobody finds from it what they are of.
    """
    return hashlib.sha256(" ".join(kept).encode()).hexdigest()


def change_own(
    *, change: str, factor: str = "", name: str = "", issuer: str = "", account: str = "",
    digest: str = "", codes: Sequence[str] = (),
) -> Data:  # fmt: skip
    """Return what the journal tells of a change by the person themself.

    `account` is the digest of who somebody is at the provider `issuer`, `digest` that of a factor,
    PIN or used code, `codes` those of codes that are made; older journals have none of the last two.
    Raises Refusal: bad_input, bad_factor_name.
    """
    if change not in OWN_CHANGES:
        raise Refusal("bad_input", field="change")
    if change in (LINK_MADE, LINK_ENDED):
        return {"change": change, **_link(issuer, account)}
    told: Data = {"change": change}
    if change in (ADDED, DROPPED):
        told |= _factor(factor, name)
    if codes and change == CODES_MADE:
        told["codes"] = [_digest(one)["digest"] for one in codes]
    return told | _digest(digest if change in PROVEN else "")


def remove(*, username: str, factor: str, name: str, digest: str = "") -> Data:
    """Return what the journal tells of a factor that others took from somebody. Raises as `change_own`."""
    return {"username": username, **_factor(factor, name), **_digest(digest)}


def unlink(*, username: str, issuer: str, account: str) -> Data:
    """Return what the journal tells of a provider's account that others parted from somebody.

    Raises Refusal bad_input.
    """
    return {"username": username, **_link(issuer, account)}


def change_browser(*, change: str, browser: str) -> Data:
    """Return what the journal tells of a browser of a till. Raises Refusal: bad_input, bad_factor_name."""
    if change not in (ENROLLED, ENDED):
        raise Refusal("bad_input", field="change")
    return {"change": change, "browser": require_name(browser)}


def set_duty(*, required: bool, reason: str, at: datetime, settled: bool) -> Data:
    """Return what the journal tells where a hall asks for second factors, or no more.

    In a hall that is `settled`, its first session opened, it asks for none only `from` a day after
    the moment `at`, as all that protects less. Raises Refusal reason_missing.
    """
    if not reason:
        raise Refusal("reason_missing")
    told: Data = {"required": bool(required), "reason": reason}
    if settled and not required:
        told["from"] = journal_json_and_chain.moment_after(at, NOTICE)
    return told


def _factor(factor: str, name: str) -> Data:
    if factor not in FACTORS:
        raise Refusal("bad_input", field="factor")
    return {"factor": factor, "name": require_name(name)}


def _digest(told: str) -> Data:
    """Return a digest as the journal has it, nothing where there is none. Raises Refusal bad_input."""
    if told and not DIGEST.fullmatch(told):
        raise Refusal("bad_input", field="digest")
    return {"digest": told} if told else {}


def _link(issuer: str, account: str) -> Data:
    if not issuer.startswith(("https://", "http://")) or len(issuer) > LONGEST_ISSUER:
        raise Refusal("bad_input", field="issuer")
    if not DIGEST.fullmatch(account):
        raise Refusal("bad_input", field="account")
    return {"issuer": issuer, "account": account}


def require_name(name: str) -> str:
    """Return what something is called. Raises Refusal bad_factor_name."""
    one_line = is_printable(name) and not set("\r\n\t") & set(name)
    if not one_line or not 0 < len(name) <= LONGEST_NAME or name != name.strip():
        raise Refusal("bad_factor_name", most=LONGEST_NAME)
    return name
