"""A seal made only to see that a key can make one."""

from datetime import datetime
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import seal
from bingo.pdf.keys import SigningKey


def tried(key: SigningKey, *, at: datetime) -> None:
    """Seal an empty page and verify it. Raises SealError when the key cannot, or must not, seal."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.showPage()
    canvas.save()
    seal.sign(out.getvalue(), key=key, at=at, field_name="Acta", reason="", location="")
