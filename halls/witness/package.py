"""The witness as one file that any Python runs: what the inspector's page gives.

It is made here and is not in it: a witness in hand makes no others.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "bingo-witness.pyz"
OUTSIDE = ("halls/__init__.py", "halls/verify_journal.py")
MAIN = '"""python3 bingo-witness.pyz --help"""\n\nimport sys\n\nfrom halls.witness.command import main\n\nsys.exit(main())\n'
WRITTEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same file


def build_witness() -> bytes:
    """Return the witness as an archive that Python runs as it is; its sources can be read in it."""
    out = io.BytesIO()
    here = Path(__file__)
    own = sorted(str(one.relative_to(ROOT)) for one in here.parent.glob("*.py") if one != here)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [*OUTSIDE, *own]:
            archive.writestr(zipfile.ZipInfo(name, WRITTEN), (ROOT / name).read_bytes())
        archive.writestr(zipfile.ZipInfo("__main__.py", WRITTEN), MAIN)
    return b"#!/usr/bin/env python3\n" + out.getvalue()
