"""What each refusal says, by its code: why, and what to do now; the words stand in `messages.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _lazy(words: Mapping[str, str]) -> Mapping[str, Promise]:
    return {code: gettext_lazy(said) for code, said in words.items()}


REFUSALS = _lazy(_WORDS["refusals"])
# What a refusal says where it knows more, by its code and the value that tells it.
FURTHER: Mapping[str, Mapping[str, Promise]] = {
    code: _lazy(by_value) for code, by_value in _WORDS["further"].items()
}
# What a field should have held, by the kind that a `bad_input` names.
WANTED = _lazy(_WORDS["wanted"])
# What an archive or a print failed of, where it is no refusal.
EXPORT_FAULTS, PRINT_FAULTS = _lazy(_WORDS["exports"]), _lazy(_WORDS["prints"])
