"""What may be wrong with an address: said at its field, ordered all the same, and kept with the order."""

from sqlalchemy import select

from domain.tables import Order
from tests.host.api.checkout.shop import BERLIN, BOOK

LOST_ZERO = {**BERLIN, "delivery.city": "Dresden", "delivery.postal_code": "1067"}
WARNING = "We read this postal code as 01067. Correct it if that is wrong."


def code_field(checkout) -> dict:
    fields = [field for group in checkout["forms"] for field in group["fields"]]
    return next(field for field in fields if field["name"] == "delivery.postal_code")


async def test_a_doubtful_postal_code_is_told_at_its_field_and_ordered_and_kept(selling_site, ada):
    await ada.learner.add(BOOK)
    status, checkout = await ada.type(LOST_ZERO)
    field = code_field(checkout)
    assert (status, field["value"], field["error"], field["warning"]) == (200, "1067", None, WARNING)
    status, answer = await ada.order(LOST_ZERO)
    assert (status, answer["status"]) == (200, "success"), answer
    with selling_site.db.read_session() as session:
        order = session.scalars(select(Order)).one()
    assert (order.delivery["postal_code"], order.delivery["doubt"]) == ("01067", WARNING)


async def test_a_postal_code_in_another_writing_is_stored_in_that_of_the_country_without_a_word(selling_site, ada):
    await ada.learner.add(BOOK)
    typed = {**BERLIN, "delivery.postal_code": "D-10 115"}
    _, checkout = await ada.type(typed)
    assert (code_field(checkout)["error"], code_field(checkout)["warning"]) == (None, None)
    status, _ = await ada.order(typed)
    with selling_site.db.read_session() as session:
        order = session.scalars(select(Order)).one()
    assert (status, order.delivery["postal_code"], "doubt" in order.delivery) == (200, "10115", False)


async def test_the_form_without_script_tells_it_too(selling_site, ada):
    await ada.learner.add(BOOK)
    await ada.type(LOST_ZERO)
    page = await selling_site.get("/checkout", **ada.learner.headers)
    text = await page.text()
    assert f'<p class="field__warning" id="delivery-postal_code-warning">{WARNING}</p>' in text
    assert 'aria-describedby="delivery-postal_code-example delivery-postal_code-warning"' in text
