"""The forms that actions describe: from the request model, and from what one page says."""

import re
from typing import Any

from pydantic import BaseModel

from host.api.admin.actions import ACTIONS, Action, FormEntry, FormField
from host.api.admin.catalogue.retirement import decide_page
from host.api.admin.orders import refund_lines
from host.api.admin.people.refunds import approve
from host.api.organisation.seats import assign
from host.app import create_app  # noqa: F401 its import declares every action
from host.checkout.seats.api import buy_first


def fields_of(form: Action) -> dict[str, Any]:
    return {field["name"]: field for field in form["fields"]}


def test_a_form_asks_for_every_field_that_its_call_requires():
    def is_asked(info: Any) -> bool:
        is_model = isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel)
        return is_model or any(isinstance(entry, FormField) for entry in info.metadata)

    missing = [
        f"{name}: {field}"
        for name, action in ACTIONS.items()
        for field, info in action.model.model_fields.items()
        if info.is_required() and field != "version" and not is_asked(info)
    ]
    assert len(ACTIONS) > 70
    assert missing == []


def test_each_id_of_the_path_is_replaced_by_its_own():
    assert approve.form("ABCD", 3)["call"] == "/admin/orders/ABCD/refunds/3/approve"


def test_a_field_that_is_a_dict_has_a_field_for_each_key_of_the_page():
    fields = fields_of(refund_lines.form("ABCD", entries={"units": {"1": FormEntry("Payroll", "Up to 2.", maximum=0)}}))
    assert [name for name in fields if name.startswith("units")] == ["units.1"]
    units = fields["units.1"]
    assert (units["label"], units["hint"], units["value"]) == ("Units of Payroll", "Up to 2.", "")
    assert (units["kind"], units["minimum"], units["maximum"], units["isRequired"]) == ("number", 0, 0, False)
    assert [name for name in fields_of(refund_lines.form("ABCD")) if name.startswith("units")] == []


def test_fields_of_a_model_inside_of_the_request_are_named_by_their_path():
    fields = fields_of(
        buy_first.form(values={"billing.city": "Rome"}, labels={"terms": "Agreed"}, hrefs={"terms": "/a"})
    )
    assert [*fields][:6] == ["key", "unitMinor", "quantity", "course", "showsNames", "joiningGivesSeat"]
    assert (fields["billing.city"]["value"], fields["billing.city"]["maxLength"]) == ("Rome", 255)
    assert (fields["terms"]["label"], fields["terms"]["href"], fields["terms"]["kind"]) == ("Agreed", "/a", "checked")


def test_a_page_says_what_is_required_left_out_and_not_seen():
    assert not fields_of(assign.form())["course"]["isRequired"]
    assert fields_of(assign.form(required=("course",)))["course"]["isRequired"]
    fields = fields_of(decide_page.form(7, without=("successor",), fixed=("reason",), values={"reason": "Few visits."}))
    assert {name: field["kind"] for name, field in fields.items()} == {"choice": "fixed", "reason": "fixed"}
    assert fields["reason"]["value"] == "Few visits."


def test_nothing_of_a_path_is_left_without_its_id():
    forms = [action.form(*["1"] * len(re.findall("{", name))) for name, action in ACTIONS.items()]
    assert [form["call"] for form in forms if "{" in form["call"]] == []
