"""A key that never leaves its PKCS#11 token: where it is, and the signer that asks the token."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bingo.pdf.certificates import Certificates
from bingo.pdf.fault import SealError

PIN = "BINGO_SEAL_PIN"


@dataclass(frozen=True, slots=True)
class Token:
    """The key labelled `key` in the token labelled `label`, behind the library `module`."""

    module: str
    label: str
    key: str

    def describe(self, chain: Certificates) -> bytes:
        """Give the token and its certificates, the one that seals first, as the folder keeps them."""
        pem = "".join(one.public_bytes(Encoding.PEM).decode() for one in chain)
        told = {"module": self.module, "token": self.label, "key": self.key, "certificates": pem}
        return json.dumps(told, indent=1).encode()

    @classmethod
    def described(cls, content: bytes) -> "tuple[Token, Certificates]":
        """Read what `describe` wrote. Raises SealError key_unreadable."""
        try:
            told = json.loads(content)
            chain = x509.load_pem_x509_certificates(told["certificates"].encode())
            return cls(told["module"], told["token"], told["key"]), tuple(chain)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SealError("key_unreadable", file="token") from error

    @contextmanager
    def session(self) -> Iterator[Any]:
        """Open the token with the PIN of the environment.

        Raises SealError: pin_missing, pin_wrong, token_missing, library_missing, token_failed.
        """
        # The package loads a native library: only a hall with a token needs it.
        try:
            from pkcs11 import exceptions
            from pyhanko.config.pkcs11 import TokenCriteria
            from pyhanko.sign.pkcs11 import open_pkcs11_session
        except ImportError as error:
            raise SealError("library_missing", module="python-pkcs11") from error
        if not Path(self.module).is_file():
            raise SealError("library_missing", module=self.module)
        pin = os.environ.get(PIN)
        if not pin:
            raise SealError("pin_missing", variable=PIN)
        criteria = TokenCriteria(label=self.label)
        try:
            with open_pkcs11_session(self.module, token_criteria=criteria, user_pin=pin) as opened:
                yield opened
        except exceptions.PinIncorrect as error:
            raise SealError("pin_wrong", token=self.label) from error
        except exceptions.PKCS11Error as error:
            # pyHanko's own sentence, where no slot holds a token of that name.
            code = "token_missing" if "No token" in str(error) else "token_failed"
            raise SealError(code, token=self.label, cause=type(error).__name__) from error
        except (OSError, RuntimeError) as error:
            raise SealError("library_missing", module=self.module) from error

    def certificates(self) -> Certificates:
        """Give the certificates that the token keeps, that of the key first.

        Raises SealError: token_failed when there is none of the key's label, or as `session`.
        """
        from pkcs11 import Attribute, ObjectClass

        with self.session() as opened:
            found = [
                (one[Attribute.LABEL], x509.load_der_x509_certificate(one[Attribute.VALUE]))
                for one in opened.get_objects({Attribute.CLASS: ObjectClass.CERTIFICATE})
            ]
        ours = [one for label, one in found if label == self.key]
        if not ours:
            raise SealError("token_failed", token=self.label, cause="certificate")
        return (ours[0], *(one for _label, one in found if one != ours[0]))
