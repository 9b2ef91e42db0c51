"""What each refusal says, by its code: why, and what to do now."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise

from bingo import tables

_WORDS = tables.words(__file__)

# Values of the refusal are named in braces.
REFUSALS: Mapping[str, Promise] = _WORDS["refusals"]
# What a refusal says where it knows more, by its code and the value that tells it.
FURTHER: Mapping[str, Mapping[str, Promise]] = _WORDS["further"]
# What a field should have held, by the kind that a `bad_input` names.
WANTED: Mapping[str, Promise] = _WORDS["wanted"]
# What an archive or a print failed of, where it is no refusal.
EXPORT_FAULTS: Mapping[str, Promise] = _WORDS["exports"]
PRINT_FAULTS: Mapping[str, Promise] = _WORDS["prints"]
# What a form's fields are called, and those that one form calls otherwise, by its verb.
NAMED: Mapping[str, Promise] = _WORDS["fields"]
OF_FORM: Mapping[str, Mapping[str, Promise]] = _WORDS["of_form"]
