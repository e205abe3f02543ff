"""The props of components/admin/actions/ActionView.tsx: the page of one thing with texts, and forms that each make one
call about it."""

from typing_extensions import TypedDict

from host.api.admin.actions import Action
from host.loaders.ui.detail_props import DetailProps


class TextPart(TypedDict):
    """A text with its own lines, such as a mail."""

    id: str
    title: str
    text: str


class ActionPageProps(DetailProps):
    """`actions` holds what this person may do now."""

    texts: list[TextPart]
    actions: list[Action]


def new_page(title: str, path: str, back_text: str, actions: list[Action]) -> ActionPageProps:
    """The page on which a thing of the list at `path` begins."""
    return {
        "title": title,
        "heading": title,
        "backHref": path,
        "backText": back_text,
        "facts": [],
        "texts": [],
        "tables": [],
        "actions": actions,
    }
