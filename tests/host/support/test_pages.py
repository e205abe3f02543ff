"""/admin/mail, dead letters, messages and reviews: what staff see of them, and what they do with them."""

import threading
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain import contact, redaction
from domain.outbox import outbox_rows
from domain.tables import ContactMessage, ContactReply, DeadLetter, Outbox, Review
from host.app_keys import DATABASE
from tests.domain.visits.test_dead_letters import row
from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.host.site import SHARED, Site
from tests.support import factories

pytestmark = SHARED
VALUES = {"name": "Ada", "email": "ada@example.test", "subject": "Invoice", "message": "Where is it, ada@example.test?"}


@pytest.fixture
def administrator(plain_site) -> Learner:
    return learner(plain_site, "Support administrator", area="admin", roles=["administrator"])


def message(site: Site) -> tuple[int, int]:
    """Ids of a message and of the row of its confirmation."""
    with site.db.write_session() as session:
        message_id = contact.store_message(session, VALUES, datetime.now(UTC))
        session.flush()
        return message_id, session.scalars(select(Outbox.id).order_by(Outbox.id.desc())).first()


def dead_letter(site: Site, number: int, error: str) -> int:
    with site.db.write_session() as session:
        body = row(number, url="/reset?token=abc", address="192.0.2.7", session_id="s-1")
        letter = DeadLetter(failed_at=datetime.now(UTC), task="visits.store", body=body, error=error)
        session.add(letter)
        session.flush()
        return letter.id


def shown(props) -> str:
    return "\n".join(part["text"] for part in props["texts"])


def fact(props, label: str):
    return next(entry["cell"] for entry in props["facts"] if entry["label"] == label)


async def test_a_mail_is_shown_with_a_masked_recipient_and_without_addresses_in_its_text(plain_site, administrator):
    _, number = message(plain_site)
    _, props = await page(administrator, f"/admin/mail/{number}")
    assert fact(props, "To")["text"] == "a…@example.test"
    assert "Where is it, {email}" in shown(props)
    assert "ada@example.test" not in str(props)
    assert props["actions"] == []


async def test_a_failed_mail_is_sent_again_by_its_page(plain_site, administrator):
    _, number = message(plain_site)
    with plain_site.db.write_session() as session:
        session.get_one(Outbox, number).dead_at = datetime.now(UTC)
    _, props = await page(administrator, f"/admin/mail/{number}")
    call = props["actions"][0]["call"].removeprefix("/")
    assert await administrator.call(call) == (200, {"text": f"Mail {number:,} waits to be sent.", "href": None})
    with plain_site.db.read_session() as session:
        assert outbox_rows.list_rows(session, is_dead=True, topic="mail", limit=100) == []


async def test_the_secrets_of_a_letter_are_cut_beside_the_event_loop(plain_site, administrator, monkeypatch):
    letter_id = dead_letter(plain_site, 76, "ValueError: long")
    threads: list[threading.Thread] = []
    redact = redaction.redact_json

    async def read_on_the_loop(read, *about):
        """As on MariaDB."""
        with plain_site.db.read_session() as session:
            return read(session, *about)

    def redact_noted(body):
        threads.append(threading.current_thread())
        return redact(body)

    monkeypatch.setattr(plain_site.app[DATABASE], "read", read_on_the_loop)
    monkeypatch.setattr(redaction, "redact_json", redact_noted)
    assert (await page(administrator, f"/admin/dead-letters/{letter_id}"))[0] == 200
    assert threads
    assert threading.main_thread() not in threads


async def test_a_dead_letter_is_shown_without_secrets_and_dropped_with_a_reason(plain_site, administrator):
    letter_id = dead_letter(plain_site, 71, "ValueError: of 192.0.2.7")
    _, props = await page(administrator, f"/admin/dead-letters/{letter_id}")
    assert all(secret not in shown(props) for secret in ("abc", "192.0.2.7", "s-1"))
    path = f"admin/dead-letters/{letter_id}"
    assert (await administrator.call(f"{path}/drop", reason=""))[0] == 422
    assert await administrator.call(f"{path}/drop", reason="A test") == (
        200,
        {"text": f"Dead letter {letter_id:,} is deleted.", "href": None},
    )
    assert (await page(administrator, f"/admin/dead-letters/{letter_id}"))[0] == 404


async def test_letters_alike_are_replayed_together_and_a_second_time_nothing_is_stored(plain_site, administrator):
    first, _ = (dead_letter(plain_site, number, "KeyError: alike") for number in (72, 73))
    _, props = await page(administrator, f"/admin/dead-letters/{first}")
    assert [action["id"] for action in props["actions"]] == ["replay", "replay-alike", "drop"]
    answers = [await administrator.call(f"admin/dead-letters/{first}/replay-alike") for _ in range(2)]
    assert answers == [(200, {"text": text, "href": None}) for text in ("2 replayed.", "It was replayed before.")]
    _, props = await page(administrator, f"/admin/dead-letters/{first}")
    assert (fact(props, "State")["text"], props["actions"]) == ("Replayed", [])


async def test_a_message_is_answered_closed_and_reopened(plain_site, administrator):
    message_id, _ = message(plain_site)
    path = f"admin/messages/{message_id}"
    assert (await administrator.call(f"{path}/answer", text="It is in your account."))[0] == 200
    _, props = await page(administrator, f"/{path}")
    assert [part["text"] for part in props["texts"]] == [VALUES["message"], "It is in your account."]
    for action, state in (("close", "closed"), ("reopen", "new")):
        assert (await administrator.call(f"{path}/{action}"))[0] == 200
        with plain_site.db.read_session() as session:
            assert session.get_one(ContactMessage, message_id).state == state
    with plain_site.db.read_session() as session:
        replies = session.scalars(select(ContactReply).where(ContactReply.message_id == message_id)).all()
        assert [reply.author_id for reply in replies] == [administrator.id]


async def test_an_editor_moderates_reviews_and_sees_no_messages(plain_site):
    editor = learner(plain_site, "Support editor", area="admin", roles=["editor"])
    with plain_site.db.write_session() as session:
        review_id = factories.review(session, plain_site.id_of("vat-basics"), 5, state="pending").id
    _, props = await page(editor, f"/admin/reviews/{review_id}")
    assert [action["id"] for action in props["actions"]] == ["publish", "hide"]
    assert (await editor.call(f"admin/reviews/{review_id}/hide", reason="Names a person"))[0] == 200
    with plain_site.db.read_session() as session:
        row = session.get_one(Review, review_id)
        assert (row.state, row.hidden_reason) == ("hidden", "Names a person")
    assert (await page(editor, "/admin/messages"))[0] == 403


@pytest.mark.parametrize("noun", ["mail", "dead-letters", "messages", "reviews"])
async def test_a_list_shows_its_rows_and_what_has_no_row_is_not_found(plain_site, administrator, noun):
    message(plain_site)
    dead_letter(plain_site, 74, "ValueError: listed")
    status, props = await page(administrator, f"/admin/{noun}")
    assert (status, props["table"]["caption"].lower().replace(" ", "-")) == (200, noun)
    assert props["table"]["rows"]
    for number in ("987654321", "x", "1" * 16):
        assert (await page(administrator, f"/admin/{noun}/{number}"))[0] == 404
