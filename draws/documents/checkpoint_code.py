"""A checkpoint as a QR code on a page."""

import segno


def drawn(note: str) -> str:
    """Give the code of a signed checkpoint as SVG for a page."""
    made = segno.make(note, error="l", micro=False, boost_error=False)
    drawing: str = made.svg_inline(scale=4, border=4, light="white")
    return drawing
