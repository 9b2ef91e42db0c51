"""What enrolled balls prove of the reader: right, refused and wrong, and how sure it must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from draws.vision.marks import has_other_way_up, taken_for
from draws.vision.verdict import FROZEN, Verdict

BUILT_IN = round(
    FROZEN.sure * 1000
)  # per mille: no certificate lets a reader be less sure than this
HIGHEST = 990  # per mille: a wrong reading surer than this is held back by no threshold
NEVER = 0
SEEN = 200  # per mille of a second number from which a pair is worth naming
PAIRS = 24


@dataclass(frozen=True, slots=True)
class Read:
    """What was read on one picture: the number given or None, its share and others' per mille."""

    number: int | None
    confidence: int
    reason: str
    candidates: tuple[tuple[int, int], ...]

    def share(self, number: int) -> int:
        """Give how likely a number was, per mille."""
        return dict(self.candidates).get(number, 0)


@dataclass(frozen=True, slots=True)
class Proof:
    """One picture of a ball whose `number` is known, read both ways; `marked` per mille."""

    number: int
    plain: Read
    padded: Read
    marked: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How the pictures of one number were read."""

    number: int
    pictures: int
    right: int
    refused: int
    wrong: int
    least: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A ball, the other number it was taken for or doubted as, and on how many of its pictures."""

    number: int
    other: int
    times: int


@dataclass(frozen=True, slots=True)
class Measured:
    """The reader on a set before a camera, at the sureness built in.

    `threshold` per mille from which a ball may be announced by itself, NEVER where none may;
    `announced` the pictures right at it. `zeros` whether 6 is printed as 06, None where it cannot
    be told. `unmarked` are the numbers that read as another upside down and whose mark is not seen.
    """

    tallies: tuple[Tally, ...]
    missing: tuple[int, ...]
    pairs: tuple[Pair, ...]
    threshold: int
    announced: int
    zeros: bool | None
    marked: tuple[int, ...]
    unmarked: tuple[int, ...]

    def total(self, name: str) -> int:
        """Give the sum of a field of all tallies."""
        return sum(int(getattr(tally, name)) for tally in self.tallies)


def read(found: Verdict) -> Read:
    """Give a verdict in whole numbers, as it is kept."""
    return Read(
        found.number,
        round(found.confidence * 1000),
        found.reason,
        tuple((number, round(share * 1000)) for number, share in found.candidates),
    )


def measure(proofs: Sequence[Proof], *, numbers: Iterable[int]) -> Measured:
    """Measure the reader on pictures of known balls; `numbers` are those of the whole set."""
    zeros = prints_zeros(proofs)
    used = [(proof.number, proof.padded if zeros else proof.plain) for proof in proofs]
    threshold = least_sure(used)
    given = [found for number, found in used if threshold and found.number == number]
    marked, unmarked = _marks(proofs, zeros=bool(zeros))
    return Measured(
        tallies=tuple(_tally(number, used) for number in sorted({one for one, _read in used})),
        missing=tuple(sorted(set(numbers) - {number for number, _read in used})),
        pairs=_pairs(used),
        threshold=threshold,
        announced=sum(found.confidence >= threshold for found in given),
        zeros=zeros,
        marked=marked,
        unmarked=unmarked,
    )


def least_sure(used: Sequence[tuple[int, Read]]) -> int:
    """Give the least confidence, per mille, at which none of the balls is read wrong.

    Never below the one built in; NEVER where nothing was read right at it, or where a wrong reading
    was so sure that no threshold holds it back.
    """
    wrong = [found.confidence for number, found in used if found.number not in (None, number)]
    needed = max([BUILT_IN, *(confidence + 1 for confidence in wrong)])
    right = any(found.number == number and found.confidence >= needed for number, found in used)
    return needed if right and needed <= HIGHEST else NEVER


def prints_zeros(proofs: Iterable[Proof]) -> bool | None:
    """Tell whether the set prints 06 for 6: its single figures are read only so; None: not told."""
    votes: Counter[bool] = Counter()
    for proof in proofs:
        if proof.number > 9:
            continue
        plain, padded = proof.plain.share(proof.number), proof.padded.share(proof.number)
        if plain >= 500:
            votes[False] += 1
        elif padded >= 500 and plain * 2 < padded:
            votes[True] += 1
    return votes[True] > votes[False] if votes else None


def _tally(number: int, used: Sequence[tuple[int, Read]]) -> Tally:
    found = [one for shown, one in used if shown == number]
    right = [one.confidence for one in found if one.number == number]
    refused = sum(one.number is None for one in found)
    return Tally(
        number, len(found), len(right), refused, len(found) - len(right) - refused,
        min(right, default=0),
    )  # fmt: skip


def _pairs(used: Sequence[tuple[int, Read]]) -> tuple[Pair, ...]:
    times: Counter[tuple[int, int]] = Counter()
    for number, found in used:
        if found.number not in (None, number):
            times[number, int(found.number or 0)] += 1
            continue
        doubts = {other for other, share in found.candidates if share >= SEEN and other != number}
        if found.reason == "no_mark" and (turned := taken_for(number)):
            doubts.add(turned)
        times.update((number, other) for other in doubts)
    best = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:PAIRS]
    return tuple(Pair(number, other, count) for (number, other), count in best)


def _marks(proofs: Iterable[Proof], *, zeros: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the numbers that need a mark at their foot: those where it is mostly seen, and the rest."""
    seen: dict[int, list[bool]] = {}
    for proof in proofs:
        if has_other_way_up(proof.number, zeros=zeros):
            seen.setdefault(proof.number, []).append(proof.marked >= FROZEN.marked * 1000)
    mostly: Mapping[int, bool] = {number: sum(one) * 2 > len(one) for number, one in seen.items()}
    told = sorted(mostly)
    return tuple(n for n in told if mostly[n]), tuple(n for n in told if not mostly[n])
