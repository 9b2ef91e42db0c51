"""Open a session: the terms it is played on, and the state it begins with (R9, R32, R53)."""

from __future__ import annotations

from types import MappingProxyType

from bingo.rules import (
    jackpots,
    journal_json_and_chain,
    policies,
    prize_distributions,
    prize_shares,
    prizes,
    rulebooks,
    session_end_and_totals,
    unclaimed,
)
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Ending, SessionState

HIGHEST = 90  # of the sets of sessions that do not say which formats are played


# What facts of a kind tell since journals of that kind were first written.
TOLD_LATER = MappingProxyType(
    {
        "session_opened": "cash_rounding",
        "shift_closed": "unpaid",
        "claim_checked": "why",
        "cards_transferred": "left",
        "second_half_opened": "players",
    }
)


# The duties that bind a session opened today. Sessions older than such duties name none, and are
# judged without them. 1: ball sets, planned end, marks, players; 2: a call is answered too;
# 3: what is carried on is paid to nobody after, what was found right is asked for first, no sale
# follows a void one of the last two games of double cards, and no announcement was wrong before a ball;
# 4: its authorisation grants the double cards that are put on sale, and the fifteen minutes of a fault
# are counted by readings of the clock at both their ends.
DUTIES = 4


def open_session(
    *,
    number: int,
    rulebook: str,
    shares: Data,
    jackpot: Data | None,
    tax: Data,
    authorisation: str,
    currency: str,
    checked: bool,
    formats: list[int] | None = None,
    faces: list[int] | None = None,
    player_limit: int | None = None,
    several_prices: bool | None = None,
    languages: list[str] | None = None,
    policy: Data | None = None,
    distributions: list[Data] | None = None,
    levels: list[Data] | None = None,
    until: str | None = None,
    carried: int | None = None,
    unclaimed_terms: Data | None = None,
    hall: str | None = None,
    licence: str | None = None,
    duties: int | None = None,
    ends_at: str | None = None,
    moment: str | None = None,
    exempt: list[str] | None = None,
) -> Data:
    """Open a session on terms that hold until it closes (R9); `checked`: R32 has been done.

    `formats` and `faces` are the cards authorised (R3, R17); sessions older than these terms have
    none, and their games are not judged by them. `player_limit` (R35), `several_prices` and
    `languages` (R54) are there when granted, `policy` (what `policies.record` gives) when the hall
    has set one, `distributions` where kinds of card have their own (R67, R73, R84), `levels` those of
    the jackpot beyond its first, `until` the last day it may be played for (R12), `carried` what a
    cash step left over in the session before, for the first game's fund, `unclaimed_terms` for how
    many days money that nobody fetched is owed and where it goes then, `hall` and `licence` the
    names under which its acta is drawn up (R58), `duties` which of its duties bind it (`DUTIES`),
    `exempt` the equipment that the hall may do without (R2), `ends_at` when it is planned to end
    (R53), as `journal_json_and_chain.written_moment` gives it, judged at `moment`. Where prizes are
    paid in coins it tells how they are rounded (`cash_rounding`). Raises Refusal:
    equipment_not_checked, unknown_duties, session_end_missing, bad_moment, bad_session_end,
    bad_tax, unknown_rulebook, negative_amount, or what `jackpots.check`, `jackpots.require_apart`,
    `prizes.check`, `prize_distributions.check_all`, `unclaimed.check_terms` and `prizes.require_fits` refuse.
    """
    if not checked:
        raise Refusal("equipment_not_checked")
    if duties is not None and not (type(duties) is int and 0 < duties <= DUTIES):
        raise Refusal("unknown_duties")
    if ends_at is not None and moment is not None:
        session_end_and_totals.require_end(ends_at, moment)
    elif duties or ends_at is not None:
        raise Refusal("session_end_missing")
    prizes.require_tax(
        prizes.Tax(tax["rate"], tax["threshold"], on_sales=tax.get("on_sales", False))
    )
    played = jackpots.load_levels(jackpot, levels)
    cards = formats or [HIGHEST]
    jackpots.check(played, formats=cards)
    jackpots.require_apart(played)
    book, own = rulebooks.get(rulebook), distributions or []
    prize_distributions.require_usual(
        own,
        journal_json_and_chain.load(Shares, shares),
        formats=cards,
        levels=played,
        rulebook=book,
    )
    prizes.require_rate(jackpots.rate(played), book)
    prize_distributions.check_all(own, levels=played, rulebook=book)
    unclaimed.check_terms(unclaimed_terms or {}, levels=played)
    if carried is not None and carried <= 0:
        raise Refusal("negative_amount", amount=carried)
    coin = policies.of({"policy": policy}).cash_step
    prizes.require_fits(
        coin,
        faces=faces or (),
        played=_played(shares, distributions),
        jackpot_rate=jackpots.rate(played),
        source=jackpots.source(played),
    )
    told = given(
        formats=formats, faces=faces, player_limit=player_limit, several_prices=several_prices,
        languages=languages, policy=policy, distributions=distributions, levels=levels,
        until=until, carried=carried, unclaimed_terms=unclaimed_terms, hall=hall, licence=licence,
        cash_rounding=prizes.EACH_WINNER if coin != prizes.NONE else None, duties=duties,
        ends_at=ends_at, moment=moment, exempt=exempt,
    )  # fmt: skip
    return {
        "number": number,
        "rulebook": rulebook,
        "shares": shares,
        "jackpot": jackpot,
        "tax": tax,
        "authorisation": authorisation,
        "currency": currency,
        "checked": checked,
        **told,
    }


def begin(fact: Fact) -> SessionState:
    """Return the state after a session's first fact. Raises Refusal fact_disagrees."""
    if fact.kind != "session_opened":
        raise Refusal("fact_disagrees", kind=fact.kind)
    asked = {name: told for name, told in fact.data.items() if name != "cash_rounding"}
    decided = Fact(fact.kind, open_session(**asked))
    if fact not in (decided, without_later_fields(decided)):
        raise Refusal("fact_disagrees", kind=fact.kind)
    first, *others = jackpots.load_levels(fact.data["jackpot"], fact.data.get("levels")) or (None,)
    return SessionState(
        number=fact.data["number"],
        terms=fact.data,
        jackpot=first,
        levels=tuple(filter(None, others)),
        carried=fact.data.get("carried", 0),
        ending=Ending(ends_at=fact.data.get("ends_at", "")),
    )


def _played(shares: Data, distributions: list[Data] | None) -> tuple[prize_shares.Shares, ...]:
    """Return every way in which prizes are divided."""
    own = (prize_distributions.load(one).shares for one in distributions or ())
    return (journal_json_and_chain.load(Shares, shares), *own)


def without_later_fields(fact: Fact) -> Fact:
    """Return a fact without what facts of its kind did not tell at first."""
    later = TOLD_LATER.get(fact.kind)
    return Fact(fact.kind, {name: told for name, told in fact.data.items() if name != later})
