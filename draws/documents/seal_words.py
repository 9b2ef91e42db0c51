"""Why an acta is not sealed, in words that say what to do (R58)."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

UNKNOWN = _("The worker does not answer: see that `serve` runs, and its log.")

_KEY_FILES = _(
    "The key files cannot be read or written: bring the folder of keys back from its copy."
)
_TOKEN = _("The token does not answer: put it in, and see that its library is installed.")

FAULTS: Mapping[str, Promise] = {
    "already_sealed": _(
        "The file bears a seal before it is sealed: tell whoever looks after the system."
    ),
    "certificate_expired": _(
        "The certificate of the seal has expired, or the clock is wrong: set the clock, or renew the "
        "key with `manage.py seal_keys --renew`."
    ),
    "certificate_revoked": _(
        "The certificate of the seal was revoked: give the hall another key with `manage.py seal_keys`."
    ),
    "chain_incomplete": _(
        "The certificates do not lead to an authority: take the file with the whole chain."
    ),
    "database_failed": _("The database refused it: look at its log; it is tried again."),
    "database_full": _("The disk of the database is full: make room on it; it is tried again."),
    "key_known": _("This key seals already: take another one."),
    "key_missing": _(
        "The key of the seal is gone: bring the folder of keys back from its copy. None is made in "
        "its place."
    ),
    "key_swapped": _(
        "The key is not the one that the journal names: bring the folder of keys back from its copy, "
        "and find out who changed it."
    ),
    "key_unreadable": _KEY_FILES,
    "key_unwritable": _(
        "The folder of keys cannot be written: make room on its disk, or give the system's user the "
        "right."
    ),
    "library_missing": _TOKEN,
    "not_ours": _(
        "Another authority certified this key: it must revoke it. Take its list with "
        "`manage.py seal_keys --crl`, then another key."
    ),
    "passphrase_missing": _(
        "The passphrase of the keys is missing: set BINGO_SEAL_PASSPHRASE and start anew."
    ),
    "passphrase_wrong": _(
        "The passphrase of the keys is wrong: correct BINGO_SEAL_PASSPHRASE and start anew."
    ),
    "pin_missing": _("The PIN of the token is missing: set BINGO_SEAL_PIN and start anew."),
    "pin_wrong": _(
        "The PIN of the token is wrong: correct BINGO_SEAL_PIN before the token locks, and start anew."
    ),
    "timestamp_missing": _(
        "The level asks for a time stamp: set BINGO_TSA_URL, or BINGO_SEAL_LEVEL to B-B."
    ),
    "timestamp_refused": _(
        "The time-stamp authority gave no time stamp: look at BINGO_TSA_URL, and ask the authority."
    ),
    "timestamp_unanswered": _(
        "The time-stamp authority does not answer: look at the network. It is tried again."
    ),
    "timestamp_untrusted": _(
        "The time stamp is not of the authority that is trusted: look at BINGO_TSA_CERTIFICATE."
    ),
    "token_failed": _TOKEN,
    "token_missing": _TOKEN,
    "trust_unreadable": _("The certificate file cannot be read: look at BINGO_TSA_CERTIFICATE."),
}


def fault(code: str) -> Promise:
    """Say why something is not sealed and what to do; without a code nobody knows yet."""
    if not code:
        return UNKNOWN
    return FAULTS.get(code, _("Something unforeseen happened: look at the worker's log."))
