"""The ways to prove who one is that an account must have: which are left, and which of them opens by itself."""

from urllib.parse import urlsplit

from host.identity.idx.form_inputs import FormFiller, inputs_of
from host.identity.idx.response import IdxResponse, Json
from host.identity.idx.schemas import Option

SELECT, SKIP = "select-authenticator-enroll", "skip"
CHECKOUT = "/checkout"


def required_ways(response: IdxResponse) -> list[Option] | None:
    """The ways that must still be set up, that of the current step included, one option for each authenticator: none
    once the rest can be skipped. None for a response without the list."""
    form = response.form(SELECT)
    if form is None:
        return None
    if response.form(SKIP) is not None:
        return []
    return list({option.value.partition(".")[0]: option for option in ways_of(response, form)}.values())


def ways_of(response: IdxResponse, form: Json) -> list[Option]:
    """All options of the list."""
    choices = [field.options for field in inputs_of(form, response.resolve, "") if field.type == "choice"]
    return [option for options in choices for option in options or []]


def needs_nothing(way: Option) -> bool:
    """Whether a way opens without a choice of methods and without anything to type."""
    return "." not in way.value and all(field.type == "hidden" for field in way.inputs)


def next_way(flow: str, response: IdxResponse) -> tuple[Json, Json] | None:
    """The list and its values for the way that opens by itself: the only one, or a registration's first, as a new
    account needs all of them. None: the person chooses, or types something first, such as a phone number."""
    form, ways = response.form(SELECT), required_ways(response)
    is_list = bool(response.remediations) and response.remediations[0] is form
    has_failed = any(message.kind == "error" for message in response.messages())
    if form is None or not ways or not is_list or has_failed or (flow != "register" and len(ways) > 1):
        return None
    if not needs_nothing(ways[0]):
        return None
    filler = FormFiller({"authenticator": ways[0].value})
    body = filler.body(form)
    return None if filler.errors else (form, body)


def next_skip(flow: str, return_to: str, response: IdxResponse) -> tuple[Json, Json] | None:
    """The form that goes on without more ways than the required ones, and its values, for whoever registers on the way
    to the checkout: the rest is on their profile. None: the person chooses."""
    form, is_buying = response.form(SKIP), urlsplit(return_to).path == CHECKOUT
    has_failed = any(message.kind == "error" for message in response.messages())
    if form is None or has_failed or flow != "register" or not is_buying or required_ways(response) != []:
        return None
    return form, FormFiller({}).body(form)
