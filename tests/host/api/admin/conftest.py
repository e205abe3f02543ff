"""Who uses the calls of the area for staff."""

import pytest

from tests.host.signing import Learner, learner
from tests.host.site import Site


@pytest.fixture
def editor(bare_site: Site) -> Learner:
    return learner(bare_site, "Edda Editor", area="admin", roles=["editor"])
