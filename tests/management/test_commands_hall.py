"""The commands of the house as a person or a script starts them."""

import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command, get_commands, load_command_class

from bingo import catalogues
from halls.management.reporting import Report, the_hall
from tests.support.evening import Evening

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    "emit_series", "audit", "verify_acta", "export_journal", "demo", "load_demonstration",
    "catalogues", "rules", "serve", "prepare_database",
    "checkpoint_key", "accept_history", "open_hall", "acta_schema",
)  # fmt: skip


def run(*arguments: str, timeout: int = 60) -> subprocess.CompletedProcess[str]:
    """Run manage.py as a program of its own."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_given(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = get_commands()[command]
    parser = load_command_class(str(app), command).create_parser("manage.py", command)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith("usage: manage.py " + command)
    assert len(said.splitlines()[2]) > 0


@pytest.mark.slow
def test_help_and_bad_options_end_with_their_exit_codes() -> None:
    good = run("audit", "--help")
    assert (good.returncode, good.stderr) == (0, "")
    bad = run("audit", "--no-such-option")
    assert bad.returncode == 2
    assert "Traceback" not in bad.stderr


@pytest.mark.slow
def test_signed_note_is_redirected_whole_and_shown_on_any_terminal(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("bingo-account/1\nSalão – €\n", encoding="utf-8")
    command = [sys.executable, "manage.py", "regulator_key", str(tmp_path / "key")]
    command += ["--sign", str(tmp_path / "text")]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    note = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, check=True
    ).stdout.decode("utf-8")
    assert note.startswith("bingo-account/1\nSalão – €\n\n\N{EM DASH} ")
    master, slave = pty.openpty()
    subprocess.run(command, cwd=ROOT, env=environment, stdout=slave, check=True)
    os.close(slave)
    assert rb"\u2014 " in os.read(master, 4096)
    os.close(master)


def shown(command: Report, total: int, done: Sequence[int]) -> str:
    """What a command's progress writes on a terminal."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal, pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stderr", terminal)
        progress = command.progress("cards", total)
        for number in done:
            progress(number)
        terminal.flush()
        written = b""
        # A terminal hands over what it has, in as many parts as it likes.
        while select.select([master], [], [], 0.1)[0]:
            written += os.read(master, 4096)
    os.close(master)
    return written.decode()


def test_progress_is_shown_on_a_terminal() -> None:
    written = shown(Report(), 1000, [10, 15, 1000])
    assert written == "\rcards: 10 of 1,000\rcards: 1,000 of 1,000\r\n"


def test_progress_is_kept_out_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    progress = Report().progress("cards", 10)
    for number in range(11):
        progress(number)
    assert out.getvalue() == ""


def test_report_gives_sentences_or_one_value() -> None:
    for as_json, said in ((False, "one\ntwo\n"), (True, '{\n  "is": "é"\n}\n')):
        out = StringIO()
        command = Report(stdout=out)
        command.report({"is": "é"}, ["one", "two"], as_json=as_json)
        assert out.getvalue() == said


@pytest.mark.django_db
def test_hall_is_the_only_one_or_must_be_named() -> None:
    with pytest.raises(CommandError, match="known halls: none"):
        the_hall(None)
    Evening()
    assert the_hall(None).code == "sala"
    Evening("vizinha")
    assert the_hall("vizinha").code == "vizinha"
    for named in (None, "nowhere"):
        with pytest.raises(CommandError, match="known halls: sala, vizinha"):
            the_hall(named)


@pytest.mark.slow
def test_catalogues_are_checked_compiled_and_updated_in_their_folder(
    tmp_path: Path, settings: LazySettings
) -> None:
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    (tmp_path / "templates").mkdir()
    for name in catalogues.SOURCES:
        (tmp_path / name).mkdir()
    settings.BASE_DIR = tmp_path
    out = StringIO()
    with pytest.raises(SystemExit) as ended:  # nobody says any of it in this folder
        call_command("catalogues", "--check", stdout=out)
    assert ended.value.code == 1
    out = StringIO()
    call_command("catalogues", "--update", "--check", "--compile", stdout=out)
    assert "pt: 0 to translate" in out.getvalue()
    assert "catalogues are complete" in out.getvalue()
    for language in catalogues.LANGUAGES:
        assert catalogues.file_of(tmp_path, language).with_suffix(".mo").exists()


@pytest.mark.slow
def test_rules_are_listed_with_their_tests() -> None:
    out = StringIO()
    call_command("rules", stdout=out)
    assert "test_sale_of_one_issue_is_closed_word_for_word" in out.getvalue()
    assert "UNKNOWN" not in out.getvalue()


def test_rule_of_play_that_no_test_proves_is_a_fault(
    tmp_path: Path, settings: LazySettings
) -> None:
    settings.BASE_DIR = tmp_path
    tests = tmp_path / "tests"
    tests.mkdir()
    (tmp_path / "docs").mkdir()
    file = tests / "test_law.py"

    def faults(rules: Sequence[int]) -> list[str]:
        file.write_text(
            "".join(f"@pytest.mark.rule({number})\ndef test_{number}(): ...\n" for number in rules)
        )
        call_command("rules", "--write", stdout=StringIO())
        out = StringIO()
        with suppress(SystemExit):
            call_command("rules", "--check", stdout=out)
        return out.getvalue().splitlines()

    assert faults(range(1, 85)) == []
    assert faults([*range(1, 34), *range(35, 85)]) == ["no test proves R34"]


@pytest.mark.slow
def test_reader_who_goes_away_is_no_fault() -> None:
    command = f"{shlex.quote(sys.executable)} manage.py rules | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("R1 ")
    assert done.stderr == ""


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "٨٠٠٠0"])
def test_serve_refuses_a_port_that_is_none(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", port)
    with pytest.raises(CommandError, match="PORT"):
        call_command("serve")
