"""Every table of the project; Alembic compares the database with `Base.metadata`."""

from domain.tables.base import Base
from domain.tables.cart import Cart, CartLine, Wish
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
from domain.tables.findable import Entrance, FormerSlug, PageText
from domain.tables.learners import Learner, LearnerIdentity, LearnerSession, SignInTransaction
from domain.tables.learning import Enrolment
from domain.tables.messages import ContactMessage, Outbox
from domain.tables.organisations import Contract, ContractProduct, Membership, Organisation
from domain.tables.search import SearchMisspelling, SearchPosting, SearchQuery, SearchWord
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
    "Entrance",
    "FormerSlug",
    "Instructor",
    "Learner",
    "LearnerIdentity",
    "LearnerSession",
    "Membership",
    "Organisation",
    "Outbox",
    "PageText",
    "Product",
    "Review",
    "SearchMisspelling",
    "SearchPosting",
    "SearchQuery",
    "SearchWord",
    "ShopItem",
    "SignInTransaction",
    "Visit",
    "Wish",
]
