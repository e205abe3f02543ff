"""Fields in which staff pick one of many organisations, and the contract form that has them."""

import pytest

from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by
from tests.support import factories


async def test_approved_organisations_are_picked_by_a_part_of_their_name(bare_site):
    finance = learner(bare_site, "Fay Finance", area="admin", roles=["finance"])
    with bare_site.db.write_session() as session:
        factories.organisation(session, "pickwell", "Pickwell & Sons")
        factories.organisation(session, "pickering", "Pickering", state="submitted")
    status, found = await finance.get("admin/picker/organisations?q=pick")
    assert (status, found) == (
        200,
        {"options": [{"value": "pickwell", "text": "Pickwell & Sons", "detail": "pickwell"}]},
    )
    editor = learner(bare_site, "Edda Editor", area="admin", roles=["editor"])
    assert (await editor.get("admin/picker/organisations?q=pick"))[0] == 403


async def test_the_form_of_a_contract_picks_its_organisation_and_its_products(bare_site):
    finance = learner(bare_site, "Fay Finance", area="admin", roles=["finance"])
    answer = await bare_site.get("/data/admin/contracts/new?organisation=pickwell", **sent_by(finance))
    fields = (await answer.json())["props"]["actions"][0]["fields"]
    kinds = {field["name"]: (field["kind"], field.get("picked")) for field in fields}
    picked = [{"value": "pickwell", "text": "pickwell"}]
    assert (kinds["organisation"], kinds["products"]) == (("pick", picked), ("products", None))


@pytest.mark.parametrize(
    ("things", "text", "found"),
    [
        ("courses", "vat-b", ("vat-basics", "VAT basics")),
        ("items", "tax tab", ("tax-tables", "Tax tables")),
        ("categories", "la", ("law", "Law")),
        ("products", "vat-b", ("course:vat-basics", "VAT basics")),
    ],
)
async def test_things_of_the_catalogue_are_picked_by_their_names(bare_site, things, text, found):
    editor = learner(bare_site, "Edda Editor", area="admin", roles=["editor"])
    _, answer = await editor.get(f"admin/picker/{things}?q={text}")
    assert [(row["value"], row["text"]) for row in answer["options"]] == [found]


async def test_people_are_picked_by_who_may_read_about_learners(bare_site):
    support = learner(bare_site, "Sue Support", area="admin", roles=["support"])
    editor = learner(bare_site, "Edda Editor", area="admin", roles=["editor"])
    _, answer = await support.get("admin/picker/people?q=Edda")
    assert [row["text"] for row in answer["options"]] == ["Edda Editor"]
    assert (await editor.get("admin/picker/people?q=Edda"))[0] == 403
