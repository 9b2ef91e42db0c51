"""The inspector's access: a read-only database role, a log of every look, joined accounts.

Under the role PostgreSQL shows one hall's rows, no secrets, and refuses every write. A look is
written down before anything is shown. An inspector's accounts in several halls can be joined,
changed between, and parted again.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, TypeVar

from django.db import connection, connections, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import ManyToOneRel, Model, Q
from django.http import HttpRequest
from psycopg import sql

from bingo.rules import actas_after_sealing, retention
from bingo.rules.refusal import Refusal
from halls import second_person, security_log
from halls.attempts import Question
from halls.journal import queries as journal_queries
from halls.models import Hall, JoinedDesk, Look, Person, Removal, Role

log = logging.getLogger(__name__)

ROLE = "bingo_inspector"
SCHEMA = "inspection"  # views that stand before tables with secrets in them
HALL = "bingo.hall"  # the setting that the policies of the tables go by

BECOME = """
SELECT current_setting('search_path'), set_config(%s, %s, true),
       set_config('search_path', %s, true), set_config('role', rolname, true)
  FROM pg_roles WHERE rolname = %s AND pg_has_role(session_user, oid, 'MEMBER')
"""
RETURN = "SELECT set_config('role', 'none', true), set_config('search_path', %s, true)"


@contextmanager
def reading(hall: Hall) -> Iterator[None]:
    """Read as an inspector of a hall until the block ends; what writes is refused by the database.

    A transaction of its own only reads, too: rights alone do not refuse everybody's functions.
    Where nobody has made the role (docs/operations.md) that must do.
    """
    alone = not connection.in_atomic_block
    with transaction.atomic():
        before = _become(hall)
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
        with _grouping_by_every_column():
            yield
        if before is not None:
            with connection.cursor() as cursor:
                cursor.execute(RETURN, [before])


Part = TypeVar("Part")


def read_on(hall: Hall, parts: Iterator[Part]) -> Iterator[Part]:
    """Read as the inspector too what is sent after the page was made, each part by itself.

    So no transaction waits for the network, and none is left open by whoever hangs up.
    """
    while True:
        with reading(hall):
            try:
                part = next(parts)
            except StopIteration:
                return
        yield part


@contextmanager
def _grouping_by_every_column() -> Iterator[None]:
    """Let Django group by all that it reads: a view has no primary key that would tell the rest."""
    known = connection.features.allows_group_by_selected_pks
    connection.features.allows_group_by_selected_pks = False
    try:
        yield
    finally:
        connection.features.allows_group_by_selected_pks = known


def _become(hall: Hall) -> str | None:
    """Take the role for the rest of the transaction, and return the search path of before."""
    with connection.cursor() as cursor:
        cursor.execute(BECOME, [HALL, str(hall.pk), f"{SCHEMA}, public", ROLE])
        found = cursor.fetchone()
    if found is None:
        log.warning("there is no role %s: the inspector reads as the application", ROLE)
        return None
    return str(found[0])


# What no inspector reads, by table; their queries find an empty value in its place.
SECRET: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "halls_person": ("password", "last_login"),
        "draws_camera": ("url", "salt"),
        "halls_wallscreen": ("token",),
        "halls_joineddesk": ("proof", "other_proof"),
        "halls_factor": ("credential", "public_key", "secret"),
        "halls_recoverycode": ("digest",),
        "halls_pin": ("hashed",),
        "halls_tillbrowser": ("digest",),
        "halls_providerlink": ("subject",),
        "halls_signin": ("told", "address"),
    }
)
# What the application writes by COPY, which no table with policies of its rows takes: such a table is
# closed to the inspector, and a view of the own hall's rows stands before it.
COPIED = ("draws_card",)
OWN = sql.SQL("(SELECT nullif(current_setting({}, true), '')::bigint)").format(sql.Literal(HALL))
MISSING = (
    f"warning: there is no role {ROLE}, or this one may not become it, so the inspector's pages"
    " read as the application does: see docs/operations.md."
)


def forget(*, owner: str) -> None:
    """Take away what would keep a migration from changing a column; `provide` makes it anew."""
    with connections[owner].cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_namespace"
            " WHERE nspname = %s AND pg_has_role(current_user, nspowner, 'USAGE')",
            [SCHEMA],
        )
        if cursor.fetchone():
            _run(cursor, "DROP SCHEMA {} CASCADE", sql.Identifier(SCHEMA))


def provide(application: str, *, owner: str) -> bool:
    """Return the inspector's role its rights and every table its policies; False where it cannot be.

    The tables of this project are the application's as before; the inspector reads of them what
    belongs to the hall of the moment.
    """
    role = sql.Identifier(application)
    with connections[owner].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_roles WHERE rolname = %s AND pg_has_role(%s, oid, 'MEMBER')",
            [ROLE, application],
        )
        there = bool(cursor.fetchone()[0])
        for model in journal_queries.ours():
            _open_to_application(cursor, model, role)
        if there:
            _open_to_inspector(cursor)
    return there


def _open_to_application(cursor: CursorWrapper, model: type[Model], role: sql.Identifier) -> None:
    table = sql.Identifier(model._meta.db_table)
    for policy in ("application", "inspector"):
        _run(cursor, f"DROP POLICY IF EXISTS {policy} ON {{}}", table)
    if model._meta.db_table in COPIED:
        return
    policy = "CREATE POLICY application ON {} TO {} USING (true) WITH CHECK (true)"
    _run(cursor, policy, table, role)
    _run(cursor, "ALTER TABLE {} ENABLE ROW LEVEL SECURITY", table)


def _open_to_inspector(cursor: CursorWrapper) -> None:
    role, schema = sql.Identifier(ROLE), sql.Identifier(SCHEMA)
    _run(cursor, "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}", role)
    _run(cursor, "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}", role)
    _run(cursor, "DROP SCHEMA IF EXISTS {} CASCADE", schema)
    _run(cursor, "CREATE SCHEMA {}", schema)
    _run(cursor, "GRANT USAGE ON SCHEMA public, {} TO {}", schema, role)
    for model in journal_queries.ours():
        table = sql.Identifier(model._meta.db_table)
        if model._meta.db_table in COPIED:
            _put_instead(cursor, model, schema, role)
            continue
        told, hidden = _columns(model)
        _run(cursor, "GRANT SELECT ({}) ON {} TO {}", told, table, role)
        statement = "CREATE POLICY inspector ON {} FOR SELECT TO {} USING ({})"
        _run(cursor, statement, table, role, _of_own_hall(model))
        if hidden:
            _put_before(cursor, model, schema, role)


def _columns(model: type[Model]) -> tuple[sql.Composed, bool]:
    """Return the columns that are told, and whether any are not."""
    secret = SECRET.get(model._meta.db_table, ())
    columns = [str(field.column) for field in model._meta.concrete_fields]
    named = [sql.Identifier(one) for one in columns if one not in secret]
    return sql.Composed(named).join(", "), bool(secret)


def _put_before(
    cursor: CursorWrapper, model: type[Model], schema: sql.Identifier, role: sql.Identifier
) -> None:
    """Put a view before a table that has secrets: the same columns, those empty."""
    table = sql.Identifier(model._meta.db_table)
    secret = SECRET[model._meta.db_table]
    shown = [
        _empty(field) if field.column in secret else sql.Identifier(str(field.column))
        for field in model._meta.concrete_fields
    ]
    statement = "CREATE VIEW {}.{} WITH (security_invoker) AS SELECT {} FROM public.{}"
    _run(cursor, statement, schema, table, sql.SQL(", ").join(shown), table)
    _run(cursor, "GRANT SELECT ON {}.{} TO {}", schema, table, role)


def _put_instead(
    cursor: CursorWrapper, model: type[Model], schema: sql.Identifier, role: sql.Identifier
) -> None:
    """Put a view of the own hall's rows in the place of a table that has no policies."""
    table = sql.Identifier(model._meta.db_table)
    statement = "CREATE VIEW {}.{} WITH (security_barrier) AS SELECT * FROM public.{} WHERE {}"
    _run(cursor, statement, schema, table, table, _of_own_hall(model, by_itself=True))
    _run(cursor, "GRANT SELECT ON {}.{} TO {}", schema, table, role)


def _empty(field: Any) -> sql.Composed:
    value = sql.SQL("NULL") if field.null else sql.SQL("''")
    type = sql.SQL(field.db_type(connections["default"]))
    return sql.SQL("{}::{} AS {}").format(value, type, sql.Identifier(field.column))


def _of_own_hall(model: type[Model], *, by_itself: bool = False) -> sql.Composable:
    """Return the condition that a row is of the hall of the moment, by its next of kin.

    The kin's own policy answers for the rest of the way, but not `by_itself`: to the owner of a
    view, who reads for the inspector, policies do not apply.
    """
    if model is Hall:
        return sql.SQL("id = {}").format(OWN)
    field = model._meta.get_field(journal_queries.path_to_hall(model).split("__")[0])
    if isinstance(field, ManyToOneRel):
        member = sql.Identifier(field.related_model._meta.db_table)
        link = sql.Identifier(field.field.column)
        own = _of_own_hall(field.related_model, by_itself=True)
        return sql.SQL("id IN (SELECT {} FROM public.{} WHERE {})").format(link, member, own)
    column = sql.Identifier(str(field.column))  # type: ignore[union-attr]
    if field.related_model is Hall:
        return sql.SQL("{} = {}").format(column, OWN)
    parent = field.related_model
    kin = sql.Identifier(parent._meta.db_table)  # type: ignore[union-attr]
    of_kin = _of_own_hall(parent, by_itself=True) if by_itself else sql.SQL("true")  # type: ignore[arg-type]
    return sql.SQL("{} IN (SELECT id FROM public.{} WHERE {})").format(column, kin, of_kin)


def _run(cursor: CursorWrapper, statement: str, *names: sql.Composable) -> None:
    cursor.execute(sql.SQL(statement).format(*names))


PICTURE = "picture"  # a replay asks for one a ball


def look_page(
    hall: Hall,
    *,
    begins: datetime | None = None,
    ends: datetime | None = None,
    before: int | None = None,
    pictures: bool = False,
    per_page: int,
) -> tuple[list[Look], int | None]:
    """Return looks from `begins` on and before `ends`, and the key below which the next page begins."""
    found = Look.objects.filter(hall=hall).select_related("person")
    if not pictures:
        found = found.exclude(route=PICTURE)
    if begins is not None:
        found = found.filter(at__gte=begins)
    if ends is not None:
        found = found.filter(at__lt=ends)
    if before is not None:
        found = found.filter(pk__lt=before)
    looks = list(found.order_by("-pk")[: per_page + 1])
    older = looks[per_page - 1].pk if len(looks) > per_page else None
    return looks[:per_page], older


def look_digest(look: Look) -> str:
    """Return a look's own digest, which the next one carries."""
    return actas_after_sealing.look_digest(
        look.before,
        person=look.person_id,
        at=look.at,
        method=look.method,
        route=look.route,
        path=look.path,
        source=look.source,
    )


def look_head(hall_id: int) -> str:
    """Return the digest of a hall's newest look, of one that was removed where none is left."""
    newest = Look.objects.filter(hall=hall_id).order_by("-pk").first()
    if newest is not None:
        return look_digest(newest)
    removed = Removal.objects.filter(hall=hall_id, looks_upto__isnull=False).order_by("-number")
    found = removed.values_list("listed", flat=True).first()
    return (retention.last_look(found) if found is not None else None) or actas_after_sealing.START


LONGEST_PATH, LONGEST_SOURCE = 1000, 45
# A page that follows the hall asks again at every entry: one look a minute tells that it went on.
FOLLOWS = timedelta(minutes=1)
LOCKS = 0x6C6F_6F6B  # "look": one look of a hall at a time, which keeps no sale waiting


@transaction.atomic
def record_look(
    person: Person, *, at: datetime, method: str, route: str, path: str, source: str
) -> Look | None:
    """Write down a look; None where it only goes on with one that was written down a moment ago.

    Raises django.db.DatabaseError when it cannot be written: then nothing may be shown.
    """
    if (
        _follows(method, route)
        and Look.objects.filter(
            person=person, route=route, at__gt=at - FOLLOWS, at__lte=at
        ).exists()
    ):
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCKS, person.hall_id])
    return Look.objects.create(
        hall_id=person.hall_id,
        person=person,
        at=at,
        method=method[:10],
        route=route[:50],
        path=path.replace("\x00", "")[:LONGEST_PATH],
        source=source[:LONGEST_SOURCE],
        before=look_head(person.hall_id),
    )


def _follows(method: str, route: str) -> bool:
    return method in ("GET", "HEAD") and (route.endswith("-live") or route == "rng-changed")


MOST = 200  # halls of one inspector


def join(
    *, person: Person, username: str, password: str, request: HttpRequest, at: datetime
) -> Person:
    """Join an inspector's account with the one in another hall, known by its own password.

    Raises Refusal: account_unknown (name or password), account_locked (too many failures),
    account_not_an_inspectors, account_of_this_hall, too_many_halls.
    """
    try:
        other = second_person.proven(
            request, Question.JOIN, username=username, password=password, asker=person, at=at
        )
    except second_person.LockedOut as locked:
        raise Refusal("account_locked", seconds=locked.seconds) from None
    if other is None:
        raise Refusal("account_unknown")
    if not _inspects(person) or not _inspects(other):
        raise Refusal("account_not_an_inspectors")
    if other.hall_id == person.hall_id:
        raise Refusal("account_of_this_hall")
    if JoinedDesk.objects.filter(person=person).count() >= MOST:
        raise Refusal("too_many_halls", most=MOST)
    with transaction.atomic():
        for one, another in ((person, other), (other, person)):
            JoinedDesk.objects.update_or_create(
                person=one,
                other=another,
                defaults={
                    "hall_id": one.hall_id,
                    "proof": one.get_session_auth_hash(),
                    "other_proof": another.get_session_auth_hash(),
                    "joined_at": at,
                },
            )
    security_log.record_later("accounts_joined", person=person, other=other.username)
    return other


def others(person: Person) -> list[Person]:
    """Return the accounts that a person may change to, with their halls, by the halls' names."""
    found = JoinedDesk.objects.filter(person=person).select_related("person", "other__hall")
    good = (one.other for one in found if _holds(one))
    return sorted(good, key=lambda other: (other.hall.name, other.pk))


def other(person: Person, pk: int) -> Person:
    """Return one of them. Raises Refusal desk_not_joined."""
    for one in others(person):
        if one.pk == pk:
            return one
    raise Refusal("desk_not_joined")


def unlink_accounts(person: Person, pk: int) -> None:
    """Part two accounts, both ways. Raises Refusal desk_not_joined."""
    both = Q(person=person, other=pk) | Q(person=pk, other=person)
    if not JoinedDesk.objects.filter(both).delete()[0]:
        raise Refusal("desk_not_joined")
    told = Person.objects.filter(pk=pk).values_list("username", flat=True).first()
    security_log.record_later("accounts_parted", person=person, other=told or "")


def _holds(one: JoinedDesk) -> bool:
    """Return whether both are still whom they were proven to be, and still inspectors."""
    return all(
        _inspects(account) and hmac.compare_digest(account.get_session_auth_hash(), proof)
        for account, proof in ((one.person, one.proof), (one.other, one.other_proof))
    )


def _inspects(person: Person) -> bool:
    return person.is_active and Role.INSPECTOR in person.roles
