"""What a journal entry says, in a line that an inspector can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from bingo.rules.shifts import paid_out
from bingo.rules.state import Award
from draws.documents import (
    admission_words,
    carried_words,
    checkpoint_words,
    claim_words,
    clock_words,
    complaint_words,
    custody_facts,
    draw_facts,
    enrolment_facts,
    equipment_facts,
    jackpot_facts,
    policy_words,
    retention_words,
    sale_facts,
    seal_facts,
    staff_words,
    training_words,
    unclaimed_words,
    words,
)
from draws.documents.carried_words import Carried
from draws.documents.sale_facts import Data, Money
from halls.models import JournalEntry


def told(entry: JournalEntry) -> str:
    """Tell an entry's data in the active language; kinds without a telling show nothing."""
    teller = TELLERS.get(entry.kind)
    if teller is None:
        return ""
    language = get_language() or "pt"
    said = teller(entry.data, sale_facts.money_in(entry.hall.currency, language))
    witness = entry.data.get("witness")
    return f"{said} · {_('before %(witness)s') % {'witness': witness}}" if witness else said


def _checked(data: Data, _money: Money) -> str:
    told = [str(words.combination(data["combination"])), str(data["card"])]
    return " · ".join([*told, claim_words.verdict(data), *filter(None, [data.get("place")])])


def _note(data: Data, _money: Money) -> str:
    told = f"{words.CATEGORIES[data['category']]}: {data['text']}"
    return f"{told} · {_('card %(card)s') % {'card': data['card']}}" if "card" in data else told


def _awards(data: Data, money: Money) -> str:
    won = [_award(Award(**award), money) for award in data["awards"]]
    left = data.get("carried", {})
    over = Carried(to_jackpot=left.get("jackpot", 0), to_fund=left.get("fund", 0))
    return " · ".join([*won, *carried_words.told(over, money)])


def _award(award: Award, money: Money) -> str:
    told = f"{words.combination(award.combination)} {award.card}: {money(award.amount)}"
    handed_over = carried_words.handed_over(award, money)
    return f"{told} ({handed_over})" if handed_over else told


def _paid(data: Data, money: Money) -> str:
    told = [str(data["card"]), money(paid_out(data)), data["till"]]
    if "first_game" in data:
        prizes = ", ".join(str(words.combination(name)) for name in data["first_game"])
        told.append(_("of the first game: %(prizes)s") % {"prizes": prizes})
    return " · ".join(told)


def _prizes(data: Data, money: Money) -> str:
    return " · ".join(
        f"{words.combination(name)} {money(data[name])}" for name in ("line", "bingo")
    )


def _completed(data: Data, money: Money) -> str:
    paid = [
        f"{words.combination(name)} {money(amount)}"
        for name, amount in data["paid"].items()
        if amount
    ]
    unproven = [_("without the RNG's proof")] if "unproven" in data else []
    return " · ".join([money(data["gross"]), *paid, *unproven])


def _refused(data: Data, _money: Money) -> str:
    return words.refusal(Refusal(data["code"], **data["values"]))


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
    return " · ".join(part for part in (sale_facts.issue(data), counted, data["comment"]) if part)


def _moved(data: Data, _money: Money) -> str:
    return f"{sale_facts.issue(data)} · {data['reason']}"


def _sent(data: Data, _money: Money) -> str:
    many = data["cards"]
    cards = ngettext("%(cards)s card", "%(cards)s cards", many) % {"cards": many}
    return f"{sale_facts.issue(data)} → {data['to']} · {cards} · {data['reason']}"


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


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    **sale_facts.TELLERS,
    **equipment_facts.TELLERS,
    **draw_facts.TELLERS,
    **enrolment_facts.TELLERS,
    **jackpot_facts.TELLERS,
    **custody_facts.TELLERS,
    **admission_words.TELLERS,
    **complaint_words.TELLERS,
    **retention_words.TELLERS,
    **staff_words.TELLERS,
    **training_words.TELLERS,
    **unclaimed_words.TELLERS,
    "authorisation_recorded": _authorised,
    "policy_set": policy_words.told,
    "pattern_saved": lambda data, _money: data["name"],
    "checkpoint_key_changed": lambda data, _money: data["key"],
    "checkpoint_history_set_back": checkpoint_words.set_back,
    "issue_counted": _recount,
    "cards_retired": sale_facts.retired,
    "issue_withdrawn": _moved,
    "issue_reinstated": _moved,
    "issue_sent": _sent,
    "transfer_recalled": _moved,
    "print_ordered": _printed,
    "print_finished": _print_done,
    "print_failed": lambda data, _money: f"{_print(data)} · {words.print_fault(data['fault'])}",
    "print_cancelled": lambda data, _money: _print(data),
    "session_opened": _opened,
    "session_end_planned": _end,
    "last_game_announced": lambda data, _money: _("game %(game)s") % {"game": data["game"]},
    **seal_facts.TELLERS,
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
    "claim_called": lambda data, _money: str(words.combination(data["combination"])),
    "claim_checked": _checked,
    "refusal_reversed": lambda data, _money: (
        f"{words.combination(data['combination'])} {data['card']} · {data['reason']}"
    ),
    "card_shown": lambda data, _money: f"{data['card']} · SHA-256 {data['picture']}",
    "window_opened": lambda data, _money: " · ".join(
        str(words.combination(name)) for name in data["combinations"]
    ),
    "window_closed": _awards,
    "game_voided": lambda data, _money: data["reason"],
    "prize_paid": _paid,
    "entry_completed": _completed,
    "command_refused": _refused,
    "clock_anomaly": lambda data, _money: data["clock"],
    "clock_read": lambda data, _money: clock_words.told(
        synchronised=data["synchronised"], error=data["error"], by=data.get("step", 0)
    ),
}
