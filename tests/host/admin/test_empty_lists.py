"""Lists without a row offer a first step to those who may take it."""

from tests.host.admin.test_staff import page
from tests.host.signing import learner


async def test_the_first_step_is_offered_to_those_who_may_open_its_page(own_site):
    offered = {}
    for role in ("finance", "marketer", "administrator"):
        person = learner(own_site, f"First {role}", area="admin", roles=[role])
        _, props = await page(person, "/admin/coupons/batches")
        offered[role] = props["table"]["emptyState"]["action"]
    step = {"text": "Make a batch", "href": "/admin/coupons/batches/new"}
    assert offered == {"finance": None, "marketer": step, "administrator": step}
