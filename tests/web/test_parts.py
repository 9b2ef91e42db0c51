"""Fields, tables and the other parts of pages, each written by one tag."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.http import QueryDict
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils.safestring import SafeString

from draws.web.forms import FormFields
from halls.models import Hall, Person
from halls.templatetags.forms import TYPED
from halls.web.fields import KINDS, LONGEST


def drawn(source: str, **values: Any) -> str:
    """Return what a piece of template comes to, in one line."""
    shown = Template(source).render(Context(values))
    return re.sub(r">\s+", ">", re.sub(r"\s+<", "<", shown)).strip()


def refused(**typed: str) -> dict[str, Any]:
    """Return what a page is given whose form `set` was refused."""
    fields = QueryDict(mutable=True)
    fields.update(typed)
    return {"verb": "set", "typed": fields, TYPED: fields}


def test_field_is_its_name_label_and_kind() -> None:
    assert drawn('{% field "counted" "Cards" "whole" looks="short" default=7 %}') == (
        '<div class="field field--number field--short"><label for="counted">Cards</label>'
        '<input id="counted" name="counted" inputmode="numeric" required value="7" /></div>'
    )


def test_part_of_a_page_is_named_in_the_reader_s_language() -> None:
    """What has the attribute is put away on a telephone until its name is chosen in a row."""
    named, folder = 0, Path(settings.BASE_DIR) / "templates"
    for page in folder.rglob("*.html"):
        text = page.read_text()
        for part in re.findall(r'data-part="(.*)', text):
            assert part.startswith("{% translate "), page.relative_to(folder)
            named += 1
        for part in re.findall(r"{% (?:panel|folded|table) .*? part=(.*)", text):
            assert part.startswith('_("'), page.relative_to(folder)
            named += 1
    assert named > 20


def test_form_before_a_second_person_keeps_what_was_typed() -> None:
    """A name mistyped is put right there; what else the form held is not chosen anew."""
    kept, folder = 0, Path(settings.BASE_DIR) / "templates"
    for page in folder.rglob("*.html"):
        for form in re.findall(r"<form\b.*?</form>", page.read_text(), re.DOTALL):
            if "{% order " in form and "web/second_person.html" in form:
                assert "data-keep" in form, page.relative_to(folder)
                kept += 1
    assert kept > 10


def test_field_of_a_row_has_an_id_of_its_own() -> None:
    shown = drawn(
        '{% field "first" "From" id="over" of=3 part=61 optional=True hint=hint %}', hint="a < b"
    )
    assert 'for="over-3-61"' in shown
    assert 'id="over-3-61" name="first"' in shown
    assert "required" not in shown
    assert '<p class="field__hint">a &lt; b</p>' in shown


def test_refused_form_holds_what_was_typed_unless_it_is_secret() -> None:
    typed = refused(name='"><b>', password="x")
    assert 'value="&quot;&gt;&lt;b&gt;"' in drawn('{% field "name" "Name" default="y" %}', **typed)
    assert "value" not in drawn('{% field "password" "Password" "password" %}', **typed)
    assert "value" not in drawn('{% field "name" "Name" blank=True %}', **typed)
    other = typed | {TYPED: None}
    assert 'value="y"' in drawn('{% field "name" "Name" default="y" %}', **other)


def test_what_is_wrong_with_a_field_is_tied_to_it() -> None:
    shown = drawn('{% field "base" "Base" wrong="too much" %}')
    assert 'aria-invalid="true" aria-describedby="wrong-base"' in shown


def test_field_of_a_refused_row_holds_what_was_typed_there_alone() -> None:
    page = refused(reason="rain", row="7") | {"page_name": "retention", "place": {}}
    source = '{% send "set" row=row as sending %}{% field "reason" "Why" %}'
    assert 'value="rain"' in drawn(source, row=7, **page)
    assert 'value=""' in drawn(source, row=8, **page)
    assert 'value=""' in drawn(source, row=7, **page | {"verb": "add"})


def test_field_with_values_proposed_names_their_list() -> None:
    source = '{% field "zone" "Zone" suggested=zones %}'
    shown = drawn(source, zones=["A", "<b>"])
    assert 'list="zone-names"' in shown
    assert (
        '<datalist id="zone-names"><option value="A"></option>'
        '<option value="&lt;b&gt;"></option></datalist>'
    ) in shown
    assert "list" not in drawn(source, zones=[])


def test_radio_is_checked_where_its_value_holds() -> None:
    source = '{% radio "face" value chosen=held %}{{ value }}<b>!</b>{% endradio %}'
    assert drawn(source, value=200, held="200") == (
        '<label class="choice"><input type="radio" name="face" value="200" checked />'
        "<span>200<b>!</b></span></label>"
    )
    assert "checked" not in drawn(source, value=20, held="200")
    assert 'value="" checked' in drawn(source, value="", held="")
    taken = drawn('{% radio "ink" "red" looks="taken" disabled="by 200" %}red{% endradio %}')
    assert 'class="choice choice--taken"' in taken
    assert 'value="red" disabled' in taken


MORE = SafeString('<option value="200">200</option>')
CHOICES = [
    '{% choice "face" "Price" prices none="None" chosen=20 %}',
    '{% select "face" "Price" %}<option value="20"\n selected>Selected 20</option>{{ more }}{% endselect %}',
    '{% radio "face" 20 chosen=20 %}{% endradio %}{% radio "face" 200 chosen=20 %}{% endradio %}',
]


@pytest.mark.parametrize("source", CHOICES)
@pytest.mark.parametrize("sent", [{"face": "200"}, {"face": "20"}, {}])
def test_choice_stands_again_in_a_form_that_was_refused(source: str, sent: dict[str, str]) -> None:
    shown = drawn(source, prices=[20, 200], more=MORE, **refused(**sent))
    chosen = re.findall(r'value="(\d*)"\s+(?:selected|checked)', shown)
    assert chosen == [sent.get("face", "20")]


def test_list_takes_the_cursor_unless_the_page_has_something_to_say() -> None:
    source = (
        '{% select "series" "Matrix" first=True unseen=True %}<option>A</option>{% endselect %}'
    )
    assert '<select id="series" name="series" autofocus>' in drawn(source)
    assert "autofocus" not in drawn(source, notice="Refused")


def test_cursor_waits_where_the_page_has_something_to_say() -> None:
    assert "autofocus" in drawn('{% field "base" "Base" first=True %}')
    assert "autofocus" not in drawn('{% field "base" "Base" first=True %}', notice={"kind": "ok"})


def test_text_is_no_longer_than_what_reads_it_takes() -> None:
    assert KINDS["text"].attributes["maxlength"] == LONGEST
    fields = QueryDict(mutable=True)
    fields["reason"] = "x" * LONGEST
    assert FormFields(Person(hall=Hall()), fields).text("reason") == "x" * LONGEST


def test_choice_marks_what_is_chosen() -> None:
    options = {"in": "In", "out": "Out"}
    shown = drawn('{% choice "to" "To" options chosen="out" none="All" %}', options=options)
    assert '<option value="">All</option><option value="in">In</option>' in shown
    assert '<option value="out" selected>Out</option>' in shown


@pytest.mark.parametrize(("sent", "ticked"), [({}, False), ({"sure": "on"}, True)])
def test_box_is_ticked_again_in_a_form_that_was_refused(sent: dict[str, str], ticked: bool) -> None:
    shown = drawn('{% check "sure" "I am sure" default=True %}', **refused(**sent))
    assert ("checked" in shown) is ticked


def test_button_names_its_key() -> None:
    assert drawn('{% button "Sell" "primary big" key="F2" %}') == (
        '<button class="button button--primary button--big" data-key="F2">'
        "<span>Sell</span><kbd>F2</kbd></button>"
    )
    assert drawn('{% button "Go back" "quiet" data_closes=True data_key="Escape" %}') == (
        '<button class="button button--quiet" data-closes data-key="Escape">Go back</button>'
    )


def test_form_sends_what_its_key_is_given() -> None:
    request = RequestFactory().get("/")
    shown = drawn("{% key game=5 reason=why %}", request=request, why="a < b")
    assert shown.count('<input type="hidden"') == 4
    assert shown.endswith(
        '<input type="hidden" name="game" value="5" />'
        '<input type="hidden" name="reason" value="a &lt; b" />'
    )


def test_tab_is_marked_on_its_page_and_on_those_that_belong_to_it() -> None:
    here = '<a href="/cards/" aria-current="page">Stock</a>'
    source = '{% tab "Stock" "cards" name="stock" %}'
    at = RequestFactory().get
    assert drawn(source, request=at("/cards/")) == here
    assert drawn(source, request=at("/cards/3/"), tab="stock") == here
    assert drawn(source, request=at("/cards/3/"), tab="prints") == '<a href="/cards/">Stock</a>'
    assert "aria-current" not in drawn('{% tab "Stock" "cards" %}', request=at("/"))


def test_sheets_and_scripts_are_loaded_in_their_order() -> None:
    assert re.findall(r"css/(\w+)", drawn('{% styles "till" "cards" %}')) == ["till", "cards"]
    assert re.findall(r"js/(\w+)", drawn('{% scripts "keys" "feed" %}')) == ["keys", "feed"]


TABLE = """
{% table rows "name, sum" title="Sums" panel="sums" frame="sums-frame" looks="list" empty="None yet" %}
  {% row id="of-"|add:name %}
  {% column "Name" head=True %}{{ name }}
  {% column "Sum" number=True %}{{ sum }}
  {% column "Orders" shown=may_change %}-
{% endtable %}"""


def test_link_that_looks_like_a_button_leads_to_its_page() -> None:
    assert drawn('{% link_button "Tills" "tills" looks="primary" key="F2" %}') == (
        '<a class="button button--primary" href="/tills/" data-key="F2">'
        "<span>Tills</span><kbd>F2</kbd></a>"
    )
    assert drawn('{% link_button "Open it" "acta" 7 looks="quiet" key="F4" target="_blank" %}') == (
        '<a class="button button--quiet" href="/inspector/7/acta.pdf" target="_blank" data-key="F4">'
        "<span>Open it</span><kbd>F4</kbd></a>"
    )
    assert drawn('{% link_button "CSV" "tills" icon="acta" query="" %}') == (
        '<a class="button" href="/tills/?">'
        '<span class="icon icon--acta" aria-hidden="true"></span><span>CSV</span></a>'
    )


def test_part_of_a_page_stands_under_its_title() -> None:
    assert drawn('{% panel "Tills" id="tills" part="Tills" %}<p>1</p>{% endpanel %}') == (
        '<section class="panel" id="tills" data-part="Tills"><h2>Tills</h2><p>1</p></section>'
    )
    assert drawn('{% panel "Tills" looks="flush" %}1{% endpanel %}') == (
        '<section class="panel panel--flush"><header><h2>Tills</h2></header>1</section>'
    )


def office_form(source: str, **values: Any) -> str:
    """Return what a form of the page of tills comes to, without its token."""
    asked = {"request": RequestFactory().get("/"), "page_name": "tills", "place": {}}
    shown = drawn(source, **asked, **values)
    assert re.search(r'<input type="hidden" name="key" value="[0-9a-f-]{36}" />', shown)
    return re.sub(r'<input type="hidden" name="(key|csrf\w+)" value="[^"]*" />', "", shown)


def test_form_of_an_office_page_sends_its_order_with_its_key_and_its_row() -> None:
    assert office_form('{% form "set" id="one" till="A" %}1{% endform %}') == (
        '<form class="form" id="one" method="post" action="/tills/do/set/" autocomplete="off">'
        '<input type="hidden" name="till" value="A" />1</form>'
    )


@pytest.mark.parametrize("tag", ['form "set"', 'folded "Words" "set"'])
@pytest.mark.parametrize("name", ["data_keep", "aria_label"])
def test_attribute_that_a_form_would_send_as_a_field_is_refused(tag: str, name: str) -> None:
    with pytest.raises(TemplateSyntaxError, match=name):
        Template(f"{{% {tag} {name}=True %}}{{% end{tag.split(maxsplit=1)[0]} %}}")


@pytest.mark.parametrize(("till", "opened"), [("A", " open"), ("B", "")])
def test_folded_form_stands_open_where_it_was_refused(till: str, opened: str) -> None:
    """Another row's does not, and holds nothing of what was typed there."""
    source = '{% folded "Words" "set" box="" till=till %}{% field "name" "Name" %}{% endfolded %}'
    shown = office_form(source, till=till, **refused(till="A", name="Ana"))
    assert shown.startswith(f"<details{opened}><summary>Words</summary><form ")
    assert ('value="Ana"' in shown) == bool(opened)


def test_column_is_its_head_and_its_cells() -> None:
    assert drawn(TABLE, rows=[("<a>", 1)], may_change=False) == (
        '<section class="panel panel--flush" id="sums"><header><h2>Sums</h2></header>'
        '<div class="table-frame" id="sums-frame" tabindex="0"><table class="table table--list">'
        '<thead><tr><th scope="col">Name</th><th scope="col" class="is-number">Sum</th></tr></thead>'
        '<tbody><tr id="of-&lt;a&gt;"><th scope="row" data-label="Name">&lt;a&gt;</th>'
        '<td data-label="Sum" class="is-number">1</td></tr></tbody></table></div></section>'
    )
    assert drawn(TABLE, rows=[("x", 1)], may_change=True).count("Orders") == 2


@pytest.mark.slow
def test_table_without_rows_says_so() -> None:
    assert '<p class="empty">None yet</p>' in drawn(TABLE, rows=[])
    source = (
        '{% table rows "one" none="None" %}{% column "A" %}{{ one }}{% column "B" %}{% endtable %}'
    )
    assert '<tbody><tr><td colspan="2" class="empty">None</td></tr></tbody>' in drawn(
        source, rows=[]
    )


def test_fact_and_figure_write_values_as_the_page_does() -> None:
    key = uuid4()
    assert drawn('{% fact "Key" key %}', key=key) == f"<dt>Key</dt><dd>{key}</dd>"
    assert '<p class="stat__number">3</p>' in drawn('{% stat "Balls" 3 "of 90" %}')
    assert '<p class="stat__number" data-live="left">' in drawn(
        '{% stat "Left" 3 data_live="left" %}'
    )
