"""Seals with time stamps as an inspector reads them: what holds, and what somebody else changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID
from pyhanko.sign.timestamps import DummyTimeStamper

from bingo.pdf import keys, seal
from bingo.pdf.keys import SigningKey
from bingo.pdf.seal import Level
from draws.record.verifier import command, seals
from draws.record.verifier.cms import BadSignature
from draws.record.verifier.verdicts import Trust
from tests.support import sealed_actas
from tests.support.sealed_actas import made, trust, verdict, why
from tests.support.time_stamps import Stamps, answering
from tests.support.verifier import chained, recorded

LEVELS: tuple[Level, ...] = ("B-B", "B-T", "B-LTA")
STAMPED: tuple[Level, ...] = ("B-T", "B-LTA")
Papers = dict[str, bytes]


def now() -> datetime:
    """This second: a seal and its time stamp are compared, however long other tests have taken."""
    return datetime.now(UTC).replace(microsecond=0)


@pytest.fixture(scope="module")
def authority() -> Iterator[Stamps]:
    with answering() as running:
        yield running


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return keys.ensure(tmp_path_factory.mktemp("hall") / "seal", hall="Sala", now=now())


@pytest.fixture(scope="module")
def papers(key: SigningKey, authority: Stamps) -> Papers:
    """A sealed paper of each level."""
    return {level: made(key, authority, level, now()) for level in LEVELS}


@pytest.mark.rule(58)
@pytest.mark.slow
def test_every_check_of_each_level(papers: Papers, key: SigningKey, authority: Stamps) -> None:
    known = trust(key, authority)
    plain = ["one_signature", "whole_file", "intact", "trusted"]
    for level, more in (("B-B", []), ("B-T", ["time_stamp"])):
        checks = seals.judge(papers[level], known).checks
        assert [(one.name, one.verdict) for one in checks] == [(n, "good") for n in plain + more]
    checks = seals.judge(papers["B-LTA"], known).checks
    # What a stamp added behind the seal says could have been added by anybody with another stamp.
    said = {one.name: one.verdict for one in checks}
    assert said == dict.fromkeys([*plain, "time_stamp", "archive_stamp"], "good") | {"whole_file": "open"}  # fmt: skip


@pytest.mark.parametrize("level", STAMPED)
@pytest.mark.slow
def test_without_the_authority_the_hour_stays_open(
    level: Level, papers: Papers, key: SigningKey
) -> None:
    checks = seals.judge(papers[level], trust(key, None)).checks
    assert {one.verdict for one in checks if "stamp" in one.name} == {"open"}


@pytest.mark.slow
@pytest.mark.rule(58)
@pytest.mark.parametrize("level", STAMPED)
def test_stamp_of_another_authority_of_the_same_name_is_refused(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    other = Stamps()
    assert other.certificate.subject == authority.certificate.subject
    known = trust(key, other)
    assert (verdict(papers[level], known), "nobody who is trusted" in why(papers[level], known)) == ("false", True)  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule(58)
@pytest.mark.parametrize("level", STAMPED)
def test_stamp_that_was_cut_out_is_missed(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    bare = sealed_actas.without_stamp(papers[level])
    for known in (trust(key, authority), trust(key, None)):
        assert (verdict(bare, known), why(bare, known)) == ("false", "its time stamp was cut out")
    told = seal.verify_pdf(bare, trust=key.trust, stamps=authority.trust)
    assert (told.intact, told.sealed) == (True, False)


@pytest.mark.slow
@pytest.mark.rule(58)
def test_stamp_of_the_whole_file_that_was_cut_off_is_missed(
    papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    whole = papers["B-LTA"]
    cut = whole[: sealed_actas.holes(whole)[0].covers]
    assert why(cut, trust(key, authority)) == "the time stamp of the whole file was cut off"
    told = seal.verify_pdf(cut, trust=key.trust, stamps=authority.trust)
    assert (told.intact, told.sealed) == (True, False)


def flipped(pdf: bytes, known: Trust, places: range, bits: tuple[int, ...]) -> list[int]:
    """Return the places at which a flipped bit is not refused; of each byte, one of the bits in turn."""
    unseen = []
    for place in places:
        changed = bytearray(pdf)
        changed[place] ^= bits[place % len(bits)]
        if verdict(bytes(changed), known) != "false":
            unseen.append(place)
    return unseen


@pytest.mark.slow
@pytest.mark.rule(58)
@pytest.mark.parametrize("level", STAMPED)
def test_flipped_bit_is_refused(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    """At every eleventh byte; the bit makes the other case of a letter, the other of two digits, or half its value."""
    whole = papers[level]
    places = range(0, len(whole), 11)
    assert flipped(whole, trust(key, authority), places, (1, 0x20, 0x40)) == []


@pytest.mark.slow
@pytest.mark.rule(58)
@pytest.mark.parametrize("level", STAMPED)
def test_flipped_bit_at_every_byte_is_refused(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    """At every byte, and each of the eight bits in turn."""
    whole, known = papers[level], trust(key, authority)
    bits = tuple(1 << bit for bit in range(8))
    assert flipped(whole, known, range(len(whole)), bits) == []
    assert flipped(whole, known, range(len(whole)), (1, 0x20, 0x40)) == []


@pytest.mark.slow
@pytest.mark.rule(58)
@pytest.mark.parametrize("level", STAMPED)
def test_every_bit_of_the_signature_itself_counts(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    """The DER behind the digits, with every eighth bit flipped: other digits, well written."""
    whole, known = papers[level], trust(key, authority)
    for hole in sealed_actas.holes(whole):
        value = bytearray.fromhex(whole[hole.begins + 1 : hole.ends - 1].decode())
        for bit in range(hole.begins % 8, len(value) * 8, 8 * 3 + 1):
            value[bit // 8] ^= 1 << bit % 8
            digits = b"<" + value.hex().upper().encode() + b">"
            value[bit // 8] ^= 1 << bit % 8
            changed = whole[: hole.begins] + digits + whole[hole.ends :]
            assert verdict(changed, known) == "false", bit


@pytest.mark.rule(58)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("more", [b"\n", b" ", b"%%EOF\n", b"\x00" * 100, b"1 0 obj\nendobj\n%%EOF\n"])  # fmt: skip
def test_appended_bytes_are_refused_at_every_level(
    level: Level, more: bytes, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    assert verdict(papers[level] + more, trust(key, authority)) == "false"


@pytest.mark.rule(58)
@pytest.mark.parametrize("level", LEVELS)
def test_cut_tail_is_refused_at_every_level(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    whole = papers[level]
    ends = [at + 6 for at in range(len(whole) - 6) if whole.startswith(b"%%EOF", at)]
    for length in (len(whole) - 1, len(whole) - 7, len(whole) // 2, 10, 0, *ends[:-1]):
        assert verdict(whole[:length], trust(key, authority)) == "false", length


@pytest.mark.rule(58)
@pytest.mark.parametrize("level", LEVELS)
def test_another_hall_authority_of_the_same_name_is_refused_at_every_level(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps, tmp_path: Path
) -> None:
    same = keys.ensure(tmp_path / "seal", hall="Sala", now=now())
    assert same.authority.subject == key.authority.subject
    assert "nobody who is trusted" in why(papers[level], trust(same, authority))


@pytest.mark.rule(58)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("whose", ["the hall's", "a stranger's"])
def test_second_signature_is_refused(
    level: Level, whose: str, papers: Papers, key: SigningKey, authority: Stamps, tmp_path: Path
) -> None:
    by = key if whose == "the hall's" else keys.ensure(tmp_path / "s", hall="Outra", now=now())
    for stamper in (None, authority.stamper):
        twice = sealed_actas.signed_again(papers[level], by, field="Outra", stamper=stamper)
        assert verdict(twice, trust(key, authority)) == "false"
        assert not seal.verify_pdf(twice, trust=key.trust, stamps=authority.trust).sealed


@pytest.mark.rule(58)
def test_empty_field_that_was_signed_afterwards_is_refused(
    key: SigningKey, authority: Stamps
) -> None:
    before = sealed_actas.with_field(sealed_actas.drawn(), "Outra")
    whole, known = made(key, authority, "B-B", now(), before), trust(key, authority)
    assert verdict(whole, known) == "good"
    assert verdict(sealed_actas.signed_again(whole, key, field="Outra"), known) == "false"
    assert verdict(sealed_actas.with_field(whole, "Mais"), known) == "false"


@pytest.mark.rule(58)
@pytest.mark.parametrize("level", LEVELS)
def test_later_stamp_and_later_change_are_never_good(
    level: Level, papers: Papers, key: SigningKey, authority: Stamps
) -> None:
    whole, known = papers[level], trust(key, authority)
    assert verdict(sealed_actas.with_another_language(whole), known) == "false"
    assert verdict(sealed_actas.stamped_again(whole, authority), known) == "false"
    # Whoever asks the same authority gets a stamp of anything: behind the seal's own revision it
    # looks as the hall's does, and only the journal that recorded another file tells.
    first = whole[: sealed_actas.holes(whole)[0].covers]
    forged = sealed_actas.stamped_again(sealed_actas.with_another_language(first), authority)
    assert verdict(forged, known) == ("open" if level == "B-LTA" else "false")


@pytest.mark.rule(58)
@pytest.mark.slow
def test_forged_revision_with_a_true_stamp_is_not_the_file_recorded(
    key: SigningKey, authority: Stamps, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    lines, heads = chained([{}])
    acta = made(key, authority, "B-LTA", now(), sealed_actas.drawn(heads[0]))
    lines, _heads = chained([{}, recorded(acta, 1, heads[0])])
    (tmp_path / "journal.jsonl").write_text("".join(lines))
    (tmp_path / "hall.pem").write_bytes(key.trust)
    (tmp_path / "stamps.pem").write_bytes(authority.trust)
    first = acta[: sealed_actas.holes(acta)[0].covers]
    forged = sealed_actas.stamped_again(sealed_actas.with_another_language(first), authority)
    words = ["--certificate", str(tmp_path / "hall.pem"), "--authority", str(tmp_path / "stamps.pem")]  # fmt: skip
    for content, code, said in ((acta, 2, "give a checkpoint"), (forged, 1, "recorded no such file")):  # fmt: skip
        (tmp_path / "acta.pdf").write_bytes(content)
        assert command.main([*words, str(tmp_path / "acta.pdf"), str(tmp_path / "journal.jsonl")]) == code  # fmt: skip
        assert said in capsys.readouterr().out


# ---- the hour of the stamp, and who gave it


def token_at(at: datetime) -> tuple[bytes, x509.Certificate]:
    """Return a stamp of the bytes b"acta" at an hour, and its authority's certificate."""
    authority = Stamps()
    stamper = DummyTimeStamper(authority.stamper.tsa_cert, authority.stamper.tsa_key, fixed_dt=at)
    return sealed_actas.token(stamper, b"acta"), authority.certificate


@pytest.mark.slow
@pytest.mark.rule(58)
def test_stamp_counts_while_its_authority_is_certified() -> None:
    at = now()
    told, certificate = token_at(at)
    assert seals.read_stamp(told, b"acta", Trust((), [certificate])).at == at
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    for hour in (begins - timedelta(seconds=2), ends + timedelta(seconds=2)):
        told, certificate = token_at(hour)
        with pytest.raises(BadSignature, match="not valid when"):
            seals.read_stamp(told, b"acta", Trust((), [certificate]))


def test_stamp_of_something_else_is_refused() -> None:
    told, certificate = token_at(now())
    with pytest.raises(BadSignature, match="of something else"):
        seals.read_stamp(told, b"another acta", Trust((), [certificate]))


@pytest.mark.parametrize("usage", [None, ExtendedKeyUsageOID.CODE_SIGNING])
def test_certificate_for_something_else_stamps_nothing(usage: x509.ObjectIdentifier | None) -> None:
    authority = Stamps(usage)
    told, certificate = sealed_actas.token(authority.stamper, b"acta"), authority.certificate
    with pytest.raises(BadSignature, match="not of an authority of time stamps"):
        seals.read_stamp(told, b"acta", Trust((), [certificate]))


def revoking(
    issuer: x509.Certificate,
    private: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey,
    serial: int,
    at: datetime,
) -> x509.CertificateRevocationList:
    """Return a list that takes a certificate back at an hour."""
    one = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(at).build()
    made = x509.CertificateRevocationListBuilder().issuer_name(issuer.subject)
    made = made.last_update(at).next_update(at + timedelta(days=30)).add_revoked_certificate(one)
    return made.sign(private, hashes.SHA256())


@pytest.mark.rule(58)
@pytest.mark.parametrize("level", LEVELS)
def test_seal_of_a_key_that_had_been_revoked_is_refused(
    level: Level, authority: Stamps, tmp_path: Path
) -> None:
    folder = tmp_path / "seal"
    key = keys.ensure(folder, hall="Sala", now=now() - timedelta(days=9))
    whole = made(key, authority, level, now())
    keys.revoke(folder, version=1, at=now() - timedelta(hours=1))
    assert "had been revoked" in why(whole, trust(key, authority, *keys.revocations(folder)))
    # What another wrote under the authority's name takes nothing back.
    forger = ec.generate_private_key(ec.SECP256R1())
    forged = revoking(
        key.authority, forger, key.certificate.serial_number, now() - timedelta(days=1)
    )
    assert verdict(whole, trust(key, authority, forged)) != "false"


@pytest.mark.slow
def test_seal_made_before_its_key_was_revoked_stays_good(
    papers: Papers, authority: Stamps, tmp_path: Path
) -> None:
    folder = tmp_path / "seal"
    key = keys.ensure(folder, hall="Sala", now=now())
    whole = made(key, authority, "B-T", now())
    keys.revoke(folder, version=1, at=datetime.now(UTC) + timedelta(hours=1))
    assert verdict(whole, trust(key, authority, *keys.revocations(folder))) == "good"


@pytest.mark.rule(58)
@pytest.mark.parametrize("back", [False, True])
def test_hour_that_the_seal_names_does_not_bring_back_an_expired_key(
    back: bool, authority: Stamps, tmp_path: Path
) -> None:
    """A seal of years ago, stamped now: the key had expired when a third party saw it."""
    then = now() - timedelta(days=365 * 11) if back else now()
    key = keys.ensure(tmp_path / "seal", hall="Sala", now=then)
    stamper = DummyTimeStamper(authority.stamper.tsa_cert, authority.stamper.tsa_key)
    whole = sealed_actas.signed_again(
        sealed_actas.drawn(), key, field="Acta", stamper=stamper, at=then
    )
    known = trust(key, authority)
    assert verdict(whole, known) == ("false" if back else "good")
    if back:
        assert "not valid when" in why(whole, known)


@pytest.mark.slow
def test_list_of_revoked_certificates_is_read_from_a_file(
    papers: Papers, key: SigningKey, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hall.pem").write_bytes(key.trust)
    (tmp_path / "acta.pdf").write_bytes(papers["B-B"])
    stranger = ec.generate_private_key(ec.SECP256R1())
    told = revoking(key.authority, stranger, 7, now())
    words = ["--certificate", str(tmp_path / "hall.pem"), str(tmp_path / "acta.pdf")]
    for name, content, code in (
        ("der.crl", told.public_bytes(Encoding.DER), 0),
        ("pem.crl", told.public_bytes(Encoding.PEM), 0),
        ("none.crl", b"nothing", 2),
    ):
        (tmp_path / name).write_bytes(content)
        assert command.main([*words, "--revoked", str(tmp_path / name)]) == code
    assert "no list of revoked certificates" in capsys.readouterr().err
