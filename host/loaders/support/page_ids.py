"""Numbers in the addresses of pages, and what the actor of a page may do."""

from domain.errors import NotFound
from domain.permissions import Permission, permissions_of
from domain.typed_values import is_number
from host.rendering.page_request import PageRequest


def number(request: PageRequest, name: str = "id") -> int:
    """Raises NotFound for what is no number of ours."""
    text = request.values[name]
    if not is_number(text):
        raise NotFound("There is nothing with this number.")
    return int(text)


def may(request: PageRequest, permission: Permission) -> bool:
    """Whether whoever opens a page of the staff has a permission beside that of the page."""
    return request.session is not None and permission in permissions_of("admin", request.session.area_roles)
