"""A digest set at a fixed pitch in groups of eight, so that two people can compare it aloud."""

from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Element, marked

GROUP = 8
PITCH, GAP, SIZE, HEIGHT = 6.2, 7.0, 9.2, 15.0


class Digest(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """Hexadecimal signs each in a cell of its own width."""

    def __init__(self, digest: str) -> None:
        super().__init__()
        if not digest.isalnum():
            raise ValueError(digest)
        self.digest = digest
        self.width = kit.WIDTH
        self.height = HEIGHT

    def draw(self) -> None:
        """Set the digest where the page has come to."""
        with marked(self.canv, Element("P")):
            # The text meant (ISO 32000-1, 14.9.4): copied from the page, it is the digest unspaced.
            self.canv._code.append(f"/Span <</ActualText ({self.digest})>> BDC")
            self.canv.setFont(kit.SEMIBOLD, SIZE)
            self.canv.setFillColor(kit.INK)
            for place, sign in enumerate(self.digest):
                x = (place + 0.5) * PITCH + place // GROUP * GAP
                self.canv.drawCentredString(x, 4, sign)
            self.canv._code.append("EMC")
