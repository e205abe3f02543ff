"""Every table of the project; Alembic compares the database with `Base.metadata`."""

from domain.tables.base import Base
from domain.tables.cart import Cart, CartLine, WishlistEntry
from domain.tables.catalogue import (
    CatalogueVersion,
    Category,
    Course,
    CourseInstructor,
    Instructor,
    Product,
    Review,
    ShopItem,
)
from domain.tables.coupons import Coupon, CouponProduct, CouponUse
from domain.tables.learners import Learner, LearnerIdentity, LearnerSession, SignInFlow
from domain.tables.learning import Enrolment
from domain.tables.messages import ContactMessage, Outbox
from domain.tables.organisations import Contract, ContractProduct, Membership, Organisation
from domain.tables.search import SearchMisspelling, SearchPosting, SearchQuery, SearchWord
from domain.tables.seo import FormerSlug, RetiredPageVisit, SearchSnippet
from domain.tables.visits import DeadLetter, Visit

__all__ = [
    "Base",
    "Cart",
    "CartLine",
    "CatalogueVersion",
    "Category",
    "ContactMessage",
    "Contract",
    "ContractProduct",
    "Coupon",
    "CouponProduct",
    "CouponUse",
    "Course",
    "CourseInstructor",
    "DeadLetter",
    "Enrolment",
    "FormerSlug",
    "Instructor",
    "Learner",
    "LearnerIdentity",
    "LearnerSession",
    "Membership",
    "Organisation",
    "Outbox",
    "Product",
    "RetiredPageVisit",
    "Review",
    "SearchMisspelling",
    "SearchPosting",
    "SearchQuery",
    "SearchSnippet",
    "SearchWord",
    "ShopItem",
    "SignInFlow",
    "Visit",
    "WishlistEntry",
]
