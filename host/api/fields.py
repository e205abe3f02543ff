"""Forms of values on the wire that several calls share."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

# JSON numbers that JavaScript can tell apart.
SAFE = 2**53 - 1
CODE_LENGTH = 64


class Strict(BaseModel):
    """Keys that are not named are refused: nobody slips a price in."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Strict):
    """A call that takes nothing."""


def _id(value: Any) -> Any:
    """Ids come as numbers or as strings of digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16:
        return int(value)
    return _whole_number(value)


def _whole_number(value: Any) -> Any:
    """JSON has one kind of number, and JSON Schema calls 1.0 an integer too; true and "1" are none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("must be a whole number")
    return value


def _loose_text(value: Any) -> Any:
    """Cookies hold text, scripts send numbers: both name the same thing."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) <= SAFE:
        return str(int(value))
    return value if isinstance(value, bool) or not isinstance(value, int | float) else str(value)


_ID_FORMS = {
    "anyOf": [{"type": "integer", "minimum": 0, "maximum": SAFE}, {"type": "string", "pattern": "^[0-9]{1,15}$"}]
}
_TEXT_FORMS = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]}
Id = Annotated[int, BeforeValidator(_id), Field(ge=0, le=SAFE), WithJsonSchema(_ID_FORMS, "validation")]
# Behind the bounds of an int: before them pydantic could not write those into the document.
WHOLE = BeforeValidator(_whole_number)
LooseText = Annotated[str, BeforeValidator(_loose_text), WithJsonSchema(_TEXT_FORMS, "validation")]
Text64 = Annotated[str, Field(max_length=CODE_LENGTH)]
