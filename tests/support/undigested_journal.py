"""Entries as they were before the address of a camera had a digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bingo.rules.game_flow import Fact


def without_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let cameras be set up as they were then."""

    def older(kind: str, data: Mapping[str, Any]) -> Fact:
        return Fact(kind, {name: value for name, value in data.items() if name != "digest"})

    monkeypatch.setattr("draws.balls.cameras_and_live_picture.Fact", older)
