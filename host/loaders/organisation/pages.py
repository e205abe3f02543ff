"""The pages of /organization: which of them are lists, and the loaders of all."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from host.loaders.areas.area_list import AreaList
from host.loaders.organisation import (
    application,
    contracts,
    home,
    invitations,
    member,
    members,
    orders,
    people_file,
    profile,
    reports,
    seat,
    seats,
)
from host.rendering.page_request import PageRequest, PrivateLoader

# By the id of their page in routes.json. Each is a file at /csv{path} too, unless its table says that it is none.
LISTS: dict[str, AreaList[Any]] = {
    "organization-members": members.LIST,
    "organization-invitations": invitations.LIST,
    "organization-orders": orders.LIST,
    "organization-seats": seats.LIST,
}
LOADERS: dict[str, PrivateLoader] = {
    **{page_id: area_list.load for page_id, area_list in LISTS.items()},
    "organization-home": home.load,
    "organization-choose": home.load_choice,
    "organization-application": application.load,
    "organization-member": member.load,
    "organization-invite": invitations.load_new,
    "organization-people-file": people_file.load,
    "organization-invitation": invitations.load,
    "organization-contracts": contracts.load,
    "organization-seats": seats.load,
    "organization-seat": seat.load,
    "organization-reports": reports.load,
    "organization-profile": profile.load,
}
# By the same id: pages that are no list and have a file at /csv{path}.
FILES: Mapping[str, Callable[[PageRequest], AsyncIterator[bytes]]] = {"organization-reports": reports.csv}
