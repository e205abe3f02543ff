"""Which of the pages about organisations are lists, and the loaders of all."""

from typing import Any

from host.loaders.areas.area_list import AreaList
from host.loaders.organisations import organisation, people
from host.rendering.page_request import PrivateLoader

LISTS: dict[str, AreaList[Any]] = {"admin-organisations": organisation.LIST}
LOADERS: dict[str, PrivateLoader] = {
    "admin-organisation": organisation.load,
    "admin-organisation-members": people.load,
}
