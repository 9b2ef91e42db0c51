"""Linked jackpots as a hall sees them: what a bingo there wins now, and how far they have come."""

from __future__ import annotations

from django.db.models import F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from bingo.rules.links import Pool
from halls.models import Hall, Link, LinkMember


def seen(hall: Hall) -> tuple[int, dict[str, int]]:
    """Give how many movements the links of a hall have had, and what a bingo there wins of each.

    By the link's code, in minor units; all as of one moment.
    """
    others = LinkMember.objects.filter(link=OuterRef("pk")).exclude(hall=hall.pk)
    waiting = others.order_by().values("link").annotate(sum=Sum("waiting")).values("sum")
    found = Link.objects.filter(members__hall=hall.pk).values_list(
        "code", "head_number", F("balance") - Coalesce(Subquery(waiting), 0)
    )
    rows = list(found)
    return sum(head for _code, head, _worth in rows), {code: worth for code, _head, worth in rows}


def heads(hall_code: str) -> int:
    """Give how many movements the links of a hall have had; its screens look again when it grows."""
    found = Link.objects.filter(members__hall__code=hall_code).aggregate(all=Sum("head_number"))
    return int(found["all"] or 0)


def pool(link: Link) -> Pool:
    """Give what a link holds and what waits in each hall, as the rules reckon with it."""
    waiting = dict(LinkMember.objects.filter(link=link).values_list("hall", "waiting"))
    return Pool(link.balance, waiting, over=link.ended_at is not None)
