"""Pages held against pictures of them that were looked at and kept."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page

KEPT = Path(__file__).parent / "pictures"
WIDE = 480  # pixels of a kept picture: enough to see what is where
COLOURS = 128
ACROSS = 48  # cells a page is compared in: typefaces differ from machine to machine, places do not
FAR = 26  # of 255: a cell this far from the kept one shows something else
MOST = 0.02  # part of the cells that may, for words that break one letter sooner
RENEW = os.environ.get("BINGO_PICTURES_RENEW")  # keep what is seen now: to be looked at


def unlike(page: Page, name: str) -> list[str]:
    """Say where a page differs from the picture kept under this name; one not yet kept differs."""
    seen = Image.open(BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    kept = KEPT / f"{name}.png"
    if RENEW:
        small = seen.copy()
        small.thumbnail((WIDE, WIDE * seen.height), Image.Resampling.LANCZOS)
        small.quantize(COLOURS).save(kept, optimize=True)
        return []
    if not kept.exists():
        return [f"{name}: no picture is kept"]
    with Image.open(kept) as before:
        return [f"{name}: {one}" for one in differences(seen, before.convert("RGB"))]


def differences(seen: Image.Image, kept: Image.Image) -> list[str]:
    """Say how much of two pictures differs, where it is more than letters would do."""
    high = round(ACROSS * kept.height / kept.width)
    if high != round(ACROSS * seen.height / seen.width):
        return [f"of another shape: {seen.size}"]
    cells = [
        np.asarray(one.resize((ACROSS, high), Image.Resampling.BOX), dtype=np.int16)
        for one in (seen, kept)
    ]
    far = np.abs(cells[0] - cells[1]).max(axis=2) > FAR
    if far.mean() <= MOST:
        return []
    rows, columns = np.nonzero(far)
    return [
        (
            f"{far.mean():.1%} differs, from {columns.min() / ACROSS:.0%}, {rows.min() / high:.0%}"
            f" to {columns.max() / ACROSS:.0%}, {rows.max() / high:.0%}"
        )
    ]
