"""How other devices reach the hall: the page tells the address, or what is still to be done."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from halls.models import Role
from tests.support.evening import Evening, browser_of


@pytest.mark.django_db
def test_page_says_what_to_do_while_only_this_computer_opens_the_hall() -> None:
    evening = Evening(language="en")
    page = evening.at("manager").get("/devices/", HTTP_HOST="127.0.0.1:8000", SERVER_PORT="8000")
    shown = page.content.decode()
    assert page.context["reached"] == []
    assert "Only this computer opens the hall" in shown
    assert "ALLOWED_HOSTS=" in shown
    assert browser_of(evening.person(Role.CASHIER)).get("/devices/").status_code == 403


@pytest.mark.django_db
@override_settings(CSRF_TRUSTED_ORIGINS=["https://192.168.1.20", "https://*.example"])
def test_page_shows_the_address_that_others_open() -> None:
    page = Evening().at("manager").get("/devices/", HTTP_HOST="127.0.0.1:8000", SERVER_PORT="8000")
    (reach,) = page.context["reached"]
    assert reach.url == "https://192.168.1.20/"
    assert reach.code.startswith("data:image/svg+xml;base64,")


PRINTING = """
import bingo, os
print(*map(os.environ.get, ("PORT", "HALL", "BINGO_OIDC_LABEL", "BINGO_SEAL_PASSPHRASE")), sep="|")
"""


@pytest.mark.parametrize("target", ["run", "demo"])
@pytest.mark.parametrize(
    ("given", "arguments", "port"),
    [({}, (), "8000"), ({"PORT": "8100"}, (), "8100"), ({"PORT": "8100"}, ("PORT=8200",), "8200")],
)
def test_make_leaves_env_to_the_program_and_passes_what_was_given(
    tmp_path: Path, target: str, given: dict[str, str], arguments: tuple[str, ...], port: str
) -> None:
    for name in ("Makefile", "bingo/__init__.py"):
        made = tmp_path / name
        made.parent.mkdir(exist_ok=True)
        shutil.copy(Path(settings.BASE_DIR) / name, made)
    (tmp_path / "manage.py").write_text(PRINTING)
    (tmp_path / "ready").touch()
    (tmp_path / ".env").write_text(
        "PORT=8000\nBINGO_OIDC_LABEL=Chain account\nBINGO_SEAL_PASSPHRASE=correct$horse\n"
    )
    argv = [
        "make",
        "--old-file=ready",
        target,
        f"PYTHON={shlex.quote(sys.executable)}",
        "READY=ready",
    ]
    told = subprocess.run(
        [*argv, "HALL=own", *arguments], cwd=tmp_path, env={"PATH": os.environ["PATH"]} | given,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.strip() == f"{port}|own|Chain account|correct$horse"
    assert told.stderr == ""


@pytest.mark.parametrize(("given", "found"), [({}, "from the file"), ({"SAID": "here"}, "here")])
def test_env_is_read_however_a_program_is_started(
    tmp_path: Path, given: dict[str, str], found: str
) -> None:
    package = tmp_path / "a hall" / "bingo"
    package.mkdir(parents=True)
    shutil.copy(Path(settings.BASE_DIR) / "bingo" / "__init__.py", package)
    (package.parent / ".env").write_text('SAID="from the file"\n')
    told = subprocess.run(
        [sys.executable, "-c", "import bingo, os; print(os.environ['SAID'])"],
        cwd=package.parent, env=given, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.strip() == found
