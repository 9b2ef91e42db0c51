"""The process itself: who may ask it, what it answers to nonsense, and what it leaves behind."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bingo.rules import rng
from bingo.rules.refusal import Refusal
from bingo.rules.rng import Draw
from bingo.system_users import HALL, KEYS
from draws.rng import client, server
from draws.rng.seeds import Vault
from tests.support.programs import eventually
from tests.support.vault import refused

DRAW = Draw(hall="sala", session=1, game=1, format=75)
HEAD, BEGUN = "0a" * 32, "0c" * 32


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose name is longer than a socket's may be."""
    return tmp_path / ("a long name " * 8) / ("another " * 12) / "rng"


@pytest.fixture
def running(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that draws there."""
    with client.running(folder) as started:
        yield started


def asked(folder: Path, line: bytes) -> object:
    """Send any line, and return the answer."""
    return json.loads(client._exchanged(folder, line) or b"null")


@pytest.mark.usefixtures("running")
def test_whole_game_goes_through_the_socket(folder: Path) -> None:
    assert len(str(folder)) > 108
    commitment = client.commit(folder, DRAW, begun=BEGUN)
    drawn = [
        client.ball(folder, DRAW, commitment=commitment, head=HEAD, order=order)
        for order in range(1, 76)
    ]
    opened = client.opening(folder, DRAW, commitment=commitment)
    assert list(rng.balls(opened, head=HEAD, format=75)) == drawn
    assert client.failure(folder) == ""
    with refused("rng_opened"):
        client.ball(folder, DRAW, commitment=commitment, head=HEAD, order=1)


@pytest.mark.usefixtures("running")
def test_socket_and_folder_are_the_halls_alone(folder: Path) -> None:
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "socket").stat().st_mode) == 0o660


@pytest.mark.usefixtures("running")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can ask as somebody else")
@pytest.mark.slow
def test_another_user_is_not_answered(folder: Path) -> None:
    """Even where the folder has been opened to all by mistake."""
    for place in (folder, *folder.parents):
        if place == Path("/"):
            break
        place.chmod(0o777)
    (folder / "socket").chmod(0o777)
    script = (
        "import os, socket\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        f"d = os.open({str(folder)!r}, os.O_PATH)\n"
        "s.connect(f'/proc/self/fd/{d}/socket')\n"
        's.sendall(b\'{"do": "stand"}\\n\')\n'
        "print(s.recv(99))"
    )
    told = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-c", script],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.stdout in ("b''\n", "")
    assert "failure" not in told.stdout
    assert told.stdout or "ConnectionResetError" in told.stderr or "BrokenPipe" in told.stderr


def test_folder_open_to_others_is_not_used(folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o700)
    folder.chmod(0o755)
    with pytest.raises(server.NotPrivate):
        server.make_folder(folder)
    done = subprocess.run(
        client.command(folder), cwd=client.PROJECT, capture_output=True, check=False
    )
    assert done.returncode == server.UNUSABLE
    assert b"Traceback" not in done.stderr
    with refused("rng_not_running"):
        client.failure(folder)


@pytest.mark.usefixtures("running")
def test_second_process_gives_way(folder: Path) -> None:
    done = subprocess.run(
        client.command(folder), cwd=client.PROJECT, capture_output=True, check=False
    )
    assert done.returncode == server.TAKEN
    assert b"another process draws" in done.stderr
    assert client.failure(folder) == ""


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b'"open"\n',
        b"\xff\xfe\n",
        b'{"do": "stand"\n',
        b'{"do": "seed", "draw": {"hall": "sala", "session": 1, "game": 1, "format": 90}}\n',
        b'{"do": "commit", "draw": {"hall": "sala"}}\n',
        b'{"do": "commit", "draw": {"hall": 1, "session": 1, "game": 1, "format": 90}}\n',
        b'{"do": "ball", "draw": {"hall": "sala", "session": "1", "game": 1, "format": 90}}\n',
        b'{"do": "commit", "draw": [1, 2, 3]}\n',
        b"[" * 4000 + b"\n",
        b"x" * 4095 + b"\n",
    ],
)
def test_nonsense_is_told_so_and_changes_nothing(folder: Path, line: bytes) -> None:
    assert asked(folder, line) == {"refused": "rng_misunderstood", "values": {}}
    assert client.failure(folder) == ""


@pytest.mark.slow
@pytest.mark.usefixtures("running")
def test_question_that_never_ends_keeps_nobody_waiting(folder: Path) -> None:
    with server.folder_address(folder) as address, socket.socket(socket.AF_UNIX) as slow:
        slow.connect(address)
        slow.sendall(b'{"do"')
        begun = time.monotonic()
        assert client.failure(folder) == ""
        assert time.monotonic() - begun < 0.5
        slow.settimeout(5)
        assert slow.recv(1) == b"", "it hangs up on its own"


@pytest.mark.slow
def test_process_that_hangs_hangs_nobody(folder: Path, running: "subprocess.Popen[bytes]") -> None:
    os.kill(running.pid, signal.SIGSTOP)
    begun = time.monotonic()
    with refused("rng_not_running"):
        client.commit(folder, DRAW, begun=BEGUN)
    assert time.monotonic() - begun < 2 * client.RNG_PATIENCE
    os.kill(running.pid, signal.SIGCONT)


def test_killed_process_knows_no_game_when_it_is_back(
    folder: Path, running: "subprocess.Popen[bytes]"
) -> None:
    commitment = client.commit(folder, DRAW, begun=BEGUN)
    running.kill()
    running.wait()
    with refused("rng_not_running"):
        client.failure(folder)
    with client.running(folder):
        with refused("rng_lost"):
            client.ball(folder, DRAW, commitment=commitment, head=HEAD, order=1)
        with refused("rng_lost"):
            client.opening(folder, DRAW, commitment=commitment)
        assert client.commit(folder, DRAW, begun=BEGUN) != commitment


def test_process_leaves_no_core_and_cannot_be_looked_into(
    running: "subprocess.Popen[bytes]",
) -> None:
    place = Path(f"/proc/{running.pid}")
    (core,) = [line for line in (place / "limits").read_text().splitlines() if "core" in line]
    assert core.split()[4:6] == ["0", "0"]
    # What is not dumpable belongs to root, whoever runs it.
    told = (place / "environ").read_text() if os.getuid() == 0 else ""
    assert not {"DATABASE_URL", "SECRET_KEY", "REDIS_URL"} & {
        one.partition("=")[0] for one in told.split("\0")
    }


def test_process_ends_with_whoever_started_it(folder: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from draws.rng import client as process\n"
        f"print(process.start_process(Path({str(folder)!r})).pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script], cwd=client.PROJECT, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    # Bound to its parent's death it is before it becomes the process itself, not when it is born.
    eventually(lambda: _argv(pid)[1:3] == ["-m", "draws.rng"], seconds=30)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    eventually(lambda: not _lives(pid), seconds=30)


def _argv(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_process_asked_to_stop_stops_in_silence(folder: Path) -> None:
    started = subprocess.Popen(
        client.command(folder), cwd=client.PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    client._wait(folder, started)
    started.terminate()
    assert started.communicate(timeout=5) == (b"", b"")
    assert started.returncode == 0


def test_failed_test_is_answered_plainly() -> None:
    vault = Vault()
    vault.failure = "known_answer"
    line = json.dumps({"do": "commit", "draw": client._game_of_draw(DRAW), "begun": BEGUN}).encode()
    assert server.answered(vault, line) == {
        "refused": "rng_failed", "values": {"test": "known_answer"},
    }  # fmt: skip
    assert server.answered(vault, b'{"do": "stand"}') == {"failure": "known_answer"}


@pytest.mark.parametrize(
    "answer",
    [b"[]\n", b"nonsense\n", b'{"refused": "anything"}\n', b'{"refused": "rng_lost"}\n',
     b'{"commitment": "short"}\n', b'{"commitment": 7}\n', b"{}\n", b"\xff\n"],
)  # fmt: skip
def test_wrong_answer_is_a_failure_of_the_rng(
    answer: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(client, "_exchanged", lambda _folder, _line: answer)
    with refused("rng_failed"):
        client.commit(tmp_path, DRAW, begun=BEGUN)


@pytest.mark.parametrize("number", [0, 76, "7", 7.0, True, None])
def test_wrong_ball_is_a_failure_of_the_rng(
    number: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = json.dumps({"number": number}).encode()
    monkeypatch.setattr(client, "_exchanged", lambda _folder, _line: told)
    with refused("rng_failed"):
        client.ball(tmp_path, DRAW, commitment="00" * 32, head=HEAD, order=1)


def test_opening_that_opens_nothing_is_a_failure_of_the_rng(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = json.dumps({"opening": {"seed": "00" * 32, "nonce": "11" * 16}}).encode()
    monkeypatch.setattr(client, "_exchanged", lambda _folder, _line: told)
    with pytest.raises(Refusal) as refusal:
        client.opening(tmp_path, DRAW, commitment="00" * 32)
    assert refusal.value == Refusal("rng_failed", test="answer")
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None


def test_complaint_has_no_value_in_it(capfd: pytest.CaptureFixture[str]) -> None:
    script = (
        "from draws.rng import server as secrecy\n"
        "secrecy.protect_process()\n"
        "secret = bytes(range(32))\n"
        "raise ValueError(f'seed {secret.hex()}')"
    )
    subprocess.run([sys.executable, "-c", script], cwd=client.PROJECT, check=False)
    assert capfd.readouterr() == ("", "ValueError at <string>:4\n")


def test_what_signs_keeps_heads_and_pages_draw() -> None:
    ours = {HALL: {"head", "stand", "ball"}, KEYS: {"head", "keep_head"}}
    for account, may in ours.items():
        verbs = ("head", "keep_head", "stand", "commit", "ball", "open", None)
        assert {one for one in verbs if server.may_ask(account.uid, one)} >= may
    assert not server.may_ask(HALL.uid, "keep_head")
    assert not any(server.may_ask(KEYS.uid, one) for one in ("stand", "commit", "ball", "open"))
