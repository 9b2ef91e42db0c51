"""The installed packages without one of them, as links in a folder of their own."""

from __future__ import annotations

import sys
from pathlib import Path


def path_without(package: str, folder: Path) -> list[str]:
    """Return Python's path with `folder` in place of where the package is installed.

    `folder` is made to hold links to all that is installed beside it, but neither the package nor
    what tells of it.
    """
    installed = next(Path(each) for each in sys.path if (Path(each) / package).is_dir())
    folder.mkdir()
    for one in installed.iterdir():
        if one.name.partition("-")[0] != package:
            (folder / one.name).symlink_to(one)
    return [str(folder) if Path(each) == installed else each for each in sys.path]
