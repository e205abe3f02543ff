"""/admin/health, /admin/searches, batches of coupons and alarms: what staff see, and who may do what."""

from datetime import UTC, datetime, time, timedelta

import pytest
from sqlalchemy import select

from adapters.jobs import JobRunner
from domain.coupons import batch_job
from domain.health import samples as health_samples
from domain.health import upkeep
from domain.search.unanswered import week_of
from domain.tables import Coupon, CouponAlarm, CrawlerRanges, SearchQuery, Upkeep
from host.health import HealthSampler, gather, sampled
from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.host.test_area_matrix import sent_by
from tests.support import factories


def staff(site, role: str) -> Learner:
    return learner(site, f"Operations {role}", area="admin", roles=[role])


async def saved(person: Learner, address: str) -> str:
    return (await (await person.site.get(address, **sent_by(person))).read()).decode()


async def test_health_says_that_there_is_no_sample_and_then_shows_every_part(own_site):
    support = staff(own_site, "support")
    _, props = await page(support, "/admin/health")
    assert (props["groups"], props["charts"], props["note"] != "") == ([], [], True)
    await HealthSampler(own_site.app)._sample()
    _, props = await page(support, "/admin/health")
    parts = {part["title"]: part["state"] for group in props["groups"] for part in group["parts"]}
    assert (parts["Database"], parts["Redis"], parts["Record of changes"]) == ("Up", "Not used", "Not checked yet")
    assert len(props["charts"]) == 9
    assert (await page(staff(own_site, "marketer"), "/admin/health"))[0] == 403


async def test_a_part_is_shown_in_its_worst_state_of_all_processes(own_site):
    values = sampled(await gather(own_site.app))
    down = {**values, "parts": {**values["parts"], "broker": "down"}}
    with own_site.db.write_session() as session:
        for process, about in (("a:1", values), ("b:1", down)):
            health_samples.store(session, process, about, datetime.now(UTC))
    _, props = await page(staff(own_site, "administrator"), "/admin/health")
    parts = {part["title"]: (part["state"], part["tone"]) for group in props["groups"] for part in group["parts"]}
    assert parts["Redis"] == ("Down", "bad")
    assert [row[0]["text"] for row in props["tables"][0]["rows"]] == ["a:1", "b:1"]


async def test_copies_and_secrets_are_listed_with_what_to_do_and_no_secret_is_shown(open_site):
    site = await open_site(SECRET_KEY="a-long-secret-of-this-shop-0123456789", OIDC_CLIENT_SECRET="client-secret")
    admin, support = staff(site, "administrator"), staff(site, "support")

    async def listed() -> dict[str, list[str | None]]:
        _, props = await page(admin, "/admin/health")
        rows = [[cell and cell.get("text") for cell in row] for row in props["upkeep"]["rows"]]
        return {row[0]: [row[1], row[4]] for row in rows}

    restore = "Restore a copy into an empty database every 90 days, and record it."
    copies = "One is due every 2\u00a0hr: let python -m host backup FOLDER --every 3600 write them."
    copied = "Copy of the database and the files"
    assert await listed() == {copied: ["Not recorded", copies], "Tested restore": ["Not recorded", restore]}
    sampler = HealthSampler(site.app)
    await sampler._note_keys()
    with site.db.write_session() as session:
        old = datetime.now(UTC) - timedelta(days=366)
        session.scalars(select(Upkeep).where(Upkeep.name == "key.SECRET_KEY")).one().at = old
        session.add(Upkeep(name="backup", at=datetime.now(UTC) - timedelta(hours=3), facts={"bytes": 12_000_000}))
    late = "One is due every 2\u00a0hr: see what python -m host backup FOLDER --every 3600 says."
    assert (await listed())[copied] == ["Too old", late]
    with site.db.write_session() as session:
        upkeep.note_backup(session, 12_000_000, datetime.now(UTC))
    await HealthSampler(site.app)._note_keys()
    call = "admin/health/restore"
    assert (await site.call(call, {"reason": "x"}, support.headers))[0] == 403
    assert (await site.call(call, {"reason": " "}, admin.headers))[1]["errors"] == {
        "reason": "Say what was restored, and what was looked at."
    }
    assert (await listed())["Tested restore"] == ["Not recorded", restore]
    assert (await site.call(call, {"reason": "The copy of Monday."}, admin.headers))[0] == 200
    shown = await listed()
    assert shown == {
        copied: ["In time", None],
        "Tested restore": ["In time", None],
        "OIDC_CLIENT_SECRET": ["In use", None],
        "SECRET_KEY": ["Old", "Older than 365 days: docs/operations.md says how it is replaced."],
    }
    _, props = await page(admin, "/admin/health")
    assert props["upkeep"]["rows"][0][3]["text"] == "12.0 MB"
    assert [form["id"] for form in props["actions"]] == ["restore"]
    assert (await page(support, "/admin/health"))[1]["actions"] == []
    text = await saved(admin, "/data/admin/health")
    with site.db.read_session() as session:
        kept = [value for row in session.scalars(select(Upkeep)) for value in row.facts.values()]
    assert not [
        value for value in (*kept, "client-secret", "a-long-secret") if isinstance(value, str) and value in text
    ]


async def test_a_part_that_has_not_answered_yet_is_starting_and_one_that_is_down_elsewhere_is_down(own_site):
    values = sampled(await gather(own_site.app))
    unanswered = {"worker": "starting", "provider": "starting"}
    starting = {**values, "parts": {**values["parts"], **unanswered}}
    failed = {**values, "parts": {**values["parts"], **unanswered, "provider": "down"}}
    with own_site.db.write_session() as session:
        for process, about in (("a:1", starting), ("b:1", failed)):
            health_samples.store(session, process, about, datetime.now(UTC))
    _, props = await page(staff(own_site, "support"), "/admin/health")
    parts = {part["title"]: part for group in props["groups"] for part in group["parts"]}
    assert (parts["Workers and beat"]["state"], parts["Workers and beat"]["tone"]) == ("Starting", "info")
    assert parts["Workers and beat"]["text"].endswith("It has not answered yet.")
    assert parts["Sign-in provider"]["state"] == "Down"


WAITING = {
    "nothing": ((0, 0, 0, 0), "0"),
    "some that a worker has taken": ((4_000, 2, 0, 600.0), "4,002, the oldest 10\N{NO-BREAK SPACE}min old"),
    "some that failed": ((1, 0, 1, 61.4), "1, the oldest 61 s old, 1 failed before"),
    "a broker that does not answer": ((None,) * 4, None),
}


@pytest.mark.parametrize("case", WAITING)
async def test_health_says_how_many_batches_of_visits_are_not_stored_and_since_when(own_site, case):
    numbers, text = WAITING[case]
    names = ("batches_waiting", "batches_claimed", "batches_failing", "batches_oldest_s")
    values = {**sampled(await gather(own_site.app)), **dict(zip(names, numbers, strict=True))}
    with own_site.db.write_session() as session:
        health_samples.store(session, "a:1", values, datetime.now(UTC))
    _, props = await page(staff(own_site, "support"), "/admin/health")
    facts = {fact["label"]: fact["cell"] and fact["cell"].get("text") for fact in props["facts"]}
    assert facts["Batches of visits not stored yet"] == text
    (chart,) = [chart for chart in props["charts"] if chart["title"] == "Visits"]
    assert chart["series"][0]["values"][-1] == (None if numbers[3] is None else round(numbers[3]))


async def test_readyz_names_a_record_of_changes_that_was_found_wrong(own_site):
    administrator = staff(own_site, "administrator")
    assert (await (await own_site.get("/readyz")).json())["parts"]["audit"] == "none"
    await administrator.call("admin/audit/verify")
    assert (await (await own_site.get("/readyz")).json())["parts"]["audit"] == "up"


async def test_searches_link_to_a_course_for_those_who_may_create_one(own_site):
    with own_site.db.write_session() as session:
        session.add(SearchQuery(searched_at=datetime.now(UTC), query="golang", results=0, answer="none"))
    _, props = await page(staff(own_site, "editor"), "/admin/searches")
    (row,) = props["table"]["rows"]
    assert [cell.get("text") or cell.get("value") for cell in row][:2] == ["golang", 1]
    assert [row[3]["href"], row[4]["href"]] == ["/search?q=golang", "/admin/courses/new?name=Golang"]
    _, props = await page(staff(own_site, "marketer"), "/admin/searches?week=2020-01-01")
    assert (len(props["table"]["rows"][0]), props["weeks"][0]["isCurrent"]) == (4, True)
    _, form = await page(staff(own_site, "editor"), "/admin/courses/new?name=Golang")
    assert form["actions"][0]["fields"][0]["value"] == "Golang"


async def test_the_searches_of_a_week_are_a_file_too(own_site):
    monday = week_of(datetime.now(UTC).date())
    before = monday - timedelta(days=7)
    with own_site.db.write_session() as session:
        for day, query in ((monday, "=golang"), (before, "cobol")):
            at = datetime.combine(day, time(1), UTC)
            session.add(SearchQuery(searched_at=at, query=query, results=0, answer="none"))
    editor = staff(own_site, "editor")
    _, now = await page(editor, "/admin/searches")
    _, then = await page(editor, f"/admin/searches?week={before}")
    assert [now["csvHref"], then["csvHref"]] == ["/csv/admin/searches", f"/csv/admin/searches?week={before}"]
    heading = "\ufeffSearch,Times,Last (UTC),Dismissed (UTC),Dismissed by\r\n"
    assert await saved(editor, now["csvHref"]) == f"{heading}'=golang,1,{monday}T01:00:00+00:00,,\r\n"
    assert await saved(editor, then["csvHref"]) == f"{heading}cobol,1,{before}T01:00:00+00:00,,\r\n"
    _, none = await page(editor, f"/admin/searches?week={before - timedelta(days=7)}")
    assert none["csvHref"] is None, "nothing was searched for in vain"


async def test_a_search_is_dismissed_and_brought_back_by_those_who_may_create_courses(own_site):
    monday = week_of(datetime.now(UTC).date())
    with own_site.db.write_session() as session:
        at = datetime.combine(monday, time(1), UTC)
        session.add(SearchQuery(searched_at=at, query="<go>", results=0, answer="none"))
    editor, marketer = staff(own_site, "editor"), staff(own_site, "marketer")
    address = "/admin/searches?query=%3Cgo%3E"
    assert (await page(marketer, address))[1]["actions"] == []
    [form] = (await page(editor, address))[1]["actions"]
    assert (form["title"], form["leadsTo"]) == ("Dismiss “<go>”", "/admin/searches")
    body = {field["name"]: field["value"] for field in form["fields"]}
    assert body == {"query": "<go>", "week": monday.isoformat()}
    assert (await marketer.call(form["call"][1:], **body))[0] == 403
    status, done = await editor.call(form["call"][1:], **body)
    assert (status, done["text"], done["undo"]["body"]) == (200, "The search “<go>” is dismissed.", {"query": "<go>"})
    _, props = await page(editor, "/admin/searches")
    assert (props["table"]["rows"], props["csvHref"]) == ([], None)
    _, props = await page(editor, props["others"]["href"] + "&query=%3Cgo%3E")
    [row], [form] = props["table"]["rows"], props["actions"]
    assert props["table"]["title"] == "Dismissed searches"
    assert (row[4]["text"], row[5]["text"]) == ("Operations editor", "Bring back")
    assert (await saved(editor, props["csvHref"])).rstrip().endswith(",Operations editor")
    assert (await editor.call(form["call"][1:], query="<go>"))[0] == 200
    _, props = await page(editor, "/admin/searches")
    assert [row[0]["text"] for row in props["table"]["rows"]] == ["<go>"]


TERMS = {"kind": "percent", "value": "10", "number": 30, "prefix": "TEAM"}
KEY = "k" * 16


@pytest.mark.usefixtures("jobs_by_the_test")
async def test_a_batch_is_started_made_and_taken_once_by_those_who_make_coupons(own_site):
    marketer, support = staff(own_site, "marketer"), staff(own_site, "support")
    assert (await support.call_once("admin/coupons/batches", KEY, **TERMS))[0] == 403
    assert (await marketer.call_once("admin/coupons/batches", KEY, **{**TERMS, "value": "61"}))[0] == 422
    said = (await marketer.call("admin/coupons/batches/preview", **{**TERMS, "kind": "amount", "totalLimit": 1}))[1]
    assert said["effects"][1] == "Over all uses it costs at most: $300.00 (30 uses)."
    status, batch = await marketer.call_once("admin/coupons/batches", KEY, **TERMS)
    path = f"/admin/coupons/batches/{batch['id']}"
    assert (status, (await page(marketer, path))[1]["isRunning"]) == (201, True)
    JobRunner(own_site.db, {batch_job.KIND: lambda claim: batch_job.steps(claim, datetime.now(UTC))}).run_slice()
    _, props = await page(marketer, path)
    assert (props["isRunning"], props["takeCall"]) == (False, f"{path}/take")
    assert (await page(support, path))[1]["takeCall"] is None
    take = f"{path[1:]}/take"
    assert (await support.call(take, idempotencyKey="t" * 16))[0] == 403
    status, taken = await marketer.call(take, idempotencyKey="t" * 16)
    assert (status, len(taken["codes"]), taken["codes"][0][:5]) == (200, 30, "TEAM-")
    assert (await page(marketer, path))[1]["takeCall"] is None
    assert await marketer.call(take, idempotencyKey="t" * 16) == (200, taken), "an answer that was lost"
    assert (await marketer.call(take, idempotencyKey="o" * 16))[0] == 403
    assert (await staff(own_site, "administrator").call(take, idempotencyKey="t" * 16))[0] == 403
    assert (await marketer.call(f"{path[1:]}/stop"))[1] == {"text": "It had ended before.", "href": None}


@pytest.fixture
def alarm(own_site) -> int:
    with own_site.db.write_session() as session:
        coupon = factories.coupon(session, "LOYAL-7", total_limit=9)
        row = CouponAlarm(
            coupon_id=coupon.id, hour=datetime.now(UTC), networks=30, expected=1.5, hosts=["vouchers.test"]
        )
        row.raised_at = datetime.now(UTC) - timedelta(hours=1)
        session.add(row)
        session.flush()
        return row.id


async def test_an_alarm_waits_on_the_first_page_and_its_code_is_replaced(own_site, alarm):
    marketer = staff(own_site, "marketer")
    _, home = await page(marketer, "/admin")
    assert [(entry["text"], entry["href"]) for entry in home["waiting"]] == [
        ("alarm about a coupon", "/admin/coupons/alarms?state=open")
    ]
    _, props = await page(marketer, f"/admin/coupons/alarms/{alarm}")
    assert [action["id"] for action in props["actions"]] == ["pause", "replace", "dismiss"]
    assert (await page(staff(own_site, "support"), f"/admin/coupons/alarms/{alarm}"))[1]["actions"] == []
    path = f"admin/coupons/alarms/{alarm}/replace"
    assert (await marketer.call(path, reason=""))[0] == 422
    status, outcome = await marketer.call(path, reason="Posted on a forum")
    with own_site.db.read_session() as session:
        new = session.query(Coupon).order_by(Coupon.id.desc()).first()
        assert (status, outcome["text"]) == (200, f"The code has ended. The new one is {new.display_code}.")
        assert (new.display_code[:6], new.total_limit) == ("LOYAL-", 9)
    assert (await marketer.call(path, reason="Again"))[1]["text"] == "Somebody has decided about it already."


async def test_published_ranges_of_crawlers_are_shown_by_operator_with_what_to_do(own_site):
    admin = staff(own_site, "administrator")

    async def table() -> dict:
        _, props = await page(admin, "/admin/health")
        (found,) = [one for one in props["tables"] if one["id"] == "crawlers"]
        return found

    assert (await table())["rows"] == []
    assert "python -m host crawlers refresh" in (await table())["empty"]
    now = datetime.now(UTC)
    with own_site.db.write_session() as session:
        for name, days in (("bing", 1), ("apple", 31), ("google-common", 0)):
            row = {"fetched_at": now - timedelta(days=days), "prefixes": '["192.0.2.0/24"]', "digest": "0" * 64}
            session.add(CrawlerRanges(name=name, **row))
    rows = {row[0]["text"]: [cell and cell.get("text") for cell in row[1:2]] for row in (await table())["rows"]}
    assert [rows[name] for name in ("Apple", "Microsoft", "Google", "OpenAI")] == [
        ["Too old"],
        ["In time"],
        *(["Not complete"], ["Not complete"]),
    ]
    assert "Yandex" not in rows
