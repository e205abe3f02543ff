"""The component page: every component in every state. Development only; elsewhere there is no such page."""

from host.loaders import Asked, Loaded
from host.shell import Head

PATH = "/styleguide"


def is_asked_for(asked: Asked) -> bool:
    return asked.path == PATH and asked.settings.app_env == "development"


def load() -> Loaded:
    """`title` and `html` are for the plain page, should no worker draw."""
    head = Head(title="Styleguide", description="Every component in every state.", robots="noindex, nofollow")
    return Loaded("styleguide", head, {"title": "Styleguide", "html": ""})
