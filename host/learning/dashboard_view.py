"""The dashboard and its lists as JSON."""

from datetime import datetime

from config.settings import Settings
from domain import money
from domain.account import dashboard
from domain.account.current_session import CurrentSession
from domain.account.dashboard import OwnOrder
from domain.catalogue.listing import price_now
from domain.display_text import day_text
from domain.learning.views.recommendations import Recommendation
from domain.learning.views.records import CourseSummary
from domain.learning.views.shared_courses import DoneLessons
from domain.money import Currency
from domain.orders import materials
from domain.text_direction import isolated
from host.learning.certificate_schemas import CertificateList
from host.learning.course_schemas import LearningLink
from host.learning.course_view import course_ref, lesson_link, own_course_ref, source_text
from host.learning.dashboard_schemas import (
    CountedCard,
    Dashboard,
    DashboardCourse,
    DashboardNotice,
    DashboardOrder,
    Material,
    NearestCertificate,
    OngoingCourse,
    RecommendedCourse,
)
from host.urls import href_of, list_picture

REASONS = {
    "successor": "Replaces a course of yours",
    "saved": "On your wishlist",
    "next-level": "The next level of what you study",
}


def dashboard_view(
    own: dashboard.Dashboard,
    session: CurrentSession,
    settings: Settings,
    certificates: CertificateList,
    recommendations: list[RecommendedCourse],
) -> Dashboard:
    return {
        "organisations": [{"name": row.name, "logo": row.logo} for row in session.organisations],
        "notices": _notices(own, session, settings.locale),
        "ongoing": [_ongoing(course) for course in own.ongoing],
        "courses": [course_row(course) for course in own.courses],
        "hasMoreCourses": own.has_more_courses,
        "materials": [material_row(row) for row in own.materials],
        "hasMoreMaterials": own.has_more_materials,
        "certificates": certificates,
        "nearestCertificate": _nearest(own.nearest_certificate),
        "orders": [order_row(order) for order in own.orders],
        "hasMoreOrders": own.has_more_orders,
        "recommended": recommendations,
        "studentNumber": session.student_number,
        "inviteHref": f"/s?n={session.student_number}",
    }


def course_row(course: CourseSummary) -> DashboardCourse:
    own = course.enrolment
    row: DashboardCourse = {
        **course.done_lessons.once(_counted_card),
        "state": course.state,
        "source": source_text(own.source, course.shared.facts),
        "accessUntil": own.access_until,
        "enrolledAt": own.enrolled_at,
        "completedAt": own.completed_at,
    }
    if own.completed_at is not None:
        row["percent"], row["minutesLeft"] = course.percent, course.minutes_left
    return row


def _counted_card(done: DoneLessons) -> CountedCard:
    """What everybody has alike who has done these lessons."""
    course, status = done.course, done.status
    ref = course_ref(course.facts)
    return {
        "id": ref["id"],
        "name": ref["name"],
        "learnHref": ref["learnHref"],
        "picture": ref["picture"],
        "isRetired": course.facts.status == "retired",
        "rule": course.rule_text,
        "done": status.done,
        "needed": status.needed,
        "percent": status.percent,
        "minutesLeft": done.minutes_left,
    }


def _ongoing(course: CourseSummary) -> OngoingCourse:
    resume = course.resume
    return {
        "course": course.facts.id,
        "resume": None if resume is None else lesson_link(course, resume),
    }


def order_row(order: OwnOrder) -> DashboardOrder:
    return DashboardOrder(
        code=order.code,
        what=order.what,
        href=f"/order/{order.code}",
        placedAt=order.placed_at,
        stateText=order.state_text,
        total=order.total,
        currency=order.currency,
    )


def material_row(row: materials.Material) -> Material:
    return {
        "name": row.name,
        "href": f"/order/{row.order_code}",
        "boughtAt": row.bought_at,
        "files": [
            {
                "name": file.name,
                "href": f"/order-files/{row.order_code}/{row.line_number}/{file.number}",
                "bytes": file.bytes,
            }
            for file in row.files
        ],
        "codes": [{"code": code.code, "stateText": code.state_text, "isUsed": code.is_used} for code in row.codes],
    }


def _notices(own: dashboard.Dashboard, session: CurrentSession, locale: str) -> list[DashboardNotice]:
    notices = [
        DashboardNotice(
            kind="access-ends",
            title=f"Your access to {isolated(course.facts.name)} ends soon",
            text=f"You can study it until {day_text(course.enrolment.access_until, locale)} (UTC).",
            action=LearningLink(name="Go on with it", href=own_course_ref(course)["learnHref"]),
        )
        for course in own.ending_soon
        if course.enrolment.access_until is not None
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
    ref = own_course_ref(course)
    return NearestCertificate(course={"name": ref["name"], "href": ref["learnHref"]}, missing=text)


def recommended_course(recommendation: Recommendation, at: datetime, currency: Currency) -> RecommendedCourse:
    """With everyone's price."""
    card = recommendation.card
    return RecommendedCourse(
        id=card.id,
        name=card.name,
        href=href_of("course", card.id, card.slug),
        picture=list_picture(card.image, card.image_width, card.image_height, ""),
        price=money.to_minor(price_now(card, at), currency),
        reason=REASONS[recommendation.reason],
    )
