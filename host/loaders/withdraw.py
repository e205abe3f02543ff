"""/withdraw: the two steps of withdrawing from a contract, in shops of the Union; elsewhere the page is not found."""

from collections.abc import Mapping
from typing import Literal

from typing_extensions import TypedDict

from host.loaders.errors import not_found
from host.rendering import page_registry
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult
from host.rendering.shell import Head
from host.seo import head_texts

TITLE = "Withdraw from contract"
Step = Literal["enter", "confirm", "sent"]


class WithdrawValues(TypedDict):
    order: str
    email: str


class WithdrawProps(TypedDict):
    """`errors`: by field, those of the whole form under `form`."""

    title: str
    step: Step
    values: WithdrawValues
    errors: dict[str, str]


@page_registry.page("withdraw")
async def load(request: PageRequest) -> LoaderResult[WithdrawProps]:
    """With `order`, its code is filled in."""
    values: WithdrawValues = {"order": request.query.get("order", "")[:40], "email": ""}
    return await page(request, "sent" if "sent" in request.query else "enter", values, {})


async def page(
    request: PageRequest, step: Step, values: WithdrawValues, errors: Mapping[str, str], status: int = 200
) -> PageResult:
    """Also the response to a form, with the `status` of that."""
    if not request.site.union_rules:
        return await not_found(request)
    settings = request.settings
    head = Head(
        title=head_texts.title(settings, TITLE),
        description="Withdraw from the contract of an order. You need its code and your email address.",
        canonical=f"{settings.site_origin}/withdraw",
        robots="noindex, follow",
    )
    props: WithdrawProps = {"title": TITLE, "step": step, "values": values, "errors": dict(errors)}
    return PageResult("withdraw", head, props, status=status)
