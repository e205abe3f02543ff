"""Writing the catalogue: repeats change nothing, and every change increments the version."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.errors import NotFound, Refused
from domain.publishing import categories as publishing_categories
from domain.publishing import slugs
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord, ItemRecord, LessonRecord, ReviewRecord, SectionRecord
from domain.tables import (
    CatalogueVersion,
    Course,
    CourseClosure,
    CourseInstructor,
    Instructor,
    Product,
    Review,
    ShopItem,
)
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)


def course(**changes: Any) -> CourseRecord:
    price = Decimal("95.00")
    base = CourseRecord(slug="vat-basics", name="VAT Basics", category="tax", list_price=price, level="all")
    return replace(base, **{"subtitle": "File a return.", "duration_min": 90, **changes})


def item(**changes: Any) -> ItemRecord:
    base = ItemRecord(
        slug="calm", name="Calm", subtitle="A book.", category="tax", list_price=Decimal("39.00"), sku="B-1"
    )
    return replace(base, **{"item_kind": "book", **changes})


@pytest.fixture(autouse=True)
def tax_category(session: Session) -> None:
    publishing_categories.put_category(session, "tax", "Tax")


def version(session: Session) -> int:
    return session.scalar(select(CatalogueVersion.number)) or 0


def count(session: Session, table: Any) -> int:
    return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.mark.each_database
def test_putting_an_equal_course_again_changes_nothing(session):
    first = publishing_writer.put_course(session, course(), NOON)
    before = version(session)
    assert publishing_writer.put_course(session, course(), LATER) == first
    assert version(session) == before
    assert session.get(Product, first).updated_at == NOON


def test_a_change_updates_the_time_and_the_version(session):
    key = publishing_writer.put_course(session, course(), NOON)
    before = version(session)
    publishing_writer.put_course(session, course(enrolled=7), LATER)
    product = session.get(Product, key)
    assert (product.enrolled, product.popularity, product.updated_at) == (7, 7, LATER)
    assert version(session) == before + 1


def test_a_batch_reports_what_it_did(session):
    publishing_writer.put_courses(session, [course(), course(slug="b", name="B")], NOON)
    result = publishing_writer.put_courses(session, [course(), course(slug="b", name="New"), course(slug="c")], LATER)
    assert (result.added, result.changed, result.unchanged) == (1, 1, 1)
    assert [session.get(Product, key).slug for key in result.ids] == ["vat-basics", "b", "c"]


def test_an_empty_batch_changes_nothing(session):
    before = version(session)
    assert publishing_writer.put_courses(session, [], NOON).ids == []
    assert publishing_writer.put_items(session, [], NOON).ids == []
    assert version(session) == before


@pytest.mark.each_database
def test_a_taken_slug_gets_the_id_of_the_source_as_a_suffix_and_keeps_it(session):
    both = [course(source_id="1070968"), course(source_id="1113822", name="Other")]
    first = publishing_writer.put_courses(session, both, NOON)
    again = publishing_writer.put_courses(session, list(reversed(both)), LATER)
    assert again.ids == list(reversed(first.ids))
    assert again.unchanged == 2
    assert [session.get(Product, key).slug for key in first.ids] == ["vat-basics", "vat-basics-1113822"]


def test_a_new_slug_in_the_source_does_not_change_the_stored_one(session):
    key = publishing_writer.put_course(session, course(source_id="7"), NOON)
    assert publishing_writer.put_course(session, course(source_id="7", slug="renamed"), LATER) == key
    assert session.get(Product, key).slug == "vat-basics"


@pytest.mark.each_database
def test_ids_with_the_same_letters_get_distinct_slugs(session):
    records = [course(source_id=source) for source in ("x", "A-1", "a 1", "日本")]
    product_slugs = [
        session.get(Product, key).slug for key in publishing_writer.put_courses(session, records, NOON).ids
    ]
    assert product_slugs[:2] == ["vat-basics", "vat-basics-a-1"]
    assert len(set(product_slugs)) == 4


def test_an_unknown_category_is_refused_and_nothing_changes(session):
    with pytest.raises(NotFound, match=r"There is no category nowhere\."):
        publishing_writer.put_course(session, course(category="nowhere"), NOON)
    assert count(session, Product) == 0


def test_the_rating_comes_from_the_reviews_and_none_is_stored_twice(session):
    reviews = tuple(ReviewRecord(author=f"A{stars}", rating=stars, at=NOON, body="é 漢") for stars in (5, 4, 4))
    key = publishing_writer.put_course(session, course(reviews=reviews), NOON)
    publishing_writer.put_course(session, course(reviews=reviews), LATER)
    product = session.get(Product, key)
    assert (product.rating, product.rating_count) == (4.33, 3)
    assert count(session, Review) == 3


@pytest.mark.each_database
def test_a_successor_may_be_in_the_same_batch(session):
    old = course(slug="old", status="retired", successor="vat-basics")
    ids = publishing_writer.put_courses(session, [old, course()], NOON).ids
    retired = session.get(Product, ids[0])
    assert (retired.successor_id, retired.retired_at) == (ids[1], NOON)
    publishing_writer.put_course(session, replace(old, successor=None), LATER)
    assert session.get(Product, ids[0]).successor_id is None


def test_an_unknown_successor_is_refused(session):
    with pytest.raises(NotFound, match=r"There is no successor gone\."):
        publishing_writer.put_course(session, course(successor="gone"), NOON)


def test_instructors_are_stored_in_the_order_of_the_record(session):
    for slug in ("ada", "bo"):
        publishing_categories.put_instructor(session, slug, slug.title())
    key = publishing_writer.put_course(session, course(instructors=("ada", "bo")), NOON)
    publishing_writer.put_course(session, course(instructors=("bo", "ada")), LATER)
    publishing_writer.put_course(session, course(instructors=None), LATER)
    taught = select(Instructor.slug).join(CourseInstructor).order_by(CourseInstructor.position)
    assert list(session.scalars(taught.where(CourseInstructor.course_id == key))) == ["bo", "ada"]
    assert session.get(Product, key).updated_at == LATER


def test_minutes_and_lessons_are_counted_from_the_sections(session):
    outline = (SectionRecord("All", (LessonRecord("One", 20), LessonRecord("Two", 25))),)
    key = publishing_writer.put_course(session, course(outline=outline, duration_min=None), NOON)
    product = session.get(Product, key)
    assert (product.duration_min, product.lesson_count) == (45, 2)


def test_columns_that_the_source_does_not_contain_keep_their_values(session):
    key = publishing_writer.put_course(session, course(featured=True, sale_price=Decimal("80"), status="retired"), NOON)
    partial = course(preserved_fields=frozenset({"featured", "sale_price", "status"}), name="New")
    publishing_writer.put_course(session, partial, LATER)
    product = session.get(Product, key)
    assert (product.name, product.featured, product.sale_price, product.status) == (
        "New",
        1,
        Decimal("80.00"),
        "retired",
    )


def test_a_preserved_sale_ends_when_it_is_no_longer_below_the_price(session):
    key = publishing_writer.put_course(session, course(sale_price=Decimal("80")), NOON)
    publishing_writer.put_course(
        session, course(list_price=Decimal("70"), preserved_fields=frozenset({"sale_price"})), LATER
    )
    assert session.get(Product, key).sale_price is None


def test_a_draft_becomes_published_when_its_source_says_so(session):
    key = publishing_writer.put_course(session, course(status="draft"), NOON)
    assert session.get(Product, key).published_at is None
    publishing_writer.put_course(session, course(preserved_fields=frozenset({"status"})), LATER)
    product = session.get(Product, key)
    assert (product.status, product.published_at) == ("published", LATER)


def test_a_text_of_a_person_is_not_replaced_by_a_generated_one(session):
    key = publishing_writer.put_course(session, course(description="Ours."), NOON)
    publishing_writer.put_course(session, course(description="Generated.", is_generated=True), LATER)
    assert session.get(Course, key).description == "Ours."
    publishing_writer.put_course(session, course(description="Better."), LATER)
    assert session.get(Course, key).description == "Better."


def test_a_course_and_an_item_have_generated_pictures_with_an_alternative_text(session):
    course_id = publishing_writer.put_course(session, course(), NOON)
    item_id = publishing_writer.put_item(session, item(picture_count=2), NOON)
    product = session.get(Product, course_id)
    assert (product.image, product.image_alt) == (
        "/pictures/course/tax/vat-basics/0.svg",
        "Illustration for VAT Basics",
    )
    assert session.get(ShopItem, item_id).images == [
        {"src": "/pictures/book/tax/calm/0.svg", "width": 800, "height": 450, "alt": "Illustration for Calm"},
        {"src": "/pictures/book/tax/calm/1.svg", "width": 800, "height": 450, "alt": "Illustration for Calm, view 2"},
    ]


def test_a_record_without_a_picture_keeps_the_stored_one(session):
    key = publishing_writer.put_item(session, item(image="/media/calm.webp", image_alt="The cover"), NOON)
    assert publishing_writer.put_items(session, [item()], LATER).unchanged == 1
    assert session.get(Product, key).image == "/media/calm.webp"


@pytest.mark.each_database
def test_a_stock_number_of_another_item_is_refused(session):
    publishing_writer.put_item(session, item(), NOON)
    with pytest.raises(Refused, match=r"The stock number B-1 belongs to another item\."):
        publishing_writer.put_item(session, item(slug="other"), NOON)
    assert count(session, Product) == 1


@pytest.mark.parametrize(
    ("text", "source_id", "slug"),
    [
        ("Café & Bar", None, "cafe-and-bar"),
        ("C++", None, "c-plus-plus"),
        ("__under_score__", None, "under-score"),
        ("日本語", "77", "日本語"),
        ("日本語 入門 2", None, "日本語-入門-2"),
        ("\uff21\uff22\uff23 (ISC)²", None, "abc-isc-2"),
        ("Цифровий маркетинг", None, "цифровий-маркетинг"),
        ("हिन्दी भाषा", None, "हिन्दी-भाषा"),
        ("ภาษาไทย", None, "ภาษาไทย"),
        ("تحليلات البيانات من Google", None, "تحليلات-البيانات-من-google"),
        ("Straße nach İstanbul", None, "strasse-nach-istanbul"),
        ("Skjøn og Łódź", None, "skjøn-og-łodz"),
        ("❤️ 葛\U000e0100", None, "葛"),
        ("The World\u2019s Law", None, "the-worlds-law"),
        ("!!!", "A/7", "a-7"),
        ("!!!", None, ""),
        ("a" * 300, None, "a" * 191),
    ],
)
def test_a_slug_has_the_letters_of_its_text_in_any_script(text, source_id, slug):
    assert slugs.slug_from(text, source_id) == slug
    assert slugs.slug_from(slug) == slug


@pytest.mark.each_database
def test_slugs_that_a_collation_might_take_for_one_are_two(session):
    words = ("skjøn", "skjon", "いろは", "イロハ", "хлеб", "хлёб", "मन", "मान", "ss", "\u017fs", "1", "¹")
    wanted = list(dict.fromkeys(map(slugs.slug_from, words)))
    assert len(wanted) == 10
    ids = publishing_writer.put_courses(session, [course(slug=slug) for slug in wanted], NOON).ids
    stored = dict(session.execute(select(Product.slug, Product.id)).all())
    assert stored == dict(zip(wanted, ids, strict=True))


ONE, TWO = LessonRecord("One", 20), LessonRecord("Two", 25)


def test_the_outline_of_a_retired_course_and_its_counts_stay_until_it_is_sold_again(session):
    def put(*lessons: LessonRecord, **changes: Any) -> tuple[int | None, int]:
        """Lessons that are counted, and those of the outline."""
        record = course(outline=(SectionRecord("All", lessons),), duration_min=None, **changes)
        key = publishing_writer.put_course(session, record, NOON)
        session.expire_all()
        counted = session.get_one(Product, key).lesson_count
        return counted, len(session.get_one(Course, key).sections[0]["lessons"])

    assert put(ONE, TWO) == (2, 2)
    assert put(ONE, TWO, status="retired") == (2, 2)
    assert put(ONE, status="retired") == (2, 2)
    assert put(ONE) == (1, 1)


def test_a_course_that_ends_for_legal_reasons_is_not_sold_again_by_a_file(session):
    key = publishing_writer.put_course(session, course(status="retired"), NOON)
    session.add(CourseClosure(course_id=key, announced_at=NOON, ends_at=NOON + timedelta(days=30), reason="A court."))
    session.flush()
    publishing_writer.put_course(session, course(name="VAT Basics, renamed"), LATER)
    stored = session.get_one(Product, key, populate_existing=True)
    assert (stored.name, stored.status) == ("VAT Basics, renamed", "retired")
