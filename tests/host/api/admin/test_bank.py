"""Statements and entries of the bank account in the area for staff: who may, and from the file to the paid order."""

import pytest

from tests.domain.bank_transfers.camt_files import Booked, camt, detail
from tests.host.api.admin.test_uploads_and_imports import complete, send
from tests.host.page_props import page_props
from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by
from tests.support.waiting import until

KEY = "k" * 16
CONTENT = camt(Booked("12.50", "USD", details=detail("thanks"), number="7"))


@pytest.fixture
async def finance(own_site):
    return learner(own_site, "Fay Finance", area="admin", roles=["finance"])


async def ended(person, job_id):
    async def job():
        status = (await page_props(person, f"/admin/bank-statements?job={job_id}"))["job"]
        return None if status["state"] in ("queued", "running") else status

    return await until(job, every_s=0.05)


async def start(person, upload_id, *, is_check, key=KEY):
    body = {"uploadId": upload_id, "isCheck": is_check, "idempotencyKey": key}
    return await person.call("admin/bank-statements", **body)


async def test_a_statement_is_checked_booked_and_its_rest_decided(finance):
    upload_id = await send(finance, CONTENT, "statement")
    assert (await start(finance, upload_id, is_check=True))[0] == 403
    assert (await complete(finance, upload_id, CONTENT))[0] == 200
    status, job = await start(finance, upload_id, is_check=True)
    assert status == 201
    checked = await ended(finance, job["id"])
    assert (checked["state"], checked["canBook"]) == ("done", True)
    assert checked["counts"] == [{"label": "Without a reference that we know", "count": 1}]
    assert (await start(finance, upload_id, is_check=True))[1]["id"] == job["id"]
    _, job = await start(finance, upload_id, is_check=False, key="b" * 16)
    assert (await ended(finance, job["id"]))["canBook"] is False
    rows = (await page_props(finance, "/admin/bank-entries?state=open"))["table"]["rows"]
    assert len(rows) == 1
    href = rows[0]["cells"][0]["href"]
    shown = await page_props(finance, href)
    assert (shown["heading"], [form["id"] for form in shown["actions"]]) == (
        "Credit of 12.50 USD",
        ["assign", "return", "ignore"],
    )
    number = href.rpartition("/")[2]
    status, problem = await finance.call(f"admin/bank-entries/{number}/assign/preview", order="NONE", reason="A call")
    assert (status, problem["errors"]) == (422, {"order": "There is no order NONE."})
    done = await finance.call(f"admin/bank-entries/{number}/ignore", reason="Interest")
    assert done == (200, {"text": "The entry is set aside.", "href": None})
    assert (await finance.call(f"admin/bank-entries/{number}/return", reason="Again"))[0] == 409
    assert (await page_props(finance, href))["actions"] == []
    rows = (await page_props(finance, "/admin/bank-entries?state=ignored"))["table"]["rows"]
    assert len(rows) == 1


async def test_support_neither_sends_statements_nor_sees_entries(own_site):
    support = learner(own_site, "Sue Support", area="admin", roles=["support"])
    assert (await start(support, 1, is_check=True))[0] == 403
    for path in ("/admin/bank-entries", "/admin/bank-statements"):
        assert (await support.site.get(path, **sent_by(support))).status == 403
