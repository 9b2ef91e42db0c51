"""A page of a PDF in its shortest form: ReportLab's own takes as long to write as six cards."""

import zlib

from reportlab.pdfbase.pdfdoc import PDFDocument, PDFObject, PDFObjectReference

# Of a page's time, zlib's usual level would take more than all the rest; level 1 makes files a
# sixth larger.
LEVEL = 1


class Content(PDFObject):  # type: ignore[misc]  # ReportLab carries no types
    """What a page shows, compressed."""

    def __init__(self, operators: str) -> None:
        self._packed = zlib.compress(operators.encode("ascii"), LEVEL)

    def format(self, document: PDFDocument) -> bytes:
        """Write the object, as ReportLab asks for it."""
        head = b"<< /Filter /FlateDecode /Length %d >>\n" % len(self._packed)
        return head + b"stream\n" + self._packed + b"\nendstream\n"


class Leaf(PDFObject):  # type: ignore[misc]  # as above
    """A page of `size` points whose resources are those of the reference given."""

    def __init__(
        self, operators: str, size: tuple[float, float], resources: PDFObjectReference
    ) -> None:
        self._content = Content(operators)
        self._size = size
        self._resources = resources

    def format(self, document: PDFDocument) -> bytes:
        """Write the object, as ReportLab asks for it."""
        return (
            b"<< /Type /Page /Parent %s /MediaBox [0 0 %.3f %.3f] /Resources %s /Contents %s >>"
            % (
                document.Reference(document.Pages).format(document),
                *self._size,
                self._resources.format(document),
                document.Reference(self._content).format(document),
            )
        )
