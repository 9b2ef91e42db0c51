"""The hall manager is told which program ended by itself, how, and what it said last."""

from __future__ import annotations

import time
from collections import deque
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from bingo import program_ends
from bingo.program_ends import WITHIN, Budget, End
from draws.desks import hall_manager
from draws.desks.hall_manager import PROGRAMS
from halls.management.child_program import Child
from halls.management.commands import serve
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db

HOURS = 3600.0


@pytest.fixture(autouse=True)
def data(settings: LazySettings, tmp_path: Path) -> Path:
    """A data folder of the test's own."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def page(evening: Evening) -> str:
    return evening.at("manager").get("/manager/").content.decode()


@pytest.mark.slow
def test_nothing_is_said_where_nothing_ended(data: Path) -> None:
    program_ends.note(data, End(time.time() - 13 * HOURS, "PostgreSQL", "signal SIGKILL"))
    assert 'id="ended"' not in page(Evening())


@pytest.mark.slow
def test_end_is_told_with_signal_and_last_lines_as_text(data: Path) -> None:
    program_ends.note(
        data, End(time.time(), "PostgreSQL", "signal SIGKILL", ("<b>PANIC</b>",), 0.0)
    )
    program_ends.note(data, End(time.time(), "the worker", "exit status 1", (), None))
    told = page(Evening())
    assert "PostgreSQL: parado pelo sinal SIGKILL. Foi iniciado de novo." in told
    assert "o programa das tarefas: terminou com o estado 1. Terminou demasiadas vezes" in told
    assert "&lt;b&gt;PANIC&lt;/b&gt;" in told


def test_hall_goes_on_without_a_program_that_it_can_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """The RNG, the archive worker, the watch of the cameras."""
    monkeypatch.setattr(serve, "close_to_others", lambda: None)
    monkeypatch.setattr(serve, "memory", lambda: 0)
    for program in serve._programs(8000, ()):
        process: Any = SimpleNamespace(poll=lambda: 1)
        child = Child(program, process, deque(), Budget(0, WITHIN, 0.0, 0.0))
        command = serve.Command(stdout=StringIO())
        closes = pytest.raises(serve.HallCloses) if program.vital else nullcontext()
        with closes:
            command._revive(child, at=time.monotonic())
        told = hall_manager.ended(at=timezone.now())[0].words
        assert ("a sala recomeça" in told) == program.vital
        assert ("iniciado de novo dentro de um minuto" in told) == (not program.vital)


@pytest.mark.slow
def test_only_the_last_few_are_shown(data: Path) -> None:
    for n in range(30):
        program_ends.note(data, End(time.time(), "Valkey", f"exit status {n}"))
    told = page(Evening())
    assert told.count("Valkey:") == 5
    assert "estado 29" in told


def test_every_program_that_is_served_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "close_to_others", lambda: None)
    monkeypatch.setattr(serve, "memory", lambda: 0)
    served = {one.name for one in serve._programs(8000, ())}
    assert set(PROGRAMS) == served | set(serve.SERVERS)
