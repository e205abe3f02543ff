"""Reads the JSON document of a quote that quote_document.py wrote."""

from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Protocol, TypeVar

from domain.money import currency
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Delivery, Line, Offer, OfferRef, Window
from domain.pricing.quote import PricedLine, Quote, Refusal, RejectedOffer, Step, StepFacts
from domain.shop_settings.shop import ShopSettings
from domain.tax.context import TaxComponent, TaxContext
from domain.tax.places import Place


class _Record(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T", bound=_Record)
Json = Mapping[str, Any]
Reader = Callable[[Any], Any]


def from_json(document: Json) -> tuple[QuoteInputs, Quote]:
    """The inputs and the output as they were stored. Raises KeyError, TypeError or ValueError for another document."""
    return read_inputs(document["inputs"]), _quote(document["output"])


def read_inputs(data: Json) -> QuoteInputs:
    return _record(
        QuoteInputs,
        data,
        lines=_all(_line),
        coupon=_offer,
        shop=_shop,
        tax=_tax,
        delivery=_delivery,
        refusals=_all(_refusal),
    )


def _record(kind: type[T], data: Json, **readers: Reader) -> T:
    """A dataclass from its fields; `readers` convert those that JSON does not have, unless they are None.

    A field that only a later build knows, which was rolled back, is left out. One that changes what comes out raises
    the engine's version, and such a document is refused (engine_versions.py).
    """
    known = {field.name for field in fields(kind)}
    values = {
        name: readers[name](value) if name in readers and value is not None else value
        for name, value in data.items()
        if name in known
    }
    return kind(**values)


def _all(read: Reader) -> Reader:
    return lambda items: tuple(read(item) for item in items)


def _shop(data: Json) -> ShopSettings:
    return _record(ShopSettings, data, currency=currency)


def _window(data: Json) -> Window:
    return _record(Window, data, starts_at=datetime.fromisoformat, ends_at=datetime.fromisoformat)


def _ref(data: Json) -> OfferRef:
    return _record(OfferRef, data)


def _place(data: Json) -> Place:
    return _record(Place, data)


def _offer(data: Json) -> Offer:
    return _record(Offer, data, value=Decimal, minimum=Decimal, products=frozenset, ref=_ref, window=_window)


def _line(data: Json) -> Line:
    prices = dict.fromkeys(("list_price", "sale_price"), Decimal)
    lists = {"other_contracts": _all(_offer)}
    times: dict[str, Reader] = {"sale_window": _window, "promised_until": datetime.fromisoformat}
    return _record(Line, data, organisation=_offer, code=_offer, **times, **lists, **prices)


def _delivery(data: Json) -> Delivery:
    return _record(Delivery, data, **dict.fromkeys(("price", "list_price", "free_from"), Decimal))


def _component(data: Json) -> TaxComponent:
    return _record(TaxComponent, data, percent=Decimal)


def _rates(data: Json) -> dict[str, Any]:
    return {tax_class: _all(_component)(components) for tax_class, components in data.items()}


def _tax(data: Json) -> TaxContext:
    return _record(TaxContext, data, place=_place, rates=_rates, home_rates=_rates, reverse_charge=frozenset)


def _facts(data: Json) -> StepFacts:
    return _record(StepFacts, data, **dict.fromkeys(("percent", "value", "base"), Decimal))


def _step(data: Json) -> Step:
    amounts = dict.fromkeys(("change", "total", "included"), Decimal)
    return _record(Step, data, ref=_ref, facts=_facts, **amounts)


def _rejected(data: Json) -> RejectedOffer:
    return _record(RejectedOffer, data, total=Decimal, ref=_ref)


def _refusal(data: Json) -> Refusal:
    return _record(Refusal, data, ref=_ref)


def _priced(data: Json) -> PricedLine:
    prices = dict.fromkeys(("unit_price", "unit_discount"), Decimal)
    return _record(PricedLine, data, steps=_all(_step), rejected_offers=_all(_rejected), **prices)


def _quote(data: Json) -> Quote:
    amounts = ("subtotal", "discount", "delivery", "tax", "removed_tax", "total")
    readers = dict.fromkeys(amounts, Decimal)
    return _record(Quote, data, place=_place, lines=_all(_priced), refusals=_all(_refusal), **readers)
