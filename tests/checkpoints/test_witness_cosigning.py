"""What a witness takes, what it refuses, and what it still knows after its power went."""

from __future__ import annotations

import json
import os
import threading
from http import HTTPStatus
from pathlib import Path

import pytest

from bingo import signed_notes
from halls.witness import command, notes
from halls.witness.cosigning import Answer, Memory, WitnessError, make
from halls.witness.notes import BadNote
from tests.support.witnessed_chain import Chain, key

OK, CONFLICT, BAD = HTTPStatus.OK, HTTPStatus.CONFLICT, HTTPStatus.BAD_REQUEST
FORBIDDEN, UNKNOWN = HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND
BROKEN = HTTPStatus.UNPROCESSABLE_ENTITY


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = make(tmp_path / "witness", name="witness.example")
    made.trust(key().vkey)
    return made


def add(memory: Memory, body: bytes) -> Answer:
    return memory.add(notes.read_request(body))


def size(memory: Memory) -> int:
    known = memory.state("sala")
    return known.note.number if known and known.note else 0


def test_checkpoints_are_cosigned_one_after_another(memory: Memory) -> None:
    chain = Chain()
    read = signed_notes.read_witness_key(memory.key.written)
    for old, number in ((0, 5), (5, 9), (9, 20)):
        answer = add(memory, chain.request(old, number))
        assert (answer.status, size(memory)) == (OK, number)
        text = chain.note(number).rpartition("\n\n")[0] + "\n"
        assert signed_notes.cosigned_at(text, answer.body, read) is not None
        assert signed_notes.cosigned_at(text.replace("bingo", "other"), answer.body, read) is None
    again = Memory(memory.folder)
    assert (size(again), again.latest("sala").status) == (20, OK)


def test_fork_smaller_size_and_gap_are_refused(memory: Memory) -> None:
    chain, fork = Chain(), Chain(fork=7)
    assert add(memory, chain.request(0, 10)).status == OK
    refused = {
        "fork further on": (fork.request(10, 20), BROKEN),
        "fork, all of it sent": (fork.request(6, 20), CONFLICT),
        "fork at the same entry": (fork.request(10, 10), CONFLICT),
        "smaller": (chain.request(0, 8), CONFLICT),
        "smaller than its old size": (chain.request(10, 10).replace(b"old 10", b"old 11"), BAD),
        "an entry left out": (b"old 10\n" + chain.request(11, 20).partition(b"\n")[2], BROKEN),
        "no entries": (b"old 10\n\n" + chain.note(20).encode(), BROKEN),
        "one too many": (
            chain.request(10, 19).replace(b"\n\n", f"\n{chain.lines[20]}\n\n".encode(), 1), BROKEN,
        ),
        "entries of a first one": (b"old 0\n" + chain.request(10, 20).partition(b"\n")[2], BAD),
        "another hall's entries": (
            b"old 10\n" + "\n".join(Chain(code="outra").lines[11:]).encode()
            + b"\n\n" + chain.note(20).encode(), BROKEN,
        ),
    }  # fmt: skip
    for name, (body, status) in refused.items():
        answer = add(memory, body)
        assert (name, answer.status, size(memory)) == (name, status, 10)
        if status == CONFLICT:
            assert (answer.body, answer.kind) == ("10\n", "text/x.tlog.size")
    assert add(memory, chain.request(10, 20)).status == OK
    # What the hall's own key signed against itself is kept: it proves the fork.
    kept = {one.name[:10] for one in (memory.folder / "halls/sala/refused").iterdir()}
    assert {"0000000010", "0000000020"} <= kept


def test_unknown_hall_and_unknown_or_false_key_are_refused(memory: Memory) -> None:
    chain = Chain()
    assert add(memory, Chain(code="outra").request(0, 5)).status == UNKNOWN
    assert add(memory, chain.request(0, 5, key(seed=2))).status == FORBIDDEN
    forged = chain.request(0, 5).replace(b"\n5\n", b"\n6\n")
    assert (add(memory, forged).status, size(memory)) == (FORBIDDEN, 0)
    assert memory.latest("outra").status == memory.latest("sala").status == UNKNOWN


def test_replayed_request_is_answered_and_changes_nothing(memory: Memory) -> None:
    chain = Chain()
    add(memory, chain.request(0, 5))
    add(memory, chain.request(5, 9))
    assert add(memory, chain.request(0, 5)).status == CONFLICT
    assert add(memory, chain.request(5, 9)).status == CONFLICT
    assert add(memory, chain.request(9, 9)).status == OK
    assert size(memory) == 9


def test_renewed_key_signs_from_its_checkpoint_on(memory: Memory) -> None:
    chain, old, new, third = Chain(), key(), key(seed=2), key(seed=3)
    add(memory, chain.request(0, 5))
    assert add(memory, chain.request(5, 9, old, key=new.vkey)).status == FORBIDDEN
    assert add(memory, chain.request(5, 9, old, third, key=new.vkey)).status == FORBIDDEN
    assert add(memory, chain.request(5, 9, old, new, key=new.vkey)).status == OK
    assert add(memory, chain.request(9, 12, old)).status == FORBIDDEN
    assert add(memory, chain.request(9, 12, new)).status == OK
    assert Memory(memory.folder).add(notes.read_request(chain.request(12, 15, new))).status == OK


@pytest.mark.slow
def test_of_many_at_once_none_takes_another_back(memory: Memory) -> None:
    chain, fork = Chain(60), Chain(60, fork=11)
    add(memory, chain.request(0, 10))
    bodies = [one.request(10, number) for one in (chain, fork) for number in range(11, 23)]
    answers: list[tuple[bytes, Answer]] = []

    def post(body: bytes) -> None:
        answers.append((body, add(memory, body)))

    threads = [threading.Thread(target=post, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [body for body, answer in answers if answer.status == OK]
    # Each was to follow entry 10: the first is taken, all others find it.
    assert (len(answers), len(taken)) == (len(bodies), 1)
    assert size(memory) == notes.read_request(taken[0]).note.number


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\n", b"old\n\n", b"old -1\n\nx\n", b"old 01\n\nx\n", b"old 5", b"{}", b"\xff\n\nx",
        b"old 0\n\n", b"old 0\n\nbingo-journal/sala\n5\nAAAA\n\n", b"old 0\n\n" + b"x" * 40_000,
        b"old 99999999999999999999\n\nx\n",
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused(body: bytes) -> None:
    with pytest.raises(BadNote):
        notes.read_request(body)


@pytest.mark.parametrize("proof", ["x", "e30=", "W10=", "bnVsbA==", "MQ==", "IiI="])
def test_entry_that_is_none_is_refused(memory: Memory, proof: str) -> None:
    """Not base64; {}, [], null, a number and a text in JSON."""
    chain = Chain()
    add(memory, chain.request(0, 10))
    body = f"old 10\n{proof}\n\n{chain.note(11)}".encode()
    assert (add(memory, body).status, size(memory)) == (BROKEN, 10)


def test_deeply_nested_entry_is_refused(memory: Memory) -> None:
    chain = Chain()
    add(memory, chain.request(0, 10))
    proof = notes.encoded(b"[" * 50_000)
    assert add(memory, f"old 10\n{proof}\n\n{chain.note(11)}".encode()).status == BROKEN


def test_memory_that_is_lost_or_damaged_is_never_a_beginning(memory: Memory) -> None:
    chain = Chain()
    add(memory, chain.request(0, 10))
    latest = memory.folder / "halls/sala/latest"
    good = latest.read_text()
    for damaged in (None, "", "{}", good[:-20], json.dumps({"note": "", "key": 1})):
        latest.unlink(missing_ok=True)
        if damaged is not None:
            latest.write_text(damaged)
        with pytest.raises(WitnessError):
            add(memory, chain.request(0, 5))
    latest.write_text(good)
    assert add(memory, chain.request(10, 11)).status == OK


def test_full_disk_cosigns_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = Chain()
    add(memory, chain.request(0, 10))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            add(memory, chain.request(10, 12))
    assert size(memory) == 10
    assert add(memory, chain.request(10, 12)).status == OK


def test_second_key_of_a_hall_and_a_second_witness_in_the_folder_are_refused(
    memory: Memory, tmp_path: Path
) -> None:
    with pytest.raises(WitnessError, match="known already"):
        memory.trust(key(seed=2).vkey)
    with pytest.raises(BadNote):
        memory.trust(key().vkey[:-2] + "A=")
    with pytest.raises(WitnessError, match="not empty"):
        make(memory.folder, name="other")
    with memory.alone(), pytest.raises(WitnessError, match="another witness"), memory.alone():
        pass
    with pytest.raises(WitnessError, match="make one with init"):
        Memory(tmp_path / "nothing")
    assert (memory.folder / "seed").stat().st_mode & 0o777 == 0o600


def test_owner_of_the_witness_begins_a_history_anew(memory: Memory) -> None:
    chain, fork = Chain(), Chain(fork=7)
    add(memory, chain.request(0, 15))
    with pytest.raises(WitnessError, match="no key"):
        memory.accept(fork.note(10, key(seed=2)))
    memory.accept(fork.note(10))
    assert add(memory, fork.request(10, 20)).status == OK
    aside = [one.name for one in (memory.folder / "halls/sala/refused").iterdir()]
    assert [one for one in aside if one.endswith("set-aside")]


def test_file_that_is_no_text_begins_no_history_and_says_so(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.checkpoint").write_bytes(b"\xff\xfe")
    told = ["accept", str(memory.folder), str(tmp_path / "x.checkpoint")]
    assert (command.main(told), "is not UTF-8" in capsys.readouterr().err) == (1, True)


def test_owner_of_the_witness_takes_a_new_key_for_one_that_a_hall_lost(memory: Memory) -> None:
    """What was cosigned stays: what the new key signs must go on from it, or be accepted."""
    chain, fork, new = Chain(), Chain(fork=7), key(seed=2)
    add(memory, chain.request(0, 5))
    add(memory, chain.request(5, 9))
    told = chain.note(12, new, **{"key": new.vkey, "set-back": f"9:{chain.digests[9]}"})
    with pytest.raises(WitnessError, match="no key"):
        memory.accept(told)
    kept = sorted(one.name for one in (memory.folder / "halls/sala/checkpoints").iterdir())
    replaced = memory.replace(new.vkey, reason="disco perdido, diz o inspetor")
    assert (replaced.number, replaced.before, replaced.key) == (9, key().vkey, new.vkey)
    again = Memory(memory.folder)
    assert again.replacements("sala") == [replaced]
    assert sorted(one.name for one in (memory.folder / "halls/sala/checkpoints").iterdir()) == kept
    assert size(again) == 9
    assert add(again, chain.request(9, 12)).status == FORBIDDEN
    assert add(again, fork.request(9, 12, new)).status == BROKEN
    answer = add(again, b"old 9\n" + chain.request(9, 12).split(b"\n", 1)[1].split(b"\n\n")[0] + b"\n\n" + told.encode())  # fmt: skip
    assert (answer.status, add(again, chain.request(12, 15, new)).status) == (OK, OK)


def test_key_is_replaced_for_a_reason_alone_and_once(memory: Memory) -> None:
    new = key(seed=2)
    for told, reason, why in (
        (key().vkey, "x", "is known"), (key("outra").vkey, "x", "no key of"), (new.vkey, " ", "why"),
    ):  # fmt: skip
        with pytest.raises(WitnessError, match=why):
            memory.replace(told, reason=reason)
    assert memory.replacements("sala") == []
    memory.replace(new.vkey, reason="disco perdido")
    assert add(memory, Chain().request(0, 5, new)).status == OK
    assert add(memory, Chain().request(0, 5)).status == FORBIDDEN


def test_witness_shows_which_keys_were_replaced_and_why(
    memory: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, new = str(memory.folder), key(seed=2)
    assert command.main(["replace", folder, new.vkey, "--reason", "disco perdido"]) == 0
    assert command.main(["show", folder]) == 0
    done, *_key, shown = capsys.readouterr().out.splitlines()
    assert done == shown.strip()
    assert all(said in shown for said in ("KEY REPLACED", key().vkey, new.vkey, "disco perdido"))
