"""The words of journal entries: each as a line that an inspector can read.

Also what is retained for how long, what was removed, and what is kept back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from bingo import catalogues
from bingo.money_and_dates import Whole, currency_override
from bingo.rules import retention as rules
from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Award
from bingo.rules.till_cash_and_shifts import cards_unpaid, paid_out
from draws import trade_words
from draws.balls import labels as balls_labels
from draws.claims import queries as claims_queries
from draws.complaints import slip
from draws.custody import documents as custody_documents
from draws.equipment import labels as equipment_labels
from draws.jackpots import queries as jackpots_queries
from draws.prizes import labels as prizes_labels
from draws.prizes.labels import Carried
from draws.refusals import text
from draws.sales import labels as sales_labels
from draws.sales.labels import Data, Money
from halls import staff, training
from halls.admission import queries as admission_queries
from halls.checkpoints import queries as checkpoints_queries
from halls.journal import clock
from halls.models import JournalEntry
from halls.policy import queries as policy_queries
from halls.sign_in import labels as sign_in_labels

Text = Promise | str
Teller = Callable[[Data, Money], str]
Issues = Mapping[int, str]  # names by key

_WORDS = catalogues.words_beside(__file__)
KINDS: Mapping[str, Text] = _WORDS["kept"]
REASONS: Mapping[str, Text] = _WORDS["kept_back"]


def why(reason: str, name: str) -> str:
    """Say why something is kept beyond its days."""
    return str(REASONS[reason]) % {"name": name}


def days(number: int) -> str:
    """Say for how long something is kept."""
    if number == rules.ALWAYS:
        return _("for good")
    return ngettext("%(n)s day", "%(n)s days", number) % {"n": Whole(number)}


def describe_entry(entry: JournalEntry, issues: Issues = MappingProxyType({})) -> str:
    """Tell an entry's data in the active language, for a page; kinds without a telling show nothing.

    `issues` names those of a game that has several: its cards are told with theirs.
    """
    return _described(entry, entry.hall.written_currency, issues)


def describe_for_acta(entry: JournalEntry, issues: Issues = MappingProxyType({})) -> str:
    """Tell an entry's data as `describe_entry`, whatever the hall decides of its pages' money later."""
    return _described(entry, entry.hall.currency, issues)


def _described(entry: JournalEntry, currency: str, issues: Issues) -> str:
    teller = JOURNAL_TEXT_TELLERS.get(entry.kind)
    if teller is None:
        return ""
    language = get_language() or "pt"
    with currency_override(currency):
        told = teller(entry.data, sales_labels.money_in(currency, language))
    said = _joined(*_issues_named(entry.data, issues), told)
    witness = entry.data.get("witness")
    return f"{said} · {_('before %(witness)s') % {'witness': witness}}" if witness else said


def _issues_named(data: Data, issues: Issues) -> list[str]:
    """Name the issues that cards are of, where what is told of them does not."""
    if not issues or "identification" in data:
        return []
    keys = {data["issue"]} if isinstance(data.get("issue"), int) else set()
    keys |= {part["issue"] for part in data.get("ranges", ())}
    return [name for key, name in issues.items() if key in keys]


def _line(*parts: str | Teller) -> Teller:
    """Return what says its parts in a line, but for those that are empty; a text names a field."""

    def tell(data: Data, money: Money) -> str:
        said = (data.get(one) if isinstance(one, str) else one(data, money) for one in parts)
        return _joined(*("" if one is None else str(one) for one in said))

    return tell


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _amount(name: str) -> Teller:
    return lambda data, money: money(data[name])


def _digest(name: str) -> Teller:
    return lambda data, _money: f"SHA-256 {data[name]}"


def _hour(name: str, words: Text = "%(hour)s") -> Teller:
    """Return what says the hour of a field in these words, nothing without it."""

    def tell(data: Data, _money: Money) -> str:
        if name not in data:
            return ""
        local = timezone.localtime(datetime.fromisoformat(data[name]))
        return str(words) % {"hour": date_format(local, "SHORT_DATETIME_FORMAT")}

    return tell


def _number(name: str, words: Text) -> Teller:
    """Return what says the number of a field in these words, nothing without it."""
    return lambda data, _money: str(words) % {"number": data[name]} if name in data else ""


def _combination(data: Data, _money: Money) -> str:
    return str(trade_words.COMBINATIONS[data["combination"]])


def _issue(data: Data, _money: Money) -> str:
    return sales_labels.issue(data)


def _days(data: Data, _money: Money) -> str:
    told = [_("from %(day)s on") % {"day": data["valid_from"]}]
    told += [
        f"{name}: {days(data['days'][kind])}"
        for kind, name in KINDS.items()
        if kind in data["days"]
    ]
    return _joined(*told)


def _removed(data: Data, _money: Money) -> str:
    counted = (
        (name, data["removed"][kind]) for kind, name in KINDS.items() if kind in data["removed"]
    )
    told = [
        f"{name}: {Whole(one['count'])} ({one['oldest'][:10]} – {one['newest'][:10]})"
        for name, one in counted
    ]
    if absent := data.get("absent"):
        told.append(
            ngettext("%(n)s was gone already", "%(n)s were gone already", absent)
            % {"n": Whole(absent)}
        )
    for one in data["kept_back"]:
        kind = KINDS.get(one["kind"], one["kind"])
        values = {"kind": kind, "n": Whole(one["count"]), "why": why(one["why"], one["name"])}
        told.append(_("%(kind)s: %(n)s kept back, %(why)s") % values)
    return _joined(*told)


def _note(data: Data, _money: Money) -> str:
    card = _("card %(card)s") % {"card": data["card"]} if "card" in data else ""
    return _joined(f"{trade_words.CATEGORIES[data['category']]}: {data['text']}", card)


def _awards(data: Data, money: Money) -> str:
    won = [_award(Award(**award), money) for award in data["awards"]]
    left = data.get("carried", {})
    over = Carried(to_jackpot=left.get("jackpot", 0), to_fund=left.get("fund", 0))
    return _joined(*won, *prizes_labels.describe_carry(over, money))


def _award(award: Award, money: Money) -> str:
    told = f"{trade_words.COMBINATIONS[award.combination]} {award.card}: {money(award.amount)}"
    handed_over = prizes_labels.handed_over(award, money)
    return f"{told} ({handed_over})" if handed_over else told


def _first_game(data: Data, _money: Money) -> str:
    prizes = ", ".join(str(trade_words.COMBINATIONS[name]) for name in data.get("first_game", ()))
    return _("of the first game: %(prizes)s") % {"prizes": prizes} if prizes else ""


def _completed(data: Data, money: Money) -> str:
    paid = (
        f"{trade_words.COMBINATIONS[name]} {money(amount)}"
        for name, amount in data["paid"].items()
        if amount
    )
    unproven = _("without the RNG's proof") if "unproven" in data else ""
    return _joined(money(data["gross"]), *paid, unproven)


def _refused(data: Data, _money: Money) -> str:
    told = text.refusal(Refusal(data["code"], **data["values"]))
    if n := data.get("more", 0):
        more = ngettext("%(n)s time more in that minute", "%(n)s times more in that minute", n)
        return f"{told} · {more % {'n': Whole(n)}}"
    return told


def _cash_counted(data: Data, money: Money) -> str:
    values = {"counted": money(data["counted"]), "difference": money(data["difference"])}
    return _("counted %(counted)s, difference %(difference)s") % values


def _handed_on(data: Data, _money: Money) -> str:
    n = cards_unpaid(data)
    told = ngettext("%(n)s winning card unpaid", "%(n)s winning cards unpaid", n) % {"n": Whole(n)}
    return told if n else ""


def _authorised(data: Data, money: Money) -> str:
    days = f"{data['valid_from']} – {data['valid_until'] or ''}".rstrip()
    kinds = ", ".join(str(kind) for kind in data["formats"])
    prices = ", ".join(money(face) for face in data["faces"])
    own = ", ".join(f"{letter} {Whole(size)}" for letter, size in data["sizes"].items())
    return _joined(data["reference"], days, kinds, prices, own, *_also_authorised(data))


def _also_authorised(data: Data) -> list[str]:
    told = []
    if "player_limit" in data:
        limit = data["player_limit"]
        most = ngettext(
            "at most %(cards)s card a player", "at most %(cards)s cards a player", limit
        )
        told.append(most % {"cards": Whole(limit)})
    if "capacity" in data:
        inside = ngettext(
            "at most %(people)s person inside", "at most %(people)s people inside", data["capacity"]
        )
        told.append(inside % {"people": Whole(data["capacity"])})
    if "identity_asked" in data:
        told.append(_("a document asked of each at the door"))
    if "several_prices" in data:
        told.append(_("several prices in a game"))
    if "distributions" in data:
        kinds = ", ".join(str(one["format"]) for one in data["distributions"])
        told.append(_("prizes of their own: %(formats)s") % {"formats": kinds})
    return told + [language.upper() for language in data.get("languages", ())]


def _origin(data: Data, _money: Money) -> str:
    origin = data.get("origin")
    return _("from %(hall)s") % {"hall": origin["hall"]} if origin else ""


def _counted(data: Data, _money: Money) -> str:
    counted, difference = data.get("counted"), data.get("difference")
    if counted is None:
        return ""
    told = ngettext("%(counted)s card counted", "%(counted)s cards counted", counted) % {
        "counted": Whole(counted)
    }
    if not difference:
        return told
    signed = f"{'+' if difference > 0 else ''}{Whole(difference)}"
    return told + ", " + _("difference %(difference)s") % {"difference": signed}


def _sent(data: Data, _money: Money) -> str:
    many = data["cards"]
    cards = ngettext("%(cards)s card", "%(cards)s cards", many) % {"cards": Whole(many)}
    return f"{sales_labels.issue(data)} → {data['to']} · {cards} · {data['reason']}"


def _print(data: Data, _money: Money) -> str:
    return _("print %(job)s") % {"job": data["job"]}


def _pages(data: Data, _money: Money) -> str:
    many = data["pages"]
    return ngettext("%(pages)s page", "%(pages)s pages", many) % {"pages": Whole(many)}


_KEY = _number("key", gettext_lazy("key %(number)s"))
_MOVED = _line(_issue, "reason")

JOURNAL_TEXT_TELLERS: Mapping[str, Teller] = {
    **sales_labels.TELLERS,
    **equipment_labels.TELLERS,
    **balls_labels.DRAW_LOG_TELLERS,
    **balls_labels.ENROLMENT_TELLERS,
    **jackpots_queries.TELLERS,
    **custody_documents.TELLERS,
    **admission_queries.TELLERS,
    **slip.TELLERS,
    rules.SET: _days,
    rules.APPLIED: _line(_removed, _digest("list")),
    **staff.TELLERS,
    **sign_in_labels.TELLERS,
    **training.TELLERS,
    **prizes_labels.TELLERS,
    "authorisation_recorded": _authorised,
    "policy_set": policy_queries.describe_policy,
    "pattern_saved": _line("name"),
    "checkpoint_key_changed": _line("key"),
    "checkpoint_history_set_back": checkpoints_queries.describe_set_back,
    "checkpoint_folder_chosen": _line("folder"),
    "issue_counted": _line(_issue, _counted, "comment"),
    "cards_retired": sales_labels.retired,
    "issue_withdrawn": _MOVED,
    "issue_reinstated": _MOVED,
    "issue_sent": _sent,
    "transfer_recalled": _MOVED,
    "print_ordered": _line(
        _print, lambda data, _money: sales_labels.stretch(data), "paper", "reason"
    ),
    "print_finished": _line(_print, _pages, _digest("digest")),
    "print_failed": _line(_print, lambda data, _money: str(text.print_fault(data["fault"]))),
    "print_cancelled": _print,
    "session_opened": _line(
        "authorisation",
        lambda data, _money: rulebooks.title(data.get("rulebook", "")),
        _hour("ends_at", gettext_lazy("planned end: %(hour)s")),
    ),
    "session_end_planned": _line(
        _hour("ends_at"), _hour("before", gettext_lazy("before: %(hour)s")), "reason"
    ),
    "last_game_announced": lambda data, _money: _("game %(game)s") % {"game": data["game"]},
    "acta_sealed": _line(
        _number("rectification", gettext_lazy("rectification %(number)s")),
        _number("level", "PAdES %(number)s"),
        _KEY,
        _digest("digest"),
    ),
    "acta_rectified": _line(
        lambda data, _money: f"{data['session']}/{data['rectification']}",
        "reason",
        "what",
        _digest("digest"),
    ),
    "seal_key_changed": _line(
        _KEY, lambda data, _money: str(_WORDS["keys"][data["how"]]), _digest("certificate")
    ),
    "acta_acknowledged": _digest("acta"),
    "acta_remarked": _line("text"),
    "remark_answered": lambda data, _money: f"{data['remark']}: {data['text']}",
    "shift_opened": _line("till", "cashier", _amount("float")),
    "cash_moved": _line("till", _amount("amount"), "reason"),
    "shift_closed": _line("till", _cash_counted, "comment", _handed_on),
    "note_recorded": _note,
    "series_published": _line(
        lambda data, _money: f"{data['letter']} ({Whole(data['size'])})", _digest("digest")
    ),
    "issue_received": _line(_issue, _amount("face"), _origin, _counted),
    "draw_announced": sales_labels.prizes,
    "draw_taken_over": lambda data, _money: str(data["caller"]),
    "claim_called": _combination,
    "claim_checked": _line(
        _combination, "card", lambda data, _money: claims_queries.verdict(data), "place"
    ),
    "draw_resumed": lambda data, money: (
        f"{_combination(data, money)} · {data['withdrawn']}" if "withdrawn" in data else ""
    ),
    "refusal_reversed": lambda data, money: (
        f"{_combination(data, money)} {data['card']} · {data['reason']}"
    ),
    "card_shown": _line("card", _digest("picture")),
    "window_opened": lambda data, _money: " · ".join(
        str(trade_words.COMBINATIONS[name]) for name in data["combinations"]
    ),
    "window_closed": _awards,
    "game_voided": _line("reason"),
    "prize_paid": _line("card", lambda data, money: money(paid_out(data)), "till", _first_game),
    "entry_completed": _completed,
    "command_refused": _refused,
    "clock_anomaly": _line("clock"),
    "clock_read": lambda data, _money: clock.describe_clock(
        synchronised=data["synchronised"], error=data["error"], by=data.get("step", 0)
    ),
}
