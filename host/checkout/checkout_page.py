"""/checkout: the order of the learner's cart, with what they have typed so far."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import orjson
from typing_extensions import TypedDict

from domain.routes import Page
from host.api.checkout.checkout_schemas import Checkout, CheckoutDifference
from host.checkout import view
from host.loaders import client_rendered
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.templates import select_options


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


@page("checkout")
async def load(request: PageRequest, route: Page) -> PageResult[CheckoutProps] | PageResult:
    """Raises ServiceUnavailable while the database does not answer in time. After the head of a document, whose session
    the database has just told, the page says so instead."""
    waiting: PageResult = await client_rendered.load(request, route)
    app, session = request.app, request.session
    assert app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    assert session is not None  # noqa: S101 page_handler.load calls this loader with one
    no_script = {"country_options": view.country_select_options, "select_options": select_options}

    async def own() -> Mapping[str, object]:
        # Made here of values of ours: the model would make objects of them, only to make them JSON again.
        fields = await view.checkout_fields(app, session.auth.learner_id, request.at)
        return {**fields, "countries": _countries()}

    props = {"title": route.title, "refused": None}
    if request.sends_head_first:
        return replace(waiting, props=props, deferred={"checkout": own}, no_script=no_script)
    return replace(waiting, props={**props, "checkout": await own()}, no_script=no_script)


@lru_cache(1)
def _countries() -> orjson.Fragment:
    """Most of a checkout's JSON, and the same for everybody: made once in a process."""
    return orjson.Fragment(orjson.dumps([option.model_dump() for option in view.country_options()]))
