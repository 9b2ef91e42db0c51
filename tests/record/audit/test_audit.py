"""What the database's owner plants, the audit finds, and names where it begins."""

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from bingo.pdf import keys, seal
from bingo.rules import session as rules
from bingo.rules import session_state
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import chain_digest
from draws.games import services as games_services
from draws.models import Acta
from draws.prizes import services as prizes_services
from draws.record import seal_queries, sealing
from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from draws.record.seal_queries import verify_acta
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.journal import head
from halls.journal import queries as journal_queries
from halls.journal import services as journal_services
from halls.journal.head import as_value
from halls.models import Hall, JournalEntry, Role, Shift
from halls.policy.services import set_policy
from tests.support import database, planting
from tests.support.evening import Evening, tonight
from tests.support.planting import plant, rewrite

OTHER_SHIFT = "(SELECT max(id) FROM halls_shift)"
OTHER_PERSON = "(SELECT max(id) FROM halls_person)"
OTHER_ISSUE = "(SELECT max(id) FROM draws_issue)"
LATER = "at = at + interval '1 second'"


class Forged(NamedTuple):
    """The file of a forged acta, and the certificate that would make it good."""

    acta: Path
    certificate: Path


@pytest.fixture(scope="module")
def sealed_evening(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Evening]:
    """A hall whose session has been played, paid, closed and sealed; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("django.conf.settings.KEYS_DIR", tmp_path_factory.mktemp("keys"))
        evening = Evening()
        set_policy(hall=evening.hall, **evening.who(Role.HALL_MANAGER))
        evening.reach("paying")
        _finish(evening)
        with planting.as_owner_of(fresh):
            yield evening


def _finish(evening: Evening) -> None:
    cashier = evening.who(Role.CASHIER)
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift, **cashier
    )
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    _void_a_game(evening)
    session, shift = evening.session, evening.shift
    cash = sum(shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    _open_and_close_another_till(evening)
    session = evening.close()
    sealing.seal_acta(session=session, at=timezone.now())


def _void_a_game(evening: Evening) -> None:
    chief, caller = evening.who(Role.TABLE_CHIEF), evening.who(Role.CALLER)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **caller)
    [sale] = sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=3, **evening.who(Role.CASHIER)
    )
    games_services.void(
        game=evening.game, cause="other", reason="erro", **evening.who(Role.TABLE_CHIEF)
    )
    prizes_services.refund(
        game=sale.game, issue=sale.issue, first=sale.first, last=sale.last,
        shift=evening.shift, **evening.who(Role.CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))


def _open_and_close_another_till(evening: Evening) -> None:
    till = evening.hall.tills.latest("pk")
    by = evening.hall.people.filter(roles__contains=[Role.CASHIER]).latest("username")
    shift = tills.open_shift(session=evening.session, till=till, float=0, by=by, at=timezone.now())
    tills.close_shift(shift=shift, counted=0, comment="", by=by, at=timezone.now())


@pytest.fixture
def played(sealed_evening: Evening) -> Iterator[Evening]:
    """The evening, in a transaction of its owner that is rolled back."""
    with transaction.atomic():
        yield sealed_evening
        transaction.set_rollback(True)


def found(evening: Evening) -> list[tuple[int, str]]:
    """Return what the audit of the evening's hall finds."""
    return planting.found(evening.hall)


def entry_of(kind: str) -> JournalEntry:
    """Return the first entry of a kind."""
    return JournalEntry.objects.filter(kind=kind).order_by("number")[0]


@pytest.mark.slow
def test_audit_of_a_played_session_finds_nothing(played: Evening) -> None:
    assert found(played) == []


@pytest.mark.slow
def test_audit_finds_one_changed_byte(played: Evening) -> None:
    sold = entry_of("cards_sold")
    plant(
        "halls_journalentry",
        "UPDATE halls_journalentry SET data = jsonb_set(data, '{quantity}', '7') WHERE id = %s",
        sold.pk,
    )
    assert found(played) == [(sold.number, "digest_wrong")]


@pytest.mark.parametrize("kind", ["series_published", "ball_announced"])
@pytest.mark.slow
def test_audit_finds_a_deleted_row(played: Evening, kind: str) -> None:
    gone = entry_of(kind)
    plant("halls_journalentry", "DELETE FROM halls_journalentry WHERE id = %s", gone.pk)
    assert found(played) == [(gone.number, "entry_missing")]


@pytest.mark.slow
def test_audit_finds_a_head_of_another_time(played: Evening) -> None:
    """A day that is to come would let cards and looks of today be too old."""
    last = JournalEntry.objects.latest("number")
    plant("halls_hall", "UPDATE halls_hall SET head_at = head_at + interval '1 year'")
    assert found(played) == [(last.number, "head_differs")]


@pytest.mark.slow
def test_audit_finds_that_the_end_was_cut_off(played: Evening) -> None:
    last = JournalEntry.objects.latest("number")
    plant("draws_acta", "DELETE FROM draws_acta WHERE entry_id = %s", last.pk)
    plant("halls_journalentry", "DELETE FROM halls_journalentry WHERE id = %s", last.pk)
    assert found(played) == [(last.number, "entries_missing_at_end")]


@pytest.mark.slow
def test_audit_finds_a_swapped_pair(played: Evening) -> None:
    one, two = JournalEntry.objects.filter(kind="ball_announced").order_by("number")[:2]
    for row, number in ((one, 10**6), (two, one.number), (one, two.number)):
        statement = "UPDATE halls_journalentry SET number = %s WHERE id = %s"
        plant("halls_journalentry", statement, number, row.pk)
    assert found(played) == [(one.number, "digest_wrong")]


def test_audit_finds_an_entry_put_at_the_end(played: Evening) -> None:
    last = JournalEntry.objects.latest("number")
    plant(
        "halls_journalentry",
        "INSERT INTO halls_journalentry (hall_id, number, session_id, game, kind, data, at, by_id, "
        "digest) SELECT hall_id, number + 1, session_id, game, kind, data, at, by_id, digest "
        "FROM halls_journalentry WHERE id = %s",
        last.pk,
    )
    assert found(played) == [(last.number + 1, "digest_wrong")]


@pytest.mark.parametrize(
    ("table", "change", "tables"),
    [
        ("draws_sale", "amount = amount + 1", {"sale"}),
        ("draws_sale", f"shift_id = {OTHER_SHIFT}", {"sale"}),
        ("draws_sale", f"seller_id = {OTHER_PERSON}", {"sale"}),
        ("draws_sale", LATER, {"sale"}),
        ("draws_sale", "entry_id = entry_id - 1", {"sale"}),
        ("draws_ball", 'number = 90 WHERE "order" = 1', {"ball"}),
        ("draws_ball", "source = 'rng' WHERE \"order\" = 1", {"ball"}),
        ("draws_ball", LATER, {"ball"}),
        ("draws_claimcheck", "valid = false, reason = 'not_sold'", {"check"}),
        ("draws_claimcheck", "combination = 'line'", {"check"}),
        ("draws_claimcheck", "card = card + 1", {"check"}),
        ("draws_claimcheck", LATER, {"check"}),
        ("draws_prize", "amount = amount + 1", {"prize"}),
        ("draws_prize", "tax = tax + 1 WHERE tax < amount", {"prize"}),
        ("draws_payment", "card = card + 1", {"payment"}),
        ("draws_payment", "amount = amount - 1", {"payment"}),
        ("draws_payment", f"shift_id = {OTHER_SHIFT}", {"payment"}),
        ("draws_payment", LATER, {"payment"}),
        ("draws_refund", "amount = amount - 1", {"refund"}),
        ("draws_refund", f"shift_id = {OTHER_SHIFT}", {"refund"}),
        ("draws_refund", LATER, {"refund"}),
        ("draws_refund", "last = last - 1", {"refund"}),
        ("halls_cashmovement", "amount = amount * 2", {"cash"}),
        ("halls_cashmovement", "kind = 'moved' WHERE kind = 'sale'", {"cash"}),
        ("halls_cashmovement", f"shift_id = {OTHER_SHIFT} WHERE kind = 'sale'", {"cash"}),
        ("halls_shift", "counted = counted + 1", {"shift"}),
        ("halls_shift", f"cashier_id = {OTHER_PERSON}", {"shift"}),
        ("halls_shift", "opened_at = opened_at - interval '1 second'", {"shift"}),
        ("halls_shift", "closed_at = closed_at + interval '1 second'", {"shift"}),
        ("halls_shift", "comment = 'x'", {"shift"}),
        ("halls_shift", "till_id = (SELECT max(id) FROM halls_till) WHERE number = 1", {"shift"}),
        ("halls_till", "name = name || 'x'", {"shift"}),
        ("draws_game", "cards = cards + 1", {"game"}),
        ("draws_game", "void = 'x'", {"game"}),
        ("draws_game", "face = face + 1", {"game"}),
        ("draws_game", "opened_at = opened_at - interval '1 second'", {"game"}),
        ("draws_game", "ended_at = ended_at + interval '1 second'", {"game"}),
        ("draws_game", f"issue_id = {OTHER_ISSUE}", {"game"}),
        ("draws_game", "gross = gross + 1", {"game"}),
        ("draws_game", "accrual = accrual + 1", {"game"}),
        ("halls_session", "state = jsonb_set(state, '{games}', '9')", {"session"}),
        ("halls_session", "state = '{}'", {"session"}),
        ("halls_session", "opened_at = opened_at - interval '1 second'", {"session"}),
        ("halls_session", "closed_at = closed_at + interval '1 second'", {"session"}),
        ("halls_session", f"opened_by_id = {OTHER_PERSON}", {"session"}),
        ("halls_session", f"closed_by_id = {OTHER_PERSON}", {"session"}),
        ("halls_session", "closed_at = NULL, closed_by_id = NULL", {"session"}),
        ("halls_authorisation", "reference = 'x'", {"session", "authorisation", "issue"}),
        ("halls_authorisation", "formats = '{90}'", {"session", "authorisation"}),
        ("halls_authorisation", "faces = faces || 5", {"session", "authorisation"}),
        ("halls_authorisation", "line_share = line_share - 1", {"session", "authorisation"}),
        ("halls_authorisation", "bingo_share = bingo_share - 1", {"session", "authorisation"}),
        ("halls_authorisation", "jackpot_rate = jackpot_rate + 1", {"session", "authorisation"}),
        ("halls_authorisation", "jackpot_limit = jackpot_limit + 1", {"session", "authorisation"}),
        (
            "halls_authorisation",
            """jackpot_terms = '{"limits": [{"format": 90, "balls": 41}]}'""",
            {"session", "authorisation"},
        ),
        ("halls_authorisation", "jackpot_base = jackpot_base + 1", {"session", "authorisation"}),
        ("halls_authorisation", "tax_rate = tax_rate + 1", {"session", "authorisation"}),
        ("halls_authorisation", "tax_threshold = tax_threshold + 1", {"session", "authorisation"}),
        ("halls_authorisation", "player_limit = 6", {"session", "authorisation"}),
        ("halls_authorisation", "several_prices = true", {"session", "authorisation"}),
        ("halls_authorisation", "languages = '{es}'", {"session", "authorisation"}),
        ("halls_policy", "difference_limit = 1", {"policy"}),
        ("halls_policy", "blind_count = false", {"policy"}),
        ("halls_policy", "four_eyes = '{prize_paid}'", {"policy"}),
        ("halls_policy", "receipts = 'shown'", {"policy"}),
        ("halls_policy", "low_stock = 1", {"policy"}),
        ("halls_policy", "patience = 0", {"policy"}),
        ("halls_policy", "picture_days = 8", {"policy"}),
        ("halls_policy", 'printers = \'{"Caixa 1": "a:9100"}\'', {"policy"}),
        ("draws_issue", "last_sold = last_sold + 1", {"issue"}),
        ("draws_issue", "face = face + 1", {"issue"}),
        ("draws_issue", "identification = identification || 'x'", {"issue"}),
        ("draws_issue", "received_at = received_at - interval '1 second'", {"issue"}),
        ("draws_series", "digest = repeat('0', 64)", {"series", "issue"}),
        ("draws_series", "letter = 'Z'", {"series", "issue"}),
        ("draws_series", "size = size + 1", {"series", "issue"}),
        ("draws_series", "seed = ''", {"series"}),
        ("draws_series", "format = 80", {"series"}),
        ("draws_series", "published_at = published_at - interval '1 second'", {"series"}),
        ("draws_card", "rows[1][1] = 9 WHERE number = 2", {"series"}),
        ("draws_card", "number = number + 1000", {"series"}),
        ("halls_hall", "jackpot_balance = jackpot_balance + 1", {"jackpot"}),
        ("draws_acta", "pdf = pdf || 'x'::bytea", {"acta", "acta_head"}),
        ("draws_acta", "digest = repeat('0', 64)", {"acta", "acta_head"}),
        ("draws_acta", "certificate = certificate || 'x'", {"acta"}),
        ("draws_acta", "sealed_at = sealed_at + interval '1 second'", {"acta"}),
        ("draws_acta", "head_number = head_number - 1", {"acta"}),
        ("draws_acta", "head_digest = repeat('0', 64)", {"acta"}),
    ],
)
def test_audit_finds_a_changed_row(
    played: Evening, table: str, change: str, tables: set[str]
) -> None:
    assert plant(table, f"UPDATE {table} SET {change}")
    assert {code for _number, code in found(played)} == {f"{name}_differs" for name in tables}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "which", "name"),
    [
        ("draws_acta", "", "acta"),
        ("draws_claimcheck", "", "check"),
        ("draws_payment", "", "payment"),
        ("draws_prize", "", "prize"),
        ("draws_refund", "", "refund"),
        ("halls_cashmovement", "WHERE kind = 'sale'", "cash"),
        ("halls_policy", "", "policy"),
        ("draws_ball", 'WHERE "order" = (SELECT max("order") FROM draws_ball)', "ball"),
    ],
)
def test_audit_finds_a_row_gone_though_its_entry_stands(
    played: Evening, table: str, which: str, name: str
) -> None:
    assert plant(table, f"DELETE FROM {table} {which}")
    assert {code for _number, code in found(played)} == {f"{name}_differs"}


@pytest.mark.slow
def test_audit_finds_a_row_that_no_entry_made(played: Evening) -> None:
    last = JournalEntry.objects.latest("number")
    plant(
        "halls_cashmovement",
        "INSERT INTO halls_cashmovement (shift_id, kind, amount, entry_id) VALUES (%s, %s, %s, %s)",
        Shift.objects.earliest("pk").pk, "moved", -100, last.pk,
    )  # fmt: skip
    plant(
        "draws_series",
        "INSERT INTO draws_series (hall_id, format, rulebook, letter, version, size, columns, "
        "digest, source, seed, published_at) SELECT hall_id, format, rulebook, letter, 2, size, "
        "columns, repeat('1', 64), source, seed, published_at FROM draws_series",
    )
    codes = ["series_differs", "cash_differs", "series_differs"]
    assert found(played) == [(last.number, code) for code in codes]


OLD = {
    "series_published": {"format", "letter", "size", "seed", "digest"},
    "issue_received": {"identification", "face", "digest", "issue", "letter", "size"},
}


def _as_it_was_told_once(entry: JournalEntry) -> dict[str, Any]:
    """Return an entry's data as it was before the stock was journalled in full."""
    data = {name: value for name, value in entry.data.items() if name not in ("formats", "faces")}
    if entry.kind in OLD:
        data = {name: value for name, value in data.items() if name in OLD[entry.kind]}
    if entry.kind == "game_opened":
        data["issue"] = {name: data["issue"][name] for name in data["issue"] if name != "retired"}
    if entry.kind == "session_opened":
        # Before formats were told there was one number of balls for all.
        jackpot = {name: data["jackpot"][name] for name in data["jackpot"] if name != "limits"}
        data["jackpot"] = jackpot | {"limit": 40}
    return data


@pytest.mark.slow
def test_hall_older_than_its_journal_of_stock_is_whole(played: Evening) -> None:
    previous = "0" * 64
    facts = []
    for entry in list(journal_queries.entries(played.hall)):
        if entry.kind != "authorisation_recorded":
            entry.data = _as_it_was_told_once(entry)
        else:
            entry.data = entry.data | {"jackpot_limit": 40}
            del entry.data["jackpot_terms"]
        previous = chain_digest(previous, as_value(entry))
        statement = "UPDATE halls_journalentry SET data = %s, digest = %s WHERE id = %s"
        plant("halls_journalentry", statement, json.dumps(entry.data), previous, entry.pk)
        if entry.kind in {*rules.DECIDERS, "session_opened"}:
            facts.append(Fact(entry.kind, entry.data))
    plant("halls_hall", "UPDATE halls_hall SET head_digest = %s", previous)
    state = session_state.dump(rules.replay(facts))  # type: ignore[arg-type]
    plant("halls_session", "UPDATE halls_session SET state = %s", json.dumps(state))
    plant(
        "halls_authorisation",
        "ALTER TABLE halls_authorisation DISABLE TRIGGER USER; "
        "UPDATE halls_authorisation SET jackpot_limit = 40, jackpot_terms = '{}'",
    )
    plant(
        "draws_issue",
        "UPDATE draws_issue SET authorisation_id = NULL, face_colour = 'white', "
        "back_colour = 'grey'",
    )
    # The acta is sealed over the old digests, which is what it is for.
    assert {code for _number, code in found(played)} == {"entry_malformed"}
    sealed = JournalEntry.objects.latest("number")
    closed = JournalEntry.objects.get(kind="session_closed")
    rewrite(sealed, sealed.data | {"head_digest": closed.digest})
    plant("draws_acta", "UPDATE draws_acta SET head_digest = %s", closed.digest)
    # Only the file itself, which nobody can seal again, tells that this is not what was sealed.
    assert [code for _number, code in found(played)] == ["acta_head_differs"]


@pytest.mark.slow
def test_audit_finds_an_acta_of_another_certificate_though_the_tail_was_written_anew(
    played: Evening,
) -> None:
    sealed = JournalEntry.objects.latest("number")
    data = {name: value for name, value in sealed.data.items() if name != "certificate"}
    rewrite(sealed, data)
    assert found(played) == [(sealed.number, "acta_differs")]


def test_audit_finds_a_jackpot_changed_between_two_sessions(played: Evening) -> None:
    hall = Hall.objects.get(pk=played.hall.pk)
    manager = played.who(Role.HALL_MANAGER)
    plant("halls_hall", "UPDATE halls_hall SET jackpot_balance = jackpot_balance - 1")
    sessions.open_session(hall=hall, checked=True, ends_at=tonight(), **manager)
    opened = JournalEntry.objects.latest("number")
    assert found(played) == [(opened.number, "jackpot_differs")]


@pytest.mark.slow
def test_audit_of_a_second_session_finds_nothing(played: Evening) -> None:
    hall = Hall.objects.get(pk=played.hall.pk)
    sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(), **played.who(Role.HALL_MANAGER)
    )
    assert found(played) == []


@pytest.mark.parametrize("policy", [None, {"low_stock": 60}, {"four_eyes": []}])
def test_audit_finds_a_session_opened_with_another_policy(
    played: Evening, policy: dict[str, Any] | None
) -> None:
    hall = Hall.objects.get(pk=played.hall.pk)
    sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(), **played.who(Role.HALL_MANAGER)
    )
    opened = JournalEntry.objects.latest("number")
    data = opened.data if policy else {n: v for n, v in opened.data.items() if n != "policy"}
    rewrite(opened, data | {"policy": policy} if policy else data)
    assert found(played) == [(opened.number, "rules_refuse")]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"low_stock": -1}, "rules_refuse"),
        ({"four_eyes": ["prize_paid", "cash_moved"]}, "rules_refuse"),
        ({"printers": {"Caixa 1": "8.8.8.8:9100"}}, "rules_refuse"),
        ({"low_stock": "60"}, "entry_malformed"),
        ({"new": 1}, "rules_refuse"),
    ],
)
def test_audit_finds_a_policy_that_no_hall_could_set(
    played: Evening, changed: dict[str, Any], code: str
) -> None:
    hall = Hall.objects.get(pk=played.hall.pk)
    set_policy(hall=hall, **played.who(Role.HALL_MANAGER))
    last = JournalEntry.objects.latest("number")
    rewrite(last, last.data | changed)
    assert found(played) == [(last.number, code)]


def test_audit_finds_an_entry_that_is_none_of_its_kind(played: Evening) -> None:
    sealed = JournalEntry.objects.latest("number")
    rewrite(sealed, {})
    assert found(played) == [(sealed.number, "entry_malformed")]


def test_command_names_the_first_broken_entry(
    played: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    sold = entry_of("cards_sold")
    statement = "UPDATE halls_journalentry SET by_id = NULL WHERE id = %s"
    plant("halls_journalentry", statement, sold.pk)
    with pytest.raises(SystemExit) as left:
        call_command("audit", "--json")
    told = json.loads(capsys.readouterr().out)
    assert left.value.code == 1
    assert told["whole"] is False
    assert told["halls"][played.hall.code][0]["entry"] == sold.number


def test_history_rewritten_consistently_is_found_against_the_sealed_acta(played: Evening) -> None:
    sealed = Acta.objects.get()
    trust, pdf = sealed.certificate.encode(), bytes(sealed.pdf)
    assert verify_acta(pdf, trust=trust, journal=journal_queries.export_lines(played.hall)).good
    previous = "0" * 64
    for entry in list(journal_queries.entries(played.hall)):
        if entry.kind == "shift_opened":
            entry.data["cashier"] = "somebody"
        previous = chain_digest(previous, as_value(entry))
        plant(
            "halls_journalentry",
            "UPDATE halls_journalentry SET data = %s, digest = %s WHERE id = %s",
            json.dumps(entry.data),
            previous,
            entry.pk,
        )
    plant("halls_hall", "UPDATE halls_hall SET head_digest = %s", previous)
    checks = dict(
        verify_acta(pdf, trust=trust, journal=journal_queries.export_lines(played.hall)).checks
    )
    assert checks["journal_whole"] is True
    assert checks["journal_head"] is False


@pytest.fixture
def forged(played: Evening, tmp_path: Path) -> Forged:
    """An acta that the owner sealed with a key of their own, and put in the place of the hall's."""
    key = keys.ensure(tmp_path / "other", hall=played.hall.name, now=timezone.now())
    drawn = document.draw(acta_queries.values(played.hall.sessions.get(), made_at=timezone.now()))
    pdf = seal.sign_pdf(
        drawn, key=key, at=timezone.now(), field_name="Acta", reason="Acta", location="Praia"
    )
    digests = {
        "digest": sha256(pdf).hexdigest(),
        "size": len(pdf),
        "certificate": sha256(key.trust).hexdigest(),
    }
    statement = "UPDATE draws_acta SET pdf = %s, digest = %s, certificate = %s"
    plant("draws_acta", statement, pdf, digests["digest"], key.trust.decode())
    sealed = JournalEntry.objects.latest("number")
    rewrite(sealed, sealed.data | digests)
    file = tmp_path / "acta.pdf"
    file.write_bytes(pdf)
    return Forged(file, tmp_path / "other" / "certificate.pem")


@pytest.mark.slow
@pytest.mark.rule(58)
def test_acta_replaced_with_its_certificate_and_the_tail_is_not_good(
    played: Evening, forged: Forged, capsys: pytest.CaptureFixture[str]
) -> None:
    # The forgery is whole: only a certificate kept elsewhere tells it.
    assert found(played) == []
    call_command("verify_acta", str(forged.acta), "--certificate", str(forged.certificate))
    capsys.readouterr()
    assert failed(forged.acta, capsys) == {"trusted", "bottom_line"}


@pytest.mark.slow
@pytest.mark.rule(58)
def test_acta_that_is_not_stored_is_verified_under_the_certificate_that_trusts_it(
    played: Evening, tmp_path: Path, settings: LazySettings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.KEYS_DIR = copytree(settings.KEYS_DIR, tmp_path / "keys")
    keys.ensure(settings.KEYS_DIR / "aaa", hall="Outra", now=timezone.now())
    (settings.KEYS_DIR / "bbb").mkdir()
    (settings.KEYS_DIR / "bbb" / "certificate.pem").write_text("no certificate")
    file = tmp_path / "acta.pdf"
    file.write_bytes(bytes(Acta.objects.get().pdf))
    plant("draws_acta", "UPDATE draws_acta SET digest = repeat('0', 64)")
    call_command("verify_acta", str(file))
    capsys.readouterr()
    file.write_bytes(file.read_bytes() + b"\n")
    assert "trusted" not in failed(file, capsys)


@pytest.mark.slow
@pytest.mark.rule(58)
def test_second_acta_of_a_session_is_found_by_audit_and_verification(played: Evening) -> None:
    now, session = timezone.now(), played.hall.sessions.get()
    key = seal_queries.signing_key(played.hall, at=now)
    values = acta_queries.values(session, made_at=now)
    told = replace(values, games=(replace(values.games[0], cards_sold=1),))
    pdf = seal.sign_pdf(
        document.draw(told), key=key, at=now, field_name="Acta", reason="Acta", location="Praia"
    )
    first = entry_of("acta_sealed")
    data = first.data | {"digest": sha256(pdf).hexdigest(), "size": len(pdf)}
    entry = journal_services.append(
        head.lock(played.hall.pk), Fact("acta_sealed", data), session=session, by=None, at=now
    )
    statement = "UPDATE draws_acta SET pdf = %s, digest = %s, entry_id = %s, sealed_at = %s"
    plant("draws_acta", statement, pdf, data["digest"], entry.pk, entry.at)
    assert (entry.number, "rules_refuse") in found(played)
    lines = list(journal_queries.export_lines(played.hall))
    checks = dict(verify_acta(pdf, trust=key.trust, journal=lines).checks)
    assert {name for name, passed in checks.items() if not passed} == {"digest_recorded"}


def test_acta_of_a_hall_whose_certificate_is_not_kept_asks_for_it(
    played: Evening, tmp_path: Path, settings: LazySettings
) -> None:
    file = tmp_path / "acta.pdf"
    file.write_bytes(bytes(Acta.objects.get().pdf))
    settings.KEYS_DIR = tmp_path / "none"
    with pytest.raises(CommandError, match="--certificate"):
        call_command("verify_acta", str(file))
    keys.ensure(settings.KEYS_DIR / "aaa", hall="Outra", now=timezone.now())
    with pytest.raises(CommandError, match="--certificate"):
        call_command("verify_acta", str(file))


def failed(file: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Verify a file that is not good, and return the checks that fail."""
    with pytest.raises(SystemExit):
        call_command("verify_acta", str(file), "--json")
    checks = json.loads(capsys.readouterr().out)["checks"]
    return {name for name, passed in checks.items() if not passed}
