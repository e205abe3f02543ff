"""The pages of /organization: which of them are lists, and the loaders of all."""

from typing import Any

from host.loaders.areas.area_list import AreaList
from host.loaders.organisation import contracts, home, members, orders
from host.rendering.page_request import PrivateLoader

# By the id of their page in routes.json. Each is a file at /csv{path} too, unless its table says that it is none.
LISTS: dict[str, AreaList[Any]] = {
    "organization-members": members.LIST,
    "organization-orders": orders.LIST,
}
LOADERS: dict[str, PrivateLoader] = {
    **{page_id: area_list.load for page_id, area_list in LISTS.items()},
    "organization-home": home.load,
    "organization-choose": home.load_choice,
    "organization-contracts": contracts.load,
}
