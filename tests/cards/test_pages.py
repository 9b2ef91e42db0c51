"""The pages for cards and stock: who may see them, who may order, and what another hall sees."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client

from draws import urls as draws_urls
from draws.web.page_classes import Page
from halls.journal.services import FEW
from halls.models import JournalEntry, RefusalTally, Role
from tests.support.evening import BACKEND, Evening, authorise, books, browser_of, spanish

pytestmark = pytest.mark.django_db

FILES = (
    "cards/issues/<int:issue>/preview.png",
    "cards/series/<int:series>/series.json",
    "cards/series/<int:series>/series.csv",
    "cards/prints/live/",
)
QUESTIONS = (
    "sort=nonsense&page=-1&state=x&letter=%00&series=x&face=x&face_colour=x&first=x&last=-5&card=x",
    "sort=%00&page=x&format=٩٠&text=%00&paper=x&code=%00&from=%00&size=x&card=%00&width=x",
    f"sort=-&page={'9' * 30}&text={'x' * 5000}&series={'9' * 30}&first={'9' * 30}&card={'9' * 40}",
    "sort=-face&page=0&text=%25&state=sent&format=90&letter=A&last=91",
)
WRITING = [page for page in draws_urls.CARDS_PAGES if page.verbs]
ORDER = "/do/"


def address(route: str, evening: Evening) -> str:
    """Return an address as it is for a hall."""
    places = {
        "issue": evening.issue().pk,
        "series": evening.issue().series_id,
        "card": 7,
        "authorisation": evening.hall.authorisations.get().pk,
    }
    for name, value in places.items():
        route = route.replace(f"<int:{name}>", str(value))
    return f"/{route}"


def orders(evening: Evening) -> list[str]:
    """Return the address of every order of these pages."""
    return [f"{address(page.route, evening)}do/{verb}/" for page in WRITING for verb in page.verbs]


@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("page", draws_urls.CARDS_PAGES, ids=lambda page: page.name)
def test_page_is_shown_to_its_roles_alone(page: Page) -> None:
    evening = Evening()
    path = address(page.route, evening)
    for role in Role:
        answer = browser_of(evening.person(role)).get(path)
        assert answer.status_code == (200 if role in page.readers else 403), (path, role)
    stranger = Client().get(path)
    assert (stranger.status_code, stranger["Location"]) == (302, f"/login/?next={path}")


@pytest.mark.slow
@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("route", FILES)
def test_file_is_given_to_inspector_and_hall_manager_alone(route: str) -> None:
    evening = Evening()
    for role in Role:
        answer = browser_of(evening.person(role)).get(address(route, evening))
        reads = role in (Role.HALL_MANAGER, Role.INSPECTOR)
        allowed = 286 if "live" in route else 200
        assert answer.status_code == (allowed if reads else 403), role
    assert Client().get(address(route, evening)).status_code == 302


@pytest.mark.slow
def test_inspector_is_shown_nothing_to_press() -> None:
    evening = Evening()
    inspector = evening.at("inspector")
    for page in draws_urls.CARDS_PAGES:
        if Role.INSPECTOR not in page.readers:
            continue
        shown = inspector.get(address(page.route, evening)).content.decode()
        assert ORDER not in shown, page.name
        offered = [name for name in ("receive/", "publish/", "take-in/", "record/", "/print/")
                   if f'{name}"' in shown]  # fmt: skip
        assert offered == [], page.name
    # The control: the hall manager is.
    manager = evening.at("manager")
    assert ORDER in manager.get(address("cards/issues/<int:issue>/", evening)).content.decode()
    assert 'receive/"' in manager.get("/cards/").content.decode()


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_order_of_another_role_is_refused_and_journalled() -> None:
    evening = Evening()
    before = books(evening.hall)
    for role in (Role.INSPECTOR, Role.TABLE_CHIEF):
        client = browser_of(evening.person(role))
        for path in orders(evening):
            assert client.post(path, {"key": str(uuid4())}).status_code == 403, path
    assert books(evening.hall) == before
    for role in (Role.INSPECTOR, Role.TABLE_CHIEF):
        person = evening.person(role)
        noted = JournalEntry.objects.filter(kind="command_refused", by=person)
        told = [entry.data["command"] for entry in noted.order_by("number")]
        assert told[:FEW] == orders(evening)[:FEW]
        # The rest of a minute is only counted.
        counted = RefusalTally.objects.filter(person=person).values_list("count", flat=True)
        assert sum(counted) == len(orders(evening)) > FEW


@pytest.mark.slow
def test_order_without_key_or_token_is_refused() -> None:
    evening = Evening()
    before = books(evening.hall)
    manager = evening.at("manager")
    checked = Client(enforce_csrf_checks=True)
    checked.force_login(evening.person(Role.HALL_MANAGER), backend=BACKEND)
    for path in orders(evening):
        answer = manager.post(path, {"key": "1"})
        assert answer.status_code == 409, path
        assert 'data-code="bad_input"' in answer.content.decode(), path
        assert checked.post(path, {"key": str(uuid4())}).status_code == 403, path
    assert manager.post("/cards/receive/do/nonsense/", {"key": str(uuid4())}).status_code == 409
    assert books(evening.hall) == before


def test_stranger_who_orders_is_sent_to_the_login_and_back_to_the_page() -> None:
    evening = Evening()
    for page in WRITING:
        path = address(page.route, evening)
        answer = Client().post(f"{path}do/{next(iter(page.verbs))}/", {"key": str(uuid4())})
        assert (answer.status_code, answer["Location"]) == (302, f"/login/?undone=1&next={path}")


@pytest.mark.slow
def test_manager_of_another_hall_finds_nothing_of_this_one() -> None:
    evening = Evening()
    stranger = Evening("vizinha").at("manager")
    named = [page.route for page in draws_urls.CARDS_PAGES if "<int:" in page.route]
    for route in (*named, *(route for route in FILES if "<int:" in route)):
        assert stranger.get(address(route, evening)).status_code == 404, route
    before = books(evening.hall)
    for page in WRITING:
        for verb in page.verbs if "<int:" in page.route else ():
            path = f"{address(page.route, evening)}do/{verb}/"
            filled = {"key": str(uuid4()), "first": "1", "last": "2", "counted": "1"}
            filled |= {"reason": "x", "comment": "x", "paper": "a4", "code": "qr", "to": "1"}
            assert stranger.post(path, filled).status_code == 404, path
    assert books(evening.hall) == before
    mine = address("cards/issues/<int:issue>/", evening)
    for list_page in ("/cards/", "/cards/series/", "/cards/authorisations/", "/cards/prints/"):
        shown = stranger.get(list_page).content.decode()
        assert "sala-1" not in shown
        assert mine not in shown


@pytest.mark.parametrize(
    "path",
    [
        "/cards/issues/99999/", "/cards/issues/99999999999999999999/", "/cards/issues/x/",
        "/cards/series/99999/", "/cards/series/99999/1/", "/cards/series/{series}/0/",
        "/cards/series/{series}/91/", "/cards/series/{series}/99999999999999999999/",
        "/cards/series/99999/series.json", "/cards/authorisations/99999/", "/cards/prints/9/cards.pdf",
        "/cards/prints/99999999999999999999/cards.pdf", "/cards/issues/%D9%A1/",
    ],
)  # fmt: skip
def test_what_there_is_not_is_a_page_that_says_so(path: str) -> None:
    evening = Evening()
    answer = evening.at("manager").get(path.replace("{series}", str(evening.issue().series_id)))
    assert answer.status_code == 404
    assert "<h1>" in answer.content.decode()


@pytest.mark.slow
def test_pages_bear_any_question() -> None:
    evening = Evening()
    client = evening.at("manager")
    for page in draws_urls.CARDS_PAGES:
        path = address(page.route, evening)
        for query in QUESTIONS:
            assert client.get(f"{path}?{query}").status_code == 200, (path, query)
    find = address("cards/series/<int:series>/find/", evening)
    assert {client.get(f"{find}?{query}").status_code for query in QUESTIONS} == {302}
    picture = address(FILES[0], evening)
    for query in ("first=x", "first=-5", "first=91", "paper=x", "code=%00", "width=" + "9" * 30):
        assert client.get(f"{picture}?{query}").status_code in (200, 409), query


@pytest.mark.parametrize(
    ("hall", "formats", "law", "columns"),
    [(Evening, [90, 75], True, True), (Evening, [90], True, False), (spanish, [90], False, False)],
)
def test_publishing_names_the_letters_of_a_law_that_has_them_and_columns_where_they_count(
    hall: Callable[[], Evening], formats: list[int], law: bool, columns: bool
) -> None:
    evening = hall()
    authorise(evening.hall, reference="2/2026", valid_from=evening.today, formats=formats)
    page = evening.at("manager").get("/cards/series/publish/").content.decode()
    assert ("(R16)" in page, 'name="columns"' in page) == (law, columns)
    assert 'value="L-60"' in page
    assert "Publicar a matriz</span>" in page


def test_publishing_says_what_to_do_where_the_authorisation_names_no_series() -> None:
    evening = spanish()
    authorise(evening.hall, reference="2/2026", valid_from=evening.today, formats=[90], sizes={})
    page = evening.at("manager").get("/cards/series/publish/").content.decode()
    assert "A autorização não indica nenhuma série" in page
    assert 'href="/cards/authorisations/record/"' in page
    assert 'name="size"' not in page
    assert "Publicar a matriz</span>" not in page
