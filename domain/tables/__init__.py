"""Every table of the project; Alembic compares the database with `Base.metadata`."""

from domain.tables.base import Base
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
from domain.tables.findable import Entrance, FormerSlug, PageText
from domain.tables.messages import ContactMessage, Outbox
from domain.tables.search import SearchMisspelling, SearchPosting, SearchQuery, SearchWord
from domain.tables.visits import DeadLetter, Visit

__all__ = [
    "Base",
    "CatalogueVersion",
    "Category",
    "ContactMessage",
    "Course",
    "CourseInstructor",
    "DeadLetter",
    "Entrance",
    "FormerSlug",
    "Instructor",
    "Outbox",
    "PageText",
    "Product",
    "Review",
    "SearchMisspelling",
    "SearchPosting",
    "SearchQuery",
    "SearchWord",
    "ShopItem",
    "Visit",
]
