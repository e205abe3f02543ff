"""Breadcrumbs: the path of links above a page's heading."""

from typing import NotRequired

from typing_extensions import TypedDict

from host.site_state import CategoryRef


class Crumb(TypedDict):
    """`nofollow`: the linked list is too short to be indexed."""

    name: str
    href: str
    nofollow: NotRequired[bool]


HOME: Crumb = {"name": "Home", "href": "/"}
CATALOGUE: Crumb = {"name": "Catalogue", "href": "/shop"}


def category_crumb(link: CategoryRef) -> Crumb:
    crumb: Crumb = {"name": link["name"], "href": link["href"]}
    return {**crumb, "nofollow": link["nofollow"]} if "nofollow" in link else crumb
