"""The verdict on a ball from all glances at it: a number, or why a person must be asked.

The second opinion is what the set's own prints say of it, and how clearly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from draws.balls.vision.facing import (
    HEADED,
    LIKE,
    SLANTED,
    may_be_turned,
    other_way_up,
    taken_for,
    turned_numbers,
    with_figure,
    with_less,
    with_more,
)
from draws.balls.vision.network import Glance, Scores
from draws.balls.vision.prints import CONTRARY, UNWASHED, Opinion

GUESSES = 4
FEWEST = 0.01  # a share worth telling a caller
LEGIBLE = 0.30  # a share under which nothing was legible at all
# As much blown out beside a number, of the one side, as a figure may lack and be another to anybody.
GLARE = 0.09
# From so much on a stroke may be gone, or a figure: a 51 is a 5 to every look, and a 3 a 2.
BLOWN = 0.8
# Edges no steeper than this run into one another: a 3 out of focus is a 5 to anybody.
SOFT = 0.25
TURNING = frozenset(LIKE)  # figures that in some typeface are others upside down
# How many times as sure one must be where a figure may lack a part, and of those that turn.
DOUBTFUL, TURNED = 4.0, 6.0
TURNED_APART = 2.5
# Doubts that a second opinion may settle.
SETTLED = frozenset({"blank", "low", "close", "no_mark"})
STRANGER = 0.3  # share up to which a number without prints is not looked for behind one with them
SLIGHTLY = 0.2  # share from which a 7 may be what is read as 1
# Share of another number, as a part of the number's, from which prints must be as like as this: of
# any other, and of one that has strokes which light may have taken, or drawn.
RIVAL, LIKER = 0.3, 0.8
REDRAWN, MUCH_LIKER = 0.2, 0.85
SHOWN = 0.5  # how surely a mark must be seen that the set's own balls are known to bear


@dataclass(frozen=True, slots=True)
class Limits:
    """How sure one must be, 0 to 1.

    `sure` is the best number's share at least, `doubt` another's at most, as a part of the
    best's, at any glance, `marked` that of a mark at least.
    """

    sure: float
    doubt: float
    marked: float

    def surer(self, times: float, *, apart: float | None = None) -> Limits:
        """Return those of a number that may be another to anybody who looks at it.

        `times` as sure, and `apart` times as far from any other: `times` too where it is not given.
        """
        return Limits(1 - (1 - self.sure) / times, self.doubt / (apart or times), self.marked)


# docs/reading-balls.md says how they were chosen, and what they let through.
FROZEN = Limits(sure=0.50, doubt=0.30, marked=0.90)


@dataclass(frozen=True, slots=True)
class JointLimits:
    """How far a number must lead in both looks together, in natural logarithms, to be given.

    `doubtful` more where light or focus may hide a stroke, `turned` more where all figures may be
    others upside down. `least` is its share for each network of the second look, `marked` that of a
    mark.
    """

    lead: float
    doubtful: float
    turned: float
    least: float
    marked: float


JOINT = JointLimits(lead=5.0, doubtful=2.0, turned=1.5, least=0.40, marked=0.90)
# Where a third look says it clearly too. What light took from one look it took from all.
SPELLED = JointLimits(lead=3.0, doubtful=5.0, turned=1.0, least=0.20, marked=0.90)
WEIGHED, HARDLY = 1.5, 0.02  # what a third look weighs, and a share of it that weighs no less
CLEAR_TO_THIRD = 0.75  # its share of a number from which it is clear
# And of another, from which it does not tell the two apart: a lamp on a flat 3 made a 25 of a 23.
BOTH_CLEAR = 0.90
BEHIND = 1.0  # by how much two looks may favour another number: a third does not outvote them
UNSETTLED = frozenset({"blank", "low"})  # doubts that a third look may settle
CERTAIN = 0.93  # confidence of a first look from which no second is taken
# Share for each network of the second look from which a number is clear. A figure that stands alone
# beside light must be: where that took another, a 14 is a 4, but seldom a clear one.
CLEAR_TO_SECOND = 0.85
# Likewise of a number that would be another with strokes that light may have taken: a 54 is a 51.
LIT = 0.65
# Lead in both looks together of a figure that stands alone over numbers that have another beside it:
# of a 33 that has rolled half away a 3 is what is seen best, but not all.
ALONE = 9.25
KEPT = 5.0  # lead in both looks together with which a number of the first that is less sure stands
TURNED_TOO = 0.65  # share of what a number may be upside down from which nobody knows which it is
# Shares to a third look, of the number and of any that it may be upside down, by which it tells.
UPRIGHT, EITHER_WAY = 0.95, 0.5
FAINT = 0.003  # a share that weighs no less
# The sureness of a number given so: how it grows with the lead, and where it is one half.
STEEP, EVEN = 0.9, 1.5


@dataclass(frozen=True, slots=True)
class ReadingVerdict:
    """What is to be done with a ball.

    `number` is None where somebody must be asked, and `reason` says why: low, close, no_mark,
    out_of_range, drawn_already or blank. `candidates` are the likeliest numbers of the format with
    their shares, best first; `confidence` is the best number's share, 0 to 1.
    """

    number: int | None
    confidence: float
    runner_up: int | None
    candidates: tuple[tuple[int, float], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Case:
    """A ball to be judged: what was seen of it, and which numbers it may bear.

    `zeros` are printed before single figures or not; `second` has a glance of each network of the second
    look, none where it was not taken.
    """

    glances: Sequence[Glance]
    format: int
    drawn: frozenset[int]
    zeros: bool
    opinion: Opinion | None
    second: Sequence[Glance]

    @property
    def is_dazzled(self) -> bool:
        """Return whether light has blown out one side of the number."""
        return any(glance.glare > GLARE for glance in self.glances)

    def least_beside_light(self, number: int) -> float:
        """Return the share of a number for each network of the second look that light asks for."""
        if not (self.is_dazzled and with_more(number)):
            return 0.0
        return CLEAR_TO_SECOND if number < 10 else LIT

    @property
    def is_soft(self) -> bool:
        """Return whether its edges run into one another."""
        return float(np.mean([glance.sharp for glance in self.glances])) < SOFT

    @property
    def is_ringed(self) -> bool:
        """Return whether what is seen at the foot is seen at the head too, and is no mark."""
        return max(glance.headed for glance in self.glances) >= HEADED

    def is_marked(self, limits: Limits) -> bool:
        """Return whether every glance sees a mark at the foot."""
        return min(one.marked for one in self.glances) >= limits.marked and not self.is_ringed

    def candidates(self, shares: Scores) -> tuple[tuple[int, float], ...]:
        """Return the likeliest numbers that may still come, each with what it is upside down."""
        order = (int(number) for number in np.argsort(-shares))
        likely = [n for n in order if 1 <= n <= self.format and shares[n] >= FEWEST][:GUESSES]
        turned = (taken_for(number, zeros=self.zeros) for number in likely[:1])
        found = dict.fromkeys(
            [*likely[:1], *(n for n in turned if n and n <= self.format), *likely[1:]]
        )
        left = [number for number in found if number not in self.drawn] or list(found)
        return tuple((number, float(shares[number])) for number in left[:GUESSES])


def verdict(
    glances: Sequence[Glance],
    *,
    format: int,
    drawn: frozenset[int] = frozenset(),
    zeros: bool = False,
    limits: Limits = FROZEN,
    opinion: Opinion | None = None,
    second: Sequence[Glance] = (),
    third: Scores | None = None,
) -> ReadingVerdict:
    """Judge the glances at one ball; `drawn` have come already, `zeros` as the set prints them.

    A number is given only when every glance reads it, it is sure, nothing else is likely but what
    a mark at its foot rules out, and where a ball of another number may read so upside down it has
    that mark. A second opinion may settle a doubt, and raise one. So may `second`, what is seen at
    a second look (`second_look`), a glance of each of its networks, and `third`, every number's share
    (100,) at a third (`third_look`).
    """
    if not glances:
        return ReadingVerdict(None, 0.0, None, (), "blank")
    case = _Case(glances, format, drawn, zeros, opinion, second)
    found = _first_verdict(case, limits)
    closed = found.number is None and not is_doubtful(found)
    if not second or closed or is_borne_out(found, opinion):
        return found
    both = _joint_verdict(found, case, None)
    if third is None:
        return both
    if both.number is not None:
        rivals = _rivals(both.number, zeros=zeros)
        other = third.argmax() != both.number and third.max() > CLEAR_TO_THIRD
        other = other or any(third[each] > CLEAR_TO_THIRD for each in rivals)
        other = other or _spells_another(both.number, third, format)
        return replace(both, number=None, reason="close") if other else both
    all_ = _joint_verdict(found, case, third)
    return both if all_.number is None else all_


def is_doubtful(found: ReadingVerdict, opinion: Opinion | None = None) -> bool:
    """Return whether a second look may settle what the first leaves open, or hardly says.

    What may be another number upside down in some typeface, or one figure of two, is always looked at
    twice, unless the set's own prints bear it out: they know its typeface, which no network does.
    """
    if found.number is None:
        return found.reason in SETTLED
    if is_borne_out(found, opinion):
        return False
    certain = found.confidence >= CERTAIN and found.number > 9
    return not certain or TURNING.issuperset(str(found.number))


def is_borne_out(found: ReadingVerdict, opinion: Opinion | None) -> bool:
    """Return whether the set's own prints say the number that the networks give."""
    return opinion is not None and found.number is not None and opinion.is_of(found.number)


def is_open(first: ReadingVerdict, both: ReadingVerdict, second: Sequence[Glance]) -> bool:
    """Return whether a third look is wanted, after the verdicts on the first and on both.

    It may settle a doubt, also which way up a number of two figures is that the first look gave. It
    must bear out what a network of the second look does not see clearly: beside a lamp a 13 is a 15.
    What the second look alone gives it must bear out where that is one figure, or may be another
    number upside down: a 5 may be all that is seen of a 35 half turned away, and a 44 whose figures
    are open at the top is a crossed 77.
    """
    number = both.number
    if number is None:
        either_way_up = first.number is not None and first.number > 9 and both.reason == "close"
        return either_way_up or both.reason in UNSETTLED
    if any(glance.weights[number] < CLEAR_TO_SECOND for glance in second):
        return True
    return first.number is None and (number < 10 or TURNING.issuperset(str(number)))


def _rivals(number: int, *, zeros: bool) -> list[int]:
    """Return what a ball may bear that reads as this number: with a figure more, or upside down.

    Not what the number's mark at its foot rules out.
    """
    marked = taken_for(number, zeros=zeros)
    return [*with_figure(number), *(each for each in turned_numbers(number) if each != marked)]


def _joint_verdict(found: ReadingVerdict, case: _Case, third: Scores | None) -> ReadingVerdict:
    """Return what all looks say together: a number that all agree on, or why somebody is asked.

    The first look weighs as much as each network of the second: their shares are multiplied, and how
    far the likeliest number leads is what counts (`JOINT`, and `SPELLED` with a third look).
    """
    first = np.mean([glance.weights for glance in case.glances], axis=0)
    logs = np.log([each + FAINT for each in (first, *(glance.weights for glance in case.second))])
    together = logs.sum(axis=0)
    two = together
    if third is not None:
        together = two + WEIGHED * np.log(third + HARDLY)
    number = int(together.argmax())
    # Where the first look gave a number by its mark, it is not what it reads as upside down.
    ruled_out = taken_for(number, zeros=case.zeros) if number == found.number else None
    known = [each for each in (number, ruled_out) if each is not None]
    lead = float(together[number] - np.delete(together, known).max())
    shares = np.exp(logs.mean(axis=0))
    told = replace(
        found, candidates=case.candidates(shares), number=None, confidence=float(shares[number])
    )
    marked = all(glance.marked >= JOINT.marked for glance in case.second) and not case.is_ringed
    turned = not marked and _is_turned_too(number, ruled_out, case.second)
    if third is not None and number == found.number and number > 9:
        turned = turned and not _is_upright(number, third)
    part = any(two[number] - two[more] < ALONE for more in with_figure(number))
    spelled = third is None or (
        _is_spelled(number, two, third) and not _spells_another(number, third, case.format)
    )
    if found.number is not None:
        kept = number == found.number and lead >= KEPT and not (turned or part) and spelled
        return found if kept else replace(told, reason="close" if turned or part else "low")
    if turned or part:
        return replace(told, reason="close")
    limits = JOINT if third is None else SPELLED
    if reason := _joint_doubt(case, number, lead, limits, marked=marked):
        return replace(told, reason=reason)
    if not spelled:
        return replace(told, reason="low")
    if case.opinion is not None and not case.opinion.is_of(number):
        return replace(told, reason="close")
    sure = 1 / (1 + math.exp(-STEEP * (lead - EVEN + JOINT.lead - limits.lead)))
    runner_up = next((each for each, _share in told.candidates if each != number), None)
    rest = tuple(one for one in told.candidates if one[0] != number)
    guesses = ((number, sure), *rest)[:GUESSES]
    return ReadingVerdict(number, sure, runner_up, guesses, "")


def _is_spelled(number: int, two: Scores, third: Scores) -> bool:
    """Return whether a third look may settle on a number: it says it clearly, and two nearly favour it.

    `two` are the logarithms of both looks together. Of a number that has its strokes and more it must be
    as far ahead as without a third look: what light took of an 18, that the third does not see either.
    """
    ahead = all(two[number] - two[more] >= JOINT.lead for more in with_more(number))
    return bool(third[number] >= CLEAR_TO_THIRD and two.max() - two[number] <= BEHIND and ahead)


def _spells_another(number: int, third: Scores, format: int) -> bool:
    """Return whether a third look clearly reads another number too, which is not this one upside down."""
    others = set(range(1, format + 1)) - {number, *turned_numbers(number)}
    return any(third[other] >= BOTH_CLEAR for other in others)


def _is_turned_too(number: int, ruled_out: int | None, second: Sequence[Glance]) -> bool:
    """Return whether a network of the second look sees another number from the other side.

    In some typefaces a 7 upside down is a 1 to anybody, and the ball shows both.
    """
    others = [other for other in turned_numbers(number) if other != ruled_out]
    return any(glance.weights[other] > TURNED_TOO for glance in second for other in others)


def _is_upright(number: int, third: Scores) -> bool:
    """Return whether a third look, which reads from both sides, clearly reads a number one way."""
    others = (third[other] for other in turned_numbers(number))
    return bool(third[number] >= UPRIGHT and max(others, default=0.0) < EITHER_WAY)


def _joint_doubt(
    case: _Case, number: int, lead: float, limits: JointLimits, *, marked: bool
) -> str:
    """Return why the likeliest number of all looks may not be announced, or nothing."""
    wanted = limits.lead
    if any(glance.glare > BLOWN for glance in case.glances):
        return "low"
    if case.is_dazzled or case.is_soft:
        wanted += limits.doubtful
    elif TURNING.issuperset(str(number)) and not marked:
        wanted += limits.turned
    seen = [float(glance.weights[number]) for glance in case.second]
    if max(seen) < LEGIBLE and lead < limits.lead:
        return "blank"
    if not 1 <= number <= case.format:
        return "out_of_range"
    if lead < wanted or min(seen) < max(limits.least, case.least_beside_light(number)):
        return "low"
    if taken_for(number, zeros=case.zeros) is not None and not marked:
        return "no_mark"
    return "drawn_already" if number in case.drawn else ""


def _first_verdict(case: _Case, limits: Limits) -> ReadingVerdict:
    """Judge the glances of one look."""
    shares: Scores = np.mean([glance.weights for glance in case.glances], axis=0)
    first = int(shares.argmax())
    candidates = case.candidates(shares)
    runner_up = next((number for number, _share in candidates if number != first), None)
    reason = _doubt(case, shares, limits)
    sure = float(shares[first])
    found = ReadingVerdict(None if reason else first, sure, runner_up, candidates, reason)
    opinion = case.opinion
    if opinion is None:
        return found
    if found.number is not None:
        if opinion.unmarked and not _is_distinct(found.number, opinion, case):
            return replace(found, number=None, reason="no_mark")
        return _checked(found, opinion, shares, limits)
    told = case.is_marked(limits) and not opinion.unmarked
    told = told or _is_distinct(opinion.number, opinion, case)
    share = _share_for(opinion, shares, case.format)
    if reason in SETTLED and told and share is not None and opinion.settles(share):
        return _settled(found, opinion, shares, case.drawn, sure=opinion.sureness(share))
    return found


def _checked(
    found: ReadingVerdict, opinion: Opinion, shares: Scores, limits: Limits
) -> ReadingVerdict:
    """Return a verdict of the networks with what a second opinion says of their number."""
    assert found.number is not None
    if opinion.is_against(found.number) or _is_unsure_of(found.number, opinion, shares, limits):
        other = opinion.number, float(shares[opinion.number])
        rest = (one for one in found.candidates[1:] if one[0] != opinion.number)
        guesses = (*found.candidates[:1], other, *rest)[:GUESSES]
        return ReadingVerdict(None, found.confidence, opinion.number, guesses, "close")
    if opinion.is_of(found.number) and opinion.unwashed >= UNWASHED:
        return replace(found, confidence=max(found.confidence, opinion.sureness(found.confidence)))
    return found


def _is_unsure_of(number: int, opinion: Opinion, shares: Scores, limits: Limits) -> bool:
    """Return whether the networks are less sure than one must be of what the prints take for another.

    Or of what may be another, for all that the prints tell, without what light took.
    """
    agrees = opinion.number == number and opinion.unwashed >= UNWASHED
    if agrees or number not in opinion.known:
        return False
    limits = limits.surer(DOUBTFUL)
    other = float(np.delete(shares, [number]).max())
    return bool(shares[number] < limits.sure or other > limits.doubt * shares[number])


def _share_for(opinion: Opinion, shares: Scores, format: int) -> float | None:
    """Return the networks' share that speaks for the number of a second opinion.

    None where they speak against it, or for a number whose prints nobody has.
    """
    number = opinion.number
    strangers = max(float(each) for other, each in enumerate(shares) if other not in opinion.known)
    if not 1 <= number <= format or strangers > STRANGER:
        return None
    first = int(shares.argmax())
    if _may_be_slanted(number, opinion, shares) or _has_rival(number, opinion, shares):
        return None
    if first == number or shares[first] < LEGIBLE:
        return float(shares[number])
    # What the networks read upside down they have read, if prints are clear on which way up it is.
    turned = may_be_turned(first, number) and first in opinion.known
    return float(shares[first]) if turned and opinion.is_upright() else None


def _may_be_slanted(number: int, opinion: Opinion, shares: Scores) -> bool:
    """Return whether a 1 may be a 7 in slanted print: the networks see one, and prints hardly tell."""
    slanted, upright = SLANTED
    if number != upright or shares[slanted] < SLIGHTLY:
        return False
    told = slanted in opinion.known and opinion.lead >= CONTRARY
    return not told or shares[slanted] > shares[upright]


def _has_rival(number: int, opinion: Opinion, shares: Scores) -> bool:
    """Return whether the networks see another number too, and prints are not like enough to tell.

    A 58 in glare was 53 to them by 0.31 and 58 by 0.25, and likest to its set's 53 by 0.71.
    """
    redrawn = with_more(number) | with_less(number)
    if any(shares[other] >= REDRAWN * shares[number] for other in redrawn):
        return opinion.likeness < MUCH_LIKER
    other = float(np.delete(shares, [number]).max())
    return other >= max(FEWEST, RIVAL * shares[number]) and opinion.likeness < LIKER


def _is_distinct(number: int, opinion: Opinion, case: _Case) -> bool:
    """Return whether a second opinion tells a number from what it may be besides.

    The print of a 6 is that of a 9 upside down, and of a stranger's 99 that of a 66: what these
    are, their mark alone tells, and the prints may tell that it is there. A slanted 1 is not quite
    a 7, and a set that knows both can tell.
    """
    other = taken_for(number, zeros=case.zeros)
    if other is None:
        return True
    if opinion.number != number:
        return False
    seen = float(np.mean([glance.marked for glance in case.glances]))
    if opinion.marked and seen >= SHOWN and opinion.is_upright():
        return True
    turned = other_way_up(number, zeros=case.zeros)
    return turned in (None, number) and other in opinion.known and opinion.is_surely(number)


def _settled(
    found: ReadingVerdict, opinion: Opinion, shares: Scores, drawn: frozenset[int], *, sure: float
) -> ReadingVerdict:
    """Return the number that a second opinion settles a doubt by, unless it came already."""
    number = opinion.number
    if number in drawn:
        return replace(found, reason="drawn_already")
    rest = tuple(one for one in found.candidates if one[0] != number)
    runner_up = rest[0][0] if rest else None
    guesses = ((number, float(shares[number])), *rest)[:GUESSES]
    return ReadingVerdict(number, max(float(shares[number]), sure), runner_up, guesses, "")


def _doubt(case: _Case, shares: Scores, limits: Limits) -> str:
    """Return why the likeliest number may not be announced, or nothing."""
    first = int(shares.argmax())
    upright = case.is_marked(limits)
    if case.is_dazzled or case.is_soft:
        limits = limits.surer(DOUBTFUL)
    elif TURNING.issuperset(str(first)) and not upright:
        limits = limits.surer(TURNED, apart=TURNED_APART)
    if shares[first] < LEGIBLE:
        return "blank"
    if not 1 <= first <= case.format:
        return "out_of_range"
    if any(glance.number != first for glance in case.glances) or shares[first] < limits.sure:
        return "low"
    ruled_out = other_way_up(first, zeros=case.zeros) if upright else None
    if any(_another(glance, first, ruled_out) > limits.doubt for glance in case.glances):
        return "close"
    if taken_for(first, zeros=case.zeros) is not None and not upright:
        return "no_mark"
    return "drawn_already" if first in case.drawn else ""


def _another(glance: Glance, number: int, ruled_out: int | None) -> float:
    """Return the share of the likeliest other number, as a part of that of this one."""
    known = [each for each in (number, ruled_out) if each is not None]
    others = np.delete(glance.weights, known)
    return float(others.max() / glance.weights[number])
