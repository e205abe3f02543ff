"""JSON of the dashboard and of its whole lists."""

from datetime import datetime

from typing_extensions import TypedDict

from domain.learning.views.records import CourseState
from host.learning.certificate_schemas import CertificateList
from host.learning.course_schemas import LearningLink, LessonLink
from host.urls import Picture


class CountedCard(TypedDict):
    """What all learners of a course have alike who have done the same lessons. `learnHref`: its outline on this page;
    `rule` in words. `done` of `needed` required lessons."""

    id: int
    name: str
    learnHref: str
    picture: Picture
    isRetired: bool
    rule: str
    done: int
    needed: int
    percent: int
    minutesLeft: int


class DashboardCourse(CountedCard):
    """`source`: where access comes from, in words."""

    state: CourseState
    source: str
    accessUntil: datetime | None
    enrolledAt: datetime
    completedAt: datetime | None


class OngoingCourse(TypedDict):
    """`course`: the id of one of `courses`. `resume`: where the learner goes on; null when it has no lessons."""

    course: int
    resume: LessonLink | None


class DashboardOrder(TypedDict):
    """`what`: what was ordered, in words. `total` in minor units of `currency`."""

    code: str
    what: str
    href: str
    placedAt: datetime
    stateText: str
    total: int
    currency: str


class MaterialFile(TypedDict):
    """A file to download; `bytes` is its size."""

    name: str
    href: str
    bytes: int


class MaterialCode(TypedDict):
    """A code to show or to redeem."""

    code: str
    stateText: str
    isUsed: bool


class Material(TypedDict):
    """What was bought besides courses. `href`: its order."""

    name: str
    href: str
    boughtAt: datetime
    files: list[MaterialFile]
    codes: list[MaterialCode]


class DashboardNotice(TypedDict):
    """Something that the learner may want to do now. `action` null: it only informs."""

    kind: str
    title: str
    text: str
    action: LearningLink | None


class DashboardOrganisation(TypedDict):
    name: str
    logo: str


class RecommendedCourse(TypedDict):
    """`price` in minor units. `reason`: why it is recommended, in words."""

    id: int
    name: str
    href: str
    picture: Picture
    price: int
    reason: str


class NearestCertificate(TypedDict):
    """The course that needs least to be completed, and what it still needs, in words."""

    course: LearningLink
    missing: str


class Dashboard(TypedDict):
    """`ongoing`: up to three courses to go on with, the last one first. `courses`: the newest 24. `materials`: the
    newest four. `studentNumber`: the learner's own; `inviteHref` remembers who recommended the shop."""

    organisations: list[DashboardOrganisation]
    notices: list[DashboardNotice]
    ongoing: list[OngoingCourse]
    courses: list[DashboardCourse]
    hasMoreCourses: bool
    materials: list[Material]
    hasMoreMaterials: bool
    certificates: CertificateList
    nearestCertificate: NearestCertificate | None
    orders: list[DashboardOrder]
    hasMoreOrders: bool
    recommended: list[RecommendedCourse]
    studentNumber: str
    inviteHref: str
