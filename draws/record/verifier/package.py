"""The offline verifier as one file that any Python runs: what the inspector's page gives.

It is made here and is not in it: a verifier in hand makes no others.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NAME = "bingo-verify.pyz"
OUTSIDE = (
    "halls/__init__.py",
    "halls/verify_journal.py",
    "draws/__init__.py",
    "draws/record/__init__.py",
    "draws/verify_draw.py",
)
MAIN = '"""python3 bingo-verify.pyz --help"""\n\nimport draws.record.verifier.__main__\n\ndraws.record.verifier.__main__.start()\n'
WRITTEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same file


def build_verifier() -> bytes:
    """Return the verifier as an archive that Python runs as it is; its sources can be read in it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [*OUTSIDE, *_own_sources()]:
            archive.writestr(zipfile.ZipInfo(name, WRITTEN), (ROOT / name).read_bytes())
        archive.writestr(zipfile.ZipInfo("__main__.py", WRITTEN), MAIN)
    return b"#!/usr/bin/env python3\n" + out.getvalue()


def _own_sources() -> list[str]:
    """Return the verifier's own files, as named from the root of the project."""
    here = Path(__file__)
    return sorted(str(one.relative_to(ROOT)) for one in here.parent.glob("*.py") if one != here)
