"""The acta is sealed once, after the session, or not at all."""

from pathlib import Path

import pytest
from django.utils import timezone

from bingo.pdf import SealError
from draws.models import Acta
from draws.record import sealing
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Session
from tests.support.evening import Evening
from tests.support.playing import everything, refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(settings: object, tmp_path: Path) -> Session:
    """A session that has closed without a game, in a hall with no key yet."""
    settings.KEYS_DIR = tmp_path / "keys"  # type: ignore[attr-defined]
    evening = Evening().reach("session")
    return evening.close()


@pytest.mark.rule(58)
@pytest.mark.slow
def test_closed_session_is_sealed_once_with_its_head(closed: Session) -> None:
    sealed = sealing.seal_acta(session=closed, at=timezone.now())
    head = JournalEntry.objects.get(kind="session_closed")
    assert (sealed.head_number, sealed.head_digest) == (head.number, head.digest)
    assert bytes(sealed.pdf).startswith(b"%PDF-")
    assert audit(Hall.objects.get()) == []
    before = everything()
    assert sealing.seal_acta(session=closed, at=timezone.now()) == sealed
    assert everything() == before


@pytest.mark.rule(58)
def test_open_session_is_not_sealed() -> None:
    evening = Evening().reach("session")
    with refuses("session_open"):
        sealing.seal_acta(session=evening.session, at=timezone.now())


@pytest.mark.slow
def test_hall_whose_key_is_lost_seals_nothing(closed: Session, settings: object) -> None:
    folder: Path = settings.KEYS_DIR  # type: ignore[attr-defined]
    folder.write_text("a file where the folder of keys should be")
    before = everything()
    with pytest.raises(SealError):
        sealing.seal_acta(session=closed, at=timezone.now())
    assert everything() == before
    assert not Acta.objects.exists()
