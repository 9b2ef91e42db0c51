"""Show the key that seals a hall's actas, renew it, take another, point at one in a token."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography import x509
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone, translation

from bingo.pdf import SealError, keys
from bingo.pdf.keys import Token
from draws.record import seal_queries, sealing
from halls.management.reporting import HallReport, read_file, the_hall
from halls.models import Hall, JournalEntry

VARIABLE = "BINGO_IMPORT_PASSPHRASE"
LARGEST = 1024 * 1024  # bytes of a file of keys or certificates


class Command(HallReport):
    """Exit code 0: done. 1: not done, and the key that sealed before seals still."""

    help = "Show or change the key that seals a hall's actas; each change is a journal entry."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is to be done; without any of it the key is shown."""
        super().add_arguments(parser)
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--renew", action="store_true", help="make the next key")
        what.add_argument(
            "--revoke", action="store_true", help="take back the key, which may be stolen; renew"
        )
        what.add_argument(
            "--pkcs12", type=Path, metavar="FILE", help=f"take a key; ${VARIABLE} opens the file"
        )
        what.add_argument(
            "--pkcs11",
            metavar="LIBRARY",
            help="point at a key in a token; $BINGO_SEAL_PIN opens it",
        )
        what.add_argument(
            "--crl", type=Path, metavar="FILE", help="take a list of revoked certificates"
        )
        parser.add_argument("--token", default="", help="with --pkcs11: the token's label")
        parser.add_argument("--key", default="", help="with --pkcs11: the key's label")
        parser.add_argument(
            "--certificate",
            type=Path,
            help="with --pkcs11: the key's certificate and those above it",
        )

    def handle(self, *, json: bool, hall: str | None, **options: Any) -> None:
        """Do it and report the key that seals now."""
        found = the_hall(hall)
        try:
            done = _done(found, options)
            value = _describe_key(found)
        except SealError as error:
            with translation.override("en"):
                said = f"{error.code}: {seal_queries.seal_fault(error.code)}"
            raise CommandError(said) from error
        value["journal_entry"] = done.number if done else None
        lines = [f"{name}: {told}" for name, told in value.items() if told is not None]
        self.report(value, lines, as_json=json)


def _done(hall: Hall, options: Mapping[str, Any]) -> JournalEntry | None:
    at = timezone.now()
    if options["renew"]:
        return sealing.renew(hall=hall, at=at)
    if options["revoke"]:
        return sealing.revoke(hall=hall, at=at)
    if options["pkcs12"]:
        secret = os.environ.get(VARIABLE, "").encode()
        return sealing.take_bundle(hall=hall, bundle=_read(options["pkcs12"]), secret=secret, at=at)
    if options["pkcs11"]:
        token = Token(options["pkcs11"], options["token"], options["key"])
        return sealing.take_token(
            hall=hall, token=token, certificates=_certificates(options["certificate"]), at=at
        )
    if options["crl"]:
        keys.take_list(seal_queries.folder(hall), _read(options["crl"]))
    return None


def _describe_key(hall: Hall) -> dict[str, Any]:
    key = seal_queries.signing_key(hall, at=timezone.now())
    return {
        "hall": hall.code,
        "key": key.version,
        "kept": "token" if isinstance(key.private, Token) else "file",
        "subject": key.certificate.subject.rfc4514_string(),
        "issuer": key.certificate.issuer.rfc4514_string(),
        "valid_from": key.certificate.not_valid_before_utc.isoformat(),
        "valid_until": key.certificate.not_valid_after_utc.isoformat(),
        "certificate": key.digest,
        "authority": seal_queries.authority_of(key),
    }


def _certificates(file: Path | None) -> tuple[x509.Certificate, ...]:
    if file is None:
        return ()
    try:
        return tuple(x509.load_pem_x509_certificates(_read(file)))
    except ValueError as error:
        raise CommandError(f"{file} holds no PEM certificates") from error


def _read(file: Path) -> bytes:
    content = read_file(file, most=LARGEST + 1)
    if len(content) > LARGEST:
        raise CommandError(f"{file} is no file of keys: it is too large")
    return content
