"""`serve` shows the word of the first hall to whoever sits at its terminal, and writes it into no file."""

from __future__ import annotations

import os
import pty
from io import StringIO

from django.conf import settings

from halls.management.commands.serve import Command

WORD = "f604-fbaa-0852-3682-de5a-24ea-72f1-2281"


def at_terminal(word: str | None) -> str:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        Command(stdout=terminal)._show(word, 8000)
        terminal.write("end")
        terminal.flush()
        said = ""
        # A terminal gives what it was told in as many pieces as it likes.
        while not said.endswith("end"):
            said += os.read(master, 4096).decode()
    os.close(master)
    return said


def test_terminal_shows_the_word_and_where_it_is_typed() -> None:
    said = at_terminal(WORD)
    assert WORD in said
    assert "http://127.0.0.1:8000/first/" in said


def test_file_gets_no_word() -> None:
    out = StringIO()
    Command(stdout=out)._show(WORD, 8000)
    assert WORD not in out.getvalue()
    assert f"open_hall; the data folder is {settings.DATA_DIR}" in out.getvalue()


def test_nothing_is_said_where_there_is_a_hall() -> None:
    assert at_terminal(None) == "end"
