"""The witness's command line."""

from __future__ import annotations

import argparse
import signal
import ssl
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from halls.witness import cosigning
from halls.witness.cosigning import Memory, Replacement, WitnessError
from halls.witness.notes import BadNote
from halls.witness.server import WitnessServer

LISTEN = "127.0.0.1:8790"


def arguments() -> argparse.ArgumentParser:
    """Return what the command line takes."""
    parser = argparse.ArgumentParser(
        prog="bingo-witness",
        description="Remember the heads of bingo halls' journals, and cosign what goes on from them.",
    )
    verbs = parser.add_subparsers(dest="verb", required=True)

    def verb(name: str, words: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=words, description=words)
        made.add_argument("folder", type=Path, help="the witness's folder")
        return made

    verb("init", "make a witness and show its key").add_argument("--name", required=True,
        help="its name, as a part of every cosignature: witness.example")  # fmt: skip
    verb("trust", "take a hall's key, as its inspector wrote it down").add_argument("key")
    replace = verb(
        "replace", "take a new key in the place of one that a hall has lost; why is kept"
    )
    replace.add_argument("key", help="the new key, as its inspector wrote it down anew")
    replace.add_argument("--reason", required=True, help="why, and who said so")
    verb("show", "show the witness's key, and what it remembers of each hall")
    verb("accept", "begin a hall's history anew from a checkpoint that its key signed").add_argument(
        "checkpoint", type=Path)  # fmt: skip
    serve = verb("serve", "answer halls until asked to stop")
    serve.add_argument("--listen", default=LISTEN, metavar="HOST:PORT", help=f"default: {LISTEN}")
    serve.add_argument("--certificate", type=Path, help="PEM for HTTPS, with those above it")
    serve.add_argument("--private-key", type=Path, help="PEM of its key")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Do what is asked; exit code 0: done, 1: refused, said why."""
    options = arguments().parse_args(words)
    try:
        _do(options)
    except (WitnessError, BadNote, OSError) as error:
        print(f"bingo-witness: {error}", file=sys.stderr)
        return 1
    return 0


def _do(options: argparse.Namespace) -> None:
    if options.verb == "init":
        print(cosigning.make(options.folder, name=options.name).key.written)
        return
    kept = Memory(options.folder)
    if options.verb == "show":
        _show(kept)
        return
    with kept.alone():
        if options.verb == "trust":
            print(f"trusted: {kept.trust(options.key).written}")
        elif options.verb == "replace":
            print(_told(kept.replace(options.key, reason=options.reason)))
        elif options.verb == "accept":
            note = kept.accept(_checkpoint(options.checkpoint))
            print(f"{note.hall} goes on from entry {note.number}, {note.digest}")
        else:
            _serve(kept, options)


def _checkpoint(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadNote(f"{file} is not UTF-8") from error


def _show(kept: Memory) -> None:
    print(kept.key.written)
    for hall in kept.halls():
        known = kept.state(hall)
        last = known.note if known else None
        print(f"{hall}: entry {last.number}, {last.digest}" if last else f"{hall}: nothing yet")
        for one in kept.replacements(hall):
            print(f"  {_told(one)}")


def _told(one: Replacement) -> str:
    at = datetime.fromtimestamp(one.at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"KEY REPLACED {at}, after entry {one.number}: {one.key} in the place of {one.before}:"
        f" {one.reason}"
    )


def _serve(kept: Memory, options: argparse.Namespace) -> None:
    host, _colon, port = options.listen.rpartition(":")
    if not host or not port.isdecimal():
        raise WitnessError("--listen takes a host and a port: 127.0.0.1:8790")
    context = None
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate, options.private_key)
    for hall in kept.halls():
        kept.state(hall)  # what cannot be read is told at the start
        for one in kept.replacements(hall):
            print(f"{hall}: {_told(one)}")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    with WitnessServer((host.strip("[]"), int(port)), kept, context=context) as server:
        scheme = "https" if context else "http"
        print(f"{kept.name} answers at {scheme}://{host}:{server.server_port}", flush=True)
        try:
            server.serve_forever()
        except SystemExit:
            return


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
