"""What the code of a certificate shows, and what revoking and deleting an account leave of it."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.payloads import CertificateItem
from contracts.tasks import OutboxKind, Topic
from domain import mail
from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.learning import grants
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates import revoking
from domain.learning.certificates.revoking import REASONS
from domain.learning.grants import GrantSource
from domain.mail import MailSite
from domain.orders.settings import Context
from domain.outbox import leases as outbox_leases
from domain.outbox import queue as outbox_queue
from domain.tables import Certificate, Enrolment, Gift, Learner, Outbox
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.shops import USD

DAY = timedelta(days=1)
SITE = MailSite("Meridian", "https://shop.test", "staff@shop.test")


@pytest.fixture
def issued(world) -> Certificate:
    enrolment = world.session.scalars(select(Enrolment)).one()
    enrolment.completed_at = NOON
    return factories.certificate(world.session, enrolment, expires_at=NOON + 365 * DAY)


def seen(world, at=NOON, code="c"):
    return certificate_reading.by_code(world.session, code, at)


def test_a_certificate_is_valid_until_its_end(world, issued):
    assert [seen(world, NOON + days * DAY).state for days in (0, 364, 365)] == ["valid", "valid", "expired"]
    view = seen(world)
    assert (view.holder_name, view.course_slug, view.reason) == ("Ada Lovelace", "vat-basics", "")
    assert view.can_correct_name


@pytest.mark.each_database
@pytest.mark.parametrize("code", ["", "C", "c ", "é", "c" * 41, "' OR 1=1"])
def test_another_code_shows_nothing(world, issued, code):
    assert seen(world, code=code) is None


@pytest.mark.parametrize("reason", REASONS)
def test_a_revoked_certificate_says_why_in_its_own_sentence(world, issued, reason):
    revoking.revoke(world.session, "c", reason, NOON + DAY)
    revoking.revoke(world.session, "c", "fraud", NOON + 2 * DAY)
    view = seen(world, NOON + 2 * DAY)
    assert (view.state, view.reason, view.revoked_at) == ("revoked", REASONS[reason], NOON + DAY)
    assert len(set(REASONS.values())) == 4


def test_only_the_holder_has_it_as_their_own(world, issued):
    other = factories.learner(world.session, "Grace Hopper").id
    assert certificate_reading.own(world.session, world.learner, "c", NOON).code == "c"
    assert certificate_reading.own(world.session, other, "c", NOON) is None
    assert certificate_reading.of_learner(world.session, other, NOON).issued == ()


def test_a_learner_has_all_but_what_a_correction_replaced(world, issued):
    enrolment = world.session.scalars(select(Enrolment)).one()
    revoking.revoke(world.session, "c", "replaced", NOON + DAY)
    factories.certificate(world.session, enrolment, "d", number=2, issued_at=NOON + DAY)
    factories.certificate(world.session, enrolment, "e", number=3, issued_at=NOON + 2 * DAY)
    own = certificate_reading.of_learner(world.session, world.learner, NOON + 2 * DAY)
    assert [(view.code, view.can_correct_name) for view in own.issued] == [("e", True), ("d", False)]
    assert certificate_reading.of_enrolment(world.session, world.learner, world.course, NOON).code == "e"


@pytest.mark.each_database
def test_the_bits_of_a_list_are_those_of_revoked_certificates(world, issued):
    assert certificate_reading.revoked_indexes(world.session, 0, 100) == []
    revoking.revoke(world.session, "c", "fraud", NOON)
    assert certificate_reading.revoked_indexes(world.session, 0, issued.id + 1) == [issued.id]
    assert certificate_reading.revoked_indexes(world.session, 0, issued.id) == []
    assert certificate_reading.revoked_indexes(world.session, issued.id + 1, 100) is None


def test_a_refund_revokes_the_certificate_of_a_course_without_other_access(world, issued):
    grants.grant(world.session, world.learner, [world.course], GrantSource("seat", 1), NOON)
    for source in (GrantSource("order", 1), GrantSource("seat", 1)):
        revoking.revoke_refunded(world.session, [1], NOON + DAY)
        assert seen(world).state == "valid"
        grants.end(world.session, source, NOON + DAY, "refund")
    revoking.revoke_refunded(world.session, [2], NOON + DAY)
    assert seen(world).state == "valid"
    revoking.revoke_refunded(world.session, [1], NOON + DAY)
    world.session.expire_all()
    assert seen(world).reason == REASONS["refunded"]


def test_a_refunded_gift_revokes_what_its_recipient_got(world, issued):
    grants.end(world.session, GrantSource("order", 1), NOON, "refund")
    order = order_rows.order(world.session, factories.learner(world.session, "Grace").id)
    line = order_rows.order_line(world.session, order.id, product_id=world.course)
    about = {"recipient_email": EMAIL, "message": "", "send_at": NOON, "state": "claimed", "learner_id": world.learner}
    gift = Gift(order_line_id=line.id, product_id=world.course, giver_id=order.learner_id, **about)
    world.session.add(gift)
    world.session.flush()
    grants.grant(world.session, world.learner, [world.course], GrantSource("gift", gift.id), NOON)
    grants.end(world.session, GrantSource("gift", gift.id), NOON + DAY, "refund")
    revoking.revoke_refunded(world.session, [line.id], NOON + DAY)
    world.session.expire_all()
    assert seen(world).state == "revoked"


EMAIL = "ada-lovelace@example.test"


@pytest.mark.each_database
def test_a_deleted_account_revokes_its_certificates_and_takes_the_name_from_them(world, issued):
    anonymise_account(world.session, world.learner, EMAIL, Context(NOON + DAY))
    world.session.expire_all()
    view = seen(world)
    assert (view.state, view.reason, view.holder_name) == ("revoked", REASONS["holder"], "")


def test_who_keeps_their_certificates_keeps_the_name_on_them(world, issued):
    anonymise_account(world.session, world.learner, EMAIL, Context(NOON + DAY), keep_certificates=True)
    world.session.flush()
    world.session.expire_all()
    assert (seen(world).state, seen(world).holder_name) == ("valid", "Ada Lovelace")
    assert world.session.get_one(Learner, world.learner).name == ""


def test_the_export_holds_the_certificates(world, issued):
    (row,) = export(world.session, world.learner, NOON, USD)["certificates"]
    assert (row["code"], row["holderName"], row["expiresAt"]) == ("c", "Ada Lovelace", "2027-03-01T12:00:00Z")
    assert row["revokedReason"] == ""


def composed(world, issued, kind=OutboxKind.CERTIFICATE_ISSUED):
    outbox_queue.enqueue(world.session, kind, CertificateItem(certificate_id=issued.id), NOON)
    world.session.flush()
    lease = outbox_leases.lease_next(world.session, Topic.MAIL, list(OutboxKind), NOON)
    return mail.compose(world.session, lease, SITE)


def test_the_mail_links_the_public_page_and_the_learners_own(world, issued):
    sent = composed(world, issued)
    assert (sent.to, sent.template) == (EMAIL, "certificate_issued")
    about = sent.values["certificate"]
    assert about["link"] == "https://shop.test/verify-certificate/c"
    assert (about["own_link"], about["until"]) == (
        "https://shop.test/user-dashboard?list=certificates",
        "March 1, 2027",
    )


def test_no_mail_is_sent_for_what_was_revoked_meanwhile_or_to_nobody(world, issued):
    world.session.get_one(Learner, world.learner).email = ""
    assert composed(world, issued) is None
    revoking.revoke(world.session, "c", "fraud", NOON)
    assert composed(world, issued) is None


@pytest.mark.parametrize("why", ["fraud", "holder"])
def test_the_holder_is_told_once_that_and_why_a_certificate_was_revoked(world, issued, why):
    for _ in range(2):
        revoking.revoke(world.session, "c", why, NOON)
    rows = world.session.scalars(select(Outbox).where(Outbox.kind == OutboxKind.CERTIFICATE_REVOKED)).all()
    lease = outbox_leases.lease_next(world.session, Topic.MAIL, list(OutboxKind), NOON)
    sent = mail.compose(world.session, lease, SITE)
    assert (len(rows), sent.to, sent.template) == (1, EMAIL, "certificate_revoked")
    text = mail_templates.render(sent.template, sent.values).text
    assert REASONS[why] in text
    assert "https://shop.test/verify-certificate/c" in text
