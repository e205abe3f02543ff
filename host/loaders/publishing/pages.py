"""The pages of the catalogue in the area for staff: lists, and the loaders of the others."""

from typing import Any

from domain.publishing.entries.category_edits import CATEGORY, INSTRUCTOR
from host.loaders.areas.area_list import AreaList
from host.loaders.publishing import (
    bulk,
    categories,
    content_pages,
    course_forms,
    course_history,
    course_lessons,
    course_records,
    courses,
    items,
    previews,
    retired,
    retired_product,
)
from host.rendering.page_request import PrivateLoader

LISTS: dict[str, AreaList[Any]] = {
    "admin-courses": courses.LIST,
    "admin-items": items.LIST,
    "admin-bulk": bulk.LIST,
    "admin-retired": retired.LIST,
    "admin-categories": categories.CATEGORY_TABLE,
    "admin-instructors": categories.INSTRUCTOR_TABLE,
}
LOADERS: dict[str, PrivateLoader] = {
    "admin-bulk-change": bulk.load,
    "admin-course-new": courses.load_new,
    "admin-course": course_forms.load_texts,
    "admin-course-outcomes": course_forms.load_lists,
    "admin-course-lessons": course_lessons.load_outline,
    "admin-course-lesson": course_lessons.load_lesson,
    "admin-course-price": course_forms.load_price,
    "admin-course-publication": course_forms.load_publication,
    "admin-course-snippet": course_records.load_snippet,
    "admin-course-reviews": course_records.load_reviews,
    "admin-course-preview": previews.load_course,
    "admin-retired-product": retired_product.load,
    "admin-course-history": course_history.load,
    "admin-course-images": items.load_image,
    "admin-content": content_pages.load,
    "admin-content-page": content_pages.load_one,
    "admin-category-new": categories.new_entry(categories.CATEGORIES),
    "admin-category": categories.one_entry(CATEGORY, categories.CATEGORIES),
    "admin-instructor-new": categories.new_entry(categories.INSTRUCTORS),
    "admin-instructor": categories.one_entry(INSTRUCTOR, categories.INSTRUCTORS),
    "admin-item-new": items.load_new,
    "admin-item": items.load_texts,
    "admin-item-delivery": items.load_delivery,
    "admin-item-images": items.load_image,
    "admin-item-price": course_forms.load_price,
    "admin-item-publication": course_forms.load_publication,
    "admin-item-snippet": course_records.load_snippet,
    "admin-item-preview": previews.load_item,
    "admin-item-history": course_history.load,
}
