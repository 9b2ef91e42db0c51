"""A player who leaves hands cards on at the till: only their own, once, and without money (R56)."""

import pytest

from draws.games import progress
from draws.games import services as games_services
from draws.models import Sale
from draws.record import journal_text
from draws.record.audit import audit
from halls.models import CashMovement, Hall, JournalEntry, Role
from tests.support.evening import Evening, authorise, order
from tests.support.service_commands.games import double_cards
from tests.support.service_commands.sales import sell
from tests.support.till_hall import done, refused, shown

pytestmark = [pytest.mark.django_db, pytest.mark.rule(56)]


def named(stage: str = "sold") -> Evening:
    """Cards 7 to 9 are player 7's and 10 to 12 player 8's; 1 to 6 are Mesa 1's."""
    evening = Evening()
    authorise(evening.hall, reference="2/2026", player_limit=6)
    evening.reach("sold")
    for player in ("7", "8"):
        sell(evening, evening.who(Role.CASHIER), player=player)
    return evening.reach(stage)


def fields(evening: Evening, first: int, last: object, player: str, to: str) -> dict[str, object]:
    issue, game = evening.issue().pk, evening.game.pk
    return {
        "issue": issue, "game": game, "first": first, "last": last, "player": player, "to": to,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["sold", "drawing", "window"])
def test_cards_are_handed_on_once_and_the_record_tells_it(stage: str) -> None:
    evening = named(stage)
    client = evening.at("till")
    assert 'id="departing"' in shown(client)
    moved = list(CashMovement.objects.values_list("amount", flat=True))
    page = done(client, "transfer", **fields(evening, 7, 8, "7", "9"))
    assert "Os cartões 7–8 são agora de 9" in page
    told = JournalEntry.objects.get(kind="cards_transferred")
    assert journal_text.describe_entry(told) == "7–8 · 7 → 9"
    # They are not player 7's any more; who has them now may hand them on in turn.
    refused(client, "transfer", "not_the_players", **fields(evening, 8, 9, "7", "10"))
    page = done(client, "transfer", **fields(evening, 8, "", "9", "7"))
    assert "O cartão 8 é agora de 7" in page
    done(client, "transfer", **fields(evening, 8, 9, "7", "10"))
    assert list(CashMovement.objects.values_list("amount", flat=True)) == moved
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(35)
@pytest.mark.slow
def test_card_of_another_or_beyond_the_limit_is_not_handed_on() -> None:
    evening = named()
    client = evening.at("till")
    refused(client, "transfer", "not_the_players", **fields(evening, 9, 10, "7", "9"))
    refused(client, "transfer", "not_the_players", **fields(evening, 1, 1, "7", "9"))
    sell(evening, evening.who(Role.CASHIER), player="8")
    page = refused(client, "transfer", "over_receivers_limit", **fields(evening, 7, 7, "7", "8"))
    assert "R35" in page
    assert not JournalEntry.objects.filter(kind="cards_transferred").exists()


@pytest.mark.parametrize(
    "changed",
    [{"first": "x"}, {"first": "-1"}, {"last": "9" * 12}, {"to": "x" * 21}, {"to": "a\x00"},
     {"player": "\u202e"}, {"issue": "0"}, {"game": "x"}],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(changed: dict[str, str]) -> None:
    evening = named()
    sent = fields(evening, 7, 7, "7", "9") | changed
    assert order(evening.at("till"), "till", "transfer", **sent).status_code == 409
    assert not JournalEntry.objects.filter(kind="cards_transferred").exists()


@pytest.mark.slow
def test_page_offers_it_only_where_players_are_named() -> None:
    evening = Evening().reach("sold")
    assert 'id="departing"' not in shown(evening.at("till"))
    assert Sale.objects.get().player == ""


@pytest.mark.slow
def test_price_is_not_given_back_to_whoever_leaves() -> None:
    evening = named()
    page = refused(evening.at("till"), "refund", "no_money_back", issue=evening.issue().pk, card=7)
    assert "R56" in page


def test_audit_finds_cards_that_were_not_the_player_s_to_hand_on() -> None:
    evening = named()
    # The service sees to it that they are; the rules know only how many a player has.
    progress.step(
        evening.game, "cards_transferred", key=None, issue=evening.issue().pk, first=10, last=10,
        player="7", to="9", **evening.who(Role.CASHIER),
    )  # fmt: skip
    entry = JournalEntry.objects.get(kind="cards_transferred")
    [found] = audit(Hall.objects.get())
    assert (found.number, found.code) == (entry.number, "rules_refuse")
    assert "not_the_players" in found.detail


@pytest.mark.slow
@pytest.mark.rule(15)
def test_double_cards_are_handed_on_in_both_their_games() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", player_limit=6)
    double_cards(evening)
    evening.reach("sold")
    sell(evening, evening.who(Role.CASHIER), player="7")
    client = evening.at("till")
    done(client, "transfer", **fields(evening, 7, 7, "7", "9"))
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    refused(client, "transfer", "not_the_players", **fields(evening, 7, 7, "7", "10"))
    done(client, "transfer", **fields(evening, 8, 8, "7", "10"))
    done(client, "transfer", **fields(evening, 7, "", "9", "10"))
    assert audit(Hall.objects.get()) == []
