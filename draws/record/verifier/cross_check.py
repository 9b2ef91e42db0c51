"""Compare papers of one history: two that cannot both be true show that it was rewritten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from draws.record.verifier import files, journals
from draws.record.verifier.files import GivenFile
from draws.record.verifier.journals import Journal
from draws.record.verifier.verdicts import NOTE, Check, false, good, unknown

LEAST_DIGITS = 16  # of a digest typed from a slip of paper


@dataclass(frozen=True, slots=True)
class Anchor:
    """A digest that an entry had, according to something that cannot be written anew."""

    hall: str
    number: int
    digest: str
    source: str

    def fits(self, digest: str) -> bool:
        """Return whether a digest is the one, or begins as what was typed does."""
        return digest.startswith(self.digest)


def compare(given: Sequence[GivenFile], typed: Sequence[Anchor]) -> list[Check]:
    """Hold every paper against every other of its hall, and return what was found."""
    journals = [one for one in given if one.journal and one.journal.entries]
    anchors = [*typed, *_signed(given)]
    actas = [one for one in given if one.kind == files.ACTA and files.trusted_acta(one)]
    checks: list[Check] = []
    for paper in journals:
        checks += _against(paper, anchors)
    checks += [_acta(paper, journals, anchors) for paper in actas]
    checks += _each_other(anchors[len(typed) :])
    seen = list(_seen(actas))
    checks += _each_other(seen)
    checks += _without_journal(seen, anchors[len(typed) :])
    checks += _typed(typed, [*anchors[len(typed) :], *seen], journals)
    checks += _copies(journals)
    return checks


def _seen(actas: Sequence[GivenFile]) -> Iterator[Anchor]:
    """Return the head that each acta carries; its hall is known by name and licence only."""
    for paper in actas:
        number, digest = paper.data.get("journal_last"), paper.data.get("journal_head")
        if isinstance(number, int) and isinstance(digest, str):
            hall = f"{paper.data.get('hall')}\n{paper.data.get('licence')}"
            yield Anchor(hall, number, digest, paper.file.name)


def _without_journal(actas: Sequence[Anchor], signed: Sequence[Anchor]) -> Iterator[Check]:
    """Hold actas against checkpoints where both can only be of one hall."""
    if len({one.hall for one in signed}) != 1 or len({one.hall for one in actas}) != 1:
        return
    for acta in actas:
        for one in signed:
            if one.number == acta.number and one.digest != acta.digest:
                yield _two_entries(acta, one)


def _typed(
    typed: Sequence[Anchor], others: Sequence[Anchor], journals: Sequence[GivenFile]
) -> Iterator[Check]:
    """Hold each head typed against what else saw that entry; journals are held against it already."""
    for one in typed:
        same = [other for other in others if other.number == one.number]
        if same and not any(one.fits(other.digest) for other in same):
            yield _two_entries(one, same[0])
        elif not same and not journals:
            yield unknown("covered", f"nothing given has what {one.source} saw")


def _signed(given: Sequence[GivenFile]) -> Iterator[Anchor]:
    for paper in given:
        if paper.note and paper.signed:
            note = paper.note
            yield Anchor(note.hall, note.number, note.digest, f"checkpoint {paper.file.name}")


def _against(paper: GivenFile, anchors: Sequence[Anchor]) -> Iterator[Check]:
    """Hold a journal against what was kept elsewhere."""
    journal = paper.journal
    assert journal is not None
    name = paper.file.name
    own = [one for one in anchors if one.hall in ("", journal.hall)]
    held = 0
    for anchor in own:
        digest = journal.digest(anchor.number)
        if digest is None:
            short = f"{name} holds as far as entry {journal.entries}, {anchor.source} saw entry {anchor.number}"
            yield false("journal_ends", f"{short}: its end was cut off, or is wrong")
        elif not anchor.fits(digest):
            seen = f"{anchor.source} saw another entry {anchor.number} than {name} has"
            yield false("rewritten", f"{seen}: the history was rewritten")
        else:
            held = max(held, anchor.number)
    if held:
        yield good("rewritten", f"{name} is as it was up to entry {held}")
    if anchors and not own:
        words = f"what was kept elsewhere is of another hall than {name} ({journal.hall})"
        yield unknown("covered", words)
    elif held < journal.entries:
        rest = f"entries {held + 1} to {journal.entries} of {name}" if held else name
        yield Check("covered", NOTE, f"nothing kept elsewhere covers {rest}")


def _acta(paper: GivenFile, journals: Sequence[GivenFile], anchors: Sequence[Anchor]) -> Check:
    """Hold an acta against the journals: its digest, and the head it carries."""
    number, digest = paper.data.get("journal_last"), paper.data.get("journal_head")
    if not isinstance(number, int) or not isinstance(digest, str):
        return false("acta_head", f"{paper.file.name} carries no head of a journal")
    for one in journals:
        if one.journal and one.journal.digest(number) == digest:
            return _recorded(paper, one, anchors)
    if journals:
        seen = f"{paper.file.name} saw another entry {number} than any journal given"
        return false("acta_head", f"{seen}: the history was rewritten, or it is of another hall")
    return Check("acta_recorded", NOTE, f"no journal was given to hold {paper.file.name} against")


def _recorded(paper: GivenFile, found: GivenFile, anchors: Sequence[Anchor]) -> Check:
    seal, journal = paper.seal, found.journal
    assert seal is not None
    assert journal is not None
    name, head = paper.file.name, (paper.data["journal_last"], paper.data["journal_head"])
    recorded = journal.actas.get(seal.sha256)
    if recorded is None:
        words = f"{found.file.name} recorded no such file as {name}, SHA-256 {seal.sha256}"
        return false("acta_recorded", words)
    if (recorded.head_number, recorded.head_digest) != head:
        return false("acta_recorded", f"{found.file.name} recorded {name} with another head")
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


def _vouched(journal: Journal, number: int, anchors: Sequence[Anchor]) -> bool:
    return any(
        one.number >= number and one.fits(journal.digest(one.number) or "-")
        for one in anchors
        if one.hall in ("", journal.hall)
    )


def _each_other(anchors: Sequence[Anchor]) -> Iterator[Check]:
    """Find two signatures over two histories, which no journal is needed for."""
    seen: dict[tuple[str, int], Anchor] = {}
    for anchor in anchors:
        first = seen.setdefault((anchor.hall, anchor.number), anchor)
        if not (first.fits(anchor.digest) or anchor.fits(first.digest)):
            yield _two_entries(first, anchor)


def _two_entries(one: Anchor, other: Anchor) -> Check:
    words = f"{one.source} and {other.source} saw two different entries {one.number}"
    return false("rewritten", f"{words}: the history was rewritten")


def _copies(journals: Sequence[GivenFile]) -> Iterator[Check]:
    """Find two copies of one hall's journal that part."""
    longest: dict[str, GivenFile] = {}
    # The longest first: two that each begin as a short one does may still part after it.
    for paper in sorted(journals, key=lambda one: -one.journal.entries if one.journal else 0):
        assert paper.journal is not None
        other = longest.setdefault(paper.journal.hall, paper)
        assert other.journal is not None
        short = min(paper.journal.entries, other.journal.entries)
        if paper.journal.digest(short) != other.journal.digest(short):
            words = f"{other.file.name} and {paper.file.name} part before entry {short + 1}"
            yield false("rewritten", f"{words}: one of them was rewritten")


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
