"""Audit what proves who somebody is: passwords, factors, codes, PINs and links, by their digests.

Whoever was taken on before entries told of it is not judged by what they do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

from bingo.rules import sign_in_and_pins, staff
from draws.record.audit.engine import require
from draws.record.audit.expected_rows import Books, Proof
from halls import models as house
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Person

DIGEST, ANEW = "password_digest", "anew"
OF_PASSWORD = (DIGEST, ANEW)


def take_on(books: Books, username: str, entry: JournalEntry) -> None:
    """Book the first password of somebody. Raises Refusal fact_disagrees."""
    known = _password(entry)
    books.proofs[username] = Proof(whole=bool(known), password=known.get(DIGEST))


def change_account(books: Books, entry: JournalEntry) -> dict[str, Any]:
    """Book what others make of an account; return what its entry tells of a password.

    Raises Refusal fact_disagrees.
    """
    change, username = entry.data["change"], entry.data["username"]
    known = _password(entry)
    if change == staff.ENROLLED:
        require(entry, ANEW not in known)
        take_on(books, username, entry)
    elif change == staff.PASSWORD:
        if ANEW in known:
            books.proofs[username] = Proof(whole=books.proofs[username].whole)
        _set_password(books.proofs[username], known, entry)
    else:
        require(entry, not known)
    if change == staff.FACTOR:
        _forget_factors(books.proofs[username])
    return known


def change_password(books: Books, entry: JournalEntry) -> None:
    """Book a password of somebody's own choice. Raises Refusal fact_disagrees."""
    known = _password(entry)
    require(entry, entry.by and entry.data == known and ANEW not in known)
    _set_password(_own(books, entry), known, entry)


def _password(entry: JournalEntry) -> dict[str, Any]:
    """Return what an entry tells of a password. Raises Refusal fact_disagrees."""
    known = {name: entry.data[name] for name in OF_PASSWORD if name in entry.data}
    digest = known.get(DIGEST)
    require(entry, digest is None or sign_in_and_pins.DIGEST.fullmatch(digest))
    require(entry, known.get(ANEW, True) is True)
    return known


def _set_password(proof: Proof, known: Mapping[str, Any], entry: JournalEntry) -> None:
    """Book a new password, which PIN and link go with. Older entries alone are without its digest."""
    require(entry, DIGEST in known or not proof.whole)
    proof.password, proof.pin, proof.link = known.get(DIGEST), "", ""


def _forget_factors(proof: Proof) -> None:
    proof.factors.clear()
    proof.codes.clear()


def _own(books: Books, entry: JournalEntry) -> Proof:
    return books.proofs[entry.by.username if entry.by else ""]


def change_own(books: Books, entry: JournalEntry) -> None:
    """Book what somebody changed of their own sign-in."""
    proof, data = _own(books, entry), entry.data
    digest = data.get("digest", "")
    match data["change"]:
        case sign_in_and_pins.ADDED:
            proof.factors[digest] = data["name"]
        case sign_in_and_pins.DROPPED:
            _drop(proof, digest)
        case sign_in_and_pins.CODES_MADE:
            proof.codes = dict.fromkeys(data.get("codes", ()), False)
        case sign_in_and_pins.CODE_USED if digest:
            require(entry, not proof.whole or proof.codes.get(digest) is False)
            proof.codes[digest] = True
        case sign_in_and_pins.PIN_SET | sign_in_and_pins.PIN_DROPPED:
            proof.pin = digest
        case sign_in_and_pins.LINK_MADE | sign_in_and_pins.LINK_ENDED as change:
            proof.link = data["account"] if change == sign_in_and_pins.LINK_MADE else ""


def remove_factor(books: Books, entry: JournalEntry) -> None:
    """Book a factor that others took from somebody."""
    _drop(books.proofs[entry.data["username"]], entry.data.get("digest", ""))


def unlink(books: Books, entry: JournalEntry) -> None:
    """Book a link that others ended."""
    books.proofs[entry.data["username"]].link = ""


def _drop(proof: Proof, digest: str) -> None:
    proof.factors.pop(digest, None)
    if not proof.factors:
        proof.codes.clear()


def change_browser(books: Books, entry: JournalEntry) -> None:
    """Book which browsers of tills are enrolled."""
    name = entry.data["browser"]
    if entry.data["change"] == sign_in_and_pins.ENROLLED:
        books.browsers.add(name)
    else:
        books.browsers.discard(name)


def find_browser_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Tell of browsers at which a PIN is enough and that nobody enrolled; no archive brings any back."""
    here = house.TillBrowser.objects.filter(hall=hall, ended_at=None).order_by("name")
    for name in here.values_list("name", flat=True):
        if name not in books.browsers:
            said = f"browser {name!r}: nobody enrolled it"
            yield Finding(hall.head_number, "sign_in_differs", said)


def find_proof_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Tell whose password, factors, codes, PIN or link is not what the journal tells of.

    What an archive brought back has no password and nothing else; that opens nothing.
    """
    for person in hall.people.order_by("username"):
        proof = books.proofs.get(person.username)
        if proof is None:
            continue
        lost = person.password.startswith(UNUSABLE_PASSWORD_PREFIX)
        differ = list(_differing(person, Proof(whole=proof.whole) if lost else proof))
        if differ:
            said = f"{person.username!r}: {', '.join(differ)}"
            yield Finding(hall.head_number, "sign_in_differs", said)


def _differing(person: Person, proof: Proof) -> Iterator[str]:
    if proof.password not in (None, sign_in_and_pins.digest_of(person.password)):
        yield "password"
    if not proof.whole:
        return
    here = house.Factor.objects.filter(person=person, removed_at=None)
    factors = sorted((one.digest, one.name) for one in here)
    if factors != sorted(proof.factors.items()):
        apart = {name for _digest, name in set(factors) ^ set(proof.factors.items())}
        yield f"second factor {', '.join(sorted(apart)) or factors[0][1]}"
    codes = house.RecoveryCode.objects.filter(person=person).values_list("digest", "used_at")
    if {digest: used is not None for digest, used in codes} != proof.codes:
        yield "recovery codes"
    pins = house.Pin.objects.filter(person=person).values_list("hashed", flat=True)
    if [sign_in_and_pins.digest_of(one) for one in pins] != [proof.pin][: bool(proof.pin)]:
        yield "PIN"
    links = house.ProviderLink.objects.filter(person=person, ended_at=None)
    found = [sign_in_and_pins.digest_of(one.issuer, one.subject) for one in links]
    if found != [proof.link][: bool(proof.link)]:
        yield "link to the provider"
