"""A PKCS#11 token in software, made for a test."""

import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bingo.pdf.keys import PIN, Token

LIBRARIES = ("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so")
LABEL, KEY, CODE = "acta", "selo", "314159"


def demand() -> str:
    """Return the library, or skip; where programs are demanded, fail."""
    library = next((name for name in LIBRARIES if Path(name).exists()), "")
    if library and shutil.which("softhsm2-util") and find_spec("pkcs11"):
        return library
    missing = "there is no SoftHSM (Debian's softhsm2) with python-pkcs11 on this machine"
    if os.environ.get("BINGO_REQUIRE_BROWSER") == "1":
        pytest.fail(missing)
    pytest.skip(missing)


def make(folder: Path, certify: Callable[[ec.EllipticCurvePublicKey], x509.Certificate]) -> Token:
    """Make a token with a key in it, certified by `certify`, and let the environment point at it."""
    library = demand()
    (folder / "tokens").mkdir()
    settings = folder / "softhsm2.conf"
    settings.write_text(f"directories.tokendir = {folder}/tokens\nobjectstore.backend = file\n")
    os.environ["SOFTHSM2_CONF"], os.environ[PIN] = str(settings), CODE
    private = ec.generate_private_key(ec.SECP256R1())
    file = folder / "key.pem"
    file.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    _util("--init-token", "--free", "--label", LABEL, "--so-pin", CODE, "--pin", CODE)
    _util("--import", str(file), "--token", LABEL, "--label", KEY, "--id", "01", "--pin", CODE)
    file.unlink()
    (folder / "own.pem").write_bytes(certify(private.public_key()).public_bytes(Encoding.PEM))
    return Token(library, LABEL, KEY)


def _util(*arguments: str) -> None:
    subprocess.run(["softhsm2-util", *arguments], check=True, capture_output=True)
