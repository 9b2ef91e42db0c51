"""Which hall `make run` begins with: the demonstration or one of the owner's own."""

from __future__ import annotations

import os
import pty
import sys
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from django.core.management import CommandError

from halls.management.commands import serve
from halls.management.commands.serve import DEMONSTRATION, OWN, Command
from halls.models import Hall
from halls.setup import DEMONSTRATED
from tests.support.evening import Evening
from tests.support.opening_halls import open_one
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db


UNIT = settings.BASE_DIR / "docs" / "bingo-hall.service"


def choose(hall: str | None) -> str | None:
    return Command(stdout=StringIO()).choose(hall)


def asked(*arguments: str) -> str | None:
    hall: str | None = Command().create_parser("manage.py", "serve").parse_args(arguments).hall
    return hall


def test_unit_of_systemd_begins_with_the_hall_that_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = [line.partition("=") for line in UNIT.read_text().splitlines() if "=" in line]
    lines = {name: value for name, _equals, value in unit}
    # A folder named here alone would be another hall's to every command of a shell.
    assert "BINGO_DATA" not in lines["Environment"]
    for one in lines["Environment"].split():
        monkeypatch.setenv(*one.split("="))
    _python, program, command, *arguments = lines["ExecStart"].split()
    assert (program, command) == ("manage.py", "serve")
    assert asked(*arguments) == OWN


def test_hall_is_named_by_an_option_or_else_by_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HALL", raising=False)
    assert (asked(), asked("--hall", OWN)) == (None, OWN)
    monkeypatch.setenv("HALL", "")
    assert asked() is None
    monkeypatch.setenv("HALL", DEMONSTRATION)
    assert (asked(), asked("--hall", OWN)) == (DEMONSTRATION, OWN)
    monkeypatch.setenv("HALL", "mine")
    with pytest.raises(CommandError, match="mine is none of: own, demonstration"):
        asked()


def test_away_from_a_terminal_it_is_the_demonstration_unless_said_otherwise() -> None:
    assert choose(None) == DEMONSTRATION
    assert choose(OWN) == OWN
    assert choose(DEMONSTRATION) == DEMONSTRATION


@pytest.mark.parametrize(("typed", "chosen"), [("1\n", DEMONSTRATION), ("yes\n\n3\n2\n", OWN)])
def test_terminal_is_asked_until_it_answers(
    typed: str, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "r+b", buffering=0) as terminal:
        keys = open(terminal.fileno(), encoding="utf-8", closefd=False)  # noqa: SIM115
        screen = open(terminal.fileno(), "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        monkeypatch.setattr(sys, "stdin", keys)
        os.write(master, typed.encode())
        assert Command(stdout=screen).choose(None) == chosen
        seen = ""
        while "Type 1 or 2" not in seen:
            seen += os.read(master, 10_000).decode()
    os.close(master)
    assert "a demonstration hall" in seen
    assert "a hall of your own" in seen


def test_hall_that_only_played_a_session_leaves_the_word_of_the_first_to_be_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr(serve, "call_command", lambda *_a, **_k: None)
    monkeypatch.setattr(serve, "connections", mock.MagicMock())
    open_one(code="demo-1", reserved="")
    assert Command(stdout=StringIO())._prepare(OWN)
    open_one(manager="outra.pessoa", first=True)
    assert Command(stdout=StringIO())._prepare(OWN) is None


def test_hall_that_is_there_is_opened_and_never_mixed_with_the_other() -> None:
    Evening()
    assert choose(None) is None
    assert choose(OWN) is None
    with pytest.raises(CommandError, match=r"already holds .*BINGO_DATA"):
        choose(DEMONSTRATION)
    plant(Hall.objects.all(), code=DEMONSTRATED)
    assert choose(None) == choose(DEMONSTRATION) == DEMONSTRATION
    with pytest.raises(CommandError, match=r"already holds .*BINGO_DATA"):
        choose(OWN)
