"""The pages of /admin: which of them are lists, and the loaders of all."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from host.loaders.admin import (
    audit,
    audit_event,
    contracts,
    coupon,
    coupons,
    home,
    import_rows,
    imports,
    order,
    orders,
    search,
    staff,
    staff_member,
)
from host.loaders.areas.area_list import AreaList
from host.loaders.coupon_lists import alarms, batches
from host.loaders.operations import health, searches
from host.loaders.organisations import pages as organisation_pages
from host.loaders.publishing import bulk
from host.loaders.publishing import pages as publishing_pages
from host.loaders.support import pages as support_pages
from host.rendering.page_request import PageRequest, PrivateLoader

# By the id of their page in routes.json. Each is a file at /csv{path} too, unless its table says that it is none.
LISTS: dict[str, AreaList[Any]] = {
    "admin-imports": imports.LIST,
    "admin-orders": orders.LIST,
    "admin-contracts": contracts.LIST,
    "admin-coupons": coupons.LIST,
    "admin-coupon-batches": batches.LIST,
    "admin-coupon-alarms": alarms.LIST,
    "admin-staff": staff.LIST,
    "admin-audit": audit.LIST,
    **publishing_pages.LISTS,
    **support_pages.LISTS,
    **organisation_pages.LISTS,
}
# By the same id: pages that are no list and have a file at /csv{path}.
FILES: Mapping[str, Callable[[PageRequest], AsyncIterator[bytes]]] = {
    "admin-bulk-change": bulk.csv,
    "admin-import": import_rows.csv,
    "admin-searches": searches.csv,
}
LOADERS: dict[str, PrivateLoader] = {
    **{page_id: area_list.load for page_id, area_list in LISTS.items()},
    **publishing_pages.LOADERS,
    **support_pages.LOADERS,
    **organisation_pages.LOADERS,
    "admin-import": imports.load_one,
    "admin-imports": imports.load,
    "admin-home": home.load,
    "admin-order": order.load,
    "admin-contract-new": contracts.load_new,
    "admin-contract": contracts.load,
    "admin-coupons": coupons.load,
    "admin-coupon-new": coupon.load_new,
    "admin-coupon": coupon.load,
    "admin-coupon-lab": coupon.load_lab,
    "admin-coupon-batches": batches.load,
    "admin-coupon-batch-new": coupon.load_new,
    "admin-coupon-batch": batches.load_one,
    "admin-coupon-alarm": alarms.load_one,
    "admin-staff-new": staff_member.load_new,
    "admin-staff-member": staff_member.load,
    # Its list, and the state of the chain.
    "admin-audit": audit.load,
    "admin-searches": searches.load,
    "admin-health": health.load,
    "admin-audit-event": audit_event.load,
    "admin-search": search.load,
}
