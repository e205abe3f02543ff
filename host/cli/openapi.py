"""`python -m host openapi`: write calls and pages as one OpenAPI document, the source of scripts/schema."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from config.settings import Settings
from domain.routes import AreaPage, Page, area_pages, public_pages
from host import app as _app  # noqa: F401 its import registers every call
from host import data_handler
from host.api.openapi import REF, describe
from host.auth.sessions import session_cookie_name
from host.checkout.cart_page import CartProps
from host.checkout.checkout_page import CheckoutProps
from host.checkout.completed_page import CompletedProps
from host.checkout.order_page import OrderPageProps
from host.checkout.seats.page import BuySeatsProps
from host.content import LEGAL
from host.learning.page_schemas import UserDashboardProps
from host.loaders.account.login import LoginProps
from host.loaders.account.organisation_register import OrganisationRegisterProps
from host.loaders.account.profile import ProfileProps
from host.loaders.admin.audit import AuditPageProps
from host.loaders.admin.coupon import CouponLabProps, CouponProps, NewCouponProps
from host.loaders.admin.coupons import CouponsProps
from host.loaders.admin.home import AdminHomeProps
from host.loaders.admin.imports import ImportProps, ImportsProps
from host.loaders.admin.order import AdminOrderProps
from host.loaders.admin.search import AdminSearchProps
from host.loaders.admin.staff_member import NewStaffProps, StaffMemberProps
from host.loaders.areas.area_list import ListPageProps
from host.loaders.areas.area_page import AreaErrorProps
from host.loaders.areas.certificate import CertificateCheckProps, CertificateProps
from host.loaders.client_rendered import WaitingProps
from host.loaders.content import ContactProps, ContentProps
from host.loaders.coupon_lists.batches import CouponBatchesProps, CouponBatchProps
from host.loaders.course_props import CourseDeferred, CourseProps
from host.loaders.errors import ErrorProps
from host.loaders.home import HomeProps
from host.loaders.item import ItemDeferred, ItemProps
from host.loaders.operations.health import HealthProps
from host.loaders.operations.searches import SearchesProps
from host.loaders.organisation.application import OrganisationApplicationProps
from host.loaders.organisation.home import OrganisationChoiceProps, OrganisationHomeProps
from host.loaders.organisation.people_file import PeopleFileProps
from host.loaders.organisation.profile import OrganisationProfileProps
from host.loaders.organisation.reports import ReportProps
from host.loaders.organisation.seats import SeatsPageProps
from host.loaders.organisations.organisation import AdminOrganisationProps
from host.loaders.organisations.people import OrganisationPeopleProps
from host.loaders.publishing.bulk import BulkChangeProps
from host.loaders.publishing.categories import EntryEditProps, NewEntryProps
from host.loaders.publishing.content_pages import ContentEditProps
from host.loaders.publishing.course_forms import (
    CourseListsProps,
    CoursePriceProps,
    CoursePublicationProps,
    CourseTextsProps,
)
from host.loaders.publishing.course_lessons import CourseLessonProps, CourseOutlineProps
from host.loaders.publishing.course_records import CourseRecordsProps
from host.loaders.publishing.courses import NewCourseProps
from host.loaders.publishing.items import ItemDeliveryProps, ItemTextsProps, NewItemProps, ProductImageProps
from host.loaders.publishing.previews import CoursePreviewProps, ItemPreviewProps
from host.loaders.publishing.retired_product import RetiredProductProps
from host.loaders.search import SearchProps
from host.loaders.shop import ShopProps
from host.loaders.support import pages as support_pages
from host.loaders.support.learner import AdminLearnerProps
from host.loaders.support.learners import LearnersProps
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.detail_props import DetailProps
from host.loaders.ui.table_props import TableProps
from host.loaders.withdraw import WithdrawProps
from host.site_state import SiteProps

Json = dict[str, Any]

# Page -> props of its loader, and of its deferred parts. Other pages have WaitingProps.
PROPS: dict[str, tuple[type, ...]] = {
    "home": (HomeProps,),
    "shop": (ShopProps,),
    "search": (SearchProps,),
    "course-details": (CourseProps, CourseDeferred),
    "shop-details": (ItemProps, ItemDeferred),
    "about": (ContentProps,),
    "contact": (ContactProps,),
    "refund-grievance-policy": (ContentProps,),
    **dict.fromkeys(LEGAL, (ContentProps,)),
    "withdraw": (WithdrawProps,),
    "certificate": (CertificateProps,),
    "certificate-check": (CertificateCheckProps,),
}
# Private page -> props of its loader, for those who are signed in; others get WaitingProps.
PRIVATE_PROPS: dict[str, tuple[type, ...]] = {
    "profile": (ProfileProps,),
    "organization-register": (OrganisationRegisterProps,),
    "login": (LoginProps,),
    "register": (WaitingProps,),
    "cart": (CartProps,),
    "checkout": (CheckoutProps,),
    "completed": (CompletedProps,),
    "order": (OrderPageProps,),
    "user-dashboard": (UserDashboardProps,),
    "admin-bulk": (ListPageProps,),
    "admin-retired": (ListPageProps,),
    "admin-retired-product": (RetiredProductProps,),
    "admin-bulk-change": (BulkChangeProps,),
    "admin-courses": (ListPageProps,),
    "admin-course-new": (NewCourseProps,),
    "admin-course": (CourseTextsProps,),
    "admin-course-outcomes": (CourseListsProps,),
    "admin-course-lessons": (CourseOutlineProps,),
    "admin-course-lesson": (CourseLessonProps,),
    "admin-course-images": (ProductImageProps,),
    "admin-content": (DetailProps,),
    "admin-content-page": (ContentEditProps,),
    "admin-categories": (ListPageProps,),
    "admin-category-new": (NewEntryProps,),
    "admin-category": (EntryEditProps,),
    "admin-instructors": (ListPageProps,),
    "admin-instructor-new": (NewEntryProps,),
    "admin-instructor": (EntryEditProps,),
    "admin-items": (ListPageProps,),
    "admin-item-new": (NewItemProps,),
    "admin-item": (ItemTextsProps,),
    "admin-item-delivery": (ItemDeliveryProps,),
    "admin-item-images": (ProductImageProps,),
    "admin-item-price": (CoursePriceProps,),
    "admin-item-publication": (CoursePublicationProps,),
    "admin-item-snippet": (CourseRecordsProps,),
    "admin-item-preview": (ItemPreviewProps,),
    "admin-item-history": (CourseRecordsProps,),
    "admin-course-price": (CoursePriceProps,),
    "admin-course-publication": (CoursePublicationProps,),
    "admin-course-snippet": (CourseRecordsProps,),
    "admin-course-reviews": (CourseRecordsProps,),
    "admin-course-preview": (CoursePreviewProps,),
    "admin-course-history": (CourseRecordsProps,),
    "admin-import": (ImportProps,),
    "admin-imports": (ImportsProps,),
    "admin-home": (AdminHomeProps,),
    "admin-orders": (ListPageProps,),
    "admin-order": (AdminOrderProps,),
    "admin-coupons": (CouponsProps,),
    "admin-coupon-new": (NewCouponProps,),
    "admin-coupon": (CouponProps,),
    "admin-coupon-lab": (CouponLabProps,),
    "admin-coupon-batches": (CouponBatchesProps,),
    "admin-coupon-batch-new": (NewCouponProps,),
    "admin-coupon-batch": (CouponBatchProps,),
    "admin-coupon-alarms": (ListPageProps,),
    "admin-coupon-alarm": (ActionPageProps,),
    "admin-staff": (ListPageProps,),
    "admin-staff-new": (NewStaffProps,),
    "admin-staff-member": (StaffMemberProps,),
    **dict.fromkeys(support_pages.LISTS, (ListPageProps,)),
    **dict.fromkeys(support_pages.LOADERS, (ActionPageProps,)),
    "admin-learners": (LearnersProps,),
    "admin-learner": (AdminLearnerProps,),
    "admin-audit": (AuditPageProps,),
    "admin-searches": (SearchesProps,),
    "admin-health": (HealthProps,),
    "admin-audit-event": (DetailProps,),
    "admin-search": (AdminSearchProps,),
    "admin-contracts": (ListPageProps,),
    "admin-contract-new": (ActionPageProps,),
    "admin-contract": (ActionPageProps,),
    "organization-home": (OrganisationHomeProps,),
    "organization-choose": (OrganisationChoiceProps,),
    "organization-application": (OrganisationApplicationProps,),
    "admin-organisations": (ListPageProps,),
    "admin-organisation": (AdminOrganisationProps,),
    "admin-organisation-members": (OrganisationPeopleProps,),
    "organization-members": (ListPageProps,),
    "organization-member": (ActionPageProps,),
    "organization-invite": (ActionPageProps,),
    "organization-invitation": (ActionPageProps,),
    "organization-invitations": (ListPageProps,),
    "organization-people-file": (PeopleFileProps,),
    "organization-profile": (OrganisationProfileProps,),
    "organization-contracts": (DetailProps,),
    "organization-orders": (ListPageProps,),
    "organization-seats": (SeatsPageProps,),
    "organization-seat": (ActionPageProps,),
    "organization-reports": (ReportProps,),
    "organization-buy-seats": (BuySeatsProps,),
}
# SiteProps are in every document beside the props of its page (docs/contracts.md, "document").
# TableProps and ChartProps are the props of components/ui, parts of those of pages.
SHARED_TYPES: tuple[type, ...] = (
    WaitingProps,
    ErrorProps,
    AreaErrorProps,
    SiteProps,
    TableProps,
    ChartProps,
    data_handler.PageData,
    data_handler.PageRedirect,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, help="write to FILE instead of the standard output")


def run(args: argparse.Namespace, settings: Settings) -> int:
    text = json.dumps(document(settings), indent=2, ensure_ascii=False) + "\n"
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, "utf-8")
    return 0


def document(settings: Settings) -> Json:
    """The document of the calls, as in GET /openapi.json, with the pages as responses of /data/…"""
    calls = describe(settings.site_name, session_cookie_name(settings))
    schemas = _merge_schemas(calls["components"]["schemas"], _page_schemas())
    pages = [page for page in (*public_pages(), *area_pages()) if page.served]
    paths = calls["paths"] | {f"/data{page.path}": {"get": _operation(page)} for page in pages}
    return {**calls, "paths": paths, "components": {**calls["components"], "schemas": schemas}}


def _page_schemas() -> Json:
    types = {*SHARED_TYPES, *(kind for props in (*PROPS.values(), *PRIVATE_PROPS.values()) for kind in props)}
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (kind.__name__, "serialization", TypeAdapter[Any](kind))
        for kind in sorted(types, key=lambda kind: kind.__name__)
    ]
    _, document = TypeAdapter.json_schemas(adapters, ref_template=REF)
    schemas: Json = document["$defs"]
    return schemas


def _merge_schemas(calls: Json, pages: Json) -> Json:
    """Raises ValueError when calls and pages have different schemas of one name."""
    common = calls.keys() & pages.keys()
    differing = [name for name in common if _without_description(calls[name]) != _without_description(pages[name])]
    if differing:
        raise ValueError(f"{', '.join(sorted(differing))}: calls and pages have different schemas of this name")
    return dict(sorted({**calls, **pages}.items()))


def _without_description(schema: Json) -> Json:
    return {name: value for name, value in schema.items() if name != "description"}


def _operation(page: Page) -> Json:
    own, error = _page_data(page.id, PROPS.get(page.id, (WaitingProps,))), _error_data(page)
    private = [_page_data(page.id, PRIVATE_PROPS[page.id])] if page.private else []
    return {
        "operationId": f"page_{page.id.replace('-', '_')}",
        "summary": f"The page {page.path} as data, for navigation in the browser.",
        "parameters": [*_path_parameters(page), *(_query_parameter(page, name) for name in page.query)],
        "responses": {
            "200": _response("The page or its new address", own, *private, _reference(data_handler.PageRedirect)),
            "default": _response("The page or the error page", own, error),
        },
    }


def _error_data(page: Page) -> Json:
    if isinstance(page, AreaPage):
        return _page_data("area-error", (AreaErrorProps,))
    return _page_data("error", (ErrorProps,))


def _page_data(page_id: str, props: tuple[type, ...]) -> Json:
    """The schema of `PageData` of one page."""
    properties = {"page": {"const": page_id}, "props": {"allOf": [_reference(kind) for kind in props]}}
    return {"allOf": [_reference(data_handler.PageData), {"properties": properties}]}


def _reference(kind: type) -> Json:
    return {"$ref": REF.format(model=kind.__name__)}


def _response(description: str, *schemas: Json) -> Json:
    return {"description": description, "content": {"application/json": {"schema": {"anyOf": list(schemas)}}}}


def _path_parameters(page: Page) -> list[Json]:
    names = [segment[1:-1] for segment in page.segments if segment.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameter(page: Page, name: str) -> Json:
    text: Json = {"type": "string"}
    schema = {"type": "array", "items": text} if name in page.repeatable else text
    return {"name": name, "in": "query", "required": False, "schema": schema}
