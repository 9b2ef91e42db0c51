"""HTTPS is told by a proxy that is named, or the hall does not start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def checked(**settings: str) -> subprocess.CompletedProcess[str]:
    """Let Django read the settings of a hall."""
    return subprocess.run(
        [sys.executable, "-c", "from bingo import settings; print(settings.TRUSTED_PROXIES)"],
        cwd=ROOT, env={**os.environ, **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_https_without_a_named_proxy_is_refused_with_what_to_do() -> None:
    told = checked(HTTPS="1", TRUSTED_PROXIES="")
    assert told.returncode == 1
    assert "HTTPS=1 needs TRUSTED_PROXIES" in told.stderr
    assert checked(HTTPS="1", TRUSTED_PROXIES="127.0.0.1,::1").stdout == "['127.0.0.1', '::1']\n"
    assert checked(HTTPS="", TRUSTED_PROXIES="").stdout == "[]\n"
