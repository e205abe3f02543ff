"""Fields in which staff pick one of many organisations, and the contract form that has them."""

from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by
from tests.support import factories


async def test_approved_organisations_are_picked_by_a_part_of_their_name(bare_site):
    finance = learner(bare_site, "Fay Finance", area="admin", roles=["finance"])
    with bare_site.db.write_session() as session:
        factories.organisation(session, "pickwell", "Pickwell & Sons")
        factories.organisation(session, "pickering", "Pickering", state="submitted")
    status, found = await finance.get("admin/picker/organisations?q=pick")
    assert (status, found) == (200, {"organisations": [{"slug": "pickwell", "name": "Pickwell & Sons"}]})
    editor = learner(bare_site, "Edda Editor", area="admin", roles=["editor"])
    assert (await editor.get("admin/picker/organisations?q=pick"))[0] == 403


async def test_the_form_of_a_contract_picks_its_organisation_and_its_products(bare_site):
    finance = learner(bare_site, "Fay Finance", area="admin", roles=["finance"])
    answer = await bare_site.get("/data/admin/contracts/new?organisation=pickwell", **sent_by(finance))
    fields = (await answer.json())["props"]["actions"][0]["fields"]
    kinds = {field["name"]: (field["kind"], field["value"]) for field in fields}
    assert (kinds["organisation"], kinds["products"]) == (("organisation", "pickwell"), ("products", ""))
