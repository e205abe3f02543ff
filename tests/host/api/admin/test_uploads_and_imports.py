"""Files in parts, and imports from them: who may, what is refused, and a catalogue that comes in whole."""

import asyncio
import base64
import hashlib
from decimal import Decimal

import pytest
from sqlalchemy import delete, select

from domain.audit.recording import EVENTS
from domain.tables import Product, StaffRole
from domain.uploads import upload_rows
from domain.uploads.upload_rows import PART_BYTES
from host.api.uploads.calls import PERMISSIONS
from tests.host.signing import ended_job, learner
from tests.host.site import ORIGIN

ROWS = "id,title,subject\n1,Ledgers,Accounting\n2,Audits,\n3,,Tax\n"
BIG = b"id,title\n" + b"x" * PART_BYTES
KEY = "k" * 16


@pytest.fixture
async def editor(bare_site):
    return learner(bare_site, "Ed Editor", area="admin", roles=["editor"])


async def put_part(person, upload_id, number, content, data=None, **changed):
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    headers = {
        **person.headers,
        "Origin": ORIGIN,
        "Content-Type": "application/octet-stream",
        "Content-Digest": f"sha-256=:{digest}:",
        **changed,
    }
    path = f"/api/uploads/{upload_id}/parts/{number}"
    answer = await person.site.client.request(
        "PUT", path, data=data or content, headers={name: value for name, value in headers.items() if value is not None}
    )
    return answer.status, await answer.json(content_type=None)


async def begin(person, size=9, purpose="import"):
    """Status and body of the call that announces a file."""
    return await person.site.call("uploads", {"name": "a.csv", "bytes": size, "purpose": purpose}, person.headers)


async def send(person, content, purpose="import"):
    status, upload = await begin(person, len(content), purpose)
    assert status == 201, upload
    for number in upload["missing"]:
        part = content[number * PART_BYTES : (number + 1) * PART_BYTES]
        assert (await put_part(person, upload["id"], number, part))[0] == 200
    return upload["id"]


def digest_of(content):
    """What the sender of this file measures."""
    parts = [content[start : start + PART_BYTES] for start in range(0, len(content), PART_BYTES)]
    digests = b"".join(hashlib.sha256(part).digest() for part in parts)
    return base64.b64encode(hashlib.sha256(digests).digest()).decode()


async def complete(person, upload_id, content):
    """Status and body of the call that ends a file with this content."""
    return await person.call(f"uploads/{upload_id}/complete", digest=digest_of(content))


async def status_of(person, job_id):
    return await ended_job(person, f"admin/imports/{job_id}")


async def test_a_file_arrives_in_parts_in_any_order_and_byte_for_byte(editor):
    status, upload = await begin(editor, len(BIG))
    assert (status, upload["missing"], upload["partBytes"]) == (201, [0, 1], PART_BYTES)
    assert (await put_part(editor, upload["id"], 1, BIG[PART_BYTES:]))[1]["missing"] == [0]
    assert (await complete(editor, upload["id"], BIG))[0] == 403
    assert (await put_part(editor, upload["id"], 0, BIG[:PART_BYTES]))[1]["missing"] == []
    assert (await editor.get(f"uploads/{upload['id']}"))[1]["isComplete"] is False
    for _ in range(2):
        assert (await complete(editor, upload["id"], BIG))[1]["isComplete"] is True
    path = upload_rows.path_of(editor.site.settings.files_folder, upload["id"])
    assert path.read_bytes() == BIG


async def test_parts_of_two_versions_of_a_file_are_no_file_and_are_sent_again(editor):
    """A file that was saved anew while it was sent, with the same size: each part matches its own digest."""
    former = b"y" + BIG[1:]
    _, upload = await begin(editor, len(BIG))
    await put_part(editor, upload["id"], 0, former[:PART_BYTES])
    await put_part(editor, upload["id"], 1, BIG[PART_BYTES:])
    status, body = await complete(editor, upload["id"], BIG)
    text = "What arrived is not this file: it was changed while it was sent. Send it again."
    assert (status, body["errors"]) == (422, {"file": text})
    _, again = await editor.get(f"uploads/{upload['id']}")
    assert (again["isComplete"], again["missing"]) == (False, [0, 1])
    for number in again["missing"]:
        await put_part(editor, upload["id"], number, BIG[number * PART_BYTES :][:PART_BYTES])
    assert (await complete(editor, upload["id"], BIG))[1]["isComplete"] is True
    path = upload_rows.path_of(editor.site.settings.files_folder, upload["id"])
    assert path.read_bytes() == BIG
    assert (await complete(editor, upload["id"], former))[0] == 422
    assert (await editor.get(f"uploads/{upload['id']}"))[1]["isComplete"] is True


@pytest.mark.parametrize(
    "digest", [{}, {"digest": ""}, {"digest": "x" * 44}, {"digest": digest_of(b"id,title\n")[:-1]}]
)
async def test_a_file_is_not_complete_without_the_digest_of_the_whole(editor, digest):
    upload_id = await send(editor, b"id,title\n")
    status, body = await editor.call(f"uploads/{upload_id}/complete", **digest)
    assert (status, list(body["errors"])) == (422, ["digest"])
    assert (await editor.get(f"uploads/{upload_id}"))[1]["isComplete"] is False


@pytest.mark.parametrize(
    ("content", "changed", "status"),
    [
        (b"id,titlf\n", {}, 200),
        (b"id,title\n", {"Content-Digest": f"sha-256=:{base64.b64encode(bytes(32)).decode()}:"}, 422),
        (b"id,title\n", {"Content-Digest": None}, 400),
        (b"id,title\n", {"Content-Digest": "sha-256=:short:"}, 400),
        (b"id,title\n", {"Content-Type": "text/csv"}, 415),
        (b"id,title\n", {"Origin": None}, 403),
        (b"id,title\n", {"Origin": "https://evil.example"}, 403),
        (b"id,title\n", {"Authorization": None}, 401),
        (b"id,title\n", {"Cookie": None}, 401),
        (b"id,title\n,", {}, 422),
        (b"id,title", {}, 422),
    ],
)
async def test_only_the_declared_part_is_taken(editor, content, changed, status):
    _, upload = await begin(editor)
    editor.site.client.session.cookie_jar.clear()
    answer, body = await put_part(editor, upload["id"], 0, content, **changed)
    assert answer == status, body
    assert (await editor.get(f"uploads/{upload['id']}"))[1]["missing"] == ([] if status == 200 else [0])


async def test_a_body_in_chunks_that_is_shorter_than_its_part_is_refused(editor):
    _, upload = await begin(editor, 1000)

    async def nine():
        yield b"id,title\n"

    digest = base64.b64encode(hashlib.sha256(b"id,title\n").digest()).decode()
    answer, body = await put_part(
        editor, upload["id"], 0, b"", data=nine(), **{"Content-Digest": f"sha-256=:{digest}:"}
    )
    assert (answer, body["errors"]) == (422, {"part": "This part has 1000 bytes, and 9 arrived."})
    assert (await complete(editor, upload["id"], b"id,title\n"))[0] == 403


async def test_a_slow_try_for_a_part_changes_nothing_of_a_file_that_is_complete(editor):
    """The first of two tries sends its last byte after the other one has completed the file."""
    _, upload = await begin(editor)
    gate = asyncio.Event()

    async def slow():
        yield b"XX,XXXXX"
        await gate.wait()
        yield b"\n"

    digest = base64.b64encode(hashlib.sha256(b"XX,XXXXX\n").digest()).decode()
    about = {"Content-Digest": f"sha-256=:{digest}:"}
    late = asyncio.create_task(put_part(editor, upload["id"], 0, b"", data=slow(), **about))
    await asyncio.sleep(0)
    assert (await put_part(editor, upload["id"], 0, b"id,title\n"))[0] == 200
    assert (await complete(editor, upload["id"], b"id,title\n"))[1]["isComplete"] is True
    gate.set()
    assert (await late)[0] == 403
    path = upload_rows.path_of(editor.site.settings.files_folder, upload["id"])
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"id,title\n", 0o400)
    assert [file.name for file in path.parent.glob(f"{path.name}.part-*")] == []


async def test_the_purpose_decides_who_may_send_a_file_and_the_owner_alone_goes_on(editor):
    support = learner(editor.site, "Sue", area="admin", roles=["support"])
    assert (await begin(support))[0] == 403
    assert (await begin(learner(editor.site)))[0] == 403
    _, upload = await begin(editor)
    other = learner(editor.site, "Eve", area="admin", roles=["editor"])
    assert (await other.get(f"uploads/{upload['id']}"))[0] == 404
    assert (await put_part(other, upload["id"], 0, b"id,title\n"))[0] == 404
    assert (await put_part(editor, upload["id"], 1, b"id,title\n"))[0] == 404
    assert (await begin(editor, 2**29))[0] == 422


@pytest.mark.parametrize("purpose", PERMISSIONS)
async def test_every_purpose_needs_its_permission_and_a_refusal_is_recorded(own_site, purpose):
    area, permission = PERMISSIONS[purpose]
    person = learner(own_site, "Mark Keter", area="admin", roles=["marketer"])
    assert (await begin(person, 9, purpose))[0] == 403
    lack = {"permission": str(permission)} if area == "admin" else {"area": area}
    with own_site.db.read_session() as session:
        found = session.execute(select(EVENTS.c.action, EVENTS.c.subject_id, EVENTS.c.after)).all()
    assert found == [("call.refuse", "POST uploads", lack)]


async def test_a_part_of_somebody_who_lost_the_role_is_refused_and_recorded(own_site):
    editor = learner(own_site, "Ed Editor", area="admin", roles=["editor"])
    _, upload = await begin(editor)
    with own_site.db.write_session() as session:
        session.execute(delete(StaffRole).where(StaffRole.learner_id == editor.id))
    assert (await put_part(editor, upload["id"], 0, b"id,title\n"))[0] == 403
    with own_site.db.read_session() as session:
        subjects = session.scalars(select(EVENTS.c.subject_id)).all()
    assert subjects == [f"PUT uploads/{upload['id']}/parts/0"]


async def test_a_file_is_refused_by_its_contents(editor):
    upload_id = await send(editor, b"\x89PNG\r\n\x1a\n")
    status, body = await complete(editor, upload_id, b"\x89PNG\r\n\x1a\n")
    assert (status, list(body["errors"])) == (422, ["file"])


async def test_a_file_is_checked_and_then_imported_once(editor):
    upload_id = await send(editor, ROWS.encode())
    check = {"uploadId": upload_id, "kind": "courses", "constants": {"list_price": "49", "category": "Other"}}
    assert (await editor.call("admin/imports/checks", **check, idempotencyKey=KEY))[0] == 403
    await complete(editor, upload_id, ROWS.encode())
    starts = [await editor.call("admin/imports/checks", **check, idempotencyKey=KEY) for _ in range(2)]
    assert [status for status, _ in starts] == [201, 201]
    assert starts[0][1]["id"] == starts[1][1]["id"]
    checked = await status_of(editor, starts[0][1]["id"])
    assert (checked["state"], checked["isCheck"], checked["ready"]) == ("done", True, 2)
    counts = {row["label"]: row["count"] for row in checked["counts"]}
    assert (counts["Rows in the file"], counts["To import"], counts["Left out"]) == (3, 2, 1)
    assert (counts["New"], counts["Changed"], counts["Unchanged"], counts["Kept as draft"]) == (2, 0, 0, 2)
    assert checked["findings"][0] == {"about": "Left out", "line": 4, "text": "title is empty"}
    assert [finding["about"] for finding in checked["findings"][1:]] == ["Kept as draft"] * 2
    started = [(await editor.call("admin/imports", checkId=checked["id"]))[1]["id"] for _ in range(2)]
    assert started[0] == started[1]
    done = await status_of(editor, started[0])
    counts = {row["label"]: row["count"] for row in done["counts"]}
    assert (done["state"], done["processed"], done["total"], counts["New"]) == ("done", 2, 2, 2)
    with editor.site.db.read_session() as session:
        names = session.scalars(select(Product.name).where(Product.source_id.in_(["1", "2"])))
        assert sorted(names) == ["Audits", "Ledgers"]


async def test_every_row_of_a_check_is_a_file_for_whoever_may_import(editor):
    upload_id = await send(editor, ROWS.replace("Ledgers", "=1+1").encode())
    await complete(editor, upload_id, ROWS.replace("Ledgers", "=1+1").encode())
    check = {"uploadId": upload_id, "kind": "courses", "constants": {"list_price": "49", "category": "Other"}}
    job_id = (await editor.call("admin/imports/checks", **check, idempotencyKey=KEY))[1]["id"]
    href = (await status_of(editor, job_id))["rowsHref"]
    answer = await editor.site.client.get(href, headers=editor.headers)
    assert (answer.status, answer.content_type) == (200, "text/csv")
    lines = (await answer.read()).decode("utf-8-sig").splitlines()
    assert lines[0] == "Line,Result,Name,Address,Changed fields,Kept as draft because,Reason"
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ["2", "New", "'=1+1"],
        ["3", "New", "Audits"],
        ["4", "Left out", ""],
    ]
    support = learner(editor.site, "Sue", area="admin", roles=["support"])
    assert (await editor.site.client.get(href, headers=support.headers)).status == 403
    assert (await editor.site.client.get("/csv/admin/imports/999999", headers=editor.headers)).status == 404


async def test_a_file_is_read_by_its_rules_and_what_is_left_out_comes_back(editor):
    rows = "id;title;level;price\n1;Étude;2nd year;umlagefinanziert\n2;Fugue;beginner;12,50\n3;;beginner;1\n"
    content = rows.encode("cp1252")
    upload_id = await send(editor, content)
    assert (await complete(editor, upload_id, content))[0] == 200
    rules = {"uploadId": upload_id, "kind": "courses", "decimal": ",", "encoding": "windows-1252", "preset": "moodle"}
    columns = (await editor.call("admin/imports/columns", **rules))[1]["columns"]
    assert [(column["name"], column["unread"]) for column in columns if column["unread"]] == [
        ("level", ["2nd year"]),
        ("price", ["umlagefinanziert"]),
    ]
    words = {"level": {"2nd year": "intermediate"}, "list_price": {"umlagefinanziert": "0"}}
    check = {**rules, "words": words, "constants": {"category": "Other"}, "idempotencyKey": KEY}
    checked = await status_of(editor, (await editor.call("admin/imports/checks", **check))[1]["id"])
    assert checked["ready"] == 2
    answer = await editor.site.client.get(checked["refusedHref"], headers=editor.headers)
    assert (await answer.read()).decode(
        "utf-8-sig"
    ) == "id;title;level;price;reason\r\n3;;beginner;1;title is empty\r\n"
    await status_of(editor, (await editor.call("admin/imports", checkId=checked["id"]))[1]["id"])
    with editor.site.db.read_session() as session:
        stored = session.execute(select(Product.name, Product.level, Product.list_price).order_by(Product.source_id))
        assert [tuple(row) for row in stored if row[0] in {"Étude", "Fugue"}] == [
            ("Étude", "intermediate", 0),
            ("Fugue", "beginner", Decimal("12.50")),
        ]


async def test_the_columns_of_a_file_are_shown_with_values_and_warnings(editor):
    upload_id = await send(editor, b"id,what,cost\n1,Ledgers,10\n2,Audits,much\n")
    request = {"uploadId": upload_id, "kind": "courses", "mapping": {"what": "name", "cost": "list_price"}}
    assert (await editor.call("admin/imports/columns", **request))[0] == 403
    await complete(editor, upload_id, b"id,what,cost\n1,Ledgers,10\n2,Audits,much\n")
    status, body = await editor.call("admin/imports/columns", **request)
    assert (status, [column["field"] for column in body["columns"]]) == (200, ["source_id", "name", "list_price"])
    assert body["columns"][1]["samples"] == ["Ledgers", "Audits"]
    assert "cost 'much'" in body["columns"][2]["warning"]
    wrong = {**request, "mapping": {"what": "nothing"}}
    assert (await editor.call("admin/imports/columns", **wrong))[0] == 422
    other = learner(editor.site, "Eve", area="admin", roles=["editor"])
    assert (await other.call("admin/imports/columns", **request))[0] == 404


async def test_a_file_that_cannot_be_read_says_why(editor):
    upload_id = await send(editor, b"id,title\n1,A\n")
    await complete(editor, upload_id, b"id,title\n1,A\n")
    check = {"uploadId": upload_id, "kind": "courses", "idempotencyKey": KEY}
    failed = await status_of(editor, (await editor.call("admin/imports/checks", **check))[1]["id"])
    assert (failed["state"], failed["ready"]) == ("failed", None)
    assert failed["error"].startswith("The file has no column for category, list_price")
    assert (await editor.call("admin/imports", checkId=failed["id"]))[0] == 403
    assert (await editor.call(f"admin/imports/{failed['id']}/stop"))[1]["state"] == "failed"


@pytest.mark.parametrize("name", ["admin/imports/1", "admin/imports/999999"])
async def test_an_unknown_import_is_not_found(editor, name):
    assert (await editor.get(name))[0] == 404
    assert (await editor.call(f"{name}/stop"))[0] == 404
