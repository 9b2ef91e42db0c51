"""Authorisations of the regulator: what can be recorded, what each permits (R3, R7-R19, R35, R54)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any

from bingo.rules import (
    equipment,
    formats,
    jackpot_chances,
    jackpots,
    journal_json_and_chain,
    prize_distributions,
    prize_shares,
    prizes,
    rulebooks,
    texts,
    unclaimed,
)
from bingo.rules.admission import MOST_INSIDE
from bingo.rules.jackpots import Jackpot, Limit
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

LETTER = re.compile(r"[A-Z0-9]{1,5}")
LONGEST_REFERENCE = 100
MOST_CARDS = 100_000  # of a series
MOST = 2**31 - 1  # minor units of a price
LIKELY = 0.5  # of a jackpot's being won in a game: beyond it, two persons decide
# What an authorisation means that does not name these.
UNGRANTED: Mapping[str, Any] = MappingProxyType(
    {
        "player_limit": None,
        "several_prices": False,
        "languages": [],
        "distributions": [],
        "jackpot_terms": {},
        "jackpot_levels": [],
        "capacity": None,
        "identity_asked": False,
        "unclaimed_terms": {},
        "exempt": [],
        "tax_on_sales": False,
    }
)


def record(
    *,
    rulebook: str,
    reference: str,
    valid_from: str,
    valid_until: str | None,
    formats: Sequence[int],
    faces: Sequence[int],
    sizes: Mapping[str, int] = MappingProxyType({}),
    double_cards: bool = False,
    line_share: int,
    bingo_share: int,
    jackpot_rate: int = 0,
    jackpot_limit: int = 0,
    jackpot_base: int = 0,
    tax_rate: int = 0,
    tax_threshold: int = 0,
    tax_on_sales: bool = False,
    player_limit: int | None = None,
    several_prices: bool = False,
    languages: Sequence[str] = (),
    distributions: Sequence[Data] = (),
    jackpot_terms: Mapping[str, Any] = MappingProxyType({}),
    jackpot_levels: Sequence[Data] = (),
    unclaimed_terms: Mapping[str, Any] = MappingProxyType({}),
    capacity: int | None = None,
    identity_asked: bool = False,
    witness: str | None = None,
    exempt: Sequence[str] = (),
) -> Data:
    """Return an authorisation as the journal has it, judged by the hall's rule book.

    Days are ISO texts, `faces` minor units, `sizes` cards by letter (R19), shares and rates basis
    points. `capacity` is how many people may be inside, `identity_asked` whether a document is
    asked of each at the door even where the rule book asks none (BOE III), `player_limit` how many
    cards a player may buy in a game (R35), `several_prices` whether issues of several prices may be
    on sale in one, `languages` those that announcements
    may be repeated in (R54), `distributions` how prizes are divided in kinds of game that do not
    follow line and bingo share, as `prize_distributions.dump` gives them, `jackpot_terms` what the
    jackpot has beyond rate and base (its limits, source, ceiling and schedule, and `until`, the last
    day it may be played for, R12), `jackpot_levels` those beyond its first, as
    `journal_json_and_chain.dump` gives them without a balance, `unclaimed_terms` for how many `days`
    money that nobody fetched is owed and what it goes `to` then (R44), `exempt` the equipment that
    the hall may do without (R2), as `equipment.NAMED` calls it, `tax_on_sales` that the tax is on what a game collects instead of
    its prizes (R61 g); each is told only when it is granted. `jackpot_limit` is the one number
    of balls of entries older than limits by kind of card, else 0. `witness` names the second person,
    without whom no limit is granted that a game of 1,000 cards more often reaches than not (R9).
    Raises Refusal: reference_missing,
    bad_reference, bad_capacity, reference_too_long, ends_before_it_begins, unknown_rulebook, what `_require_*`
    below refuse, or what `prizes.check`, `jackpots.check`, `prize_distributions.check_all` and
    `unclaimed.check_terms` refuse.
    """
    book = rulebooks.get(rulebook)
    texts.require_text(reference, missing=Refusal("reference_missing"))
    if not texts.is_plain(reference):
        raise Refusal("bad_reference")
    if len(reference) > LONGEST_REFERENCE:
        raise Refusal("reference_too_long", most=LONGEST_REFERENCE)
    if valid_until is not None and valid_until < valid_from:
        raise Refusal("ends_before_it_begins", begins=valid_from, ends=valid_until)
    _require_formats(formats, book)
    _require_faces(faces)
    for letter, size in sizes.items():
        _require_own_size(letter, size)
    granted = levels(jackpot_rate, jackpot_limit, jackpot_base, jackpot_terms, jackpot_levels)
    _require_jackpot(granted, jackpot_terms, valid_from, formats=formats)
    of_nothing = not tax_rate and (tax_threshold or tax_on_sales)
    if not 0 <= tax_rate <= prizes.WHOLE or tax_threshold < 0 or of_nothing:
        raise Refusal("bad_tax", rate=tax_rate, threshold=tax_threshold)
    shares = prize_shares.Shares(line=line_share, bingo=bingo_share)
    prize_distributions.require_usual(
        distributions, shares, formats=formats, levels=granted, rulebook=book
    )
    prizes.require_rate(jackpots.rate(granted), book)
    unclaimed.check_terms(unclaimed_terms, levels=granted)
    _require_limits(player_limit, capacity)
    _require_languages(languages, book)
    for one in distributions:
        require_format(one["format"], formats)
    prize_distributions.check_all(distributions, levels=granted, rulebook=book)
    _require_unlikely(granted, witness)
    beyond = {
        "player_limit": player_limit,
        "several_prices": several_prices,
        "languages": list(languages),
        "distributions": list(distributions),
        "jackpot_terms": _beyond(granted[0], jackpot_terms),
        "jackpot_levels": [jackpots.granted(one) for one in granted[1:]],
        "capacity": capacity,
        "identity_asked": identity_asked,
        "unclaimed_terms": dict(unclaimed_terms),
        "witness": witness,
        "exempt": _exempt(exempt),
        "tax_on_sales": tax_on_sales,
    }
    return {
        "reference": reference,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "formats": list(formats),
        "faces": list(faces),
        "sizes": dict(sizes),
        "double_cards": double_cards,
        "line_share": line_share,
        "bingo_share": bingo_share,
        "jackpot_rate": jackpot_rate,
        "jackpot_limit": jackpot_limit,
        "jackpot_base": jackpot_base,
        "tax_rate": tax_rate,
        "tax_threshold": tax_threshold,
        # Entries older than these are without them, and stay as good as they were.
        **{name: given for name, given in beyond.items() if given != UNGRANTED.get(name)},
    }


def _require_formats(granted: Sequence[int], book: Rulebook) -> None:
    """Refusals: formats_missing, format_repeated, unknown_format, format_not_in_rulebook."""
    if not granted:
        raise Refusal("formats_missing")
    for format in granted:
        book.column_count(formats.get_format(format))
        if granted.count(format) > 1:
            raise Refusal("format_repeated", format=format)


def _require_faces(faces: Sequence[int]) -> None:
    """Refusals: faces_missing, bad_face, face_repeated."""
    if not faces:
        raise Refusal("faces_missing")
    for face in faces:
        if not 0 < face <= MOST:
            raise Refusal("bad_face", face=face, most=MOST)
        if faces.count(face) > 1:
            raise Refusal("face_repeated", face=face)


def _require_own_size(letter: str, size: int) -> None:
    """Refusals: bad_letter, size_out_of_range. A letter of the rule book may have another size (R19)."""
    if not LETTER.fullmatch(letter):
        raise Refusal("bad_letter", letter=letter)
    if not 1 <= size <= MOST_CARDS:
        raise Refusal("size_out_of_range", letter=letter, size=size, most=MOST_CARDS)


def levels(
    rate: int,
    limit: int,
    base: int,
    terms: Mapping[str, Any],
    others: Sequence[Mapping[str, Any]],
) -> tuple[Jackpot, ...]:
    """Return every level of a jackpot as granted, the first and the others, each with its base alone.

    Raises Refusal bad_jackpot where what is told of one is nothing that a level has.
    """
    beyond = {name: one for name, one in terms.items() if name != "until"}
    if not beyond.keys().isdisjoint(("rate", "limit", "base")):
        raise Refusal("bad_jackpot")
    first = {"rate": rate, "limit": limit, "base": base, **beyond}
    try:
        return tuple(_level(one) for one in (first, *others))
    except (TypeError, KeyError, AttributeError) as error:
        raise Refusal("bad_jackpot") from error


def _level(told: Mapping[str, Any]) -> Jackpot:
    """Read a level of whole numbers; what it holds and how long it was not won is never granted."""
    schedule = told.get("schedule") or {}
    numbers = [told["rate"], told.get("limit", 0), told["base"], told.get("ceiling", 0)]
    texts = [told.get("source", ""), told.get("link", "")]
    if any(type(one) is not int for one in (*numbers, *schedule.values())):
        raise Refusal("bad_jackpot")
    if any(not isinstance(one, str) for one in texts) or told.keys() & {"balance", "dry", "won"}:
        raise Refusal("bad_jackpot")
    limits = [
        journal_json_and_chain.dump(one) for one in jackpots.read_limits(told.get("limits", ()))
    ]
    return journal_json_and_chain.load(Jackpot, {**told, "limits": limits, "balance": told["base"]})


def _beyond(first: Jackpot, terms: Mapping[str, Any]) -> Data:
    """Return what a jackpot's first level has beyond rate, limit and base, and its last day."""
    told = jackpots.granted(first)
    until = {"until": terms["until"]} if terms.get("until") else {}
    return {name: told[name] for name in told.keys() - {"rate", "limit", "base"}} | until


def _require_jackpot(
    granted: Sequence[Jackpot],
    terms: Mapping[str, Any],
    valid_from: str,
    *,
    formats: Sequence[int],
) -> None:
    """Refusals: bad_jackpot, jackpot_ends_before_it_begins, or what `jackpots.check` refuses (R9, R12)."""
    first, *others = granted
    if not first.rate and (first.limit or first.base or terms or others):
        raise Refusal("jackpot_takes_nothing")
    until = terms.get("until")
    if until is not None and not _is_day(until):
        raise Refusal("bad_jackpot")
    if until is not None and until < valid_from:
        raise Refusal("jackpot_ends_before_it_begins", begins=valid_from, ends=until)
    jackpots.check(granted, formats=formats)


def _require_unlikely(granted: Sequence[Jackpot], witness: str | None) -> None:
    """Refuse to one person alone a limit that is won more often than not: second_person_needed (R9)."""
    for one in (limit for level in granted for limit in level.limits):
        if witness is None and is_likely(one):
            raise Refusal(
                "second_person_needed", command="authorisation_recorded", format=one.format,
                balls=max(one.balls, one.most), cards=jackpot_chances.CARDS[-1],
            )  # fmt: skip


def is_likely(limit: Limit) -> bool:
    """Return whether a jackpot is won more often than not within a limit, as high as it may rise.

    The more cards, the more often: so those of the largest game that the chance is told for count.
    """
    balls, cards = max(limit.balls, limit.most), jackpot_chances.CARDS[-1]
    return (
        jackpot_chances.bingo_by(balls, cards=cards, format=limit.format, figure=limit.figure)
        > LIKELY
    )


def _exempt(asked: Sequence[str]) -> list[str]:
    """Return the equipment that a hall may do without, in the order of the check; unknown_device."""
    for kind in asked:
        if kind not in equipment.NAMED:
            raise Refusal("unknown_device", kind=kind)
    return [kind for kind in equipment.CHECKED if kind in asked]


def _is_day(text: object) -> bool:
    """Return whether a text is a day as journals write it."""
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _require_limits(player_limit: int | None, capacity: int | None) -> None:
    """Refusals: bad_player_limit, bad_capacity."""
    if capacity is not None and not 1 <= capacity <= MOST_INSIDE:
        raise Refusal("bad_capacity", most=MOST_INSIDE)
    if player_limit is not None and not 1 <= player_limit <= MOST_CARDS:
        raise Refusal("bad_player_limit", cards=player_limit, most=MOST_CARDS)


def _require_languages(granted: Sequence[str], book: Rulebook) -> None:
    """Refusals: language_is_the_rule_books, language_repeated."""
    for language in granted:
        if language == book.language:
            raise Refusal("language_is_the_rule_books", language=language)
        if granted.count(language) > 1:
            raise Refusal("language_repeated", language=language)


def require_format(format: int, granted: Sequence[int]) -> None:
    """Refuse a kind of card that is not granted (R3): format_not_authorised."""
    if format not in granted:
        raise Refusal("format_not_authorised", format=format, formats=list(granted))


def require_face(face: int, granted: Sequence[int]) -> None:
    """Refuse a price that is not granted (R17): face_not_authorised. Minor units."""
    if face not in granted:
        raise Refusal("face_not_authorised", face=face, faces=list(granted))


def require_double(*, granted: bool, authorisation: str) -> None:
    """Refuse double cards that the authorisation of this reference does not grant (R15): double_not_authorised."""
    if not granted:
        raise Refusal("double_not_authorised", authorisation=authorisation)


def require_size(letter: str, size: int, *, rulebook: Rulebook, own: Mapping[str, int]) -> None:
    """Refuse a size that neither the rule book gives the letter (R16) nor `own` (R19).

    Refusal size_not_of_letter. A series alone, without a hall, is judged by `series.size_faults`.
    """
    if size not in (rulebook.series_sizes.get(letter), own.get(letter)):
        raise Refusal("size_not_of_letter", letter=letter, size=size)
