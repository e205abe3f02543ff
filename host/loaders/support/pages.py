"""Which of the pages about people and what they send are lists, and the loaders of all."""

from typing import Any

from host.loaders.areas.area_list import AreaList
from host.loaders.support import learner, learners, letters, mail, messages, refunds, reviews
from host.rendering.page_request import PrivateLoader

LISTS: dict[str, AreaList[Any]] = {
    "admin-refunds": refunds.LIST,
    "admin-messages": messages.LIST,
    "admin-reviews": reviews.LIST,
    "admin-mail": mail.LIST,
    "admin-dead-letters": letters.LIST,
}
LOADERS: dict[str, PrivateLoader] = {
    "admin-learners": learners.load,
    "admin-learner": learner.load,
    "admin-message": messages.load,
    "admin-review": reviews.load,
    "admin-mail-one": mail.load,
    "admin-dead-letter": letters.load,
}
