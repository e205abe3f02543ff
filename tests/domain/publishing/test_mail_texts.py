"""The words of mails: the shop's own, those of staff, and what is refused."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.tasks import OutboxKind
from domain import mail as domain_mail
from domain import money
from domain.audit import recording
from domain.errors import InvalidInput
from domain.mail import MailSite, mails
from domain.publishing.editing import content_pages, mail_texts
from domain.publishing.editing.mail_texts import MailEdit, MailPart, MailTest
from domain.publishing.editing.stored_course import NewerVersion
from domain.tables import AuditEvent, CatalogueVersion, ContentPage, Learner, Outbox
from tests.support import factories
from tests.support.factories import NOON

KIND = OutboxKind.ORDER_PAID
PARTS = mail_templates.parts("order_paid")
SITE = MailSite("Meridian & Co", "https://shop.example", "staff@shop.example", has_withdrawal=True)
SHEKELS = MailSite("תכנה", "https://shop.example", "staff@shop.example", "he-IL")
AT = datetime(2031, 3, 14, tzinfo=UTC)
NAMES = [kind.partition(".")[2] for kind in mail_texts.worded()]


def samples(name, site=SITE):
    return domain_mail.samples(f"mail.{name}", site, money.currency("USD"), AT)


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session, "Edda Editor").id, "editor", at=NOON)


def publish(session, editor, seen, **words):
    edit = MailEdit(KIND, "Mail: order paid", seen, words)
    return recording.run(session, editor, mail_texts.publish, editor, edit, PARTS)


def test_staff_are_told_of_every_mail_but_the_test():
    assert set(mails()) - set(mail_texts.worded()) == {OutboxKind.TEST}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("site", [SITE, SHEKELS], ids=["en", "he"])
def test_the_own_words_of_a_mail_are_what_it_says_without_any(name, site):
    """A block that text and HTML both have is the same in both, but for its quotation marks."""
    own = {part: known.words for part, known in mail_templates.parts(name).items()}
    assert [mail_texts.part_text(part) for part in own]
    assert "subject" in own
    for values in samples(name, site):
        plain, worded = mail_templates.render(name, values), mail_templates.render(name, values, own)
        assert (plain.subject, plain.text) == (worded.subject, worded.text)
        assert straight(plain.html) == straight(worded.html)


def straight(html):
    return html.replace("“", '"').replace("”", '"')


def test_words_of_staff_are_in_text_and_html_with_values_escaped_and_isolated():
    values = samples("order_paid", SHEKELS)[0]
    values = {**values, "order": {**values["order"], "code": "<7>"}}
    words = {"opening": "Danke für {order.code} bei <b>{site.name}</b>!", "subject": "{order.code} ist bezahlt"}
    mail = mail_templates.render("order_paid", values, words)
    assert mail.subject == "<7> ist bezahlt"
    assert "\nDanke für <7> bei <b>\u2068תכנה\u2069</b>! It is paid with Visa." in mail.text
    assert "<p>Danke für &lt;7&gt; bei &lt;b&gt;\u2068תכנה\u2069&lt;/b&gt;! It is paid with Visa." in mail.html
    assert "<title>&lt;7&gt; ist bezahlt</title>" in mail.html


def test_a_value_cannot_add_lines_to_the_subject():
    values = {**samples("contact_reply")[0], "subject": "Hello\r\nBcc: all@shop.test"}
    mail = mail_templates.render("contact_reply", values, {"subject": "Re: {subject}"})
    assert mail.subject == "Re: Hello Bcc: all@shop.test"


@pytest.mark.parametrize(
    "stored",
    [
        {"opening": "Thanks."},
        {"opening": "{order.phone} {order.code}"},
        {"former": "Gone."},
        {"opening": "{order.code} }"},
    ],
)
def test_stored_words_that_a_part_cannot_have_any_more_never_keep_a_mail_from_being_sent(stored):
    values = samples("order_paid")[0]
    assert mail_templates.render("order_paid", values, stored) == mail_templates.render("order_paid", values)


REFUSED = {
    "nothing": ("opening", " \n ", "Enter the words."),
    "an unknown value": (
        "opening",
        "{order.cod} {order.code}",
        "There is no {order.cod} here. There is {order.code}, {site.name}.",
    ),
    "a link": (
        "opening",
        "{order.code} {order.link}",
        "There is no {order.link} here. There is {order.code}, {site.name}.",
    ),
    "a value of another case": (
        "opening",
        "{order.code} {order.method}",
        "There is no {order.method} here. There is {order.code}, {site.name}.",
    ),
    "code of a template": (
        "opening",
        "{order.code} {{ 7 * 7 }}",
        "A brace { or } is only for names of values, such as {site.name}.",
    ),
    "a lonely brace": ("greeting", "Hello }", "A brace { or } is only for names of values, such as {site.name}."),
    "no needed value": ("subject", "It is paid", "This must be in it: {order.code}."),
    "another part": ("former", "Hello", "This mail has no such part."),
}


@pytest.mark.parametrize(("part", "words", "text"), REFUSED.values(), ids=REFUSED)
def test_words_are_refused_at_their_part_and_nothing_is_stored(session, editor, part, words, text):
    with pytest.raises(InvalidInput) as refusal:
        publish(session, editor, 0, **{part: words})
    assert refusal.value.errors == {f"words.{part}": text}
    assert session.scalars(select(ContentPage)).all() == []


def test_a_block_with_more_than_words_and_values_is_no_part(tmp_path, monkeypatch):
    (tmp_path / "x.txt").write_text("{% block subject %}{{ a | upper }}{% endblock %}")
    (tmp_path / "x.html").write_text("")
    monkeypatch.setattr(mail_templates, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="the part subject has more than words and values"):
        mail_templates.parts("x")


@pytest.mark.each_database
def test_only_words_of_ones_own_are_kept_in_versions_and_pages_do_not_see_them(session, editor):
    before = session.scalar(select(CatalogueVersion.number))
    words = {**{name: part.words for name, part in PARTS.items()}, "greeting": "  Dear\n"}
    assert publish(session, editor, 0, **words) == 1
    assert mail_texts.current(session) == {KIND: {"greeting": "Dear"}}
    assert content_pages.current(session) == {}
    assert publish(session, editor, 1, greeting="Dear") == 1
    assert publish(session, editor, 1) == 2
    assert mail_texts.current(session) == {KIND: {}}
    stored = [(one.number, dict(one.text.words), one.published_by) for one in content_pages.versions(session, KIND)]
    assert stored == [(2, {}, "Edda Editor"), (1, {"greeting": "Dear"}, "Edda Editor")]
    assert mail_texts.version(session, KIND, "", 1).text.words == {"greeting": "Dear"}
    assert session.scalar(select(CatalogueVersion.number)) == before
    assert [event.action for event in session.scalars(select(AuditEvent))] == ["content.publish", "content.publish"]


@pytest.mark.each_database
def test_of_two_who_publish_words_the_second_is_refused(session, editor):
    publish(session, editor, 0, greeting="Theirs")
    with pytest.raises(NewerVersion):
        publish(session, editor, 0, greeting="Mine")
    assert mail_texts.current(session) == {KIND: {"greeting": "Theirs"}}


def test_a_test_is_one_row_of_the_outbox_for_whoever_asks(session, editor):
    test = MailTest(KIND, {"greeting": " Dear "}, "EUR")
    to = recording.run(session, editor, mail_texts.order_test, editor, test, PARTS)
    row = session.scalars(select(Outbox)).one()
    assert (row.kind, row.body["mail"], row.body["words"]) == ("mail.test", "mail.order_paid", {"greeting": "Dear"})
    assert (row.body["learner_id"], to) == (editor.learner_id, session.get_one(Learner, editor.learner_id).email)


@pytest.mark.parametrize("words", [{"greeting": ""}, {"subject": "Paid"}])
def test_no_test_is_sent_of_words_that_are_refused(session, editor, words):
    with pytest.raises(InvalidInput):
        recording.run(session, editor, mail_texts.order_test, editor, MailTest(KIND, words, "EUR"), PARTS)
    assert session.scalars(select(Outbox)).all() == []


def test_a_part_knows_what_it_must_and_may_have():
    assert PARTS["document"] == MailPart(
        "Invoice {order.document} is with your order.",
        frozenset({"order.document"}),
        frozenset({"order.code", "order.document", "site.name"}),
    )
