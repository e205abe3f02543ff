"""JSON models of the dashboard and of its whole lists."""

from datetime import datetime

from pydantic import BaseModel

from host.learning.certificate_schemas import CertificateList
from host.learning.course_schemas import CourseRef, CourseState, LearningLink, LessonLink
from host.urls import Picture


class DashboardCourse(CourseRef):
    """`done` of `needed` required lessons; `rule` in words; `source`: where access comes from, in words. `resume`:
    where the learner goes on. `lastLesson`: the one that was studied last."""

    state: CourseState
    source: str
    done: int
    needed: int
    percent: int
    rule: str
    minutesLeft: int
    accessUntil: datetime | None
    enrolledAt: datetime
    lastActiveAt: datetime | None
    completedAt: datetime | None
    isRetired: bool
    lastLesson: LessonLink | None
    resume: LessonLink | None


class DashboardOrder(BaseModel):
    """`total` in minor units of `currency`."""

    code: str
    href: str
    placedAt: datetime
    stateText: str
    total: int
    currency: str


class DashboardNotice(BaseModel):
    """Something that the learner may want to do now. `action` null: it only informs."""

    kind: str
    title: str
    text: str
    action: LearningLink | None


class DashboardOrganisation(BaseModel):
    name: str
    logo: str


class RecommendedCourse(BaseModel):
    """`price` in minor units. `reason`: why it is recommended, in words."""

    id: int
    name: str
    href: str
    picture: Picture
    price: int
    reason: str


class NearestCertificate(BaseModel):
    """The course that needs least to be completed, and what it still needs, in words."""

    course: LearningLink
    missing: str


class Dashboard(BaseModel):
    """`ongoing`: up to three courses to go on with, the last one first. `courses`: the newest 24. `invite`: the
    learner's own number, and a link that remembers who recommended the shop."""

    organisations: list[DashboardOrganisation]
    notices: list[DashboardNotice]
    ongoing: list[DashboardCourse]
    courses: list[DashboardCourse]
    hasMoreCourses: bool
    certificates: CertificateList
    nearestCertificate: NearestCertificate | None
    orders: list[DashboardOrder]
    hasMoreOrders: bool
    recommended: list[RecommendedCourse]
    studentNumber: str
    inviteHref: str
