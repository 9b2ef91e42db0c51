#!/usr/bin/env python
"""The command line of the hall: Django's, with servers beneath it."""

import contextlib
import io
import os
import sys
import time
from pathlib import Path

from django.apps import apps
from django.core.management import execute_from_command_line

from bingo import catalogues, embedded

AGAIN = 30  # seconds


def main() -> None:
    """Run the command named on the command line, with messages compiled and servers started if need be."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")
    _write_every_sign()
    catalogues.compile_stale(Path(__file__).resolve().parent)
    _have_servers()
    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            _give_back()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has gone, as `head` does. What is buffered must go somewhere at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_every_sign() -> None:
    # What is redirected is a file for others to read, whatever language the terminal is set to.
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8")


def _have_servers() -> None:
    """Start servers if need be; a hall that opens again by itself does not give up where it cannot."""
    while True:
        try:
            embedded.ensure()
            return
        except embedded.EmbeddedError as error:
            if "BINGO_CLOSED_AT" not in os.environ:  # as serve hands it on to itself
                sys.exit(str(error))
            print(f"{error} It is tried again in {AGAIN} seconds.", file=sys.stderr, flush=True)
            time.sleep(AGAIN)


def _give_back() -> None:
    # Only with Django's settings at hand: a command line that was refused has made nothing.
    if apps.ready:
        from halls.management.child_program import hand_back

        with contextlib.suppress(OSError):
            hand_back()


if __name__ == "__main__":
    main()
