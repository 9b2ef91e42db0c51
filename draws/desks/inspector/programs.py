"""Programs that an inspector takes away, each one file that any Python runs: offline verifier, witness.

Each holds the sources of its own folder and what they import besides, and can be read in it.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WRITTEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same file


@dataclass(frozen=True, slots=True)
class Program:
    """What a program is called, its folder, the files it needs besides, and its `__main__.py`."""

    name: str
    folder: str
    besides: tuple[str, ...]
    main: str

    def build(self) -> bytes:
        """Return it as an archive that Python runs as it is."""
        own = sorted(str(one.relative_to(ROOT)) for one in (ROOT / self.folder).glob("*.py"))
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in [*self.besides, *own]:
                archive.writestr(zipfile.ZipInfo(name, WRITTEN), (ROOT / name).read_bytes())
            archive.writestr(zipfile.ZipInfo("__main__.py", WRITTEN), self.main)
        return b"#!/usr/bin/env python3\n" + out.getvalue()


VERIFIER = Program(
    "bingo-verify.pyz",
    "draws/record/verifier",
    (
        "halls/__init__.py",
        "halls/verify_journal.py",
        "draws/__init__.py",
        "draws/record/__init__.py",
        "draws/verify_draw.py",
    ),
    '"""python3 bingo-verify.pyz --help"""\n\nimport draws.record.verifier.__main__\n\ndraws.record.verifier.__main__.start()\n',
)
WITNESS = Program(
    "bingo-witness.pyz",
    "halls/witness",
    ("halls/__init__.py", "halls/verify_journal.py"),
    '"""python3 bingo-witness.pyz --help"""\n\nimport sys\n\nfrom halls.witness.command import main\n\nsys.exit(main())\n',
)
