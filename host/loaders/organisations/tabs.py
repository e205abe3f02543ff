"""The parts of an organisation's page for staff: each is a page of its own."""

from typing_extensions import TypedDict

PATH = "/admin/organisations"
# End of the address -> name.
TABS = {"": "Organisation", "members": "Members"}


class OrganisationTab(TypedDict):
    href: str
    text: str
    isCurrent: bool


def tabs_of(organisation_id: int, current: str) -> list[OrganisationTab]:
    """`current`: a key of TABS."""
    return [
        {"href": f"{PATH}/{organisation_id}{f'/{part}' if part else ''}", "text": text, "isCurrent": part == current}
        for part, text in TABS.items()
    ]
