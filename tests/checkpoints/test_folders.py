"""The folder of the checkpoints is chosen on a page: what it must be, and that it is written at once."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.utils import timezone

from bingo.rules.checkpoints_and_clock import FOLDER_CHOSEN, LONGEST_FOLDER
from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls.checkpoints import folders, queries, services
from halls.models import Hall, JournalEntry, Person, Role
from tests.support.evening import Evening, browser_of
from tests.support.opening_halls import open_one
from tests.support.print_disk import small_disk

pytestmark = pytest.mark.django_db
__all__ = ["small_disk"]

PAGE = "/first-steps/checkpoints/"


@pytest.fixture(autouse=True)
def disk(settings: LazySettings, tmp_path: Path) -> Path:
    """A folder that can be written, and keys and data of the test's own."""
    settings.KEYS_DIR, settings.DATA_DIR = tmp_path / "keys", tmp_path / "data"
    settings.CHECKPOINT_DIRS = []
    (tmp_path / "data").mkdir()
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def hall() -> Hall:
    """A hall that has just been opened; its folder is not chosen yet."""
    return open_one()


def manager(hall: Hall) -> Person:
    return hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("pk")[0]


def choose(hall: Hall, folder: object) -> HttpResponse:
    told = {"key": str(uuid4()), "folder": str(folder)}
    answer: Any = browser_of(manager(hall)).post(f"{PAGE}do/choose/", told)
    return cast("HttpResponse", answer)


def refusal_of(folder: object) -> str:
    with pytest.raises(Refusal) as refused:
        folders.require_usable(Path(str(folder)))
    return refused.value.code


def step_done(hall: Hall) -> bool:
    page = browser_of(manager(hall)).get("/first-steps/")
    rows: list[dict[str, Any]] = page.context["steps"]
    return any(one["step"].done for one in rows if one["step"].name == "checkpoints")


@pytest.mark.slow
@pytest.mark.rule(58)
def test_checkpoint_is_written_at_once_and_the_step_is_done(hall: Hall, disk: Path) -> None:
    assert not step_done(hall)
    answer = choose(hall, f"{disk}/")
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    entry = JournalEntry.objects.get(kind=FOLDER_CHOSEN)
    assert (entry.data, entry.by) == ({"folder": str(disk)}, manager(hall))
    file = disk / hall.code / f"{entry.number:010d}.checkpoint"
    assert file.read_text() == entry.checkpoint.note
    assert [one.name for one in disk.iterdir()] == [hall.code]
    assert step_done(hall)
    shown = browser_of(manager(hall)).get(PAGE).content.decode()
    assert str(disk) in shown
    # The folder of a test is on the disk of its data: the page says so.
    assert "notice--warning" in shown
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_folder_that_is_gone_is_a_step_to_be_done_again(hall: Hall, disk: Path) -> None:
    choose(hall, disk)
    disk.rename(disk.with_name("taken"))
    services.deliver(hall, at=timezone.now())
    assert [one.fault for one in queries.faults(hall)] == ["checkpoint_place_unwritable"]
    assert not step_done(hall)
    other = disk.with_name("other")
    other.mkdir()
    choose(hall, other)
    assert step_done(hall)
    assert queries.folders(hall) == [str(other)]
    assert len(list((other / hall.code).iterdir())) == 2


@pytest.mark.slow
def test_servers_setting_wins_and_the_page_says_so(
    hall: Hall, disk: Path, settings: LazySettings, tmp_path: Path
) -> None:
    choose(hall, disk)
    (tmp_path / "set").mkdir()
    settings.CHECKPOINT_DIRS = [str(tmp_path / "set")]
    assert queries.folders(hall) == settings.CHECKPOINT_DIRS
    shown = browser_of(manager(hall)).get(PAGE).content.decode()
    assert "BINGO_CHECKPOINTS" in shown
    assert 'name="folder"' not in shown
    answer = choose(hall, disk)
    assert answer.status_code == 409
    assert 'data-code="checkpoint_folder_given"' in answer.content.decode()


@pytest.mark.parametrize(
    "folder",
    [
        "disk",
        "../disk",
        "/media/../etc",
        "/media//disk",
        "/./media",
        "/",
        "/" + "x" * LONGEST_FOLDER,
        "",
    ],
)
def test_folder_is_written_whole_with_no_way_back(hall: Hall, folder: str) -> None:
    answer = choose(hall, folder)
    assert answer.status_code == 409
    assert not JournalEntry.objects.filter(kind=FOLDER_CHOSEN).exists()


def test_what_is_no_folder_is_told_apart(
    disk: Path, tmp_path: Path, settings: LazySettings
) -> None:
    folders.require_usable(disk)
    assert list(disk.iterdir()) == []
    (tmp_path / "link").symlink_to(disk)
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
    # A link that leads to itself, and one into the program's own folder.
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (disk / "inside").symlink_to(settings.DATA_DIR)
    found = {
        name: refusal_of(tmp_path / name)
        for name in (
            "link",
            "file",
            "pipe",
            "socket",
            "loop",
            "none",
            "data",
            "stick/inside",
            "link/inside",
        )
    }
    assert found == {
        "link": "checkpoint_folder_link",
        "file": "checkpoint_folder_not_folder",
        "pipe": "checkpoint_folder_not_folder",
        "socket": "checkpoint_folder_not_folder",
        "loop": "checkpoint_folder_missing",
        "none": "checkpoint_folder_missing",
        "data": "checkpoint_folder_own",
        "stick/inside": "checkpoint_folder_link",
        "link/inside": "checkpoint_folder_link",
    }
    assert refusal_of("/dev/null") == "checkpoint_folder_not_folder"
    assert refusal_of(settings.BASE_DIR / "docs") == "checkpoint_folder_own"


@pytest.mark.skipif(
    not Path("/dev/shm").is_dir(), reason="this machine has no folder in its memory"
)
def test_memory_is_no_disk() -> None:
    assert refusal_of("/dev/shm") == "checkpoint_folder_memory"


@contextmanager
def nothing_longer_than(size: int) -> Iterator[None]:
    """Let the system refuse this process any longer file, as a disk of its quota does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_is_told_and_keeps_nothing(disk: Path) -> None:
    with nothing_longer_than(100):
        assert refusal_of(disk) == "checkpoint_folder_full"
    assert list(disk.iterdir()) == []


def test_disk_without_room_is_told(small_disk: Path) -> None:
    # A little more than it holds: nothing is left for a checkpoint.
    subprocess.run(
        ["dd", "if=/dev/zero", f"of={small_disk}/film"], capture_output=True, check=False
    )
    assert refusal_of(small_disk) == "checkpoint_folder_full"


@pytest.mark.parametrize("folder", ["/proc", "/sys"])
def test_folder_that_the_system_keeps_to_itself_is_refused(folder: str) -> None:
    assert refusal_of(folder).startswith("checkpoint_folder_")


@pytest.mark.slow
def test_what_somebody_lays_on_the_disk_is_neither_followed_nor_waited_for(
    hall: Hall, disk: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (disk / hall.code).symlink_to(tmp_path / "elsewhere")
    choose(hall, disk)
    assert [one.fault for one in queries.faults(hall)] == ["checkpoint_place_link"]
    assert list((tmp_path / "elsewhere").iterdir()) == []
    (disk / hall.code).unlink()
    (disk / hall.code).mkdir()
    entry = JournalEntry.objects.get(kind=FOLDER_CHOSEN)
    os.mkfifo(disk / hall.code / f"{entry.number:010d}.checkpoint")
    services.deliver(hall, at=timezone.now())
    assert [one.fault for one in queries.faults(hall)] == ["checkpoint_differs"]


TABLE = r"""sysfs /sys sysfs rw 0 0
/dev/sda1 / ext4 rw 0 0
/dev/sdb1 /media/caixa\040forte vfat rw,nosuid 0 0
/dev/sdc1 /media/cd iso9660 ro 0 0
//nas/sala /mnt/nas cifs rw 0 0
tmpfs /run tmpfs rw 0 0
broken
"""


def test_disks_that_are_plugged_in_are_offered(tmp_path: Path) -> None:
    stick = tmp_path / "um disco"
    stick.mkdir()
    written = str(stick).replace(" ", r"\040")
    found = folders.read_mounts(TABLE.replace(r"/media/caixa\040forte", written))
    assert [one.folder for one in folders.offered(found)] == [str(stick), "/mnt/nas"]
    # Neither the disk of the data, nor one that is not there any more.
    data = TABLE.replace(r"/media/caixa\040forte", str(tmp_path))
    assert [one.folder for one in folders.offered(folders.read_mounts(data))] == ["/mnt/nas"]
    assert [one.folder for one in folders.offered(folders.read_mounts(TABLE))] == ["/mnt/nas"]


@pytest.mark.parametrize("role", [role for role in Role if role != Role.HALL_MANAGER])
def test_folder_is_the_managers_alone(role: Role, disk: Path) -> None:
    evening = Evening()
    client = browser_of(evening.person(role))
    assert client.get(PAGE).status_code == 403
    told = {"key": str(uuid4()), "folder": str(disk)}
    assert client.post(f"{PAGE}do/choose/", told).status_code == 403
    with pytest.raises(Refusal, match="not_allowed"):
        services.choose_folder(
            hall=evening.hall, folder=str(disk), by=evening.person(role), at=timezone.now()
        )
