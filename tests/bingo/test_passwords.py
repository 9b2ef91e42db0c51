"""What a hall's passwords are kept as: the tests hash theirs with less."""

import pytest
from django.contrib.auth.hashers import check_password
from django.utils.module_loading import import_string

from bingo import settings
from tests.support.hashers import QuickArgon2

PASSWORD = "nove bolas pretas"  # nosec B105: of nobody


@pytest.mark.slow
def test_a_hall_keeps_passwords_with_the_memory_that_the_standard_recommends() -> None:
    (name,) = settings.PASSWORD_HASHERS
    kept = import_string(name)().encode(PASSWORD, "sal-de-cada-um")
    assert kept.startswith("argon2$argon2id$v=19$m=65536,t=3,p=1$")  # RFC 9106, 4


def test_a_password_of_the_tests_is_read_by_the_hall_s_own_hasher() -> None:
    kept = QuickArgon2().encode(PASSWORD, "sal-de-cada-um")
    hall = import_string(settings.PASSWORD_HASHERS[0])()
    assert hall.verify(PASSWORD, kept)
    assert not hall.verify(PASSWORD + "s", kept)
    assert not hall.must_update(kept), "a new hash would end its owner's other logins"
    assert check_password(PASSWORD, kept)
