"""Every column of text holds the longest value that its form, call, import or command allows, on MariaDB, which refuses
what is longer. SQLite stores any length.

A column is either in INPUT, with the limit of what people, files and other programs may send, or in OWN: its values are
words of this program, codes and digests that it makes, or are cut to the column. A new column is in neither, and fails
here.
"""

from collections.abc import Iterator
from datetime import date

import pytest
from pydantic import BaseModel
from sqlalchemy import JSON, Column, Connection, Date, Numeric, String, insert, inspect, select, text
from sqlalchemy.exc import DataError

from domain import contact
from domain.audit import recording
from domain.catalogue_import.values import MAX_TEXT_LENGTH
from domain.checkout import form_fields, gift_fields, seat_purchase
from domain.coupons.queries import CODE_LENGTH
from domain.database.database import Database
from domain.images.image_rows import MAX_ALT_LENGTH
from domain.learning import closures, notes
from domain.learning.certificates import issuing, keys
from domain.learning.reviews import moderation
from domain.learning.reviews import texts as review_texts
from domain.orders.refunds import by_learner, decisions
from domain.organisations import memberships, profile
from domain.organisations.applications import applying
from domain.organisations.joining import inviting
from domain.postal_addresses import validation
from domain.publishing import slugs
from domain.publishing.editing import content_pages, course_outline
from domain.reports.saved_views import view_queries, views
from domain.reports.visit_reports import accesses
from domain.search import tokenizer
from domain.staff import confirmations
from domain.support import messages
from domain.tables import Base
from domain.tables.areas.person_keys import MAX_ADDRESS, MAX_NAME, email_key, name_key, number_key
from domain.tables.base import Money, UTCTime
from domain.tax.places import Place
from domain.uploads import upload_rows as uploads
from domain.visits import visits
from domain.visits.days import channels
from host.api.admin import bank as bank_calls
from host.api.admin import coupons as coupon_calls
from host.api.admin import courses as course_calls
from host.api.admin import images as image_calls
from host.api.admin import prices as price_calls
from host.api.admin.catalogue import bulk as bulk_calls
from host.api.admin.catalogue import categories as entry_calls
from host.api.admin.catalogue import content as content_calls
from host.api.admin.catalogue import items as item_calls
from host.api.admin.catalogue import lessons as lesson_calls
from host.api.admin.organisations import decisions as decision_calls
from host.api.admin.people import coupon_alarms as alarm_calls
from host.api.admin.people import learners as learner_calls
from host.api.admin.people import order_changes as order_calls
from host.api.checkout import checkout_schemas
from host.api.orders import refund_schemas
from host.auth import area_access
from host.auth.token_cipher import TokenCipher
from host.identity import id_token, open_session
from tests.support.factories import NOON


def limit(model: type[BaseModel], field: str) -> int:
    """The longest text that a call accepts in a field."""
    metadata = model.model_fields[field].metadata
    return next(int(item.max_length) for item in metadata if hasattr(item, "max_length"))


# Case folding makes three letters of this one, and the key of a name three words.
GROWING = "ΐ"
# Rows have ids of at most 19 digits.
ID = len(str(2**63 - 1))
TEAM = memberships.MAX_TEAM
# The provider's tokens are stored encrypted.
TOKEN = len(TokenCipher("a key of this test").encrypt("x" * id_token.MAX_TOKEN_LENGTH))

INPUT = {
    "application_messages.text": max(applying.MAX_TEXT, limit(decision_calls.Question, "text")),
    "audit_events.reason": recording.MAX_REASON_LENGTH,
    "audit_events.subject_id": area_access.MAX_SUBJECT_LENGTH,
    "bank_entries.note": limit(bank_calls.EntryReturn, "reason"),
    "bulk_change_rows.before": limit(bulk_calls.BulkCategory, "category"),
    "bulk_change_rows.target": limit(bulk_calls.BulkCategory, "category"),
    "bulk_changes.category": limit(bulk_calls.BulkCategory, "category"),
    "bulk_changes.reason": limit(bulk_calls.BulkRetirement, "reason"),
    "categories.description": limit(entry_calls.CategoryChange, "description"),
    "categories.name": limit(entry_calls.CategoryChange, "name"),
    "categories.slug": slugs.MAX_LENGTH,
    "certificates.course_name": limit(course_calls.CourseTextChange, "name"),
    "certificates.holder_name": max(issuing.MAX_NAME, MAX_NAME),
    **{f"contact_messages.{name}": length for name, length in contact.LENGTHS.items()},
    "contact_replies.text": messages.MAX_REPLY,
    "content_pages.body": limit(content_calls.ContentChange, "body"),
    "content_pages.description": content_pages.MAX_DESCRIPTION_LENGTH,
    "content_pages.title": content_pages.MAX_TITLE_LENGTH,
    "counted_learners.team": TEAM,
    "coupon_alarms.reason": limit(alarm_calls.AlarmReason, "reason"),
    "coupon_hours.coupon": channels.MAX_LENGTH,
    "coupons.campaign": limit(coupon_calls.CouponTerms, "campaign"),
    "coupons.code": CODE_LENGTH,
    "coupons.display_code": CODE_LENGTH,
    "course_closures.reason": closures.MAX_REASON_LENGTH,
    "course_sections.title": course_outline.MAX_TITLE_LENGTH,
    "courses.description": max(limit(course_calls.CourseTextChange, "description"), MAX_TEXT_LENGTH),
    "courses.provider": limit(course_calls.CourseTextChange, "provider"),
    "delivery_places.region": validation.MAX_LENGTH,
    "enrolments.completion_reason": limit(learner_calls.CompleteCourse, "reason"),
    "files.media_type": limit(lesson_calls.LessonFile, "mediaType"),
    "files.name": uploads.MAX_NAME_LENGTH,
    "former_slugs.slug": slugs.MAX_LENGTH,
    "gifts.message": max(gift_fields.MAX_MESSAGE, limit(learner_calls.Enrol, "reason")),
    "gifts.recipient_email": gift_fields.MAX_EMAIL,
    "identities.subject": open_session.MAX_SUBJECT_LENGTH,
    "images.alt": MAX_ALT_LENGTH,
    "images.name": uploads.MAX_NAME_LENGTH,
    "imported_visits.url": visits.URL_LENGTH,
    "imported_visits.referrer": visits.REFERRER_LENGTH,
    "instructors.bio": limit(entry_calls.InstructorChange, "bio"),
    "instructors.name": limit(entry_calls.InstructorChange, "name"),
    "instructors.slug": slugs.MAX_LENGTH,
    "instructors.title": limit(entry_calls.InstructorChange, "title"),
    "invitations.email_key": len(email_key(GROWING * MAX_ADDRESS)),
    "invitations.name": inviting.MAX_NAME,
    "invitations.open_key": ID + 1 + len(email_key(GROWING * MAX_ADDRESS)),
    "invitations.team": TEAM,
    "jobs.idempotency_key": ID + 1 + limit(image_calls.ImageRequest, "idempotencyKey"),
    "learners.email": MAX_ADDRESS,
    "learners.email_key": len(email_key(GROWING * MAX_ADDRESS)),
    "learners.name": MAX_NAME,
    "learners.name_key": len(name_key(GROWING * MAX_NAME)),
    "learners.subject": open_session.MAX_SUBJECT_LENGTH,
    "lesson_notes.body": notes.MAX_LENGTH,
    "lessons.title": course_outline.MAX_TITLE_LENGTH,
    "memberships.team": TEAM,
    "order_lines.cart_code": CODE_LENGTH,
    "order_lines.line_code": CODE_LENGTH,
    "order_lines.name": limit(item_calls.ItemTextChange, "name"),
    "order_lines.sku": limit(item_calls.NewShopItem, "sku"),
    "orders.email": MAX_ADDRESS,
    "orders.email_key": len(email_key(GROWING * MAX_ADDRESS)),
    "orders.form_key": limit(checkout_schemas.CheckoutOrder, "key"),
    "orders.purchase_order": form_fields.MAX_PURCHASE_ORDER,
    "orders.purchase_order_key": len(number_key(GROWING * form_fields.MAX_PURCHASE_ORDER)),
    "orders.tax_place": len(Place("XX", "x" * validation.MAX_LENGTH).text),
    "organisation_months.cell_key": len("named:") + ID + 1 + TEAM,
    "organisation_months.team": TEAM,
    "organisations.name": max(applying.MAX_NAME, profile.MAX_NAME),
    "organisations.request_text": applying.MAX_TEXT,
    "organisations.slug": applying.MAX_SLUG,
    "organisations.website": applying.MAX_WEBSITE,
    "price_changes.reason": limit(price_calls.PriceSetting, "reason"),
    "pending_actions.answer": confirmations.MAX_REASON,
    "pending_actions.reason": confirmations.MAX_REASON,
    "parcels.carrier": limit(order_calls.SendParcel, "carrier"),
    "parcels.tracking": limit(order_calls.SendParcel, "tracking"),
    "products.image_alt": MAX_ALT_LENGTH,
    "products.language": limit(course_calls.CourseTextChange, "language"),
    "products.level": limit(course_calls.CourseTextChange, "level"),
    "products.name": limit(course_calls.CourseTextChange, "name"),
    "products.retirement_reason": limit(course_calls.CourseRetirement, "reason"),
    "products.slug": slugs.MAX_LENGTH,
    "products.source_id": slugs.MAX_LENGTH,
    "products.subtitle": limit(course_calls.CourseTextChange, "subtitle"),
    "quotes.name": seat_purchase.MAX_NAME,
    "quotes.purchase_order": form_fields.MAX_PURCHASE_ORDER,
    "refunds.answer": decisions.MAX_WORDS,
    "refunds.form_key": limit(refund_schemas.RefundQuestion, "key"),
    "refunds.note": max(by_learner.MAX_NOTE_LENGTH, decisions.MAX_WORDS),
    "review_reports.reason": moderation.MAX_REASON,
    "reviews.author": MAX_NAME,
    "reviews.body": review_texts.MAX_TEXT,
    "reviews.hidden_reason": moderation.MAX_REASON,
    "reviews.title": review_texts.MAX_TITLE,
    "report_accesses.query": accesses.MAX_QUERY,
    "saved_reports.name": views.MAX_NAME,
    "saved_reports.query": view_queries.MAX_QUERY,
    "dismissed_searches.query": tokenizer.MAX_QUERY_LENGTH,
    "search_queries.query": tokenizer.MAX_QUERY_LENGTH,
    "search_days.query": tokenizer.MAX_QUERY_LENGTH,
    "search_purchases.query": tokenizer.MAX_QUERY_LENGTH,
    **{f"unknown_path_days.{name}": channels.MAX_LENGTH for name in ("path", "referrer")},
    "sessions.access_token": TOKEN,
    "sessions.id_token": TOKEN,
    "sessions.subject": open_session.MAX_SUBJECT_LENGTH,
    "shop_items.delivery": limit(item_calls.ItemDeliveryChange, "delivery"),
    "shop_items.description": max(limit(item_calls.ItemTextChange, "description"), MAX_TEXT_LENGTH),
    "shop_items.sku": max(limit(item_calls.NewShopItem, "sku"), slugs.MAX_LENGTH),
    "signing_keys.distrust_reason": keys.MAX_REASON,
    "tax_rates.region": validation.MAX_LENGTH,
    **{f"touchpoints.{name}": channels.MAX_LENGTH for name in ("source", "campaign", "referrer", "landing")},
    **{f"touchpoints.{name}": channels.MAX_LENGTH for name in ("coupon", "special", "student", "partner")},
    **{f"touchpoints.{name}": channels.PART_LENGTH for name in ("term", "content")},
    # Copies of touchpoints; keys of days are values of these.
    **{f"order_path_touchpoints.{name}": channels.MAX_LENGTH for name in ("source", "campaign", "referrer", "landing")},
    **{f"order_path_touchpoints.{name}": channels.MAX_LENGTH for name in ("coupon", "special", "student", "partner")},
    **{f"order_path_touchpoints.{name}": channels.PART_LENGTH for name in ("term", "content")},
    "credit_days.key": channels.MAX_LENGTH,
    "referral_days.key": channels.MAX_LENGTH,
    "coded_orders.code": channels.MAX_LENGTH,
    "uploads.name": uploads.MAX_NAME_LENGTH,
    "visit_days.key": channels.MAX_LENGTH,
    "visit_hours.key": channels.MAX_LENGTH,
    **{f"visits.{name}": visits.FIELD_LENGTH for name in ("coupon_id", "student_number", "special_coupon")},
    "visits.partner": slugs.MAX_LENGTH,
    "visits.referrer": visits.REFERRER_LENGTH,
    "visits.url": visits.URL_LENGTH,
}

OWN = {
    "audit_chain": "hash",
    "audit_events": "area action subject_type request_id ip_network previous_hash hash",
    "bank_entries": "key kind currency text payer bank_id doubt instructed state why",
    "bulk_change_rows": "state note",
    "bulk_changes": "kind purpose action",
    # What made a link is cut when it is known.
    "cart_lines": "agent",
    "cart_links": "digest agent",
    "carts": "guest_key",
    "certificates": "code rule_text revoked_reason",
    "completion_rules": "quizzes",
    "contact_messages": "state",
    "content_pages": "slug",
    "contracts": "kind join_policy seat_kind join_code",
    "counted_learners": "since",
    "coupon_alarms": "state",
    "coupon_trials": "seed",
    "coupons": "kind applies_to state",
    "change_fetches": "crawler verification",
    "crawl_days": "crawler verification page_kind",
    "crawl_pages": "crawler verification path title currency digest",
    "program_links": "digest agent",
    "crawler_checks": "ip_hash crawler verification method",
    "crawler_ranges": "name prefixes digest",
    "dead_letters": "task error",
    # Zones, services and rates are those of the shop's file.
    "delivery_places": "country",
    "delivery_rates": "service",
    "delivery_zones": "name",
    "document_counters": "kind",
    "credit_days": "dimension currency model",
    "referral_days": "referrer currency",
    "coded_orders": "currency",
    "cohort_days": "calendar channel currency",
    "first_channels": "channel",
    "credit_rollups": "zone",
    "credits": "model",
    "documents": "kind number digest",
    "enrolment_grants": "source reason",
    "enrolments": "source done_lesson_ids",
    "erased_numbers": "number",
    "feed_products": "digest",
    "files": "sha256 kind",
    "former_slugs": "kind",
    # Ids of the gateway, which says how long they are.
    "gateway_cursors": "gateway page",
    "gateway_events": "gateway event_id type object_id",
    "gifts": "token state",
    "health_samples": "process",
    # The issuer is a setting.
    "identities": "issuer",
    "images": "sha256",
    "imported_visits": "event_id session_id visitor_class agent",
    "invitations": "role token state",
    "jobs": "kind state",
    "learners": "student_number issuer",
    "lesson_bodies": "search_text",
    "lessons": "source_key kind",
    "memberships": "role",
    "order_events": "kind actor from_state to_state chain",
    "order_path_touchpoints": "event_id channel",
    "order_paths": "ref currency digest",
    "orders": "code state currency price_mode tax_kind content_digest terms_date event_chain quote_number",
    "order_lines": "kind fulfilment offer_step agent",
    "organisation_months": "month",
    "organisations": "logo state",
    "outbox": "topic task lease_token error",
    "page_changes": "path kind",
    "partner_months": "month dimension key",
    "payment_findings": "kind gateway_id",
    "payments": "gateway session_id intent_id charge_id currency state key method failure lease_token url",
    "products": "kind item_kind image status retirement_choice",
    "quiz_attempts": "event_id",
    "quotes": "number currency state digest",
    "refunds": "state reason actor gateway_id key dispute_id failure",
    "reservations": "kind state owner_key",
    "reviews": "state",
    "sale_days": "dimension currency key",
    "sale_rollups": "zone",
    "search_queries": "answer event_id",
    "search_snippets": "title description",
    "search_words": "word shown",
    "seat_events": "kind reason",
    "seat_requests": "state open_key",
    "seats": "state holder_key",
    "served_days": "agent_class",
    "session_learners": "event_id session_id",
    "sessions": "token_digest cookie_digest area amr issuer browser",
    "shop_items": "fulfilment tax_class",
    "shop_settings": "uid currency",
    "sign_in_flows": "cookie_digest state_digest encrypted_state",
    "signing_keys": "thumbprint",
    "pending_actions": "action state open_key seen",
    "report_accesses": "report action",
    "report_deliveries": "content",
    "report_subscriptions": "frequency ended_reason",
    "saved_reports": "report period",
    "staff_roles": "role",
    "tax_rates": "country tax_class label postal_from postal_to",
    "touchpoints": "event_id session_id channel product traffic_class",
    "uploads": "purpose parts",
    "upkeep": "name",
    "visit_days": "dimension audience",
    "visit_hours": "dimension audience",
    "visit_rollups": "digest rules_version zone lease_token",
    "visit_sites": "name",
    "visitor_signs": "session_id",
    "visits": "event_id session_id page referral_id visitor_class source agent address ip_hash attributes",
    "voucher_codes": "code",
    "warehouse_files": "name kind digest",
}


def text_columns() -> Iterator[tuple[str, Column]]:
    """The columns of text of every table, with their names `table.column`."""
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, String):
                yield f"{table.name}.{column.name}", column


def test_every_column_of_text_is_classified_once():
    own = [f"{table}.{name}" for table, names in OWN.items() for name in names.split()]
    assert sorted([*INPUT, *own]) == sorted(name for name, _ in text_columns())


def filler(column: Column) -> object:
    """A value of a column that the test is not about."""
    if column.nullable:
        return None
    for kind, value in ((JSON, {}), (UTCTime, NOON), (Date, date(2026, 3, 1)), ((Money, Numeric), 1), (String, "a")):
        if isinstance(column.type, kind):
            return value
    return 1


def longest(name: str, collation: str | None) -> str:
    """The longest value that may be typed, of letters that take most bytes."""
    return ("a" if (collation or "").startswith("ascii") else "😀") * INPUT[name]


@pytest.fixture
def unchecked(mariadb_database: Database) -> Iterator[Connection]:
    """A connection on which rows may refer to nothing. It is closed afterwards: others would have its settings."""
    with mariadb_database.engine.connect() as connection:
        connection.execute(text("SET foreign_key_checks=0, check_constraint_checks=0"))
        yield connection
        connection.invalidate()


@pytest.mark.mariadb
def test_every_column_stores_the_longest_value_that_may_be_typed(unchecked: Connection):
    unequal = []
    for table in Base.metadata.sorted_tables:
        names = {column.name: f"{table.name}.{column.name}" for column in table.columns}
        if not INPUT.keys() & names.values():
            continue
        stored = {column["name"]: column["type"] for column in inspect(unchecked).get_columns(table.name)}
        row = {
            column.name: longest(names[column.name], getattr(stored[column.name], "collation", None))
            if names[column.name] in INPUT
            else filler(column)
            for column in table.columns
        }
        unchecked.execute(insert(table), row)
        found = unchecked.execute(select(table)).mappings().one()
        unequal += [names[name] for name in row if names[name] in INPUT and found[name] != row[name]]
    assert unequal == []


@pytest.mark.mariadb
def test_a_column_that_is_one_letter_too_short_is_found(unchecked: Connection, monkeypatch):
    """The negative control."""
    monkeypatch.setitem(INPUT, "orders.tax_place", INPUT["orders.tax_place"] + 1)
    with pytest.raises(DataError, match="tax_place"):
        test_every_column_stores_the_longest_value_that_may_be_typed(unchecked)
