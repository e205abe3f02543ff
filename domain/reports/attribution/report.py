"""The report `attribution`: what channels, campaigns, coupons, students and partners are credited with, by five models
side by side, in one currency."""

from collections.abc import Mapping
from pathlib import Path

from domain.attribution.credits import NOT_MEASURED, SELF
from domain.attribution.weights import MODELS, Model
from domain.reports.visit_reports.descriptions import DAY, ReportChoice, ReportDescription, label_of
from domain.reports.visit_reports.figures import Figure, FigureSums, FigureValue, percent, sum_of
from domain.visits.days.channels import NO_CAMPAIGN, NONE
from domain.visits.erased import ERASED

ORDER = "order"
MODEL = "model"
LEVELS: Mapping[str, str] = {
    "channel": "Channel",
    "campaign": "Source / medium / campaign",
    "coupon": "Coupon",
    "student": "Student",
    "partner": "Partner",
    ORDER: "Order",
}
MODEL_LABELS: Mapping[Model, str] = {
    "first": "First",
    "last": "Last",
    "linear": "Linear",
    "decay": "Decay",
    "position": "Position",
}
# Keys that name nobody and nothing that could have brought an order.
NAMELESS = frozenset((NOT_MEASURED, NONE, SELF, NO_CAMPAIGN, "direct"))
_WORDS = {NOT_MEASURED: "Not measured", SELF: "Buyer's own link", ERASED: "Erased"}


def milli(model: Model) -> str:
    """The name of the thousandths of orders among the sums."""
    return f"{model}_milli"


def _orders_of(name: str) -> Figure:
    label = f"{MODEL_LABELS[_model(name)]}: orders"
    return Figure(f"{name}Orders", label, "number", lambda sums: sums[milli(_model(name))] / 1000)


def _model(name: str) -> Model:
    return next(model for model in MODELS if model == name)


def _measured(sums: FigureSums) -> FigureValue:
    """None where nothing is left of what was paid."""
    return percent(sums["net"] - sums["unmeasured"], sums["net"]) if sums["net"] > 0 else None


FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("net", "Net", "money", sum_of("net")),
        Figure("orders", "Paid orders", "number", lambda sums: sums["milli"] / 1000),
        Figure("measured", "Measured", "percent", _measured),
        *(
            Figure(model, f"{MODEL_LABELS[model]}: known origin", "money", sum_of(model), MODEL_LABELS[model])
            for model in MODELS
        ),
        *(_orders_of(model) for model in MODELS),
    )
}
REPORT = ReportDescription(
    "attribution",
    "Attribution",
    "What the visits before each paid order are credited with, by five models side by side.",
    LEVELS,
    columns=(*MODELS, *(f"{model}Orders" for model in MODELS)),
    columns_by={ORDER: MODELS},
    shown=("net", "orders", "measured", *MODELS),
    charted=("net",),
    figures=FIGURES,
    definitions=Path(__file__).parent / "definitions.json",
    choices=(ReportChoice(MODEL, "Model", {"last": "Last", **{name: MODEL_LABELS[name] for name in MODELS}}),),
    has_money=True,
    has_audience=False,
    first_sort="-last",
    group="Sales",
    chosen_levels=(ORDER, DAY),
    unchosen=(ORDER,),
)


def masked(student_number: str) -> str:
    """A student number as marketers see it: enough to tell a few apart, too little to know whose it is."""
    if student_number.startswith("("):
        return student_number
    return f"S-••••{student_number[-2:].upper()}" if len(student_number) > 4 else "S-••••"


def label_of_key(dimension: str, key: str) -> str:
    if key in _WORDS:
        return _WORDS[key]
    return masked(key) if dimension == "student" and not key.startswith("(") else label_of(dimension, key)
