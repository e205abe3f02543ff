"""The index follows the catalogue: changes are found at once, unpublished products are not, no rows are left over."""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import delete, event, func, select, update

from domain.publishing import categories as publishing_categories
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord, ItemRecord, LessonRecord, SectionRecord
from domain.search import index as search_index
from domain.search import posting_weights, rebuild
from domain.search.index import POSTINGS
from domain.tables import Product, SearchMisspelling, SearchPosting, SearchWord
from tests.domain.search.demo_shop import find, names
from tests.support.factories import NOON

VAT = CourseRecord(
    slug="vat-basics",
    name="VAT basics",
    category="tax",
    list_price=Decimal(10),
    subtitle="File a return",
    description="Everything about invoices.",
    outcomes=["Read a ledger"],
    outline=(SectionRecord("Rates", (LessonRecord("Zero rating", 9),)),),
    level="beginner",
    language="de",
)


@pytest.fixture
def shop(session):
    publishing_categories.put_category(session, "tax", "Taxation")
    publishing_categories.put_instructor(session, "ada", "Ada Lovelace")
    return session


def put(session, record=VAT, **changes):
    return publishing_writer.put_course(session, replace(record, **changes), NOON)


def words(session):
    """The words with products, and the stored number of products of each."""
    query = select(SearchWord.word, SearchWord.products).where(SearchWord.products > 0)
    return dict(session.execute(query).all())


def counted(session):
    """The words with products, and the number of products of each, counted from the postings."""
    query = select(SearchWord.word, func.count()).join(SearchPosting, SearchPosting.word_id == SearchWord.id)
    return dict(session.execute(query.group_by(SearchWord.word)).all())


@pytest.mark.parametrize(
    "text",
    ["vat", "basics", "taxation", "return", "lovelace", "ledger", "rates", "zero", "invoices", "beginner", "german"],
)
def test_a_course_is_found_by_each_of_its_texts(shop, text):
    put(shop, instructors=("ada",))
    assert names(find(shop, text)) == ["VAT basics"]


@pytest.mark.parametrize("text", ["cards", "sku-7", "book", "taxation", "printed"])
def test_an_item_is_found_by_each_of_its_texts(shop, text):
    about = {"subtitle": "Printed well", "description": "In a box.", "sku": "SKU-7", "item_kind": "book"}
    item = ItemRecord(slug="cards", name="Tax cards", category="tax", list_price=Decimal(5), **about)
    publishing_writer.put_item(shop, item, NOON)
    assert names(find(shop, text)) == ["Tax cards"]


def test_generated_texts_are_not_searched(shop):
    put(shop, is_generated=True)
    assert [find(shop, text).answer for text in ("vat", "invoices", "return")] == ["exact", "none", "none"]


@pytest.mark.each_database
def test_a_change_is_found_at_once_and_the_old_words_are_not(shop):
    put(shop)
    put(shop, name="Customs basics")
    assert (find(shop, "customs").total, find(shop, "vat").total) == (1, 0)


def test_a_new_name_of_a_category_or_an_instructor_reaches_their_products(shop):
    put(shop, instructors=("ada",))
    publishing_categories.put_category(shop, "tax", "Levies")
    publishing_categories.put_instructor(shop, "ada", "Ada Byron")
    assert [find(shop, text).total for text in ("levies", "byron", "taxation", "lovelace")] == [1, 1, 0, 0]


@pytest.mark.parametrize("status", ["draft", "scheduled", "retired"])
def test_only_published_products_are_in_the_index(shop, status):
    put(shop, status=status)
    assert (words(shop), find(shop, "vat").answer) == ({}, "none")
    put(shop)
    assert find(shop, "vat").total == 1


def test_an_unpublished_product_leaves_no_rows_in_the_index(shop):
    course = put(shop)
    shop.execute(update(Product).where(Product.id == course).values(status="retired"))
    search_index.index_product(shop, course)
    assert (words(shop), counted(shop)) == ({}, {})


@pytest.mark.each_database
def test_counts_of_words_are_those_of_the_postings(shop):
    put(shop)
    put(shop, slug="vat-again", name="VAT again")
    put(shop, name="Customs")
    assert words(shop) == counted(shop)
    assert (words(shop)["vat"], words(shop)["again"], words(shop)["invoices"]) == (1, 1, 2)


def test_a_repeat_writes_nothing(shop):
    course = put(shop)
    written = []
    engine = shop.get_bind()
    event.listen(engine, "before_cursor_execute", lambda *about: written.append(about[2]))
    assert search_index.index_products(shop, [course]) == 0
    assert [statement for statement in written if not statement.startswith("SELECT")] == []


def test_only_a_step_of_popularity_changes_the_index(shop):
    course = put(shop, enrolled=1000)
    for enrolled, changes in ((1001, 0), (2000, 1)):
        shop.execute(update(Product).where(Product.id == course).values(popularity=enrolled))
        assert search_index.index_products(shop, [course]) == changes


@pytest.mark.each_database
def test_a_rebuild_corrects_every_wrong_row(database):
    with database.write_session() as session:
        publishing_categories.put_category(session, "tax", "Taxation")
        course = put(session)
        put(session, slug="customs", name="Customs")
        before, postings = words(session), session.execute(select(POSTINGS)).all()
        session.execute(delete(SearchPosting).where(SearchPosting.product_id == course))
        session.execute(update(SearchWord).where(SearchWord.word == "customs").values(products=7))
        session.add(SearchPosting(word_id=1, product_id=10_000_000, weight=5))
        session.add(SearchWord(word="leftover", shown="leftover", products=3))
    heard = []
    assert rebuild.rebuild(database.write_session, lambda *progress: heard.append(progress)) == 1
    with database.read_session() as session:
        assert (words(session), counted(session)) == (before, before)
        assert sorted(session.execute(select(POSTINGS)).all()) == sorted(postings)
        assert session.scalar(select(func.count()).where(SearchWord.word == "leftover")) == 0
    assert heard == [(2, 2)]


@pytest.mark.each_database
def test_words_get_the_deletions_that_misspelled_ones_find_them_by(shop):
    put(shop)
    remnants = (
        select(func.count()).select_from(SearchMisspelling).join(SearchWord, SearchWord.id == SearchMisspelling.word_id)
    )
    counts = {word: shop.scalar(remnants.where(SearchWord.word == word)) for word in ("vat", "zero", "taxation", "9")}
    assert counts == {"vat": 4, "zero": 5, "taxation": 28, "9": 0}


@pytest.mark.parametrize(
    ("weight", "popularity", "place", "is_last"), [(4, 0, 0, False), (110, 5, 1, True), (200, 10**7, 127, False)]
)
def test_a_posting_weight_can_be_unpacked(weight, popularity, place, is_last):
    impact = posting_weights.pack(weight, popularity, place, is_last)
    assert impact < 1 << 24
    assert (posting_weights.weight(impact), posting_weights.place(impact), posting_weights.is_last(impact)) == (
        weight,
        place,
        is_last,
    )
    assert posting_weights.weight(posting_weights.scale_weight(impact, 0.5)) == weight // 2


def test_posting_weights_sort_by_weight_then_popularity():
    packed = [posting_weights.pack(*about, 0, False) for about in ((50, 9), (50, 1000), (51, 0), (200, 3))]
    assert packed == sorted(packed)
