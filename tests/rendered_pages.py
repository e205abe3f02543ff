"""The pages that the server renders, from contracts/routes.json: an address of each, for tests that open every one."""

import json
from collections.abc import Mapping

from config.settings import ROOT

# Where an address names a product, the test says which.
SAMPLES = {"course-details": "/course-details?course={course}", "shop-details": "/shop-details/{item}"}


def rendered_pages(samples: Mapping[str, object]) -> dict[str, str]:
    """Address by id. Without `own_pages`, which not every shop has."""
    table = json.loads((ROOT / "contracts" / "routes.json").read_text("utf-8"))
    return {
        page["id"]: SAMPLES.get(page["id"], page["path"]).format_map(samples)
        for page in table["pages"]
        if page["server_rendered"] and page["served"]
    }
