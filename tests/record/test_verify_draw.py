"""The stand-alone checker of draws, run as a player runs it: one file, nothing installed."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import rng
from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from bingo.rules.rng import Draw, Opening
from draws import verify_draw

PROGRAM = Path(__file__).resolve().parents[2] / "draws" / "verify_draw.py"
BALLS = 12
Entries = list[dict[str, Any]]


def opening(game: int) -> Opening:
    """The seed of a game of the tests."""
    return Opening(bytes([game]) * 32, bytes([game]) * 16)


def entries(
    games: int = 2, *, format: int = 90, told: Callable[[Entries], None] | None = None
) -> Entries:
    """A journal of games drawn by the RNG; `told` changes its entries before they are chained."""
    made: Entries = []
    for game in range(1, games + 1):
        draw, opened = Draw("sala", 1, game, format), opening(game)
        _add(made, game, "game_opened", {"number": game, "format": format})
        _add(made, game, "sale_announced", {"commitment": rng.commitment(draw, opened)})
        _add(made, game, "draw_announced", {"line": 1, "bingo": 2, "source": "rng"})
        head = chained(made)[-1]["digest"]
        for count, number in enumerate(rng.balls(opened, head=head, format=format)[:BALLS], 1):
            ball = {"number": number, "order": count, "source": "rng", "count": count}
            _add(made, game, "ball_announced", ball)
        _add(made, game, "entry_completed", {"opening": opened.to_data()})
    if told is not None:
        told(made)
    return chained(made)


def _add(made: Entries, game: int, kind: str, data: dict[str, Any]) -> None:
    made.append(
        {
            "hall": "sala", "number": len(made) + 1, "session": 1, "game": game, "kind": kind,
            "data": data, "at": "2026-11-21T20:15:03.123456Z", "by": None,
        }
    )  # fmt: skip


def chained(made: Entries) -> Entries:
    """The entries with the digests they must have."""
    previous, done = START, []
    for entry in made:
        plain = {name: entry[name] for name in entry if name != "digest"}
        previous = chain_digest(previous, plain)
        done.append(plain | {"digest": previous})
    return done


def run(tmp_path: Path, made: Entries) -> tuple[int, list[str]]:
    """Run the program on a journal, in an interpreter that sees nothing but the standard library."""
    file = tmp_path / "journal.jsonl"
    file.write_bytes(b"".join(canonical(entry) + b"\n" for entry in made))
    return program(str(file))


def program(*arguments: str) -> tuple[int, list[str]]:
    """Run the program."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.splitlines()


def of(made: Entries, kind: str, game: int) -> dict[str, Any]:
    """The data of a game's first entry of a kind."""
    data: dict[str, Any] = next(
        entry["data"] for entry in made if (entry["kind"], entry["game"]) == (kind, game)
    )
    return data


def test_whole_journal_is_proven(tmp_path: Path) -> None:
    assert run(tmp_path, entries()) == (
        0,
        [
            "session 1, game 1: PROVEN: 12 balls follow from the commitment",
            "session 1, game 2: PROVEN: 12 balls follow from the commitment",
        ],
    )


def test_verdict_is_given_on_a_terminal_that_lacks_signs(tmp_path: Path) -> None:
    entry = next(one for one in entries(1) if one["kind"] == "game_opened")
    entry |= {"number": 1, "session": "\u2026"}
    entry.pop("digest", None)
    entry["digest"] = hashlib.sha256(bytes(32) + canonical(entry)).hexdigest()
    (tmp_path / "journal.jsonl").write_bytes(canonical(entry) + b"\n")
    done = subprocess.run(
        [sys.executable, "-S", str(PROGRAM), str(tmp_path / "journal.jsonl")],
        env={"PYTHONIOENCODING": "latin-1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(r"session \u2026, game 1: NOT DRAWN BY RNG")


@pytest.mark.parametrize("format", [90, 80, 75, 30])
def test_every_format_is_derived_alike(tmp_path: Path, format: int) -> None:
    assert run(tmp_path, entries(1, format=format))[0] == 0


@given(st.binary(min_size=80, max_size=80), st.sampled_from([90, 80, 75, 30]))
def test_both_programs_derive_the_same(told: bytes, format: int) -> None:
    opened, head = Opening(told[:32], told[32:48]), told[48:].hex()
    right = rng.balls(opened, head=head, format=format)
    mine = verify_draw.order(opened.seed.hex(), opened.nonce.hex(), head, format)
    assert tuple(mine) == right
    draw = Draw("sala «ç»", 3, 4, format)
    game = verify_draw.ToldGame(
        "sala «ç»", 3, 4, format, seed=opened.seed.hex(), nonce=opened.nonce.hex()
    )
    assert verify_draw.committed(game) == rng.commitment(draw, opened)


def change_ball(made: Entries) -> None:
    of(made, "ball_announced", 2)["number"] = 91 - of(made, "ball_announced", 2)["number"]


def change_commitment(made: Entries) -> None:
    of(made, "sale_announced", 2)["commitment"] = "00" * 32


def change_seed(made: Entries) -> None:
    of(made, "entry_completed", 2)["opening"]["seed"] = "00" * 32


def change_nonce(made: Entries) -> None:
    of(made, "entry_completed", 2)["opening"]["nonce"] = "00" * 16


def drop_commitment(made: Entries) -> None:
    del of(made, "sale_announced", 2)["commitment"]


def misshape(made: Entries) -> None:
    of(made, "entry_completed", 2)["opening"]["seed"] = "not hex"


def announce_otherwise(made: Entries) -> None:
    of(made, "draw_announced", 2)["bingo"] = 3


def commit_late(made: Entries) -> None:
    """Bind the game when its cards are sold."""
    entry = _taken_out(made, "sale_announced")
    _put_before(made, "draw_announced", "cards_sold", {"quantity": 6})
    _put_before(made, "draw_announced", "sale_announced", entry["data"])


def commit_twice(made: Entries) -> None:
    """Bind the game to something else first."""
    _put_before(made, "sale_announced", "sale_announced", {"commitment": "ab" * 32})


def open_twice(made: Entries) -> None:
    _put_before(made, "draw_announced", "game_opened", {"number": 2, "format": 90})


def announce_draw_twice(made: Entries) -> None:
    _put_before(made, "draw_announced", "draw_announced", {"line": 1, "bingo": 2, "source": "rng"})


def leave_balls_out(made: Entries) -> None:
    for _ball in (3, 4):
        made.remove([one for one in made if one["kind"] == "ball_announced"][BALLS + 2])
    _numbered(made)


def call_a_ball_by_hand(made: Entries) -> None:
    balls = [one["data"] for one in made if (one["kind"], one["game"]) == ("ball_announced", 2)]
    balls[4] |= {"source": "by_hand"}


def call_the_last_by_hand(made: Entries) -> None:
    balls = [one["data"] for one in made if (one["kind"], one["game"]) == ("ball_announced", 2)]
    balls[-1] |= {"source": "by_hand"}


def _taken_out(made: Entries, kind: str) -> dict[str, Any]:
    entry = next(one for one in made if (one["kind"], one["game"]) == (kind, 2))
    made.remove(entry)
    return entry


def _put_before(made: Entries, before: str, kind: str, data: dict[str, Any]) -> None:
    place = next(at for at, one in enumerate(made) if (one["kind"], one["game"]) == (before, 2))
    made.insert(place, made[place] | {"kind": kind, "data": data})
    _numbered(made)


def _numbered(made: Entries) -> None:
    """Number the entries anew, and let the balls of game 2 follow from its head as it is now."""
    for number, entry in enumerate(made, start=1):
        entry["number"] = number
    head = [one["digest"] for one in chained(made) if one["kind"] == "draw_announced"][-1]
    right = rng.balls(opening(2), head=head, format=90)
    for entry in made:
        if (entry["kind"], entry["game"]) == ("ball_announced", 2):
            entry["data"]["number"] = right[entry["data"]["count"] - 1]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (change_ball, "ball 1 is "),
        (change_commitment, "seed and nonce do not open the commitment"),
        (change_seed, "seed and nonce do not open the commitment"),
        (change_nonce, "seed and nonce do not open the commitment"),
        (drop_commitment, "it was opened, but nothing had been committed to"),
        (misshape, "the seed must have 64 digits"),
        (announce_otherwise, "ball 1 is "),
        (commit_late, "its commitment came when its sale had begun"),
        (commit_twice, "it was committed to twice"),
        (open_twice, "it was opened twice"),
        (announce_draw_twice, "its draw was announced twice"),
        (leave_balls_out, "ball 5 came where ball 3 was next"),
        (call_a_ball_by_hand, "ball 5 is not the RNG's, and its source was not changed"),
        (call_the_last_by_hand, "ball 12 is not the RNG's, and its source was not changed"),
    ],
)
def test_changed_game_is_named_though_its_chain_was_made_anew(
    tmp_path: Path, told: Callable[[Entries], None], reason: str
) -> None:
    code, lines = run(tmp_path, entries(told=told))
    assert code == 1
    assert lines[0].startswith("session 1, game 1: PROVEN")
    assert lines[1].startswith(f"session 1, game 2: FALSE: {reason}")


def test_seed_that_comes_twice_is_named(tmp_path: Path) -> None:
    def again(made: Entries) -> None:
        first = of(made, "entry_completed", 1)["opening"]
        opened = Opening(bytes.fromhex(first["seed"]), bytes.fromhex(first["nonce"]))
        of(made, "entry_completed", 2)["opening"] = first
        right = rng.commitment(Draw("sala", 1, 2, 90), opened)
        of(made, "sale_announced", 2)["commitment"] = right
        made[:] = [one for one in made if (one["kind"], one["game"]) != ("ball_announced", 2)]
        for number, entry in enumerate(made, start=1):
            entry["number"] = number

    code, lines = run(tmp_path, entries(told=again))
    assert code == 1
    assert lines[1] == "session 1, game 2: FALSE: its seed is that of session 1, game 1"


def test_commitment_never_opened_proves_nothing(tmp_path: Path) -> None:
    def lost(made: Entries) -> None:
        del of(made, "entry_completed", 2)["opening"]

    code, lines = run(tmp_path, entries(told=lost))
    assert code == 3
    assert lines[1] == "session 1, game 2: UNPROVEN: nobody opened its commitment"


def test_balls_by_hand_need_no_proof(tmp_path: Path) -> None:
    def by_hand(made: Entries) -> None:
        for entry in made:
            if (entry["kind"], entry["game"]) == ("ball_announced", 2):
                entry["data"]["source"] = "by_hand"

    code, lines = run(tmp_path, entries(told=by_hand))
    assert code == 0
    assert lines[1].startswith("session 1, game 2: NOT DRAWN BY RNG: seed and nonce open")


def test_balls_before_a_recall_and_before_a_change_to_hand_are_proven(tmp_path: Path) -> None:
    def on_by_hand(made: Entries) -> None:
        *_others, ball, _completed = made
        again = [ball | {"kind": "ball_recalled", "data": {"count": BALLS}}, ball]
        changed = ball | {"kind": "source_changed", "data": {"source": "by_hand", "count": BALLS}}
        by_hand = {"number": 0, "count": BALLS + 1, "source": "by_hand"}
        made[-1:-1] = [*again, changed, ball | {"data": by_hand}]
        for number, entry in enumerate(made, start=1):
            made[number - 1] = entry | {"number": number}

    code, lines = run(tmp_path, entries(told=on_by_hand))
    assert (code, lines[1].startswith("session 1, game 2: PROVEN: 13 balls")) == (0, True)


def test_second_game_of_double_cards_is_bound_when_it_is_opened(tmp_path: Path) -> None:
    def double(made: Entries) -> None:
        announced = _taken_out(made, "sale_announced")
        opened = next(one for one in made if (one["kind"], one["game"]) == ("game_opened", 2))
        opened |= {"kind": "second_half_opened", "data": announced["data"]}
        _numbered(made)

    code, lines = run(tmp_path, entries(told=double))
    assert (code, lines[1].startswith("session 1, game 2: PROVEN")) == (0, True)


def test_broken_chain_is_told_before_any_verdict(tmp_path: Path) -> None:
    made = entries()
    made[3]["data"]["number"] = 91
    assert run(tmp_path, made) == (1, ["BROKEN: entry 4 does not follow from those before it"])
    assert run(tmp_path, []) == (1, ["BROKEN: the journal is empty"])


@pytest.mark.parametrize("line", ["{}", "[]", "nonsense", '{"digest": 3}', "[" * 9000])
def test_nonsense_is_no_journal(tmp_path: Path, line: str) -> None:
    file = tmp_path / "nonsense"
    file.write_text(line + "\n")
    code, lines = program(str(file))
    assert code == 1
    assert lines[0].startswith("BROKEN: entry 1 ")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("game_opened", {"format": "90"}),
        ("game_opened", {"format": None}),
        ("game_opened", {"format": True}),
        ("sale_announced", {"commitment": ["a"]}),
        ("ball_announced", {"count": "1"}),
        ("ball_announced", {"number": None}),
        ("entry_completed", {"opening": {"seed": ["a"], "nonce": "a"}}),
        ("entry_completed", {"opening": [1]}),
    ],
)
def test_values_of_another_type_are_no_journal_though_the_chain_is_whole(
    tmp_path: Path, kind: str, told: dict[str, Any]
) -> None:
    made = entries(1, told=lambda made: of(made, kind, 1).update(told))
    number = next(one["number"] for one in made if one["kind"] == kind)
    assert run(tmp_path, made) == (1, [f"BROKEN: entry {number} is no journal entry"])


def test_missing_file_is_told(tmp_path: Path) -> None:
    assert program(str(tmp_path / "none"))[0] == 2
    assert program()[0] == 2


def typed(made: Entries, **changed: str) -> list[str]:
    """What somebody types from the acta of game 1."""
    opened = of(made, "entry_completed", 1)["opening"]
    head = next(one["digest"] for one in made if one["kind"] == "draw_announced")
    balls = [
        str(one["data"]["number"])
        for one in made
        if (one["kind"], one["game"]) == ("ball_announced", 1)
    ]
    values = {
        "hall": "sala", "session": "1", "game": "1", "format": "90", "head": head,
        "commitment": of(made, "sale_announced", 1)["commitment"], "seed": opened["seed"].upper(),
        "nonce": opened["nonce"], "balls": " ".join(balls),
    } | changed  # fmt: skip
    return [word for name, value in values.items() for word in (f"--{name}", value)]


@pytest.mark.slow
def test_game_is_checked_from_what_its_acta_prints() -> None:
    made = entries(1)
    proven = ["session 1, game 1: PROVEN: 12 balls follow from the commitment"]
    assert program(*typed(made)) == (0, proven)
    for name, wrong in {
        "hall": "outra", "session": "2", "game": "2", "format": "80", "seed": "00" * 32,
        "nonce": "00" * 16, "head": "00" * 32, "commitment": "00" * 32, "balls": "1,2,3",
    }.items():  # fmt: skip
        code, lines = program(*typed(made, **{name: wrong}))
        assert (code, "FALSE" in lines[0]) == (1, True), name
    assert program(*typed(made, balls="one"))[0] == 2
    assert program(*typed(made, seed=""))[0] == 2


def test_example_of_the_page_is_true() -> None:
    """docs/randomness.md works one game out."""
    page = (PROGRAM.parents[1] / "docs" / "randomness.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json\n")[1].split("\n```")[0])
    opened = rng.opening(example["opening"])
    assert opened is not None
    draw = Draw(**{name: example[name] for name in ("hall", "session", "game", "format")})
    assert rng.commitment(draw, opened) == example["commitment"]
    right = rng.balls(opened, head=example["head"], format=draw.format)
    assert list(right[: len(example["balls"])]) == example["balls"]
