"""JSON models of refunds that learners ask for. Amounts are integers in minor units of the order's `currency`."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from domain.orders.refund_rules import Confirmation
from domain.orders.refunds.by_learner import MAX_NOTE_LENGTH
from host.api.fields import WHOLE, Strict

MAX_LINES = 200
MAX_UNITS = 100_000


class RefundFormLine(BaseModel):
    """A product of the order. `quantity`: units that may be chosen, 0 with a `refusal`; `amounts`: what 1, 2, … of them
    are worth. `confirmation`: what has to be confirmed, null for nothing. `isGoods`: delivery goes back with the last
    of them."""

    number: int
    name: str
    quantity: int
    amounts: list[int]
    refusal: str | None
    confirmation: Confirmation | None
    isGoods: bool
    isShipped: bool


class RefundForm(BaseModel):
    """`key`: of the call, for a day. `delivery`: goes back with the last of the goods, of which `otherGoods` units
    cannot be chosen. `automatic`: up to this amount nobody has to decide, unless goods were sent; null: somebody always
    decides."""

    key: str
    lines: list[RefundFormLine]
    delivery: int
    otherGoods: int
    automatic: int | None


class RefundChoice(Strict):
    """`number`: of the order's line."""

    number: Annotated[int, Field(ge=1, le=MAX_LINES), WHOLE]
    quantity: Annotated[int, Field(ge=1, le=MAX_UNITS), WHOLE]


class RefundQuestion(Strict):
    """`key`: that of the order's refund form; the same one again changes nothing. `confirm`: what is confirmed."""

    key: Annotated[str, Field(max_length=200)]
    lines: Annotated[list[RefundChoice], Field(max_length=MAX_LINES)]
    confirm: Annotated[tuple[Confirmation, ...], Field(max_length=2)] = ()
    note: Annotated[str, Field(max_length=MAX_NOTE_LENGTH)] = ""


RefundStatus = Literal["approved", "requested"]
