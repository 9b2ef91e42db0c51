"""Ed25519 with nothing but Python: RFC 8032's answers, another library's, and what must not verify."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from halls.witness import ed25519

# RFC 8032, 7.1: secret, public key, message, signature.
KNOWN = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
)


@pytest.mark.parametrize(("secret", "public", "message", "signature"), KNOWN)
def test_known_answers(secret: str, public: str, message: str, signature: str) -> None:
    seed, text = bytes.fromhex(secret), bytes.fromhex(message)
    assert ed25519.public_key(seed).hex() == public
    assert ed25519.sign(seed, text).hex() == signature
    assert ed25519.verify(bytes.fromhex(public), bytes.fromhex(signature), text)


def test_another_library_signs_and_verifies_the_same() -> None:
    chance = random.Random(8032)
    for length in (0, 1, 31, 64, 300):
        seed, message = chance.randbytes(32), chance.randbytes(length)
        other = Ed25519PrivateKey.from_private_bytes(seed)
        public = other.public_key().public_bytes_raw()
        assert ed25519.public_key(seed) == public
        assert ed25519.sign(seed, message) == other.sign(message)
        assert ed25519.verify(public, other.sign(message), message)


def test_changed_signature_message_or_key_does_not_verify() -> None:
    seed = bytes(range(32))
    public, message = ed25519.public_key(seed), b"checkpoint"
    signature = ed25519.sign(seed, message)
    for at in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[at] ^= 1
        assert not ed25519.verify(public, bytes(changed), message)
    assert not ed25519.verify(public, signature, b"checkpoinT")
    assert not ed25519.verify(ed25519.public_key(bytes(32)), signature, message)
    assert not ed25519.verify(public, signature[:-1], message)
    # The same number written another way: S and S + L are one.
    more = int.from_bytes(signature[32:], "little") + ed25519.ORDER
    assert not ed25519.verify(public, signature[:32] + more.to_bytes(32, "little"), message)


@pytest.mark.parametrize(
    "public",
    [
        pytest.param(b"\x01" + bytes(31), id="neutral"),
        pytest.param(bytes(32), id="order four"),
        pytest.param(bytes([0xEC, *[0xFF] * 30, 0x7F]), id="order two"),
        pytest.param(bytes([0xEE, *[0xFF] * 30, 0x7F]), id="not reduced"),
        pytest.param(b"\x02" + bytes(31), id="on no curve"),
        pytest.param(b"", id="empty"),
    ],
)
def test_what_is_no_key(public: bytes) -> None:
    assert not ed25519.is_key(public)
    assert ed25519.is_key(ed25519.public_key(bytes(range(32))))
