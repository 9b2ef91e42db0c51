"""A hall whose chain has a provider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from halls.sign_in import provider
from tests.support import identity_provider
from tests.support.identity_provider import CLIENT, SECRET, IdentityProvider


@pytest.fixture
def chain(settings: LazySettings, tmp_path: Path) -> Iterator[IdentityProvider]:
    """The chain's provider, which the hall knows."""
    secret = tmp_path / "oidc_secret"
    secret.write_text(SECRET, encoding="utf-8")
    secret.chmod(0o600)
    settings.PROVIDER_SECRET = secret
    with identity_provider.running() as running:
        settings.PROVIDER = {
            "ISSUER": running.url, "CLIENT": CLIENT, "LABEL": "Conta da cadeia", "ACR": ""
        }  # fmt: skip
        provider.forget()
        yield running
        provider.forget()
