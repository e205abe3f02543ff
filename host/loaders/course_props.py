"""Props of /course-details."""

from typing import Literal

from typing_extensions import TypedDict

from domain.catalogue.listing import Level
from host.loaders.cards import Card, LowestPrice
from host.loaders.crumbs import Crumb
from host.site_state import CategoryRef
from host.urls import Picture


class Review(TypedDict):
    """`isVerified`: its author had the course. `editedAt`: when it was changed last; else null."""

    id: int
    author: str
    rating: int
    title: str
    body: str
    at: str
    editedAt: str | None
    isVerified: bool


class Reviews(TypedDict):
    """`counts[0]` is the number of one-star reviews, `counts[4]` of five-star ones."""

    items: list[Review]
    counts: list[int]


class Instructor(TypedDict):
    """`href`: of their page, which they have while a course of theirs is on sale."""

    slug: str
    href: str | None
    name: str
    title: str
    bio: str
    picture: Picture | None


class Lesson(TypedDict):
    title: str
    kind: Literal["text", "video", "quiz", "file"]
    minutes: int
    preview: bool


class Section(TypedDict):
    title: str
    minutes: int
    lessons: list[Lesson]


class LessonPreview(TypedDict):
    title: str
    text: str


class FaqEntry(TypedDict):
    question: str
    answer: str


class Retired(TypedDict):
    """`successors`: courses that replace it."""

    successors: list[Card]


class CourseProps(LowestPrice):
    """`descriptionHtml` is sanitised. `sheetCount`: lessons that are study sheets, which the shop made from the
    outline. `retired` is set when the course is no longer sold."""

    id: int
    slug: str
    name: str
    subtitle: str
    descriptionHtml: str
    isGenerated: bool
    outcomes: list[str]
    prerequisites: list[str]
    audience: list[str]
    level: Level
    language: str | None
    languageName: str | None
    category: CategoryRef
    instructors: list[Instructor]
    provider: str
    durationMin: int | None
    lessonCount: int
    credits: float | None
    creditsText: str | None
    sections: list[Section]
    sheetCount: int
    preview: LessonPreview | None
    listPrice: int
    price: int
    saleUntil: str | None
    picture: Picture
    rating: float | None
    ratingCount: int
    enrolled: int
    updatedAt: str
    faq: list[FaqEntry]
    crumbs: list[Crumb]
    retired: Retired | None


class CourseDeferred(TypedDict):
    reviews: Reviews
    related: list[Card]
