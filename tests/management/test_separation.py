"""The users that the programs of a hall run as, and what each of them may do."""

import configparser
import errno
import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from bingo import system_users
from bingo.embedded.folder import PROJECT
from bingo.system_users import HALL, KEYS, NUMBERS
from halls.management.commands import serve
from tests.support import serving
from tests.support.programs import eventually

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts others' programs")

OWN = 64999  # a user that serves a hall without root
NONE = "0000000000000000"
USERS = {
    "pages": HALL, "worker": HALL, "timer": HALL, "cameras": HALL,
    "sealing": KEYS, "archives": KEYS, "numbers": NUMBERS,
}  # fmt: skip


def acts(user: system_users.Account, *argv: str) -> bool:
    """Return whether a command succeeds as one of the hall's users, with nothing of root's."""
    drop = system_users.become(user)
    done = subprocess.run(["setpriv", *drop, "--", *argv], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """The data of a hall that root's hand has made, as they were before programs had users."""
    with serving.open_folder() as made:
        (made / "keys" / "sala").mkdir(parents=True)
        (made / "keys" / "sala.documents").mkdir(mode=0o700)
        (made / "pictures" / "ab").mkdir(parents=True)
        for name in (
            "keys/sala/seal.p12", "keys/sala/certificate.pem", "keys/sala.documents/key-1.hex",
            "pictures/ab/cd.png", "secret_key",
        ):  # fmt: skip
            (made / name).write_text("x" * 50)
            (made / name).chmod(0o600)
        yield made


@pytest.fixture(scope="module")
def hall(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A hall that root has started."""
    with serving.served(folder, hall="demonstration") as process:
        yield process


@pytest.mark.slow
def test_nothing_that_works_for_the_hall_runs_as_root(hall: subprocess.Popen[bytes]) -> None:
    found = serving.children(hall)
    assert set(found) == set(USERS)
    for name, pid in found.items():
        told = serving.status(pid)
        assert (told["Uid"], told["Gid"]) == (str(USERS[name].uid),) * 2, name
        assert {told[right] for right in ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")} == {
            NONE
        }, name
        assert told["NoNewPrivs"] == "1", name
        assert int(told["Umask"], 8) == USERS[name].umask, name
        assert serving.core_limit(pid) == "0 0", name
    assert serving.status(hall.pid)["Uid"] == "0"


@pytest.mark.slow
@pytest.mark.usefixtures("hall")
def test_keys_are_read_by_whoever_seals_alone(folder: Path) -> None:
    key, certificate = folder / "keys/sala/seal.p12", folder / "keys/sala/certificate.pem"
    assert acts(KEYS, "cat", str(key))
    for other in (HALL, NUMBERS):
        assert not acts(other, "cat", str(key))
        assert not acts(other, "ls", str(folder / "keys"))
    assert acts(HALL, "cat", str(certificate))
    assert acts(HALL, "cat", str(folder / "keys/sala.documents/key-1.hex"))
    assert not acts(KEYS, "cat", str(folder / "keys/sala.documents/key-1.hex"))


@pytest.mark.slow
@pytest.mark.usefixtures("hall")
def test_pages_reach_the_numbers_and_the_database_and_nobody_else_does(folder: Path) -> None:
    socket = str(folder / "rng" / "socket")
    python, further = serving.interpreter()
    asked = ["env", *(f"{name}={value}" for name, value in further.items()), python, "-c"]
    word = "from draws.rng import client; import pathlib, sys; client.failure(pathlib.Path(sys.argv[1]))"
    assert acts(HALL, *asked, word, str(Path(socket).parent))
    assert not acts(KEYS, *asked, word, str(Path(socket).parent))
    # What signs keeps the heads there, which pages may read and not set.
    keeps = (
        "from draws.rng import client; import pathlib, sys; "
        "folder = pathlib.Path(sys.argv[1]); "
        "sys.exit(not client.keep_head(folder, 'sala@test', 'note', before=''))"
    )
    assert not acts(HALL, *asked, keeps, str(Path(socket).parent))
    assert acts(KEYS, *asked, keeps, str(Path(socket).parent))
    assert acts(HALL, "test", "-x", _sockets(folder))
    assert acts(KEYS, "test", "-x", _sockets(folder))
    assert not acts(NUMBERS, "test", "-x", _sockets(folder))


def _sockets(folder: Path) -> str:
    from bingo.embedded.folder import Folder, read_state

    return read_state(Folder(folder)).sockets


@pytest.mark.slow
@pytest.mark.usefixtures("hall")
def test_pages_can_change_neither_keys_nor_code_nor_their_own_files(folder: Path) -> None:
    for place in ("keys", "keys/sala", "rng", "static", "."):
        assert not acts(HALL, "touch", str(folder / place / "planted")), place
    assert not acts(HALL, "touch", str(Path(system_users.__file__)))
    assert not acts(HALL, "mv", str(folder / "keys"), str(folder / "gone"))
    assert acts(HALL, "touch", str(folder / "pictures" / "ab" / "new.png"))
    # What a removal lists is taken away by whoever signs it.
    assert acts(KEYS, "rm", str(folder / "pictures" / "ab" / "new.png"))


ASK = """
from datetime import date
from uuid import uuid4
from django.utils import timezone
from draws.record.archive import queue
from halls.models import Person
by = Person.objects.get(username="chefe")
today = by.hall.day(timezone.now())
asked = dict(first=date(today.year, 1, 1), last=today, pictures=True)
print(queue.ask_export(**asked, by=by, at=timezone.now(), key=uuid4()).pk)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("hall")
def test_whoever_seals_makes_the_keys_and_what_is_signed_is_handed_out_by_the_pages(
    folder: Path,
) -> None:
    python, further = serving.interpreter()
    known = {name: value for name, value in os.environ.items() if name not in serving.FOREIGN}
    asked = subprocess.run(
        [python, "manage.py", "shell", "--no-imports", "-c", ASK], capture_output=True, text=True,
        check=True, env=known | further | {"BINGO_DATA": str(folder)}, cwd=PROJECT,
    )  # fmt: skip
    archive = folder / "exports" / f"{asked.stdout.split()[-1]}.zip"
    key = folder / "keys" / "demonstracao" / "seal.p12"
    told = folder / "keys" / "demonstracao.checkpoints" / "first.vkey"
    # The sweep, too, makes a key that pages only show, every 15 seconds.
    eventually(lambda: archive.exists() and told.exists(), seconds=240)
    for made, mode in ((key, 0o600), (archive, 0o640), (told, 0o644)):
        found = made.stat()
        assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (KEYS.uid, mode), made
    assert acts(HALL, "cat", str(archive))
    assert acts(HALL, "cat", str(told))
    assert acts(HALL, "cat", str(key.with_name("certificate.pem")))
    assert not acts(HALL, "cat", str(key))
    assert not acts(HALL, "ls", str(told.parent))
    assert not acts(NUMBERS, "cat", str(archive))


@pytest.mark.slow
@pytest.mark.usefixtures("hall")
def test_a_command_of_root_leaves_its_files_to_the_hall(folder: Path) -> None:
    python, further = serving.interpreter()
    made = folder / "pictures" / "ab" / "root.png"
    made.write_text("x")
    made.chmod(0o600)
    known = {name: value for name, value in os.environ.items() if name not in serving.FOREIGN}
    subprocess.run(
        [python, "manage.py", "seal_keys", "--help"], check=True, capture_output=True,
        env=known | further | {"BINGO_DATA": str(folder)}, cwd=PROJECT,
    )  # fmt: skip
    assert (made.stat().st_uid, stat.S_IMODE(made.stat().st_mode)) == (HALL.uid, 0o640)


DRAW = """
import pathlib
import django; django.setup()
from bingo import system_users
from draws.rng import client
from halls.management import child_program
from halls.management.commands import serve
from tests.support.programs import eventually
child_program.hand_over()
folder = pathlib.Path(serve.settings.RNG_DIR)
child = child_program.start(serve._numbers(system_users.reaching(system_users.programs())))
try:
    eventually(lambda: child.is_dead() or (folder / "socket").exists(), seconds=30)
    print(repr(client.failure(folder)), (folder / "socket").stat().st_uid)
finally:
    child.ask()
"""


@pytest.mark.slow
def test_numbers_are_drawn_by_the_users_that_the_house_has_named() -> None:
    with serving.open_folder() as folder:
        python, further = serving.interpreter()
        known = {
            "BINGO_UID": "50000", "BINGO_DATA": str(folder), "BINGO_SERVED": "1",
            "DJANGO_SETTINGS_MODULE": "bingo.settings", "DATABASE_URL": "postgresql:///none",
            "REDIS_URL": "unix:///none", "SECRET_KEY": "none",
        }  # fmt: skip
        told = subprocess.run(
            [python, "-c", DRAW], env={"PATH": os.environ["PATH"]} | further | known, cwd=PROJECT,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert told.stdout.split() == ["''", "50001"], told.stderr


@pytest.mark.slow
def test_a_link_leads_nobody_out_of_the_folder() -> None:
    with serving.open_folder() as folder, tempfile.TemporaryDirectory() as other:
        target = Path(other) / "passwd"
        target.write_text("root")
        target.chmod(0o600)
        (folder / "pictures").mkdir()
        (folder / "pictures" / "link").symlink_to(target)
        (folder / "prints").symlink_to(other)
        system_users.hand_over(folder, folder / "keys")
        assert (target.stat().st_uid, stat.S_IMODE(target.stat().st_mode)) == (0, 0o600)


def test_handing_over_twice_changes_nothing() -> None:
    with serving.open_folder() as folder:
        (folder / "keys" / "sala").mkdir(parents=True)
        (folder / "keys" / "sala" / "seal.p12").write_text("x")

        def listed() -> list[tuple[str, int, int, int, int]]:
            found = [(one, one.lstat()) for one in sorted(folder.rglob("*"))]
            return [
                (str(path), told.st_uid, told.st_gid, told.st_mode, told.st_ctime_ns)
                for path, told in found
            ]

        system_users.hand_over(folder, folder / "keys")
        before = listed()
        system_users.hand_over(folder, folder / "keys")
        assert listed() == before
        assert len(before) > 10


@pytest.mark.parametrize("code", [errno.EROFS, errno.EPERM])
def test_disk_of_checkpoints_that_takes_no_owner_keeps_no_hall_from_opening(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chown = os.fchown

    def refusing(opened: int, owner: int, group: int) -> None:
        if "stick" in str(Path(f"/proc/self/fd/{opened}").readlink()):
            raise OSError(code, os.strerror(code))
        chown(opened, owner, group)

    monkeypatch.setattr(os, "fchown", refusing)
    with serving.open_folder() as folder, serving.open_folder() as disks:
        stick, disk = disks / "stick", disks / "disk"
        stick.mkdir()
        disk.mkdir()
        said = StringIO()
        monkeypatch.setattr(settings, "DATA_DIR", folder)
        monkeypatch.setattr(settings, "KEYS_DIR", folder / "keys")
        monkeypatch.setattr(settings, "CHECKPOINT_DIRS", [str(stick), str(disk)])
        serve.Command(stdout=said)._separate()
        assert f"{stick}, of BINGO_CHECKPOINTS, cannot be given" in said.getvalue()
        assert os.strerror(code) in said.getvalue()
        assert disk.stat().st_uid == KEYS.uid
        (folder / "keys" / "stick").mkdir()
        with pytest.raises(CommandError, match="cannot be given to users of their own"):
            serve.Command(stdout=said)._separate()


def test_unit_of_systemd_lets_disks_of_checkpoints_be_written() -> None:
    unit = (PROJECT / "docs" / "bingo-hall.service").read_text()
    assert "ProtectSystem=strict" in unit
    (written,) = [line for line in unit.splitlines() if line.startswith("ReadWritePaths=")]
    assert {"-/mnt", "-/media"} <= set(written.partition("=")[2].split())


HAND_OVER = """
import pathlib, sys
from bingo import system_users
system_users.hand_over(folder := pathlib.Path(sys.argv[1]), folder / "keys")
"""


@pytest.mark.parametrize("withheld", [None, "fsetid"])
def test_unit_of_systemd_leaves_root_what_handing_over_needs(withheld: str | None) -> None:
    """Without the right to set the group's sign the folder's own programs would refuse it."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(PROJECT / "docs" / "bingo-hall.service")
    service = unit["Service"]
    # It refuses the group's sign to folders too.
    assert "RestrictSUIDSGID" not in service
    rights = [
        right.removeprefix("CAP_").lower() for right in service["CapabilityBoundingSet"].split()
    ]
    bound = ",".join(["-all", *(f"+{right}" for right in rights if right != withheld)])
    with serving.open_folder() as folder:
        python, further = serving.interpreter()
        subprocess.run(
            ["setpriv", f"--bounding-set={bound}", "--no-new-privs", "--",
             python, "-c", HAND_OVER, str(folder)],
            check=True, env=os.environ | further, cwd=PROJECT,
        )  # fmt: skip
        modes = {stat.S_IMODE((folder / name).stat().st_mode) for name in ("rng", "exports")}
    assert (modes == {0o2710, 0o2770}) is (withheld is None)


@pytest.mark.slow
def test_user_that_is_not_root_runs_everything_and_is_told_so() -> None:
    with serving.open_folder(OWN) as folder:
        name = _name_of(OWN)
        if name is None:
            user, group = 65534, 65534
            os.chown(folder, user, group)
        else:
            user, group = OWN, OWN
        drop = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--"]
        with serving.served(folder, before=drop) as process:
            told = folder.with_suffix(".output").read_text()
            assert "not kept apart" in told
            for pid in serving.children(process).values():
                status = serving.status(pid)
                assert status["Uid"] == str(user)
                assert (status["CapEff"], status["NoNewPrivs"], status["Umask"]) == (
                    NONE, "1", "0077",
                )  # fmt: skip
                assert serving.core_limit(pid) == "0 0"
        eventually(lambda: process.poll() is not None, seconds=30)


def _name_of(uid: int) -> str | None:
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return None
