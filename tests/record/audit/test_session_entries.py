"""Every kind of entry is judged: by a table of what it writes, or for a reason that is given."""

from __future__ import annotations

import re
from pathlib import Path

from bingo.rules import session as rules
from draws import trade_words
from draws.record import audit
from draws.record.audit import session_entries
from draws.record.audit.engine import RowStep
from draws.record.audit.expected_rows import TABLES
from draws.record.audit.hall_entries import HALL_ENTRIES
from draws.record.audit.session_entries import SESSION_ENTRIES


def test_every_kind_is_in_a_table_or_has_a_reason() -> None:
    assert set(trade_words.KINDS) == set(session_entries.WRITES) | set(session_entries.WITHOUT_ROWS)
    assert not set(session_entries.WRITES) & set(session_entries.WITHOUT_ROWS)
    assert all(session_entries.WITHOUT_ROWS.values())
    assert all(session_entries.WRITES.values())


def test_kinds_are_facts_of_a_session_or_beside_them() -> None:
    facts = {"session_opened", *rules.DECIDERS}
    assert set(SESSION_ENTRIES) <= facts
    assert not set(HALL_ENTRIES) & facts
    assert set(trade_words.KINDS) == facts | session_entries.BESIDE
    assert not facts & session_entries.BESIDE


def test_every_row_names_its_key_and_fields_that_can_be_read() -> None:
    steps = [step for steps in session_entries.WRITES.values() for step in steps]
    rows = [step for step in steps if isinstance(step, RowStep)]
    assert rows
    for one in rows:
        table = TABLES[one.table]
        assert set(table.key) <= set(one.values), one
        stored = set(one.values) - set(table.derived)
        query = table.model._default_manager.annotate(**table.computed).values(*stored)
        assert str(query.query), one


def test_audit_knows_nothing_of_what_writes() -> None:
    """It reads rows and asks the rules, so that a fault of a service is not its own."""
    named = r"^from ((?:halls|draws)[.\w]*) import (\(.*?\)|.*?)$"
    read = re.compile(r"models|\w*queries|permissions|memory|witnesses")
    for file in Path(audit.__file__).parent.glob("*.py"):
        for module, names in re.findall(named, file.read_text(), re.MULTILINE | re.DOTALL):
            if module.startswith("draws.record.audit"):
                continue
            parts = module.split(".")[1:]
            known = any(read.fullmatch(part) for part in parts)
            assert known or read.fullmatch(names.split(" as ")[0]), f"{file.name}: {module}"
