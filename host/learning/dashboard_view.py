"""The dashboard and its lists as JSON models."""

from typing import cast

from config.settings import Settings
from domain import money
from domain.catalogue import price_now
from domain.display_text import day_text
from domain.identity.current_session import CurrentSession
from domain.learning.views import dashboard
from domain.learning.views.dashboard import OrderRow
from domain.learning.views.recommendations import Recommendation
from domain.learning.views.records import CourseSummary
from domain.money import Currency
from host.learning.certificate_schemas import CertificateList
from host.learning.course_schemas import CourseState, LearningLink
from host.learning.course_view import SOURCES, course_facts, course_ref, lesson_link
from host.learning.dashboard_schemas import (
    Dashboard,
    DashboardCourse,
    DashboardNotice,
    DashboardOrder,
    DashboardOrganisation,
    NearestCertificate,
    RecommendedCourse,
)
from host.urls import href_of, list_picture

REASONS = {
    "successor": "Replaces a course of yours",
    "saved": "On your wishlist",
    "next-level": "The next level of what you study",
}


def dashboard_view(
    own: dashboard.Dashboard, session: CurrentSession, settings: Settings, certificates: CertificateList
) -> Dashboard:
    courses = [course_row(course) for course in own.courses]
    ongoing = {course.row.id for course in own.ongoing}
    return Dashboard(
        organisations=[DashboardOrganisation(name=row.name, logo=row.logo) for row in own.organisations],
        notices=_notices(own, session, settings.locale),
        ongoing=[course for course in courses if course.id in ongoing],
        courses=courses,
        hasMoreCourses=own.has_more_courses,
        certificates=certificates,
        nearestCertificate=_nearest(own.nearest_certificate),
        orders=[order_row(order) for order in own.orders],
        hasMoreOrders=own.has_more_orders,
        recommended=[_recommended(row, own, settings.shop.currency) for row in own.recommended],
        studentNumber=session.student_number,
        inviteHref=f"/s?n={session.student_number}",
    )


def course_row(course: CourseSummary) -> DashboardCourse:
    row, last, resume = course.row, course.last_lesson, course.resume
    return DashboardCourse(
        **course_facts(row),
        state=cast(CourseState, course.state),
        source=SOURCES.get(row.source or "", ""),
        done=course.status.done,
        needed=course.status.needed,
        percent=course.percent,
        rule=course.rule_text,
        minutesLeft=course.minutes_left,
        accessUntil=row.access_until,
        enrolledAt=row.enrolled_at,
        lastActiveAt=row.last_active_at,
        completedAt=row.completed_at,
        isRetired=row.status == "retired",
        lastLesson=None if last is None else lesson_link(row.slug, last),
        resume=None if resume is None else lesson_link(row.slug, resume),
    )


def order_row(order: OrderRow) -> DashboardOrder:
    return DashboardOrder(
        code=order.code,
        href=f"/order/{order.code}",
        placedAt=order.placed_at,
        stateText=order.state_text,
        total=order.total,
        currency=order.currency,
    )


def _notices(own: dashboard.Dashboard, session: CurrentSession, locale: str) -> list[DashboardNotice]:
    notices = [
        DashboardNotice(
            kind="access-ends",
            title=f"Your access to {course.row.name} ends soon",
            text=f"You can study it until {day_text(course.row.access_until, locale)} (UTC).",
            action=LearningLink(name="Go on with it", href=course_ref(course.row).learnHref),
        )
        for course in own.ending_soon
        if course.row.access_until is not None
    ]
    if not session.name.strip():
        action = LearningLink(name="Add your name", href="/profile")
        text = "It stands on your certificates."
        notices.append(DashboardNotice(kind="name-missing", title="Tell us your name", text=text, action=action))
    return notices


def _nearest(course: CourseSummary | None) -> NearestCertificate | None:
    if course is None:
        return None
    missing = len(course.status.missing)
    text = f"{missing} lessons are missing" if missing != 1 else "One lesson is missing"
    ref = course_ref(course.row)
    return NearestCertificate(course=LearningLink(name=ref.name, href=ref.learnHref), missing=text)


def _recommended(recommendation: Recommendation, own: dashboard.Dashboard, currency: Currency) -> RecommendedCourse:
    card = recommendation.card
    return RecommendedCourse(
        id=card.id,
        name=card.name,
        href=href_of("course", card.id, card.slug),
        picture=list_picture(card.image, card.image_width, card.image_height, ""),
        price=money.to_minor(price_now(card, own.at), currency),
        reason=REASONS[recommendation.reason],
    )
