"""The restore drill: a hall that has played, as one archive, and back in an empty database."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from jsonschema import Draft202012Validator, FormatChecker
from pytest_django import DjangoDbBlocker

from bingo.pdf import keys, seal, verdict
from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture
from draws.balls.queries import picture_path as kept_at
from draws.demonstration import hall as demonstration_hall
from draws.demonstration.film_process import FilmProcess
from draws.demonstration.play import play
from draws.desks.inspector.acta_journal_and_verifier_downloads import VERIFIER
from draws.games import services as games_services
from draws.models import Acta, RectifiedActa
from draws.prizes import services as prizes_services
from draws.record import sealing
from draws.record.archive import contents, reading, sheets, writing_and_expiring
from draws.record.archive.writing_and_expiring import Written
from draws.record.audit import audit
from draws.record.audit.whole_hall import audit as audit_hall
from draws.sales import services as sales_services
from draws.training import services as training
from halls import sessions, tills
from halls.journal import queries as journal_queries
from halls.models import Hall, Person, Role
from halls.verify_journal import verify
from tests.support import custody_hall, database
from tests.support.admissions import NUMBER, come_in, exclude
from tests.support.evening import FACE, Evening, authorise
from tests.support.filmed_balls import camera_of
from tests.support.linked_jackpots import fund, linked
from tests.support.service_commands.office import keep_for

TODAY = timezone.now().date()
DAYS = {"first": TODAY - timedelta(days=1), "last": TODAY + timedelta(days=1)}
FORMULA = '=HYPERLINK("http://192.0.2.7")'


@dataclass(frozen=True, slots=True)
class Kept:
    """An archive, and what its hall was when it was written."""

    file: Path
    written: Written
    rows: dict[str, int]
    actas: dict[tuple[int, int], str]


def counted() -> dict[str, int]:
    """How many rows each table holds."""
    return {
        model._meta.db_table: model._default_manager.count()
        for model in journal_queries.ours()
        if model._default_manager.exists()
    }


def sealed() -> dict[tuple[int, int], str]:
    """The SHA-256 of each acta's file, by its session and its place among those of it."""
    first = Acta.objects.values_list("session__number", "pdf")
    named = ("rectification__session__number", "rectification__number", "pdf")
    found = [(number, 0, pdf) for number, pdf in first]
    found += RectifiedActa.objects.values_list(*named)
    return {(number, part): hashlib.sha256(pdf).hexdigest() for number, part, pdf in found}


def written(hall: Hall, file: Path, **asked: Any) -> Kept:
    """Export a hall."""
    usual: dict[str, Any] = {"with_pictures": True, "at": timezone.now(), **DAYS}
    done = writing_and_expiring.export_archive(hall=hall, out=file, **(usual | asked))
    return Kept(file, done, counted(), sealed())


def played() -> Evening:
    """A hall with a closed and sealed session of a paid game and a void one, and an open session."""
    evening = Evening()
    camera_of(evening)
    evening.reach("paying")
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=3, **evening.who(Role.CASHIER)
    )
    games_services.void(
        game=evening.game, cause="other", reason=FORMULA, **evening.who(Role.TABLE_CHIEF)
    )
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=7, last=9, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    sessions.record_note(
        session=evening.session, category="other", text="ção ☃", decision="",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    cash = sum(evening.shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=evening.shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    session = evening.session
    session = evening.close()
    sealing.seal_acta(session=session, at=timezone.now())
    rectified = custody_hall.rectify(evening, evening.who(Role.HALL_MANAGER))
    sealing.seal_rectification(rectification=rectified, at=timezone.now())
    keep_for(evening, evening.who(Role.HALL_MANAGER))
    authorise(evening.hall, reference="2/2026", identity_asked=True)
    come_in(evening)
    exclude(evening, "OTHER123")
    evening.stage = 0
    evening.reach("sold")
    return evening


@pytest.fixture(scope="module")
def kept(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Kept:
    """The archive of a hall that has played, whose database is gone."""
    folder = tmp_path_factory.mktemp("archive")
    with (
        database.copy(template_database, blocker=django_db_blocker),
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("django.conf.settings.KEYS_DIR", folder / "keys")
        evening = played()
        found = written(evening.hall, folder / "hall.zip")
        again = written(evening.hall, folder / "again.zip", at=timezone.now())
        assert found.file.read_bytes() == again.file.read_bytes()
    return found


@pytest.mark.rule(58)
def test_unpacked_archive_is_good_to_the_offline_verifier(kept: Kept, tmp_path: Path) -> None:
    with zipfile.ZipFile(kept.file) as archive:
        archive.extractall(tmp_path / "hall")
    (tmp_path / "verify.pyz").write_bytes(VERIFIER.build())
    trusted = str(tmp_path / "hall" / reading.AUTHORITY)
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "verify.pyz"), "--certificate", trusted, "--json",
         str(tmp_path / "hall")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = json.loads(done.stdout)
    found = [(one["kind"], one["verdict"]) for one in told["files"]]
    papers = len(kept.actas) * [("acta", "good")] + [("archive", "good"), ("journal", "good")]
    assert sorted(one for one in found if one[0] != "checkpoint") == papers, told
    assert not any(one["verdict"] == "false" for one in told["between"])


@pytest.fixture
def empty(fresh_database: database.FreshDatabase) -> database.FreshDatabase:
    """A database that is prepared and holds nothing."""
    return fresh_database


@pytest.fixture(scope="module")
def untouched(template_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """One for what is refused, and therefore leaves it as it was."""
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        yield


def content(kept: Kept, name: str) -> bytes:
    with zipfile.ZipFile(kept.file) as archive:
        return archive.read(name)


def sheet(kept: Kept, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content(kept, f"tables/{name}.csv").decode())))


@pytest.mark.slow
@pytest.mark.rule(61)
def test_hall_restored_from_its_archive_is_the_hall_it_was(
    kept: Kept, empty: database.FreshDatabase
) -> None:
    [done] = reading.restore_archive([kept.file])
    hall = Hall.objects.get()
    assert (done.head, done.entries) == (kept.written.head, kept.written.entries)
    assert (hall.head_digest, hall.head_number) == (done.head, done.entries)
    assert counted() == kept.rows
    assert sealed() == kept.actas
    assert audit(hall) == []
    acta = Acta.objects.get()
    assert seal.verify_pdf(bytes(acta.pdf), trust=acta.certificate.encode()).sealed
    assert not any(one.has_usable_password() for one in Person.objects.all())
    assert sessions.carried(hall)["CVE"].collected == 9 * FACE


@pytest.mark.slow
def test_restored_hall_goes_on_where_it_stood(kept: Kept, empty: database.FreshDatabase) -> None:
    reading.restore_archive([kept.file])
    evening = Evening(hall=Hall.objects.get())
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=2, **evening.who(Role.CASHIER)
    )
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_restored_door_needs_the_key_of_the_documents_back(
    kept: Kept, empty: database.FreshDatabase, settings: Any, tmp_path: Path
) -> None:
    reading.restore_archive([kept.file])
    evening = Evening(hall=Hall.objects.get())
    settings.KEYS_DIR = tmp_path
    with pytest.raises(Refusal, match="document_key_missing"):
        come_in(evening)
    settings.KEYS_DIR = kept.file.parent / "keys"
    with pytest.raises(Refusal, match="excluded"):
        come_in(evening, "OTHER123")
    assert come_in(evening).data["inside"] == 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_hall_of_a_linked_jackpot_is_not_restored_without_the_others(
    template_database: str, django_db_blocker: DjangoDbBlocker, tmp_path: Path, settings: Any
) -> None:
    """What others did to the link is in no archive of this hall: its ledger would have holes."""
    settings.KEYS_DIR = tmp_path / "keys"
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        here, there = linked("a"), linked("b")
        fund(here)
        fund(there)
        found = written(here.hall, tmp_path / "hall.zip")
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        with pytest.raises(Refusal, match="archive_linked"):
            reading.restore_archive([found.file])
        assert not Hall.objects.exists()


@pytest.mark.slow
def test_archive_of_training_says_so_and_is_not_restored(
    template_database: str, django_db_blocker: DjangoDbBlocker, tmp_path: Path, settings: Any
) -> None:
    settings.KEYS_DIR = tmp_path / "keys"
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        evening = Evening()
        account = training.enter(evening.person(Role.CASHIER), at=timezone.now())
        practised = written(account.hall, tmp_path / "training.zip")
        real = written(evening.hall, tmp_path / "hall.zip")
    told = [
        json.loads(zipfile.ZipFile(one.file).read("manifest.json")) for one in (practised, real)
    ]
    assert [one["hall"].get("training") for one in told] == [True, None]
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        with pytest.raises(Refusal, match="archive_of_training"):
            reading.restore_archive([practised.file])
        assert not Hall.objects.exists()
        reading.restore_archive([real.file])
        assert Hall.objects.get().code == evening.hall.code


@pytest.mark.slow
def test_demonstration_filmed_and_handed_on_is_restored(
    template_database: str, django_db_blocker: DjangoDbBlocker, tmp_path: Path, settings: Any
) -> None:
    settings.KEYS_DIR = tmp_path / "keys"
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        at = timezone.now()
        hall = demonstration_hall.make(code="drill", name="Sala", at=at, passwords={})
        with closing(FilmProcess(seed=1)) as eyes:
            session = play(hall, eyes=eyes, progress=lambda *_told: None)
        sealing.seal_acta(session=session, at=timezone.now())
        found = written(hall, tmp_path / "hall.zip")
        totals = sessions.carried(hall)
    shutil.rmtree(django_settings.PICTURES_DIR)
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        [done] = reading.restore_archive([found.file])
        assert done.head == found.written.head
        assert (counted(), sealed()) == (found.rows, found.actas)
        hall = Hall.objects.get()
        assert audit_hall(hall) == []
        assert sessions.carried(hall) == totals


@pytest.mark.slow
def test_manifest_names_every_file_and_the_head(kept: Kept) -> None:
    manifest = json.loads(content(kept, "manifest.json"))
    with zipfile.ZipFile(kept.file) as archive:
        names = {*archive.namelist()} - {"manifest.json", "manifest.sig"}
    assert {one["name"] for one in manifest["files"]} == names
    for one in manifest["files"]:
        assert hashlib.sha256(content(kept, one["name"])).hexdigest() == one["sha256"]
    schemas = {name.removeprefix("schema/").removesuffix(".json") for name in names}
    for name in names:
        folder, _slash, rest = name.rpartition("/")
        if folder in ("rows", "tables"):
            assert f"{folder}-{rest.partition('.')[0]}" in schemas


@pytest.mark.slow
def test_manifest_is_checked_by_openssl_as_the_archive_says(kept: Kept, tmp_path: Path) -> None:
    with zipfile.ZipFile(kept.file) as archive:
        archive.extractall(tmp_path)
    told = [line.split() for line in contents.README.splitlines() if line.startswith("  openssl ")]
    assert [words[1] for words in told] == ["verify", "x509", "dgst"]
    for words in told:
        out = subprocess.run(
            ["openssl", *words[1 : words.index(">") if ">" in words else None]],
            cwd=tmp_path, capture_output=True, check=True,
        ).stdout  # fmt: skip
        if ">" in words:
            (tmp_path / words[-1]).write_bytes(out)
    assert out == b"Verified OK\n"


def test_journal_of_an_archive_is_checked_by_the_verifier_in_it(kept: Kept) -> None:
    lines = content(kept, "journal.jsonl").decode().splitlines()
    found = verify(lines)
    assert (found.fault, found.digests[-1]) == (None, kept.written.head)


def cell(text: str, told: dict[str, Any]) -> Any:
    """Read a cell of a table as docs/archive.md says, by what its schema tells of its column."""
    if told["type"] == "string":
        return text
    return None if not text else text if "string" in told["type"] else json.loads(text)


def test_lines_of_an_archive_are_what_their_schemas_say(kept: Kept) -> None:
    def judged_by(name: str) -> Any:
        return Draft202012Validator(
            json.loads(content(kept, f"schema/{name}.json")), format_checker=FormatChecker()
        )

    rows = [(f"rows-{one._meta.db_table}", f"rows/{one._meta.db_table}") for one in contents.models()]  # fmt: skip
    for name, lines in [("journal", "journal"), *rows]:
        known = judged_by(name)
        for line in content(kept, f"{lines}.jsonl").splitlines():
            known.validate(json.loads(line))
    empty = 0
    for one in sheets.SHEETS:
        known = judged_by(f"tables-{one.name}")
        head = content(kept, f"tables/{one.name}.csv").decode().splitlines()[0]
        assert head.split(",") == known.schema["required"]
        told = known.schema["properties"]
        for cells in sheet(kept, one.name):
            read = {column: cell(text, told[column]) for column, text in cells.items()}
            known.validate(read)
            empty += sum(value is None for value in read.values())
    assert empty


def test_archive_tells_no_secret(kept: Kept) -> None:
    people = [json.loads(line) for line in content(kept, "rows/halls_person.jsonl").splitlines()]
    assert people
    assert not any({"password", "last_login"} & set(one) for one in people)
    [camera] = [json.loads(line) for line in content(kept, "rows/draws_camera.jsonl").splitlines()]
    assert "salt" not in camera
    assert "@" not in camera["url"]
    assert "?" not in camera["url"]
    [visit] = [json.loads(line) for line in content(kept, "rows/halls_visit.jsonl").splitlines()]
    assert len(visit["document"]) == 64
    with zipfile.ZipFile(kept.file) as archive:
        assert not any(NUMBER.encode() in archive.read(name) for name in archive.namelist())


def test_money_stands_in_minor_units_and_as_a_decimal(kept: Kept) -> None:
    first, second = sheet(kept, "sessions")
    assert (first["collected_minor"], first["collected"]) == (str(9 * FACE), "1800.00")
    assert second["closed_at"] == ""
    sold = sheet(kept, "sales")
    assert sum(int(one["amount_minor"]) for one in sold) == 15 * FACE
    prizes = sheet(kept, "prizes")
    assert {one["card"] for one in prizes} == {"1"}
    assert all(one["paid_at"] for one in prizes)
    assert [one["order"] for one in sheet(kept, "balls")] == [str(n) for n in range(1, 16)]


def test_no_cell_of_an_archive_is_a_formula(kept: Kept) -> None:
    assert f"'{FORMULA}" in [one["void"] for one in sheet(kept, "games")]


@pytest.mark.slow
def test_days_without_a_session_leave_the_tables_empty(
    kept: Kept, empty: database.FreshDatabase, tmp_path: Path, settings: Any
) -> None:
    settings.KEYS_DIR = kept.file.parent / "keys"
    reading.restore_archive([kept.file])
    hall, day = Hall.objects.get(), date(2020, 1, 1)
    other = written(hall, tmp_path / "other.zip", first=day, last=day)
    assert sheet(other, "sessions") == []
    assert content(other, "journal.jsonl") == content(kept, "journal.jsonl")
    for last in (day - timedelta(days=1), date.max):
        with pytest.raises(Refusal, match=r"bad_period|bad_input"):
            written(hall, tmp_path / "none.zip", first=day, last=last)
    assert not list(tmp_path.glob("*none*"))


# ---- what is refused


def rewritten(kept: Kept, place: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Copy an archive with other files in it."""
    with zipfile.ZipFile(kept.file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    change(held)
    file = place / "changed.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, told in held.items():
            archive.writestr(name, told)
    return file


def _flip(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(held: dict[str, bytes]) -> None:
        middle = len(held[name]) // 2
        byte = bytes([held[name][middle] ^ 1])
        held[name] = held[name][:middle] + byte + held[name][middle + 1 :]

    return change


def _add(name: str, told: bytes = b"x") -> Callable[[dict[str, bytes]], None]:
    return lambda held: held.update({name: told})


def _remove(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(held: dict[str, bytes]) -> None:
        del held[name]

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_flip("journal.jsonl"), "archive_differs"),
        (_flip("actas/acta-000001.pdf"), "archive_differs"),
        (_flip("rows/draws_sale.jsonl"), "archive_differs"),
        (_flip("tables/sales.csv"), "archive_differs"),
        (_flip("manifest.json"), "archive_unsigned"),
        (_flip("manifest.sig"), "archive_unsigned"),
        (_flip("certificates/seal.pem"), "archive_unsigned"),
        (_remove("manifest.json"), "archive_incomplete"),
        (_remove("manifest.sig"), "archive_incomplete"),
        (_remove("actas/acta-000001.pdf"), "archive_incomplete"),
        (_flip("actas/acta-000001-1.pdf"), "archive_differs"),
        (_remove("rows/halls_hall.jsonl"), "archive_incomplete"),
        (_add("more.txt"), "archive_extra"),
        (_add("../more.txt"), "archive_name"),
        (_add("/etc/passwd"), "archive_name"),
        (_add("pictures\\..\\x.jpg"), "archive_name"),
        (_add("a/b/c.txt"), "archive_name"),
        (_add("bomb.txt", bytes(8 << 20)), "archive_bomb"),
    ],
)
def test_archive_that_was_changed_is_refused_and_leaves_nothing(
    kept: Kept,
    untouched: None,
    tmp_path: Path,
    change: Callable[[dict[str, bytes]], None],
    code: str,
) -> None:
    with pytest.raises(Refusal, match=code):
        reading.restore_archive([rewritten(kept, tmp_path, change)])
    assert counted() == {}


def signed(kept: Kept, place: Path, change: Callable[[dict[str, bytes]], None], code: str) -> Path:
    """Copy an archive with other files in it, as its hall's own key signs them."""
    key = keys.load(kept.file.parent / "keys" / "sala")

    def sign(held: dict[str, bytes]) -> None:
        change(held)
        manifest = json.loads(held.pop("manifest.json"))
        del held["manifest.sig"]
        manifest["hall"]["code"] = code
        manifest["files"] = [
            {"name": name, "size": len(told), "sha256": hashlib.sha256(told).hexdigest()}
            for name, told in sorted(held.items())
        ]
        held["manifest.json"] = json.dumps(manifest).encode()
        held["manifest.sig"] = verdict.sign_detached(held["manifest.json"], key=key)

    return rewritten(kept, place, sign)


def test_archive_of_a_hall_that_its_rows_do_not_hold_is_refused(
    kept: Kept, untouched: None, tmp_path: Path
) -> None:
    with pytest.raises(Refusal, match="archive_rows"):
        reading.restore_archive([signed(kept, tmp_path, _add("more.txt"), "outra")])
    assert counted() == {}


@pytest.mark.parametrize("broken", ["rows/draws_sale.jsonl", "journal.jsonl", ""])
def test_pictures_and_sheets_of_an_archive_that_is_refused_are_not_kept(
    kept: Kept, untouched: None, tmp_path: Path, broken: str, settings: Any
) -> None:
    settings.PICTURES_DIR = settings.CERTIFICATES_DIR = tmp_path / "kept"
    picture, paper = b"\xff\xd8\xff ball \xff\xd9", b"%PDF-"
    there, name = (
        kept_at(cameras_and_live_picture.save_picture(picture)),
        hashlib.sha256(paper).hexdigest(),
    )
    other = picture.replace(b"ball", b"more")

    def change(held: dict[str, bytes]) -> None:
        for told in (picture, other):
            held[contents.picture(hashlib.sha256(told).hexdigest())] = told
        held[contents.sheet(name)] = paper
        if broken:
            held[broken] = b"{"
        else:
            held[contents.sheet("f" * 64)] = paper

    with pytest.raises(Refusal, match="archive_rows" if broken else "archive_differs"):
        reading.restore_archive([signed(kept, tmp_path, change, "sala")])
    assert [one for one in (tmp_path / "kept").rglob("*") if one.is_file()] == [there]


@pytest.mark.parametrize("told", [b"", b"PK", b"no archive at all", bytes(1000)])
def test_file_that_is_no_archive_is_refused(untouched: None, tmp_path: Path, told: bytes) -> None:
    file = tmp_path / "file.zip"
    file.write_bytes(told)
    for one in (file, tmp_path / "none.zip"):
        with pytest.raises(Refusal, match="archive_unreadable"):
            reading.restore_archive([one])


@pytest.mark.slow
def test_archive_cut_anywhere_is_refused(kept: Kept, untouched: None, tmp_path: Path) -> None:
    whole, file = kept.file.read_bytes(), tmp_path / "file.zip"
    for cut in range(0, len(whole), len(whole) // 7):
        file.write_bytes(whole[:cut])
        with pytest.raises(Refusal, match="archive_"):
            reading.restore_archive([file])
    assert counted() == {}


@pytest.mark.slow
def test_archive_of_another_authority_and_database_that_is_not_empty_are_refused(
    kept: Kept, empty: database.FreshDatabase
) -> None:
    authority = content(kept, "certificates/authority.pem")
    with pytest.raises(Refusal, match="archive_untrusted"):
        reading.restore_archive([kept.file], trust=authority.replace(b"A", b"B"))
    reading.restore_archive([kept.file], trust=authority)
    before = counted()
    with pytest.raises(Refusal, match="database_not_empty"):
        reading.restore_archive([kept.file])
    assert counted() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("UPDATE draws_sale SET amount = amount + 1", "sale_differs"),
        ("UPDATE draws_payment SET amount = amount + 1", "payment_differs"),
        ("DELETE FROM draws_claimcheck", "check_differs"),
        ("UPDATE halls_journalentry SET data = '{}' WHERE kind = 'window_opened'", "digest_wrong"),
    ],
)
def test_archive_of_rows_that_the_journal_does_not_bear_out_is_refused(
    kept: Kept,
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
    settings: Any,
    statement: str,
    finding: str,
) -> None:
    settings.KEYS_DIR = kept.file.parent / "keys"
    with (
        database.copy(template_database, blocker=django_db_blocker) as first,
        django_db_blocker.unblock(),
    ):
        reading.restore_archive([kept.file])
        table = statement.removeprefix("UPDATE ").removeprefix("DELETE FROM ").split(" ")[0]
        with database.as_owner(first.name) as owner:
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            owner.execute(statement)
        forged = written(Hall.objects.get(), tmp_path / "forged.zip")
    with database.copy(template_database, blocker=django_db_blocker), django_db_blocker.unblock():
        with pytest.raises(Refusal, match="archive_disagrees") as caught:
            reading.restore_archive([forged.file])
        assert finding in str(caught.value.values["why"])
        assert counted() == {}
