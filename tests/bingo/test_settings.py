"""A setting that is blank is none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GIVEN = {"DATABASE_URL": "postgresql:///none", "REDIS_URL": "unix:///none", "SECRET_KEY": "none"}
SHOWING = """
from bingo import catalogues, settings, system_users
from bingo.embedded import folder
print({name: value for name, value in vars(settings).items() if name.isupper() and name != "LANGUAGES"})
print(system_users.FIRST, folder.chosen(None).path, catalogues.chosen())
assert settings.DATA_DIR == folder.chosen(None).path
"""


def started(**settings: str) -> subprocess.CompletedProcess[str]:
    """Let Django read the settings of a hall, and show them."""
    known = {"PATH": os.environ["PATH"], "BINGO_SERVED": "1"} | settings | GIVEN
    return subprocess.run(
        [sys.executable, "-c", SHOWING], cwd=ROOT, env=known, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def settings_with(**settings: str) -> str:
    told = started(**settings)
    assert told.returncode == 0, told.stderr
    return told.stdout


@pytest.mark.slow
def test_what_env_may_set_is_left_to_itself_where_it_is_blank() -> None:
    names = re.findall(r"^#([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert {"BINGO_DATA", "BINGO_KEYS", "BINGO_UID", "CONNECTIONS"} <= set(names)
    assert (
        settings_with(**dict.fromkeys(names, " "))
        == settings_with(**dict.fromkeys(names, ""))
        == settings_with()
    )


@pytest.mark.slow
def test_receiver_of_the_security_log_without_a_host_or_with_a_false_port_is_refused() -> None:
    for address in ("syslog+tcp:log.example:601", "https://log.example:99999"):
        told = started(BINGO_SECURITY_LOG_TO=address)
        assert (told.returncode, "ImproperlyConfigured: BINGO_SECURITY_LOG_TO" in told.stderr) == (1, True)  # fmt: skip
