"""Writes the catalogue: the seed, the importer and the admin commands all use this package.

    course_id = publishing.put_course(session, CourseRecord(slug="vat-basics", …), at)
    result = publishing.put_courses(session, records, at)      # a batch of hundreds, with few statements

Putting an equal record again changes nothing, not even `updated_at`. Every change increments the catalogue's version in
the same transaction, so that caches notice it. A record that should be published but lacks something for its page is
stored as a draft; `WriteResult.kept_as_draft` gives the reasons (publish_rules.py).
"""

from domain.catalogue.changes import bump_version
from domain.publishing.categories import put_category, put_instructor
from domain.publishing.lessons import put_lessons
from domain.publishing.prices import change_price, product_by_slug
from domain.publishing.records import (
    CourseRecord,
    ItemRecord,
    LessonRecord,
    ProductRecord,
    ReviewRecord,
    SectionRecord,
)
from domain.publishing.slug_changes import rename
from domain.publishing.snippet_store import fill_missing_snippets
from domain.publishing.study_sheets import fill_missing as fill_missing_study_sheets
from domain.publishing.study_sheets import fill_missing_guides
from domain.publishing.writer import WriteResult, compare, put_course, put_courses, put_item, put_items

__all__ = [
    "CourseRecord",
    "ItemRecord",
    "LessonRecord",
    "ProductRecord",
    "ReviewRecord",
    "SectionRecord",
    "WriteResult",
    "bump_version",
    "change_price",
    "compare",
    "fill_missing_guides",
    "fill_missing_snippets",
    "fill_missing_study_sheets",
    "product_by_slug",
    "put_category",
    "put_course",
    "put_courses",
    "put_instructor",
    "put_item",
    "put_items",
    "put_lessons",
    "rename",
]
