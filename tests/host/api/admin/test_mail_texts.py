"""The words of mails by calls and pages of the area, and in the mails that are sent."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from adapters import mail
from adapters.mail import MailAccount
from adapters.outbox import handle_rows
from contracts.tasks import OutboxKind, Topic
from domain import contact
from domain.publishing.editing import mail_texts
from domain.tables import AuditEvent, ContentPage, Outbox
from domain.tables import Learner as LearnerRow
from tests.host.signing import Learner, learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by
from tests.support.statements import recorded_everywhere

PATH, CALL = "/admin/mail-texts", "admin/mail-texts/contact_confirmation"
MESSAGE = {"name": "Ada", "email": "ada@example.test", "subject": "Owls", "message": "Hello?"}


@pytest.fixture
def editor(each_site) -> Learner:
    return learner(each_site, "Edda Editor", area="admin", roles=["editor"])


async def props(person: Learner, path: str) -> Any:
    answer = await person.site.get(f"/data{path}", **sent_by(person))
    return (await answer.json())["props"]


async def publish(person: Learner, **words: str) -> tuple[int, Any]:
    body = await typed(person, **words)
    return await person.site.call(CALL, body, person.headers, method="PUT")


async def typed(person: Learner, **words: str) -> dict[str, Any]:
    """What the browser sends of the form."""
    shown = body_of((await props(person, f"{PATH}/contact_confirmation"))["form"])
    fields = {name.partition(".")[2]: text for name, text in shown.items() if name.startswith("words.")}
    return {"version": shown["version"], "words": {**fields, **words}}


def write(site: Any) -> None:
    """Somebody writes to the shop."""
    site.db.write_sync(contact.store_message, MESSAGE, datetime.now(UTC))


class Server:
    """Takes every mail."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def ensure_ready(self) -> None: ...

    def send(self, message: Any, _sender: str, _to: str) -> None:
        self.sent.append(message)


ACCOUNT = MailAccount("smtp://x", "", "Coursefront", "shop@shop.test", "https://shop.test")


def sent(site: Any) -> list[tuple[str, str]]:
    """Subjects and texts of what is sent in one run."""
    server = Server()
    handle_rows(site.db, Topic.MAIL, server, mail.handlers(site.db, ACCOUNT))
    return [(one["Subject"], one.get_body(("plain",)).get_content().split("\n")[0]) for one in server.sent]


@pytest.mark.each_database
async def test_published_words_are_in_mails_from_then_on_and_the_shop_can_have_its_own_again(each_site, editor):
    write(each_site)
    assert sent(each_site) == [("We received your message: Owls", "Hello Ada,")]
    status, answer = await publish(editor, greeting="Dear", subject="{site.name}: {subject}")
    assert (status, answer["text"]) == (200, "The words are published. Mails that are written from now on have them.")
    write(each_site)
    assert sent(each_site) == [("Coursefront: Owls", "Dear Ada,")]
    page = await props(editor, f"{PATH}/contact_confirmation")
    assert (page["version"], page["reset"]["version"]) == (1, 1)
    changes, versions = page["tables"]
    assert [[cell["text"] for cell in row] for row in changes["rows"]] == [
        ["Subject", "We received your message: {subject}", "{site.name}: {subject}"],
        ["Greeting, before the name", "Hello", "Dear"],
    ]
    assert [row[0]["text"] for row in versions["rows"]] == ["Version 1", "The shop's own"]
    assert (await each_site.call(f"{CALL}/reset", {"version": 1}, editor.headers))[0] == 200
    write(each_site)
    assert sent(each_site) == [("We received your message: Owls", "Hello Ada,")]
    assert (await props(editor, f"{PATH}/contact_confirmation"))["reset"] is None
    old = await props(editor, f"{PATH}/contact_confirmation?version=1")
    assert (old["version"], old["shownVersion"], old["form"]["fields"][1]["value"]) == (2, 1, "Dear")


async def test_a_run_reads_the_published_words_once_for_all_its_mails(each_site, editor):
    await publish(editor, greeting="Dear")
    for _ in range(3):
        write(each_site)
    with recorded_everywhere() as statements:
        assert [text for _, text in sent(each_site)] == ["Dear Ada,"] * 3
    assert len([text for text, _ in statements if "content_pages" in text]) == 1


@pytest.mark.each_database
async def test_who_words_an_older_version_is_told_what_the_newer_says_and_nothing_is_lost(each_site, editor):
    mine = await typed(editor, greeting="Mine")
    await publish(editor, greeting="Theirs")
    status, answer = await each_site.call(CALL, mine, editor.headers, method="PUT")
    conflict = answer["conflict"]
    assert (status, conflict["version"], conflict["changedBy"]) == (409, 1, "Edda Editor")
    assert conflict["values"]["words.greeting"] == "Theirs"
    assert (await each_site.call(f"{CALL}/reset", {"version": 0}, editor.headers))[0] == 409
    with each_site.db.read_session() as session:
        assert session.scalars(select(ContentPage.meta)).all() == [{"words": {"greeting": "Theirs"}}]


async def test_a_preview_shows_the_mail_with_examples_and_says_what_would_be_refused(each_site, editor):
    body = await typed(editor, greeting="<i>Dear</i>", closing="{subjekt}")
    status, answer = await each_site.call(f"{CALL}/preview", body, editor.headers)
    [shown] = answer["mails"]
    assert (status, shown["subject"]) == (200, "We received your message: Invoice of my company")
    assert "<p>&lt;i&gt;Dear&lt;/i&gt; Ada Lovelace,</p>" in shown["html"]
    assert "<style" not in shown["html"]
    assert "style=" not in shown["html"]
    assert ".card" in shown["style"]
    assert answer["lacks"] == ["Closing: There is no {subjekt} here. There is {site.name}, {subject}."]
    with each_site.db.read_session() as session:
        assert session.scalars(select(ContentPage)).all() == []


async def test_a_test_goes_to_whoever_asks_in_the_typed_words(each_site, editor):
    body = {"words": (await typed(editor, greeting="Dear"))["words"]}
    assert (await each_site.call(f"{CALL}/test", body, editor.headers))[0] == 403
    with each_site.db.write_session() as session:
        session.get_one(LearnerRow, editor.id).email = "edda@example.test"
    status, answer = await each_site.call(f"{CALL}/test", body, editor.headers)
    with each_site.db.read_session() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind == OutboxKind.TEST)).all()
    assert (status, len(rows)) == (200, 1)
    assert answer["text"] == "A test is on its way to edda@example.test."
    assert sent(each_site) == [("Test: We received your message: Invoice of my company", "Dear Ada Lovelace,")]


async def test_every_mail_is_listed_and_has_a_page(each_site, editor):
    rows = (await props(editor, PATH))["tables"][0]["rows"]
    pages = [row[0]["href"] for row in rows]
    assert len(pages) == len({*pages}) == len(mail_texts.worded())
    for path in pages:
        assert (await props(editor, path))["mails"], path


async def test_refused_words_are_said_at_their_field_and_unknown_mails_are_not_found(each_site, editor):
    status, answer = await publish(editor, subject="Hello")
    assert (status, answer["errors"]) == (422, {"words.subject": "This must be in it: {subject}."})
    for path in ("shop", "test", "contact_confirmation?version=9", "contact_confirmation?version=x"):
        answer = await (await each_site.get(f"/data{PATH}/{path}", **sent_by(editor))).json()
        assert answer["status"] == 404
    assert (await each_site.call("admin/mail-texts/test/reset", {"version": 0}, editor.headers))[0] == 404


@pytest.mark.parametrize("role", ["marketer", "support", "finance"])
async def test_other_roles_may_not_word_mails(each_site, role):
    person = learner(each_site, area="admin", roles=[role])
    assert (await (await each_site.get(f"/data{PATH}", **sent_by(person))).json())["status"] == 403
    for call, method in (
        (CALL, "PUT"),
        (f"{CALL}/preview", "POST"),
        (f"{CALL}/reset", "POST"),
        (f"{CALL}/test", "POST"),
    ):
        assert (await each_site.call(call, {}, person.headers, method=method))[0] == 403
    with each_site.db.read_session() as session:
        assert session.scalars(select(AuditEvent).where(AuditEvent.action == "content.publish")).all() == []
