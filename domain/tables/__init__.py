"""Every table of the project; Alembic compares the database with `Base.metadata`."""

from sqlalchemy.orm import configure_mappers

from domain.tables.areas.attribution import (
    CodedOrder,
    CohortDay,
    CreditDay,
    CreditRollup,
    FirstChannel,
    OrderCredit,
    OrderPath,
    OrderPathTouchpoint,
    ReferralDay,
)
from domain.tables.areas.audit import AuditChain, AuditEvent
from domain.tables.areas.bulk_changes import BulkChange, BulkChangeRow
from domain.tables.areas.content_pages import ContentPage
from domain.tables.areas.coupon_alarms import CouponAlarm
from domain.tables.areas.coupon_days import CouponHour, CouponTrial, OrderSession
from domain.tables.areas.crawls import ChangeFetch, CrawlDay, CrawlPage, PageChange, ProgramLink
from domain.tables.areas.health import HealthSample, Upkeep
from domain.tables.areas.images import Image
from domain.tables.areas.imported_visits import ImportedVisit, VisitorSign, VisitSite
from domain.tables.areas.jobs import Job, Upload
from domain.tables.areas.partner_months import PartnerMonth
from domain.tables.areas.report_accesses import ReportAccess
from domain.tables.areas.sale_days import SaleDay, SaleRollup
from domain.tables.areas.saved_reports import ReportDelivery, ReportSubscription, SavedReport
from domain.tables.areas.search_days import SearchDay, SearchPurchase, UnknownPathDay
from domain.tables.areas.seats import CountedLearner, OrganisationMonth, Seat, SeatEvent, SeatRequest
from domain.tables.areas.served_days import ServedDay
from domain.tables.areas.staff import PendingAction, StaffRole
from domain.tables.areas.visit_days import LearnerDay, SessionLearner, Touchpoint, VisitDay, VisitHour, VisitRollup
from domain.tables.areas.warehouse_files import WarehouseFile
from domain.tables.base import Base
from domain.tables.cart import Cart, CartLine, WishlistEntry
from domain.tables.catalogue import (
    CatalogueVersion,
    Category,
    Course,
    CourseInstructor,
    Instructor,
    PriceChange,
    Product,
    Review,
    ReviewReport,
    ShopItem,
)
from domain.tables.commerce.checkout import CartLink, CheckoutDraft, KnownAddress
from domain.tables.commerce.documents import Document, DocumentCounter, File, ItemFile
from domain.tables.commerce.orders import (
    DeclinedPart,
    Order,
    OrderEvent,
    OrderLine,
    OrderParcel,
    ParcelLine,
    Refund,
    RefundLine,
    VoucherCode,
)
from domain.tables.commerce.payments import GatewayCursor, GatewayEvent, Payment, PaymentFinding
from domain.tables.commerce.quotes import SeatQuote
from domain.tables.commerce.tax_and_delivery import DeliveryPlace, DeliveryRate, DeliveryZone, TaxRate
from domain.tables.commerce.transfers import BankEntry
from domain.tables.coupons import Coupon, CouponProduct
from domain.tables.crawlers import CrawlerCheck, CrawlerRanges
from domain.tables.feeds import FeedProduct, FeedState
from domain.tables.learners import Learner, LearnerIdentity, LearnerSession, SignInFlow
from domain.tables.learning import (
    BundleCourse,
    Certificate,
    CompletionRuleRow,
    CourseClosure,
    Enrolment,
    EnrolmentGrant,
    Gift,
    SigningKey,
)
from domain.tables.lessons import CourseSection, Lesson, LessonBody, LessonNote, LessonProgress, QuizAttempt
from domain.tables.messages import ContactMessage, ContactReply, Outbox
from domain.tables.organisations import (
    ApplicationMessage,
    Contract,
    ContractProduct,
    Invitation,
    Membership,
    Organisation,
)
from domain.tables.reservations import Reservation
from domain.tables.search import DismissedSearch, SearchMisspelling, SearchPosting, SearchQuery, SearchWord
from domain.tables.seo import FormerSlug, RetiredPageVisit, SearchSnippet
from domain.tables.shop_settings import StoredShop
from domain.tables.visits import DeadLetter, ErasedNumber, Visit

# Here rather than at the first query: programs that are forks of one process share what this makes, and its 0.1 s.
configure_mappers()

__all__ = [
    "ApplicationMessage",
    "AuditChain",
    "AuditEvent",
    "BankEntry",
    "Base",
    "BulkChange",
    "BulkChangeRow",
    "BundleCourse",
    "Cart",
    "CartLine",
    "CartLink",
    "CatalogueVersion",
    "Category",
    "Certificate",
    "ChangeFetch",
    "CheckoutDraft",
    "CodedOrder",
    "CohortDay",
    "CompletionRuleRow",
    "ContactMessage",
    "ContactReply",
    "ContentPage",
    "Contract",
    "ContractProduct",
    "CountedLearner",
    "Coupon",
    "CouponAlarm",
    "CouponHour",
    "CouponProduct",
    "CouponTrial",
    "Course",
    "CourseClosure",
    "CourseInstructor",
    "CourseSection",
    "CrawlDay",
    "CrawlPage",
    "CrawlerCheck",
    "CrawlerRanges",
    "CreditDay",
    "CreditRollup",
    "DeadLetter",
    "DeclinedPart",
    "DeliveryPlace",
    "DeliveryRate",
    "DeliveryZone",
    "DismissedSearch",
    "Document",
    "DocumentCounter",
    "Enrolment",
    "EnrolmentGrant",
    "ErasedNumber",
    "FeedProduct",
    "FeedState",
    "File",
    "FirstChannel",
    "FormerSlug",
    "GatewayCursor",
    "GatewayEvent",
    "Gift",
    "HealthSample",
    "Image",
    "ImportedVisit",
    "Instructor",
    "Invitation",
    "ItemFile",
    "Job",
    "KnownAddress",
    "Learner",
    "LearnerDay",
    "LearnerIdentity",
    "LearnerSession",
    "Lesson",
    "LessonBody",
    "LessonNote",
    "LessonProgress",
    "Membership",
    "Order",
    "OrderCredit",
    "OrderEvent",
    "OrderLine",
    "OrderParcel",
    "OrderPath",
    "OrderPathTouchpoint",
    "OrderSession",
    "Organisation",
    "OrganisationMonth",
    "Outbox",
    "PageChange",
    "ParcelLine",
    "PartnerMonth",
    "Payment",
    "PaymentFinding",
    "PendingAction",
    "PriceChange",
    "Product",
    "ProgramLink",
    "QuizAttempt",
    "ReferralDay",
    "Refund",
    "RefundLine",
    "ReportAccess",
    "ReportDelivery",
    "ReportSubscription",
    "Reservation",
    "RetiredPageVisit",
    "Review",
    "ReviewReport",
    "SaleDay",
    "SaleRollup",
    "SavedReport",
    "SearchDay",
    "SearchMisspelling",
    "SearchPosting",
    "SearchPurchase",
    "SearchQuery",
    "SearchSnippet",
    "SearchWord",
    "Seat",
    "SeatEvent",
    "SeatQuote",
    "SeatRequest",
    "ServedDay",
    "SessionLearner",
    "ShopItem",
    "SignInFlow",
    "SigningKey",
    "StaffRole",
    "StoredShop",
    "TaxRate",
    "Touchpoint",
    "UnknownPathDay",
    "Upkeep",
    "Upload",
    "Visit",
    "VisitDay",
    "VisitHour",
    "VisitRollup",
    "VisitSite",
    "VisitorSign",
    "VoucherCode",
    "WarehouseFile",
    "WishlistEntry",
]
