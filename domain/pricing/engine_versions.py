"""Every engine that priced an order, by its version, so that each order can be explained by the engine of its time.

When a case of contracts/cases/pricing.json changes, the engine of before moves here unchanged, with its version.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from domain.pricing import engine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.quote import Quote
from domain.pricing.quote_reader import read_inputs

Engine = Callable[[QuoteInputs], Quote]

# Version 2 added amounts that count once per order. A document of version 1 has none and is computed as before.
ENGINES: Mapping[int, Engine] = {1: engine.price, engine.VERSION: engine.price}


class UnknownEngine(LookupError):
    """A stored quote names an engine that this build does not have: it was made by a newer build."""


def replay(document: Mapping[str, Any]) -> Quote:
    """Compute a stored quote (`quote_document.to_json`) again from its inputs, by the engine that made it.

    Raises UnknownEngine. Compare the result with `quote_reader.from_json(document)[1]`.
    """
    version = document["engine"]
    run = ENGINES.get(version)
    if run is None:
        raise UnknownEngine(f"engine {version} is unknown to this build; it has {sorted(ENGINES)}")
    return replace(run(read_inputs(document["inputs"])), engine_version=version)
