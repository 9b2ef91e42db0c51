"""What the tests of till papers share with others."""

import subprocess


def text_of(pdf: bytes) -> str:
    """Return the words of a PDF as poppler reads them."""
    read = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True
    )
    return read.stdout.decode().replace("\xa0", " ")
