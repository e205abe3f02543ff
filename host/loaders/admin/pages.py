"""The pages of /admin: which of them are lists, and the loaders of all."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from host.loaders.admin import (
    audit,
    audit_event,
    coupon,
    coupons,
    course_history,
    home,
    import_rows,
    imports,
    order,
    orders,
    staff,
    staff_member,
)
from host.loaders.areas.area_list import AreaList
from host.loaders.publishing import course_forms, course_records, courses
from host.loaders.support import pages as support_pages
from host.rendering.page_request import PageRequest, PrivateLoader

# By the id of their page in routes.json. Each is a file at /csv{path} too, unless its table says that it is none.
LISTS: dict[str, AreaList[Any]] = {
    "admin-courses": courses.LIST,
    "admin-imports": imports.LIST,
    "admin-orders": orders.LIST,
    "admin-coupons": coupons.LIST,
    "admin-staff": staff.LIST,
    "admin-audit": audit.LIST,
    **support_pages.LISTS,
}
# By the same id: pages that are no list and have a file at /csv{path}.
FILES: Mapping[str, Callable[[PageRequest], AsyncIterator[bytes]]] = {"admin-import": import_rows.csv}
LOADERS: dict[str, PrivateLoader] = {
    **{page_id: area_list.load for page_id, area_list in LISTS.items()},
    "admin-course-new": courses.load_new,
    "admin-course": course_forms.load_texts,
    "admin-course-outcomes": course_forms.load_lists,
    "admin-course-price": course_forms.load_price,
    "admin-course-publication": course_forms.load_publication,
    "admin-course-snippet": course_records.load_snippet,
    "admin-course-reviews": course_records.load_reviews,
    "admin-course-history": course_history.load,
    **support_pages.LOADERS,
    "admin-import": imports.load_one,
    "admin-imports": imports.load,
    "admin-home": home.load,
    "admin-order": order.load,
    "admin-coupons": coupons.load,
    "admin-coupon-new": coupon.load_new,
    "admin-coupon": coupon.load,
    "admin-coupon-lab": coupon.load_lab,
    "admin-staff-new": staff_member.load_new,
    "admin-staff-member": staff_member.load,
    # Its list, and the state of the chain.
    "admin-audit": audit.load,
    "admin-audit-event": audit_event.load,
}
