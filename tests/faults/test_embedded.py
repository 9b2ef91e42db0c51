"""The embedded servers: closed, durable, and stopped or restarted however their users die."""

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from redis.backoff import NoBackoff
from redis.retry import Retry

from bingo.embedded.folder import PROJECT, Folder
from tests.support import programs
from tests.support.programs import eventually, kill, launch, pids, using

PATIENCE = 30.0  # seconds: the servers linger three and stop in one, on a machine that is free


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder all tests here share, so that the cluster is made once."""
    return tmp_path_factory.mktemp("a hall") / "its data"


@pytest.fixture(scope="module")
def hall(folder: Path) -> Iterator[programs.Program]:
    """A program whose servers are only looked at."""
    with using(folder) as running:
        yield running


@pytest.mark.slow
def test_server_keeps_every_write(hall: programs.Program) -> None:
    with hall.connect() as database:
        kept = {
            name: database.execute(f"SHOW {name}").fetchone()
            for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums")
        }
    assert kept == dict.fromkeys(kept, ("on",))


PYTHON = shlex.quote(sys.executable)


def documented(heading: str) -> list[str]:
    """The shell's lines under a heading of docs/operations.md, for a folder that is not the project."""
    part = (PROJECT / "docs" / "operations.md").read_text().split(f"## {heading}\n")[1]
    found = re.findall(r"```sh\n(.*?)```", part.split("\n## ")[0], re.DOTALL)
    return [one.replace(".venv/bin/python", PYTHON) for one in found]


def run(lines: str, data: Path, here: Path) -> subprocess.CompletedProcess[str]:
    """Run lines in a folder, for the hall in another."""
    own = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"}
    known = {name: value for name, value in os.environ.items() if name not in own}
    known |= {"BINGO_DATA": str(data), "PYTHONPATH": str(PROJECT)}
    return subprocess.run(
        ["bash", "-ec", lines], cwd=here, env=known, capture_output=True, text=True, check=False
    )


def test_backup_of_a_folder_without_a_hall_is_refused_and_makes_none(tmp_path: Path) -> None:
    dump, _files, _restore = documented("Backup")
    told = run(dump, tmp_path / "nowhere", tmp_path)
    assert (told.returncode, "holds no hall" in told.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_documented_backup_restores_database_and_files(
    hall: programs.Program, folder: Path, tmp_path: Path
) -> None:
    with hall.connect("DATABASE_OWNER_URL") as database:
        database.execute("CREATE TABLE backed_up AS SELECT 90 AS ball")
    (folder / "keys").mkdir()
    (folder / "keys" / "seal").write_text("a key")
    dump, files, restore = documented("Backup")
    told = run(dump + files, folder, tmp_path)
    assert (told.returncode, told.stdout) == (0, f"hall.dump is of {folder}\n"), told.stderr
    again = tmp_path / "again"
    # The hall's own commands have tests of their own.
    told = run(restore.split(f"{PYTHON} manage.py")[0], again, tmp_path)
    assert told.returncode == 0, told.stderr
    assert (again / "keys" / "seal").read_text() == "a key"
    with using(again) as restored, restored.connect("DATABASE_OWNER_URL") as database:
        assert database.execute("SELECT ball FROM backed_up").fetchone() == (90,)


@pytest.mark.slow
def test_server_listens_on_no_network(hall: programs.Program) -> None:
    with hall.connect() as database:
        assert database.execute("SHOW listen_addresses").fetchone() == ("",)
    with redis.Redis.from_url(hall.environment["REDIS_URL"]) as broker:
        assert broker.config_get("port") == {"port": "0"}


@pytest.mark.slow
def test_sockets_lie_in_a_folder_closed_to_others(hall: programs.Program) -> None:
    # As root the hall's programs, users of their own, pass through it.
    assert stat.S_IMODE(_sockets(hall).stat().st_mode) == (0o710 if os.getuid() == 0 else 0o700)
    assert Path(urlsplit(hall.environment["REDIS_URL"]).path).parent == _sockets(hall)


def test_passwords_lie_in_a_file_closed_to_others(hall: programs.Program, folder: Path) -> None:
    assert stat.S_IMODE((folder / "servers.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "valkey" / "valkey.conf").stat().st_mode) == 0o600


@pytest.mark.slow
@pytest.mark.parametrize("role", ["postgres", "bingo_owner", "bingo_app"])
@pytest.mark.parametrize("password", ["", "guessed"])
def test_server_demands_the_password(hall: programs.Program, role: str, password: str) -> None:
    address = make_conninfo(hall.environment["DATABASE_URL"], user=role, password=password)
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(address)


def test_broker_demands_the_password(hall: programs.Program) -> None:
    path = urlsplit(hall.environment["REDIS_URL"]).path
    with (
        redis.Redis(unix_socket_path=path, retry=Retry(NoBackoff(), 0)) as broker,
        pytest.raises(redis.AuthenticationError),
    ):
        broker.ping()


def test_servers_do_not_run_as_root(hall: programs.Program, folder: Path) -> None:
    running = pids(folder)
    for name in ("postgresql", "valkey"):
        assert Path(f"/proc/{running[name]}").stat().st_uid != 0


def test_roles_have_no_more_than_they_need(hall: programs.Program) -> None:
    with hall.connect("DATABASE_OWNER_URL") as database:
        roles = database.execute(
            "SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles"
            " WHERE rolname LIKE 'bingo%' ORDER BY rolname"
        ).fetchall()
        owner = database.execute(
            "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'bingo'"
        ).fetchone()
    assert roles == [
        ("bingo_app", False, False, False, False),
        ("bingo_inspector", False, False, False, False),
        ("bingo_owner", False, False, True, False),
    ]
    assert owner == ("bingo_owner",)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE extra ()",
        "CREATE SCHEMA extra",
        "CREATE DATABASE extra",
        "CREATE ROLE extra",
        "SET ROLE bingo_owner",
    ],
)
def test_application_cannot_create(hall: programs.Program, statement: str) -> None:
    with hall.connect() as database, pytest.raises(psycopg.errors.InsufficientPrivilege):
        database.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "SELECT pg_cancel_backend(0)",
        "SELECT pg_terminate_backend(0)",
    ],
)
def test_application_calls_nothing_that_fills_the_disk_or_ends_others(
    hall: programs.Program, statement: str
) -> None:
    with hall.connect() as database, pytest.raises(psycopg.errors.InsufficientPrivilege):
        database.execute(statement)
    with hall.connect("DATABASE_OWNER_URL") as owner, owner.transaction(force_rollback=True):
        owner.execute(statement)


@pytest.mark.parametrize("database", ["postgres", "template1"])
def test_application_comes_into_no_other_database(hall: programs.Program, database: str) -> None:
    address = make_conninfo(hall.environment["DATABASE_URL"], dbname=database)
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(address)


def test_application_reads_no_statement_of_another_role(hall: programs.Program) -> None:
    asked = "SELECT query FROM pg_stat_activity WHERE pid = %s"
    with hall.connect() as database, hall.connect("DATABASE_OWNER_URL") as owner:
        owner.execute("SELECT 'told'")
        owners, own = owner.info.backend_pid, database.info.backend_pid
        assert database.execute(asked, [owners]).fetchone() == ("<insufficient privilege>",)
        assert database.execute(asked, [own]).fetchone() == (asked.replace("%s", "$1"),)
        assert database.execute("SHOW temp_file_limit").fetchone() == ("4GB",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            database.execute("SET temp_file_limit = -1")


@pytest.mark.slow
def test_what_the_application_sets_for_itself_ends_with_the_servers(tmp_path: Path) -> None:
    """No role can be kept from its own settings and password; the next start takes them back."""
    folder = tmp_path / "data"
    with using(folder) as running:
        with running.connect() as database:
            for change in (
                "SET default_transaction_read_only = on",
                "IN DATABASE bingo SET search_path = nowhere",
                "PASSWORD 'changed'",
            ):
                database.execute(f"ALTER ROLE CURRENT_USER {change}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                database.execute("ALTER ROLE CURRENT_USER CONNECTION LIMIT -1")
        address = make_conninfo(running.environment["DATABASE_URL"], password="changed")
        with psycopg.connect(address) as attacked:
            assert _set(attacked) == ("on", "nowhere")
        running.kill()
        for pid in pids(folder).values():
            kill(pid)
    with using(folder) as again, again.connect() as database:
        assert _set(database) == ("off", '"$user", public')


def _set(database: psycopg.Connection) -> tuple[str, ...]:
    """Return whether a connection only reads, and where it looks for tables."""
    found = [database.execute(f"SHOW {one}").fetchone() for one in SET]
    return tuple(value for (value,) in filter(None, found))


SET = ("default_transaction_read_only", "search_path")


@pytest.mark.slow
def test_owner_gives_btree_gist_to_new_databases(hall: programs.Program) -> None:
    with hall.connect("DATABASE_OWNER_URL") as owner:
        owner.execute("CREATE DATABASE extra")
        address = make_conninfo(hall.environment["DATABASE_OWNER_URL"], dbname="extra")
        with psycopg.connect(address) as extra:
            found = extra.execute("SELECT 1 FROM pg_extension WHERE extname = 'btree_gist'")
            assert found.fetchone() == (1,)
        owner.execute("DROP DATABASE extra")


@pytest.mark.slow
def test_second_program_shares_the_servers(hall: programs.Program, folder: Path) -> None:
    before = pids(folder)
    with using(folder) as second:
        assert second.environment["DATABASE_URL"] == hall.environment["DATABASE_URL"]
        assert pids(folder) == before


@pytest.mark.slow
def test_programs_starting_at_once_share_the_servers(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    processes = [launch(folder) for _ in range(4)]
    try:
        addresses = {programs.joined(process).environment["REDIS_URL"] for process in processes}
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert len(addresses) == 1


@pytest.mark.slow
def test_given_servers_are_left_alone(tmp_path: Path) -> None:
    given = {"DATABASE_URL": "postgresql:///elsewhere", "REDIS_URL": "redis://elsewhere"}
    with using(tmp_path / "data", **given) as running:
        assert {name: running.environment[name] for name in given} == given
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_only_the_missing_server_is_started(tmp_path: Path) -> None:
    with using(tmp_path / "data", DATABASE_URL="postgresql:///elsewhere") as running:
        assert running.environment["DATABASE_URL"] == "postgresql:///elsewhere"
        assert sorted(pids(tmp_path / "data")) == ["supervisor", "valkey"]


@pytest.mark.slow
def test_postgresql_killed_is_started_again(hall: programs.Program, folder: Path) -> None:
    with hall.connect("DATABASE_OWNER_URL") as owner:
        owner.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT 1 AS fact")
        _kill_and_await(folder, "postgresql")
    eventually(lambda: _answers(hall), seconds=PATIENCE)
    with hall.connect("DATABASE_OWNER_URL") as owner:
        assert owner.execute("SELECT fact FROM kept").fetchone() == (1,)


@pytest.mark.slow
def test_valkey_killed_is_started_again(hall: programs.Program, folder: Path) -> None:
    _kill_and_await(folder, "valkey")
    eventually(lambda: _answers(hall), seconds=PATIENCE)


@pytest.mark.slow
def test_supervisor_killed_takes_the_servers_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with using(folder):
        kill(pids(folder)["supervisor"])
        eventually(lambda: not pids(folder), seconds=PATIENCE)
        with using(folder) as again:
            assert _answers(again)


@pytest.mark.slow
def test_start_right_after_everything_was_killed_works(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with using(folder) as running, running.connect("DATABASE_OWNER_URL") as owner:
        owner.execute("CREATE TABLE kept AS SELECT 1 AS fact")
        running.kill()
        for pid in pids(folder).values():
            kill(pid)
    with using(folder) as again, again.connect("DATABASE_OWNER_URL") as owner:
        assert owner.execute("SELECT fact FROM kept").fetchone() == (1,)


@pytest.mark.slow
def test_program_killed_lets_the_servers_stop(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with using(folder) as running:
        running.kill()
        eventually(lambda: not pids(folder), seconds=PATIENCE)
    assert not (folder / "postgresql" / "postmaster.pid").exists()
    assert "database system is shut down" in (folder / "postgresql.log").read_text()
    with using(folder) as again:
        assert _answers(again)


@pytest.mark.slow
def test_killed_first_start_leaves_no_half_made_cluster(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = launch(folder)
    eventually(lambda: any(folder.glob("postgresql.new-*/cluster/*")), seconds=PATIENCE)
    for pid in [first.pid, *pids(folder).values()]:
        kill(pid)
    first.communicate()
    with using(folder) as again:
        assert _answers(again)
    assert not list(folder.glob("postgresql.new-*"))


@pytest.mark.slow
def test_number_of_another_process_in_the_lock_files_misleads_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with using(folder) as running, using(tmp_path / "other"):
        another = pids(tmp_path / "other")["valkey"]
        running.kill()
        for pid in pids(folder).values():
            kill(pid)
        for stale in (
            folder / "postgresql" / "postmaster.pid",
            _sockets(running) / ".s.PGSQL.5432.lock",
        ):
            _, rest = stale.read_text().split("\n", maxsplit=1)
            stale.write_text(f"{another}\n{rest}")
        with using(folder) as again:
            assert _answers(again)


@pytest.mark.slow
def test_sockets_folder_taken_by_another_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with using(folder) as running:
        running.kill()
        for pid in pids(folder).values():
            kill(pid)
    _sockets(running).chmod(0o777)
    with using(folder) as again:
        assert _sockets(again) != _sockets(running)


@pytest.mark.slow
def test_copy_of_the_data_folder_does_not_disturb_the_original(tmp_path: Path) -> None:
    folder, copied = tmp_path / "data", tmp_path / "copy"
    with using(folder) as running:
        running.kill()
        for pid in pids(folder).values():
            kill(pid)
    subprocess.run(["cp", "-a", str(folder), str(copied)], check=True)
    with using(folder) as original, using(copied) as copy:
        assert _sockets(original) != _sockets(copy)
        assert _answers(original)
        assert _answers(copy)


@pytest.mark.slow
def test_refusal_names_what_to_do_when_passwords_are_lost(tmp_path: Path) -> None:
    place = Folder(tmp_path)
    place.postgresql.mkdir()
    process = launch(tmp_path)
    _, words = process.communicate()
    assert process.returncode == 1
    assert words.strip() == (
        f"{place.state} is missing, and without its passwords {place.postgresql} cannot be opened:"
        " bring the file back from a backup."
    )


def _kill_and_await(folder: Path, server: str) -> None:
    before = pids(folder)[server]
    kill(before)
    eventually(lambda: pids(folder).get(server, before) != before, seconds=PATIENCE)


def _sockets(running: programs.Program) -> Path:
    return Path(str(conninfo_to_dict(running.environment["DATABASE_URL"])["host"]))


def _answers(running: programs.Program) -> bool:
    try:
        running.connect().close()
        with redis.Redis.from_url(running.environment["REDIS_URL"]) as broker:
            return bool(broker.ping())
    except (psycopg.OperationalError, redis.ConnectionError):
        return False
