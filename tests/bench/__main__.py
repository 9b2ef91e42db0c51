"""python -m tests.bench [cards,sales,…]: measures, prints a table, writes bench.json."""

import importlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from tests.bench.measure import Row

ROOT = Path(__file__).resolve().parents[2]
PURE = ("cards", "winners", "journal", "print", "rng", "verifier", "vision", "acta")
WITH_DATABASE = ("shelf", "sales", "request", "fanout", "attack")


def main() -> int:
    """Run the benchmarks asked for, all by default; exit 1 when a figure asked for is missed."""
    known = (*PURE, *WITH_DATABASE)
    asked = [name for name in ",".join(sys.argv[1:]).split(",") if name] or list(known)
    if unknown := set(asked) - set(known):
        print(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    _prepare(database=bool(set(asked) & set(WITH_DATABASE)))
    rows: list[Row] = []
    for name in asked:
        print(f"measuring {name} …", file=sys.stderr)
        found = importlib.import_module(f"tests.bench.{name}").rows()
        for row in found:
            asked_for = "" if row.asked is None else f", asked {row.asked}"
            print(f"{row.name}: {row.ratio:.3f} of the reference{asked_for}")
            print(
                f"    ours {row.ours:,.1f}, reference {row.reference:,.1f} {row.unit}", flush=True
            )
        rows += found
    (ROOT / "bench.json").write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 1 if any(row.met is False for row in rows) else 0


def _prepare(*, database: bool) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
    if not database:
        os.environ.setdefault("DATABASE_URL", "postgresql:///none")
        os.environ.setdefault("REDIS_URL", "unix:///none")
        os.environ.setdefault("SECRET_KEY", "none")
    else:
        _own_database()
    import django  # Django reads the environment that was just made

    django.setup()
    if database:
        from django.core.management import call_command  # as above

        call_command("prepare_database", verbosity=0)


def _own_database() -> None:
    """Start the servers, and work in a database that is made anew."""
    import psycopg  # only benchmarks with a database need it

    from bingo import embedded

    os.environ.setdefault("BINGO_DATA", str(ROOT / "var" / "test"))
    embedded.ensure()
    owner = os.environ.get("DATABASE_OWNER_URL") or os.environ["DATABASE_URL"]
    with psycopg.connect(owner, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS bench WITH (FORCE)")
        server.execute("CREATE DATABASE bench")
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        if name in os.environ:
            os.environ[name] = psycopg.conninfo.make_conninfo(os.environ[name], dbname="bench")
    os.environ["BENCH_OWNER_URL"] = psycopg.conninfo.make_conninfo(owner, dbname="bench")


if __name__ == "__main__":
    sys.exit(main())
