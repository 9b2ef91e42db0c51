"""Compare papers of one history: two that cannot both be true show that it was rewritten.

Papers of several halls may be given together. A checkpoint and a journal name their hall by its
code, an acta by name and licence; whatever is of no hall whose papers were given stays open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from draws.record.verifier import files, journals
from draws.record.verifier.files import GivenFile
from draws.record.verifier.journals import Journal, acta_name
from draws.record.verifier.seals import Seal
from draws.record.verifier.verdicts import NOTE, Check, false, good, unknown

LEAST_DIGITS = 16  # of a digest typed from a slip of paper
History = tuple[GivenFile, Journal]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A digest that an entry had, according to something that cannot be written anew."""

    hall: str
    number: int
    digest: str
    source: str

    def fits(self, digest: str | None) -> bool:
        """Return whether a digest is the one, or begins as what was typed does."""
        return digest is not None and digest.startswith(self.digest)


@dataclass(frozen=True, slots=True)
class TrustedActa:
    """An acta whose seal is trusted, and the head it carries; `code` is its hall's, where known.

    `name` are the hall's name and licence, `of` as in `RecordedActa`.
    """

    paper: GivenFile
    seal: Seal
    head: Anchor
    name: tuple[str, str]
    of: tuple[int | None, int]
    code: str

    def may_be_of(self, journal: Journal) -> bool:
        """Return whether nothing tells that it is of another hall than a journal."""
        named = not journal.names or self.name in journal.names
        return named and self.code in ("", journal.hall)


def compare(given: Sequence[GivenFile], typed: Sequence[Anchor], *, hall: str = "") -> list[Check]:
    """Hold every paper against every other of its hall, and return what was found.

    `hall` is the code of the only hall whose keys and certificates the reader gave, or empty.
    """
    checks: list[Check] = []
    histories = list(_histories(given, checks))
    signed = list(_signed(given))
    actas = []
    for paper in given:
        if paper.seal and files.trusted_acta(paper):
            if (acta := _carried(paper, paper.seal, hall)) is None:
                words = f"{paper.file.name} carries no head of a journal"
                checks.append(false("acta_head", words))
            else:
                actas.append(acta)
    for paper, journal in histories:
        checks += _against(paper, journal, typed, signed)
    for acta in actas:
        checks += _acta(acta, histories, [*typed, *signed])
    checks += _each_other(signed)
    checks += _each_other([one.head for one in actas])
    checks += _twins(actas)
    heads = [*signed, *(one.head for one in actas)]
    halls = {journal.hall for _paper, journal in histories} | {one.hall for one in signed}
    halls |= {_hall_of(one, histories) for one in actas}
    for one in typed:
        checks += _typed(one, histories, heads, several=len(halls) > 1)
    return checks


def _carried(paper: GivenFile, seal: Seal, hall: str) -> TrustedActa | None:
    data = paper.data
    number, digest = data.get("journal_last"), data.get("journal_head")
    if not isinstance(number, int) or not isinstance(digest, str):
        return None
    name = (str(data.get("hall")), str(data.get("licence")))
    session, part = data.get("session"), data.get("number") if "rectification" in data else 0
    of = (session if isinstance(session, int) else None, part if isinstance(part, int) else 0)
    known = "\n".join([*name, str(data.get("training", False))])
    head = Anchor(known, number, digest, paper.file.name)
    return TrustedActa(paper, seal, head, name, of, _code(data) or hall)


def _code(data: Mapping[str, Any]) -> str:
    """Return the code of an acta's hall, which it tells of games that the RNG was bound to."""
    games = data.get("games")
    for game in games if isinstance(games, list) else ():
        told = game.get("randomness") if isinstance(game, dict) else None
        if isinstance(told, dict) and isinstance(told.get("hall"), str):
            return str(told["hall"])
    return ""


def _hall_of(acta: TrustedActa, histories: Sequence[History]) -> str:
    """Return what an acta's hall is known by: its code, or else its name and licence."""
    passed = _passed(acta.head, histories)
    return passed[0][1].hall if passed else acta.code or acta.head.hall


def _passed(head: Anchor, histories: Sequence[History]) -> list[History]:
    """Return the journals that pass through a head."""
    return [one for one in histories if head.fits(one[1].digest(head.number))]


def _histories(given: Sequence[GivenFile], checks: list[Check]) -> Iterator[History]:
    """Return each hall's longest journal, and every other copy that parts from it.

    An older copy that agrees says nothing that the longer does not.
    """
    kept: dict[str, list[History]] = {}
    found = [(one, one.journal) for one in given if one.journal and one.journal.entries]
    for paper, journal in sorted(found, key=lambda one: -one[1].entries):
        others = kept.setdefault(journal.hall, [])
        head = journal.digest(journal.entries)
        same = next((one for one in others if one[1].digest(journal.entries) == head), None)
        if same is not None:
            words = f"{paper.file.name} is {same[0].file.name} as far as entry {journal.entries}"
            checks.append(good("rewritten", words))
            continue
        if others:
            words = f"{others[0][0].file.name} and {paper.file.name} part before entry {journal.entries + 1}"
            checks.append(false("rewritten", f"{words}: one of them was rewritten"))
        others.append((paper, journal))
        yield paper, journal


def _signed(given: Sequence[GivenFile]) -> Iterator[Anchor]:
    for paper in given:
        if paper.note and paper.signed:
            note = paper.note
            yield Anchor(note.hall, note.number, note.digest, f"checkpoint {paper.file.name}")


def _against(
    paper: GivenFile, journal: Journal, typed: Sequence[Anchor], signed: Sequence[Anchor]
) -> Iterator[Check]:
    """Hold a journal against what was kept elsewhere; a head typed fits it, or is another's."""
    name = paper.file.name
    own = [one for one in signed if one.hall == journal.hall]
    seen = [one for one in typed if one.fits(journal.digest(one.number))]
    held = max((one.number for one in seen), default=0)
    for anchor in own:
        if anchor.fits(journal.digest(anchor.number)):
            held = max(held, anchor.number)
        else:
            yield _differs(paper, journal, anchor)
    if held:
        yield good("rewritten", f"{name} is as it was up to entry {held}")
    if signed and not own and not seen:
        words = f"what was kept elsewhere is of another hall than {name} ({journal.hall})"
        yield unknown("covered", words)
    elif held < journal.entries:
        rest = f"entries {held + 1} to {journal.entries} of {name}" if held else name
        yield Check("covered", NOTE, f"nothing kept elsewhere covers {rest}")


def _differs(paper: GivenFile, journal: Journal, anchor: Anchor) -> Check:
    """Accuse a journal that does not have what something of its hall saw."""
    name = paper.file.name
    if anchor.number > journal.entries:
        short = f"{name} holds as far as entry {journal.entries}, {anchor.source} saw entry {anchor.number}"
        return false("journal_ends", f"{short}: its end was cut off, or is wrong")
    seen = f"{anchor.source} saw another entry {anchor.number} than {name} has"
    return false("rewritten", f"{seen}: the history was rewritten")


def _typed(
    head: Anchor, histories: Sequence[History], others: Sequence[Anchor], *, several: bool
) -> Iterator[Check]:
    """Hold a head typed, which names no hall, against what saw that entry, of whichever hall."""
    same = [one for one in others if one.number == head.number]
    if _passed(head, histories) or any(head.fits(one.digest) for one in same):
        return
    if several:
        words = f"nothing given has what {head.source} saw: the history of its hall was rewritten"
        yield unknown("covered", f"{words}, or no paper of its hall was given")
    elif same:
        yield _two_entries(head, same[0])
    for paper, journal in () if several else histories:
        yield _differs(paper, journal, head)
    if not (several or same or histories):
        yield unknown("covered", f"nothing given has what {head.source} saw")


def _acta(
    acta: TrustedActa, histories: Sequence[History], anchors: Sequence[Anchor]
) -> Iterator[Check]:
    """Hold an acta against its hall's journal, or without one against its hall's checkpoints."""
    name, head = acta.paper.file.name, acta.head
    if passed := _passed(head, histories):
        yield _recorded(acta, *passed[0], anchors)
        return
    yield from _without_journal(acta, anchors)
    own = [one for one in histories if acta.may_be_of(one[1])]
    long = [one for one in own if one[1].entries >= head.number]
    if not histories:
        yield Check("acta_recorded", NOTE, f"no journal was given to hold {name} against")
    elif not own:
        yield unknown("acta_head", f"{name} is of a hall whose journal was not given")
    elif not long:
        short = f"{own[0][0].file.name} ends at entry {own[0][1].entries}, before {name} was made"
        yield unknown("acta_head", f"{short} after entry {head.number}: give a later copy")
    elif len({journal.hall for _paper, journal in own}) > 1:
        seen = f"{name} saw another entry {head.number} than any journal given"
        yield unknown("acta_head", f"{seen}: the history was rewritten, or it is of another hall")
    else:
        seen = f"{name} saw another entry {head.number} than {long[0][0].file.name} has"
        yield false("acta_head", f"{seen}: the history was rewritten")


def _without_journal(acta: TrustedActa, anchors: Sequence[Anchor]) -> Iterator[Check]:
    for one in anchors:
        if one.hall and one.number == acta.head.number and one.digest != acta.head.digest:
            if acta.code == one.hall:
                yield _two_entries(acta.head, one)
            elif not acta.code:
                words = _two_different(acta.head, one)
                both = "the history was rewritten, or they are of two halls: give the journal"
                yield unknown("rewritten", f"{words}: {both}")


def _recorded(
    acta: TrustedActa, found: GivenFile, journal: Journal, anchors: Sequence[Anchor]
) -> Check:
    paper, seal = acta.paper, acta.seal
    name, head = paper.file.name, (acta.head.number, acta.head.digest)
    recorded = journal.actas.get(seal.sha256)
    if recorded is None:
        return _unrecorded(acta, found, journal)
    if (recorded.head_number, recorded.head_digest) != head or recorded.of != acta.of:
        words = f"{found.file.name} recorded {name} with another head, or as of something else"
        return false("acta_recorded", words)
    if seal.later:
        if not _vouched(journal, recorded.number, anchors):
            asked = f"give a checkpoint of entry {recorded.number} or later"
            return unknown("acta_recorded", f"something was added to {name} since: {asked}")
        # The signed head covers the entry, the entry the file with all that was added.
        words = "the journal recorded it as it is, and a checkpoint vouches for the journal"
        paper.checks = [
            good(one.name, words) if one.name == "whole_file" else one for one in paper.checks
        ]
    return good("acta_recorded", f"{name} is the very file that {found.file.name} recorded")


def _unrecorded(acta: TrustedActa, found: GivenFile, journal: Journal) -> Check:
    """Accuse an acta beside another one recorded; a copy may have been taken before it was sealed."""
    name, head = acta.paper.file.name, (acta.head.number, acta.head.digest)
    heads = {(one.head_number, one.head_digest) for one in journal.actas.values()}
    if acta.of in journal.sealed or head in heads:
        words = f"{found.file.name} recorded no such file as {name}, SHA-256 {acta.seal.sha256}"
        return false("acta_recorded", f"{words}, but another {acta_name(acta.of)}")
    ends = f"{found.file.name} ends at entry {journal.entries} and has recorded no {acta_name(acta.of)}"
    return unknown("acta_recorded", f"{ends}: give a later copy to hold {name} against")


def _vouched(journal: Journal, number: int, anchors: Sequence[Anchor]) -> bool:
    return any(
        one.number >= number and one.fits(journal.digest(one.number))
        for one in anchors
        if one.hall in ("", journal.hall)
    )


def _each_other(anchors: Sequence[Anchor]) -> Iterator[Check]:
    """Find two signatures over two histories, which no journal is needed for."""
    seen: dict[tuple[str, int], Anchor] = {}
    for anchor in anchors:
        first = seen.setdefault((anchor.hall, anchor.number), anchor)
        if first.digest != anchor.digest:
            yield _two_entries(first, anchor)


def _twins(actas: Sequence[TrustedActa]) -> Iterator[Check]:
    """Find two files sealed as one session's acta, or as one of its rectifications."""
    seen: dict[tuple[str, int | None, int], TrustedActa] = {}
    for acta in actas:
        first = seen.setdefault((acta.head.hall, *acta.of), acta)
        if first.seal.sealed != acta.seal.sealed:
            both = f"{first.paper.file.name} and {acta.paper.file.name}"
            yield false("one_acta", f"{both} are two different files of the {acta_name(acta.of)}")


def _two_entries(one: Anchor, other: Anchor) -> Check:
    return false("rewritten", f"{_two_different(one, other)}: the history was rewritten")


def _two_different(one: Anchor, other: Anchor) -> str:
    return f"{one.source} and {other.source} saw two different entries {one.number}"


def typed(text: str) -> Anchor:
    """Read NUMBER:DIGEST as typed from an acta, a slip or a screen. Raises BadNote."""
    number, _colon, rest = text.partition(":")
    digest = "".join(sign for sign in rest.lower() if sign not in " -")
    if (
        not journals.NUMBER.fullmatch(number)
        or not LEAST_DIGITS <= len(digest) <= 64
        or set(digest) - set("0123456789abcdef")
    ):
        raise journals.BadNote(
            f"is no head: number, colon, at least {LEAST_DIGITS} digits of the digest"
        )
    return Anchor("", int(number), digest, f"the head typed ({number})")
