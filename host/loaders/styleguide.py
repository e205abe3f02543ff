"""The component page: every component in every state. Only in development; elsewhere the path is unknown."""

from host.loaders.client_rendered import WaitingProps
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import Head

PATH = "/styleguide"


def is_requested(request: PageRequest) -> bool:
    return request.path == PATH and request.settings.app_env == "development"


def load() -> PageResult:
    # For the fallback page, when no SSR worker renders.
    props: WaitingProps = {"title": "Styleguide", "html": ""}
    head = Head(title="Styleguide", description="Every component in every state.", robots="noindex, nofollow")
    return PageResult("styleguide", head, props)
