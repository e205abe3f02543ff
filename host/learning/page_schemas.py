"""What /user-dashboard shows: one of these views, by its query."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from host.learning.certificate_schemas import CertificateList
from host.learning.course_schemas import CourseRef, CourseSearch, LearningCourse, LearningLink
from host.learning.dashboard_schemas import Dashboard, DashboardCourse, DashboardOrder, Material, RecommendedCourse
from host.learning.lesson_schemas import LearningLesson
from host.learning.note_schemas import LessonNote, NoteInList
from host.learning.offers.gift_schemas import GiftCard
from host.learning.offers.join_schemas import JoinOffers
from host.learning.offers.seat_schemas import SeatsCard
from host.learning.quiz_schemas import Quiz, QuizScore
from host.learning.review_schemas import CourseReview

DashboardPart = Literal["gift", "seats", "join"]


class DashboardView(TypedDict):
    """`gift`: of the link that led here; else null. `seats`: of a member of organisations, null without any. `join`:
    organisations that may be joined. `failed`: parts that could not be read now."""

    view: Literal["dashboard"]
    dashboard: Dashboard
    gift: GiftCard | None
    seats: SeatsCard | None
    join: JoinOffers
    failed: list[DashboardPart]


class CoursesView(BaseModel):
    """All courses of the learner, 24 a page."""

    view: Literal["courses"] = "courses"
    courses: list[DashboardCourse]
    page: int
    pages: int


class OrdersView(BaseModel):
    """All orders of the learner, 24 a page."""

    view: Literal["orders"] = "orders"
    orders: list[DashboardOrder]
    page: int
    pages: int


class MaterialsView(BaseModel):
    """All that the learner has bought to download or to show, 24 a page."""

    view: Literal["materials"] = "materials"
    materials: list[Material]
    page: int
    pages: int


class CertificatesView(BaseModel):
    """All certificates of the learner, 24 a page."""

    view: Literal["certificates"] = "certificates"
    certificates: CertificateList
    page: int
    pages: int


class NotesView(BaseModel):
    """All notes of the learner, the newest first, 24 a page."""

    view: Literal["notes"] = "notes"
    notes: list[NoteInList]
    page: int
    pages: int


class CourseClosureView(BaseModel):
    endsAt: datetime
    reason: str


class CourseView(BaseModel):
    """`search` null: nothing was searched for. `review`: the learner's own. `certificates`: of this course. `refund`:
    the order in which it can be refunded, because it was withdrawn soon after it was bought or is closed; else null.
    `closure`: access ends for everybody."""

    view: Literal["course"] = "course"
    course: LearningCourse
    search: CourseSearch | None
    review: CourseReview | None
    certificates: CertificateList
    refund: LearningLink | None
    closure: CourseClosureView | None


class CourseEndView(TypedDict):
    """The page that a course ends with: what came of it, and what comes next. `certificates`: of this course.
    `recommended`: courses to go on with."""

    view: Literal["course-end"]
    course: LearningCourse
    review: CourseReview | None
    certificates: CertificateList
    recommended: list[RecommendedCourse]


class LessonView(TypedDict):
    """`quiz`: of a lesson that is one."""

    view: Literal["lesson"]
    course: LearningCourse
    lesson: LearningLesson
    quiz: Quiz | None
    note: LessonNote


class MissingLessonView(BaseModel):
    """404 in the frame of an owned course."""

    view: Literal["missing-lesson"] = "missing-lesson"
    course: LearningCourse
    message: str


class NotOwnedView(BaseModel):
    """A course of the catalogue that the learner does not have."""

    view: Literal["not-owned"] = "not-owned"
    course: CourseRef
    subtitle: str
    isSold: bool


class AccessOverView(BaseModel):
    """A course that the learner had. `reason`: why access ended, in words. `readableUntil`: the last day of notes and
    results; after it, there are none. `back`: how to get it again, or the money back for one that was closed; else
    null. `certificates`: of this course."""

    view: Literal["access-over"] = "access-over"
    course: LearningCourse
    reason: str
    endedAt: datetime
    readableUntil: datetime
    isReadable: bool
    back: LearningLink | None
    scores: list[QuizScore]
    notes: list[NoteInList]
    certificates: CertificateList


LearningView = Annotated[
    DashboardView
    | CoursesView
    | OrdersView
    | MaterialsView
    | CertificatesView
    | NotesView
    | CourseView
    | CourseEndView
    | LessonView
    | MissingLessonView
    | NotOwnedView
    | AccessOverView,
    Field(discriminator="view"),
]


class UserDashboardProps(TypedDict):
    """`styleHref`: the page's own style sheet, which client navigation loads before it shows the page."""

    title: str
    html: str
    styleHref: str
    learning: LearningView
