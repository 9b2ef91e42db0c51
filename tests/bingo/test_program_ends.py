"""How programs end is noted with its reason, and how often they may."""

from __future__ import annotations

import signal
import stat
from pathlib import Path

from bingo import program_ends
from bingo.program_ends import Budget, End


def test_pauses_grow_and_ends_far_apart_never_spend_a_budget() -> None:
    budget = Budget(most=5, within=300.0, first=0.5, longest=3.0)
    pauses = [budget.spend(at=float(at)) for at in range(5)]
    assert pauses == [0.0, 0.5, 1.0, 2.0, 3.0]
    assert budget.is_spent(at=299.0)
    assert not budget.is_spent(at=300.5)
    seldom = Budget(most=5, within=300.0, first=0.5, longest=3.0)
    assert {seldom.spend(at=100.0 * n) for n in range(1000)} == {0.0, 0.5, 1.0}
    assert not seldom.is_spent(at=100_001.0)


def test_end_says_its_signal_or_its_status() -> None:
    assert program_ends.how(-signal.SIGKILL) == "signal SIGKILL"
    assert program_ends.how(-63) == "signal 63"
    assert program_ends.how(3) == "exit status 3"
    assert program_ends.how(None) == "it does not answer"


def test_notes_are_read_back_and_what_is_none_is_passed_over(tmp_path: Path) -> None:
    first = End(100.0, "PostgreSQL", "signal SIGKILL", ("a", "b"), 0.5)
    last = End(200.0, "the worker", "exit status 1", (), None)
    program_ends.note(tmp_path, first)
    with (tmp_path / program_ends.NAME).open("a") as file:
        file.write('{"half": \nnonsense\n{"at": 1}\n')
    program_ends.note(tmp_path, last)
    assert program_ends.read(tmp_path) == [first, last]
    assert program_ends.read(tmp_path, since=150.0) == [last]
    assert stat.S_IMODE((tmp_path / program_ends.NAME).stat().st_mode) == 0o600
    assert program_ends.read(tmp_path / "nowhere") == []
    program_ends.note(tmp_path / "nowhere", first)


def test_file_stays_short(tmp_path: Path) -> None:
    for n in range(program_ends.KEPT + 50):
        program_ends.note(tmp_path, End(float(n), "Valkey", "exit status 1"))
    program_ends.shorten(tmp_path)
    found = program_ends.read(tmp_path)
    assert (len(found), found[-1].at) == (program_ends.KEPT, program_ends.KEPT + 49.0)


def test_tail_of_a_log_is_its_last_lines_that_say_something(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("x" * 10_000 + "\n" + "\n".join(f"line {n}\n" for n in range(50)))
    assert program_ends.tail(log) == tuple(f"line {n}" for n in range(45, 50))
    assert program_ends.tail(tmp_path / "none") == ()
