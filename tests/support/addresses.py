"""Every address of the hall, as the resolver knows them: what a test of all of them walks over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import getclosurevars, unwrap

from django.urls import URLPattern, URLResolver, get_resolver

from draws.web.page_classes import Desk, Page

DIGEST = "0" * 64


@dataclass(frozen=True, slots=True)
class Address:
    """A pattern's route, the verb of one of its orders, and an address that matches it."""

    route: str
    verb: str
    path: str


def addresses(**places: object) -> Iterator[Address]:
    """Return an address for every pattern, and one for every verb where it takes orders.

    `places` say what stands for a number or a word of that name, 1 and "nothing" where they do not.
    """
    yield from _addresses(get_resolver().url_patterns, "", {"code": "sala", **places})


def _addresses(
    found: Sequence[URLPattern | URLResolver], before: str, places: Mapping[str, object]
) -> Iterator[Address]:
    for one in found:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _addresses(one.url_patterns, route, places)
            continue
        for verb in verbs(one):
            yield Address(route, verb, "/" + _filled(route, {**places, "verb": verb}))


def _filled(route: str, places: Mapping[str, object]) -> str:
    usual = {"int": 1, "slug": "nothing", "digest": DIGEST}
    told = re.sub(
        r"<(\w+):(\w+)>", lambda at: str(places.get(at[2], usual.get(at[2], usual[at[1]]))), route
    )
    return re.sub(r"\^?pictures/\(\?P<digest>.*", f"pictures/{DIGEST}.jpg", told)


def verbs(pattern: URLPattern) -> list[str]:
    """Return the verbs of a pattern's desk or page, and one that it has not; "" where it has none."""
    if "<slug:verb>" not in str(pattern.pattern):
        return [""]
    return [*page_of(pattern).verbs, "nothing"]


def page_of(pattern: URLPattern) -> Desk | Page:
    """Return the desk or page that takes the orders of a pattern."""
    held = getclosurevars(unwrap(pattern.callback)).nonlocals.values()
    [page] = [one for one in held if isinstance(one, Desk | Page)]
    return page


def patterns() -> Iterator[URLPattern]:
    """Return every pattern of the hall."""
    waiting: list[URLPattern | URLResolver] = list(get_resolver().url_patterns)
    while waiting:
        one = waiting.pop()
        if isinstance(one, URLResolver):
            waiting += one.url_patterns
        else:
            yield one
