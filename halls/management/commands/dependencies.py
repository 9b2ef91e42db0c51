"""Hold the packages that are installed against those that are pinned, and say when they were audited.

What this proves without a network: every package is pinned to one version and to the digests of its
files, what is installed is what is pinned, and the list of packages (SBOM) has them all. What it does
not: whether a weakness of one of them has become known, or a version was withdrawn. That is asked by
--audit, of the index, and only its day is kept.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from halls.management.reporting import Report

PINS = ("requirements.txt", "requirements-dev.txt")
SBOM = "sbom.cdx.json"
AUDIT = "docs/dependency-audit.toml"
STALE = 30  # days after which an audit is asked for again
PINNED = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")
HASHED = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def pins(text: str) -> dict[str, str]:
    """Return package and version of each line of a file of pins. ValueError names a line that is none."""
    found = {}
    for entry in text.replace("\\\n", " ").splitlines():
        if not entry.strip() or entry.startswith("#"):
            continue
        pinned = PINNED.match(entry)
        if pinned is None or not HASHED.search(entry):
            raise ValueError(entry.split("--hash")[0].strip())
        found[plain(pinned[1])] = pinned[2]
    return found


def plain(name: str) -> str:
    """Return a package's name as indexes compare them (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Command(Report):
    """Exit code 0: told, or nothing is wrong. 1: --check or --audit found something.

    Faults are a package without one version or without digests, one that is installed in another
    version or not at all, one that the project asks for and no file pins, and a list that lacks one.
    """

    help = "Show whether packages are the pinned ones, and when they were asked about weaknesses."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --check and --audit."""
        super().add_arguments(parser)
        one = parser.add_mutually_exclusive_group()
        one.add_argument("--check", action="store_true", help="exit 1 where something is wrong")
        one.add_argument(
            "--audit", action="store_true",
            help=f"ask the index by pip-audit, which must be installed, and note the day in {AUDIT}",
        )  # fmt: skip

    def handle(self, *, json: bool, check: bool, audit: bool, **_options: Any) -> None:
        """Tell, check or ask."""
        root = Path(settings.BASE_DIR)
        if audit:
            self._audit(root)
            return
        found, due = list(faults(root)), overdue(root, today=timezone.now().date())
        if check:
            self.report(found, [*found, *due], as_json=json)
        else:
            self.report({"faults": found, "audit": due}, [*found, *due] or ["ok"], as_json=json)
        if found and check:
            raise SystemExit(1)

    def _audit(self, root: Path) -> None:
        program = shutil.which("pip-audit")
        if program is None:
            raise CommandError("pip-audit is not installed: pipx install pip-audit")
        asked = [program, "--require-hashes", "--disable-pip", "--format", "json", "--requirement"]
        done = subprocess.run([*asked, root / PINS[1]], capture_output=True, text=True, check=False)
        try:
            answers = json.loads(done.stdout)["dependencies"]
        except (ValueError, KeyError):
            raise CommandError(done.stderr.strip() or "pip-audit said nothing") from None
        self._note(root, answers)

    def _note(self, root: Path, answers: list[dict[str, Any]]) -> None:
        weak = [one for one in answers if one.get("vulns")]
        unasked = [one["name"] for one in answers if "skip_reason" in one]
        for one in weak:
            known = ", ".join(found["id"] for found in one["vulns"])
            self.stdout.write(f"{one['name']} {one['version']}: {known}")
        if unasked or not answers:
            raise CommandError(
                f"nothing is noted: {len(unasked)} of {len(answers)} packages were not known where they were asked for"
            )
        if weak:
            raise SystemExit(1)
        note = f"# Written by `make audit`.\nday = {timezone.now().date()}\npackages = {len(answers)}\n"
        (root / AUDIT).write_text(note, encoding="utf-8")


def faults(root: Path) -> Iterator[str]:
    """Return what is wrong with pins, packages and list."""
    found: dict[str, dict[str, str]] = {}
    for name in PINS:
        try:
            found[name] = pins((root / name).read_text(encoding="utf-8"))
        except ValueError as line:
            yield f"{name}: not one version with digests: {line}"
            return
    runs, works = (found[name] for name in PINS)
    yield from _asked(root, runs, works)
    yield from (f"{PINS[1]}: {name} {version} of {PINS[0]} is another" for name, version in runs.items() if works.get(name) != version)  # fmt: skip
    yield from _installed(works)
    listed = {
        (plain(one["name"]), one["version"])
        for one in json.loads((root / SBOM).read_text(encoding="utf-8"))["components"]
    }
    if listed != set(runs.items()):
        yield f"{SBOM} is out of date: make sbom"


def _asked(root: Path, runs: dict[str, str], works: dict[str, str]) -> Iterator[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = ((project["dependencies"], runs), (project["optional-dependencies"]["dev"], works))
    for wanted, pinned in asked:
        names = (plain(re.split(r"[\[=<>~!; ]", one, maxsplit=1)[0]) for one in wanted)
        yield from (f"pyproject.toml: {name} is not pinned" for name in names if name not in pinned)


def _installed(pinned: dict[str, str]) -> Iterator[str]:
    for name, version in pinned.items():
        try:
            there = metadata.version(name)
        except metadata.PackageNotFoundError:
            there = "none"
        if there != version:
            yield f"{name}: {version} is pinned, {there} is installed: make setup"


def overdue(root: Path, *, today: date) -> list[str]:
    """Return a sentence where the packages have not been asked about for `STALE` days, or ever."""
    file = root / AUDIT
    day = tomllib.loads(file.read_text(encoding="utf-8")).get("day") if file.exists() else None
    if day is None:
        return ["known weaknesses of these packages were never asked for: make audit"]
    age = (today - day).days
    return [f"known weaknesses were asked for {age} days ago: make audit"] if age > STALE else []
