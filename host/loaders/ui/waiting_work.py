"""What waits for somebody, with the page that deals with it (components/admin/home/WaitingWork.tsx)."""

from typing_extensions import TypedDict


class WaitingWork(TypedDict):
    """`href` null: the page that deals with it is not built yet."""

    count: int
    isMore: bool
    text: str
    href: str | None
