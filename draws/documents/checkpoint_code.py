"""A checkpoint as a QR code, on a page or as a picture of its own."""

from io import BytesIO

import segno


def drawn(note: str) -> str:
    """Give the code of a signed checkpoint as SVG for a page."""
    made = segno.make(note, error="l", micro=False, boost_error=False)
    drawing: str = made.svg_inline(scale=4, border=4, light="white")
    return drawing


def picture(note: str) -> bytes:
    """Give the code of a signed checkpoint as an SVG file, as large as it is shown."""
    out = BytesIO()
    made = segno.make(note, error="l", micro=False, boost_error=False)
    made.save(out, kind="svg", border=4, light="white", omitsize=True)
    return out.getvalue()
