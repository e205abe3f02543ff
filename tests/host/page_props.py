"""What a page shows, as data."""

from typing import Any

from tests.host.signing import Learner
from tests.host.test_area_matrix import sent_by


async def page_props(person: Learner, path: str) -> Any:
    """The props of a page that the person may open."""
    answer = await person.site.get(f"/data{path}", **sent_by(person))
    data = await answer.json()
    assert data["status"] == 200, data
    return data["props"]
