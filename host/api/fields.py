"""Field types that the models of several calls share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from domain.errors import InvalidInput
from domain.typed_values import bounded

# The largest integer that JavaScript represents exactly.
SAFE = 2**53 - 1
CODE_LENGTH = 64


class Strict(BaseModel):
    """Refuses unknown keys, so that a client cannot add fields such as a price."""

    model_config = ConfigDict(extra="forbid")


@contextmanager
def named_as_sent(names: Mapping[str, str]) -> Iterator[None]:
    """Names the fields of an InvalidInput as the body does: `names` has that name by the one of `domain`."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput({names.get(name, name): text for name, text in error.errors.items()}) from None


class EmptyRequest(Strict):
    """An empty object: the call has no parameters."""


def parse_id(value: Any) -> Any:
    """Accept ids as numbers or as strings of digits. Raises ValueError."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16:
        return int(value)
    return _whole_number(value)


def _whole_number(value: Any) -> Any:
    """Accept integers and floats without a fraction, as JSON Schema does; refuse booleans and strings."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("must be a whole number")
    return value


def _loose_text(value: Any) -> Any:
    """Accept numbers and null as text: clients read these values from cookies or send them as numbers."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) <= SAFE:
        return str(int(value))
    return value if isinstance(value, bool) or not isinstance(value, int | float) else str(value)


ID_FORMS = {
    "anyOf": [{"type": "integer", "minimum": 0, "maximum": SAFE}, {"type": "string", "pattern": "^[0-9]{1,15}$"}]
}
_TEXT_FORMS = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]}
Id = Annotated[int, BeforeValidator(parse_id), Field(ge=0, le=SAFE), WithJsonSchema(ID_FORMS, "validation")]
# An instant with a zone, in UTC.
Instant = Annotated[AwareDatetime, AfterValidator(bounded)]
# Place it after the bounds of an int: placed before them, pydantic leaves the bounds out of the JSON Schema.
WHOLE = BeforeValidator(_whole_number)
LooseText = Annotated[str, BeforeValidator(_loose_text), WithJsonSchema(_TEXT_FORMS, "validation")]
Text64 = Annotated[str, Field(max_length=CODE_LENGTH)]
