"""What every command for people and scripts shares: --json, and progress on a terminal only."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError
from psycopg.errors import UndefinedTable

from bingo import plain_files
from halls.models import Hall, Person


class Report(BaseCommand):
    """A command that reports as sentences, or with --json as one JSON value."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --json."""
        parser.add_argument("--json", action="store_true", help="print one JSON value")

    def execute(self, *arguments: Any, **options: Any) -> str | None:
        """Run, with a plain sentence for a database that nobody has prepared yet."""
        try:
            return super().execute(*arguments, **options)
        except ProgrammingError as error:
            if isinstance(error.__cause__, UndefinedTable):
                told = (
                    f"run manage.py prepare_database first; the data folder is {settings.DATA_DIR}"
                )
                raise CommandError(told) from error
            raise

    def report(self, value: Any, lines: list[str], *, as_json: bool) -> None:
        """Print the result, as far as somebody reads it."""
        told = [json.dumps(value, ensure_ascii=False, indent=2)] if as_json else lines
        try:
            for line in told:
                self.stdout.write(line)
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever read has gone, as `head` does. What is buffered must go somewhere at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def progress(self, what: str, total: int) -> Callable[[int], None]:
        """Return a function that shows how far a long work is, when a person is looking."""
        step = max(1, total // 100)

        def show(done: int) -> None:
            if done % step == 0 or done == total:
                end = "\n" if done == total else ""
                sys.stderr.write(f"\r{what}: {done:,} of {total:,}{end}")
                sys.stderr.flush()

        return show if sys.stderr.isatty() else lambda _done: None


class HallReport(Report):
    """A report on one hall, which --hall names where there are several."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --json and --hall."""
        super().add_arguments(parser)
        parser.add_argument("--hall", help="the hall's code, where there are several")


@contextmanager
def plain_file_errors(file: Path, done: str = "written") -> Iterator[None]:
    """Say in one plain line that a file cannot be written, or read. Raises CommandError."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"{file} cannot be {done}: {error.strerror}") from error


def require_writable(*files: Path | None) -> None:
    """Refuse before any work is done a file that was named and cannot be written. Raises CommandError."""
    for file in files:
        if file is not None:
            with plain_file_errors(file):
                plain_files.require_writable(file)


def read_file(file: Path, *, most: int | None = None) -> bytes:
    """Return what a file holds, or its first `most` bytes. Raises CommandError."""
    with plain_file_errors(file, "read"), file.open("rb") as opened:
        return opened.read(most)


def write_file(file: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole, or as it was before. Raises CommandError."""
    with plain_file_errors(file), plain_files.written_whole(file) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def person_called(hall: Hall, username: str) -> Person:
    """Return the person of that user name. Raises CommandError."""
    found = hall.people.filter(username=username).first()
    if found is None:
        raise CommandError(f"nobody is called {username} here")
    return found


def the_hall(code: str | None) -> Hall:
    """Return the hall of that code, or the only real one. Raises CommandError."""
    found = list(Hall.objects.filter(code=code) if code else Hall.objects.filter(trains=None))
    if len(found) == 1:
        return found[0]
    known = ", ".join(Hall.objects.order_by("code").values_list("code", flat=True)) or "none"
    raise CommandError(f"name one hall with --hall; known halls: {known}")
