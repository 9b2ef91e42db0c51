"""Which files of the project something walks through, as the interpreter sees it call them."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
APPS = tuple(f"{ROOT / app}/" for app in ("bingo", "halls", "draws"))


class Walk:
    """The functions of the project that were called, in the order in which they were first."""

    def __init__(self) -> None:
        self._codes: Counter[CodeType] = Counter()
        self.over = False

    def note(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Take a call down, as `sys.setprofile` tells of it."""
        if self.over:
            sys.setprofile(None)  # in a thread that began meanwhile, and outlives the walk
        elif event == "call":
            self._codes[frame.f_code] += 1

    @property
    def files(self) -> dict[str, list[str]]:
        """The functions called in each file; a comprehension is its function's."""
        found: dict[str, list[str]] = {}
        for code in list(self._codes):
            if code.co_filename.startswith(APPS) and code.co_name != "<module>":
                names = found.setdefault(str(Path(code.co_filename).relative_to(ROOT)), [])
                name = code.co_qualname.split(".<locals>", 1)[0]
                if name not in names:
                    names.append(name)
        return found

    def calls(self, file: str, name: str) -> int:
        """Return how often a function was called."""
        return sum(
            count
            for code, count in list(self._codes.items())
            if (code.co_filename, code.co_qualname) == (str(ROOT / file), name)
        )


@contextmanager
def walking() -> Iterator[Walk]:
    """Take down what is called meanwhile, in this thread and in those that begin."""
    walk = Walk()
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    try:
        yield walk
    finally:
        walk.over = True
        sys.setprofile(None)
        threading.setprofile(None)
