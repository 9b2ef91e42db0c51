"""The offline verifier as one file that any Python runs: what the inspector's page gives."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "bingo-verify.pyz"
ALONE = (
    "halls/__init__.py",
    "halls/verify_journal.py",
    "draws/__init__.py",
    "draws/verify_draw.py",
)
MAIN = '"""python3 bingo-verify.pyz --help"""\n\nimport draws.verifier.__main__\n\ndraws.verifier.__main__.start()\n'
WRITTEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same file


def packed() -> bytes:
    """Give the verifier as an archive that Python runs as it is; its sources can be read in it."""
    out = io.BytesIO()
    names = [*ALONE, *sorted(f"draws/verifier/{one.name}" for one in _sources())]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, WRITTEN), (ROOT / name).read_bytes())
        archive.writestr(zipfile.ZipInfo("__main__.py", WRITTEN), MAIN)
    return b"#!/usr/bin/env python3\n" + out.getvalue()


def _sources() -> list[Path]:
    return list((ROOT / "draws" / "verifier").glob("*.py"))
