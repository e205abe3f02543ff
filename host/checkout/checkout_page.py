"""/checkout: the order of the learner's cart, with what they have typed so far."""

from collections.abc import Mapping
from dataclasses import replace

from typing_extensions import TypedDict

from domain.routes import Page
from host.api.checkout.checkout_schemas import Checkout, CheckoutDifference
from host.checkout import view
from host.loaders import client_rendered
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class CheckoutRefused(TypedDict):
    """Why a form that was posted placed no order. `message`: of the whole form, "" for none. `errors`: by name of the
    field. `differences`: prices that are not those of the form."""

    message: str
    errors: dict[str, str]
    differences: list[CheckoutDifference]


class CheckoutProps(TypedDict):
    """`checkout` None: it cannot be read just now. `refused`: of the form that this page answers, None for none."""

    title: str
    checkout: Checkout | None
    refused: CheckoutRefused | None


async def load(request: PageRequest, route: Page) -> PageResult:
    """Raises ServiceUnavailable while the database does not answer in time."""
    waiting = await client_rendered.load(request, route)
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    assert request.session is not None  # noqa: S101 page_handler.load calls this loader with one
    checkout = await view.checkout_of(request.app, request.session, request.at)
    no_script = {"country_options": view.country_select_options}
    return replace(waiting, props=props(route, checkout, None), no_script=no_script)


def props(route: Page, checkout: Checkout | None, refused: CheckoutRefused | None) -> Mapping[str, object]:
    """As JSON."""
    own = None if checkout is None else checkout.model_dump(mode="json")
    return {"title": route.title, "checkout": own, "refused": refused}
