"""The words of what is kept for how long, what was removed and what is kept back.

What journal entries about seals and rectified actas say (R58).

What a journal entry says, in a line that an inspector can read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from bingo.rules import retention as rules
from bingo.rules.game_state import Award
from bingo.rules.refusal import Refusal
from bingo.rules.shifts import paid_out
from draws import terms
from draws.balls import words as balls_words
from draws.claims import queries as claims_queries
from draws.complaints import slip
from draws.custody import documents as custody_documents
from draws.equipment import words as equipment_words
from draws.jackpots import queries as jackpots_queries
from draws.prizes import words as prizes_words
from draws.prizes.words import Carried
from draws.refusals import text
from draws.sales import words as sales_words
from draws.sales.words import Data, Money
from halls import staff, training
from halls.admission import queries as admission_queries
from halls.checkpoints import queries as checkpoints_queries
from halls.journal import clock
from halls.models import JournalEntry
from halls.policy import queries as policy_queries

Text = Promise | str

KINDS: Mapping[str, Text] = {
    rules.PICTURES: gettext_lazy("Pictures of balls"),
    rules.LOOKS: gettext_lazy("Who looked at what"),
    rules.PRINTS: gettext_lazy("Files of printed cards"),
    rules.STILLS: gettext_lazy("Frames of cameras"),
    rules.ADMISSIONS: gettext_lazy("Register of admissions"),
}

REASONS: Mapping[str, Text] = {
    rules.CASE: gettext_lazy("case %(name)s is open"),
    rules.COMPLAINT: gettext_lazy("complaint %(name)s is open"),
    rules.REMARK: gettext_lazy("the remark of entry %(name)s has no answer"),
    rules.NAMED: gettext_lazy("complaints name them"),
    rules.CERTIFICATE: gettext_lazy("the certificate of entry %(name)s rests on them"),
}


def why(reason: str, name: str) -> str:
    """Say why something is kept beyond its days."""
    return str(REASONS[reason]) % {"name": name}


def days(number: int) -> str:
    """Say for how long something is kept."""
    if number == rules.ALWAYS:
        return _("for good")
    return ngettext("%(n)s day", "%(n)s days", number) % {"n": number}


def _set(data: Data, _money: Money) -> str:
    told = [_("from %(day)s on") % {"day": data["valid_from"]}]
    told += [
        f"{name}: {days(data['days'][kind])}"
        for kind, name in KINDS.items()
        if kind in data["days"]
    ]
    return " · ".join(told)


def _applied(data: Data, _money: Money) -> str:
    counted = [
        (name, data["removed"][kind]) for kind, name in KINDS.items() if kind in data["removed"]
    ]
    told = [
        f"{name}: {one['count']} ({one['oldest'][:10]} – {one['newest'][:10]})"
        for name, one in counted
    ]
    if absent := data.get("absent"):
        told.append(
            ngettext("%(n)s was gone already", "%(n)s were gone already", absent) % {"n": absent}
        )
    return " · ".join([*told, *_kept_back(data), f"SHA-256 {data['list']}"])


def _kept_back(data: Data) -> Iterator[str]:
    for one in data["kept_back"]:
        kind = KINDS.get(one["kind"], one["kind"])
        values = {"kind": kind, "n": one["count"], "why": why(one["why"], one["name"])}
        yield _("%(kind)s: %(n)s kept back, %(why)s") % values


RETENTION_TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    rules.SET: _set,
    rules.APPLIED: _applied,
}


def _sealed(data: Data, _money: Money) -> str:
    told = []
    if "rectification" in data:
        told.append(
            str(gettext_lazy("rectification %(number)s") % {"number": data["rectification"]})
        )
    if "level" in data:
        told.append(f"PAdES {data['level']}")
    if "key" in data:
        told.append(str(gettext_lazy("key %(number)s") % {"number": data["key"]}))
    return " · ".join([*told, f"SHA-256 {data['digest']}"])


def _rectified(data: Data, _money: Money) -> str:
    named = f"{data['session']}/{data['rectification']}"
    return " · ".join([named, data["reason"], data["what"], f"SHA-256 {data['digest']}"])


def _key_changed(data: Data, _money: Money) -> str:
    key = gettext_lazy("key %(number)s") % {"number": data["key"]}
    return " · ".join([str(key), str(HOW[data["how"]]), f"SHA-256 {data['certificate']}"])


HOW = {
    "renewed": gettext_lazy("made by the hall's own authority"),
    "revoked": gettext_lazy("the one before counts no longer"),
    "pkcs12": gettext_lazy("taken from a file"),
    "pkcs11": gettext_lazy("in a token"),
}

SEAL_TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "acta_sealed": _sealed,
    "acta_rectified": _rectified,
    "seal_key_changed": _key_changed,
}


def describe_entry(entry: JournalEntry) -> str:
    """Tell an entry's data in the active language; kinds without a telling show nothing."""
    teller = JOURNAL_TEXT_TELLERS.get(entry.kind)
    if teller is None:
        return ""
    language = get_language() or "pt"
    said = teller(entry.data, sales_words.money_in(entry.hall.currency, language))
    witness = entry.data.get("witness")
    return f"{said} · {_('before %(witness)s') % {'witness': witness}}" if witness else said


def _checked(data: Data, _money: Money) -> str:
    told = [str(terms.combination(data["combination"])), str(data["card"])]
    return " · ".join([*told, claims_queries.verdict(data), *filter(None, [data.get("place")])])


def _note(data: Data, _money: Money) -> str:
    told = f"{terms.CATEGORIES[data['category']]}: {data['text']}"
    return f"{told} · {_('card %(card)s') % {'card': data['card']}}" if "card" in data else told


def _awards(data: Data, money: Money) -> str:
    won = [_award(Award(**award), money) for award in data["awards"]]
    left = data.get("carried", {})
    over = Carried(to_jackpot=left.get("jackpot", 0), to_fund=left.get("fund", 0))
    return " · ".join([*won, *prizes_words.describe_carry(over, money)])


def _award(award: Award, money: Money) -> str:
    told = f"{terms.combination(award.combination)} {award.card}: {money(award.amount)}"
    handed_over = prizes_words.handed_over(award, money)
    return f"{told} ({handed_over})" if handed_over else told


def _paid(data: Data, money: Money) -> str:
    told = [str(data["card"]), money(paid_out(data)), data["till"]]
    if "first_game" in data:
        prizes = ", ".join(str(terms.combination(name)) for name in data["first_game"])
        told.append(_("of the first game: %(prizes)s") % {"prizes": prizes})
    return " · ".join(told)


def _prizes(data: Data, money: Money) -> str:
    return " · ".join(
        f"{terms.combination(name)} {money(data[name])}" for name in ("line", "bingo")
    )


def _completed(data: Data, money: Money) -> str:
    paid = [
        f"{terms.combination(name)} {money(amount)}"
        for name, amount in data["paid"].items()
        if amount
    ]
    unproven = [_("without the RNG's proof")] if "unproven" in data else []
    return " · ".join([money(data["gross"]), *paid, *unproven])


def _refused(data: Data, _money: Money) -> str:
    return text.refusal(Refusal(data["code"], **data["values"]))


def _count(data: Data, money: Money) -> str:
    values = {"counted": money(data["counted"]), "difference": money(data["difference"])}
    told = _("counted %(counted)s, difference %(difference)s") % values
    return " · ".join(
        part for part in (data["till"], told, data["comment"], _handed_on(data)) if part
    )


def _handed_on(data: Data) -> str:
    n = len(data.get("unpaid", ()))
    told = ngettext("%(n)s winning card unpaid", "%(n)s winning cards unpaid", n) % {"n": n}
    return told if n else ""


def _authorised(data: Data, money: Money) -> str:
    days = f"{data['valid_from']} – {data['valid_until'] or ''}".rstrip()
    kinds = ", ".join(str(kind) for kind in data["formats"])
    prices = ", ".join(money(face) for face in data["faces"])
    own = ", ".join(f"{letter} {size}" for letter, size in data["sizes"].items())
    told = (data["reference"], days, kinds, prices, own, *_also_authorised(data))
    return " · ".join(part for part in told if part)


def _also_authorised(data: Data) -> list[str]:
    told = []
    if "player_limit" in data:
        limit = data["player_limit"]
        most = ngettext(
            "at most %(cards)s card a player", "at most %(cards)s cards a player", limit
        )
        told.append(most % {"cards": limit})
    if "capacity" in data:
        told.append(_("at most %(people)s people inside") % {"people": data["capacity"]})
    if "identity_asked" in data:
        told.append(_("a document asked of each at the door"))
    if "several_prices" in data:
        told.append(_("several prices in a game"))
    if "distributions" in data:
        kinds = ", ".join(str(one["format"]) for one in data["distributions"])
        told.append(_("prizes of their own: %(formats)s") % {"formats": kinds})
    return told + [language.upper() for language in data.get("languages", ())]


def _received(data: Data, money: Money) -> str:
    told = [f"{data['letter']} {data['identification']}", money(data["face"])]
    if data.get("origin"):
        told.append(_("from %(hall)s") % {"hall": data["origin"]["hall"]})
    if data.get("counted") is not None:
        told.append(_counted(data["counted"], data["difference"]))
    return " · ".join(told)


def _counted(counted: int, difference: int) -> str:
    told = ngettext("%(counted)s card counted", "%(counted)s cards counted", counted) % {
        "counted": counted
    }
    if not difference:
        return told
    signed = f"{difference:+d}".replace("-", "\N{MINUS SIGN}")
    return told + ", " + _("difference %(difference)s") % {"difference": signed}


def _recount(data: Data, _money: Money) -> str:
    counted = _counted(data["counted"], data["difference"])
    return " · ".join(part for part in (sales_words.issue(data), counted, data["comment"]) if part)


def _moved(data: Data, _money: Money) -> str:
    return f"{sales_words.issue(data)} · {data['reason']}"


def _sent(data: Data, _money: Money) -> str:
    many = data["cards"]
    cards = ngettext("%(cards)s card", "%(cards)s cards", many) % {"cards": many}
    return f"{sales_words.issue(data)} → {data['to']} · {cards} · {data['reason']}"


def _printed(data: Data, _money: Money) -> str:
    told = [_print(data), f"{data['first']}-{data['last']}", data["paper"], data["reason"]]
    return " · ".join(part for part in told if part)


def _print(data: Data) -> str:
    return _("print %(job)s") % {"job": data["job"]}


def _print_done(data: Data, _money: Money) -> str:
    many = data["pages"]
    pages = ngettext("%(pages)s page", "%(pages)s pages", many) % {"pages": many}
    return f"{_print(data)} · {pages} · SHA-256 {data['digest']}"


def _opened(data: Data, _money: Money) -> str:
    told = [data["authorisation"], data["rulebook"]]
    if "ends_at" in data:
        told.append(_("planned end: %(hour)s") % {"hour": _moment(data["ends_at"])})
    return " · ".join(told)


def _end(data: Data, _money: Money) -> str:
    told = [_moment(data["ends_at"]), data["reason"]]
    if "before" in data:
        told.insert(1, _("before: %(hour)s") % {"hour": _moment(data["before"])})
    return " · ".join(part for part in told if part)


def _moment(text: str) -> str:
    return date_format(timezone.localtime(datetime.fromisoformat(text)), "SHORT_DATETIME_FORMAT")


JOURNAL_TEXT_TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    **sales_words.TELLERS,
    **equipment_words.TELLERS,
    **balls_words.DRAW_LOG_TELLERS,
    **balls_words.ENROLMENT_TELLERS,
    **jackpots_queries.TELLERS,
    **custody_documents.TELLERS,
    **admission_queries.TELLERS,
    **slip.TELLERS,
    **RETENTION_TELLERS,
    **staff.TELLERS,
    **training.TELLERS,
    **prizes_words.TELLERS,
    "authorisation_recorded": _authorised,
    "policy_set": policy_queries.describe_policy,
    "pattern_saved": lambda data, _money: data["name"],
    "checkpoint_key_changed": lambda data, _money: data["key"],
    "checkpoint_history_set_back": checkpoints_queries.describe_set_back,
    "issue_counted": _recount,
    "cards_retired": sales_words.retired,
    "issue_withdrawn": _moved,
    "issue_reinstated": _moved,
    "issue_sent": _sent,
    "transfer_recalled": _moved,
    "print_ordered": _printed,
    "print_finished": _print_done,
    "print_failed": lambda data, _money: f"{_print(data)} · {text.print_fault(data['fault'])}",
    "print_cancelled": lambda data, _money: _print(data),
    "session_opened": _opened,
    "session_end_planned": _end,
    "last_game_announced": lambda data, _money: _("game %(game)s") % {"game": data["game"]},
    **SEAL_TELLERS,
    "acta_acknowledged": lambda data, _money: f"SHA-256 {data['acta']}",
    "acta_remarked": lambda data, _money: data["text"],
    "remark_answered": lambda data, _money: f"{data['remark']}: {data['text']}",
    "shift_opened": lambda data, money: (
        f"{data['till']} · {data['cashier']} · {money(data['float'])}"
    ),
    "cash_moved": lambda data, money: (
        f"{data['till']} · {money(data['amount'])} · {data['reason']}"
    ),
    "shift_closed": _count,
    "note_recorded": _note,
    "series_published": lambda data, _money: (
        f"{data['letter']} ({data['size']}) · SHA-256 {data['digest']}"
    ),
    "issue_received": _received,
    "draw_announced": _prizes,
    "draw_taken_over": lambda data, _money: str(data["caller"]),
    "claim_called": lambda data, _money: str(terms.combination(data["combination"])),
    "claim_checked": _checked,
    "refusal_reversed": lambda data, _money: (
        f"{terms.combination(data['combination'])} {data['card']} · {data['reason']}"
    ),
    "card_shown": lambda data, _money: f"{data['card']} · SHA-256 {data['picture']}",
    "window_opened": lambda data, _money: " · ".join(
        str(terms.combination(name)) for name in data["combinations"]
    ),
    "window_closed": _awards,
    "game_voided": lambda data, _money: data["reason"],
    "prize_paid": _paid,
    "entry_completed": _completed,
    "command_refused": _refused,
    "clock_anomaly": lambda data, _money: data["clock"],
    "clock_read": lambda data, _money: clock.describe_clock(
        synchronised=data["synchronised"], error=data["error"], by=data.get("step", 0)
    ),
}
