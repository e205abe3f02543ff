"""Writing into the catalogue: the seed, the importer and the admin screens all come through here.

    course_id = publishing.put_course(session, CourseRecord(slug="vat-basics", …), at)
    written = publishing.put_courses(session, five_hundred_records, at)      # the same with few statements

A put twice is a put once: what is there already and equal is left alone, and `updated_at` stays. Every change moves the
catalogue's version in the same transaction, so that caches notice. What should be published and lacks something for its
page is put as a draft, and `Written.held_back` says why (gate.py).
"""

from domain.publishing.prices import change_price, product_called
from domain.publishing.records import CourseRecord, ItemRecord, ProductRecord, ReviewRecord
from domain.publishing.renaming import rename
from domain.publishing.shelves import moved, put_category, put_instructor
from domain.publishing.texts import complete as complete_texts
from domain.publishing.writing import Written, put_course, put_courses, put_item, put_items

__all__ = [
    "CourseRecord",
    "ItemRecord",
    "ProductRecord",
    "ReviewRecord",
    "Written",
    "change_price",
    "complete_texts",
    "moved",
    "product_called",
    "put_category",
    "put_course",
    "put_courses",
    "put_instructor",
    "put_item",
    "put_items",
    "rename",
]
