"""Make another key of a hall's documents, where the one before is lost or known to others."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from bingo.rules.refusal import Refusal
from halls.admission import documents as admission_documents
from halls.management.reporting import HallReport, the_hall


class Command(HallReport):
    """Exit code 0: made. 1: refused, said why."""

    help = "Make another key of a hall's documents; what the key before made is found only with its file."

    def handle(self, *, hall: str | None, json: bool, **_options: Any) -> None:
        """Make it, and say where it lies."""
        found = the_hall(hall)
        try:
            entry = admission_documents.renew_key(hall=found, at=timezone.now())
        except Refusal as refused:
            raise CommandError(f"{refused.values['file']} cannot be written") from refused
        version = entry.data["version"]
        file = str(
            admission_documents.document_key_file(
                admission_documents.keys_folder(found), version=version
            )
        )
        told = {"hall": found.code, "version": version, "entry": entry.number, "file": file}
        lines = [
            f"key {version} from entry {entry.number} on: {file}",
            "keep a copy of it elsewhere; put earlier keys back if they are found",
        ]
        self.report(told, lines, as_json=json)
