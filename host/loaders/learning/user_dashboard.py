"""/user-dashboard: the dashboard, a whole list, a course or a lesson, as the query says (docs/readings.md)."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from domain.account import dashboard as dashboards
from domain.account.current_session import CurrentSession
from domain.account.dashboard import Dashboard
from domain.errors import NotFound
from domain.learning import closures, notes
from domain.learning.addresses import END, NEXT, course_href, end_href, lesson_href, next_href
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates.certificate_views import LearnerCertificates
from domain.learning.notes import Note
from domain.learning.quizzes import attempts
from domain.learning.reviews import writing
from domain.learning.views import access, recommendations, search
from domain.learning.views import course as courses
from domain.learning.views.lesson_page import LessonPage, lesson_page
from domain.learning.views.recommendations import Recommendation
from domain.learning.views.records import ForeignCourse, LessonContent, MovedCourse, OwnCourse
from domain.orders import materials
from domain.orders.refunds import withdrawn
from domain.orders.settings import Context
from domain.routes import Page
from domain.typed_values import is_number
from host.auth.private_pages import FirstRead
from host.learning.certificate_schemas import CertificateList
from host.learning.certificate_view import certificate_list
from host.learning.course_schemas import CourseSearch, LearningCourse, LearningLink
from host.learning.course_view import course_ref, course_view, search_view
from host.learning.dashboard_schemas import RecommendedCourse
from host.learning.dashboard_view import course_row, dashboard_view, material_row, order_row
from host.learning.lesson_files import LessonFiles, lesson_files
from host.learning.lesson_view import lesson_view
from host.learning.note_schemas import listed_note, note_view
from host.learning.page_schemas import (
    CertificatesView,
    CourseClosureView,
    CourseEndView,
    CoursesView,
    CourseView,
    LearningView,
    LessonView,
    MaterialsView,
    MissingLessonView,
    NotesView,
    NotOwnedView,
    OrdersView,
    UserDashboardProps,
)
from host.learning.quiz_options import QUIZ_OPTIONS
from host.learning.quiz_schemas import Quiz
from host.learning.quiz_view import quiz_view
from host.learning.recommended import recommended_courses
from host.learning.review_schemas import CourseReview, course_review
from host.loaders import client_rendered, errors
from host.loaders.learning import access_over, offers
from host.rate_limits import policies
from host.rendering.assets import ASSETS
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect

SLUG_LENGTH = 191
MAX_PAGE = 100_000
# Certificates on the dashboard: three, and one more by which it knows that there are others.
CARDS = 4
_NO_MODELS = (dict, list, str)
NO_LESSON = "This lesson is not part of the course."


@dataclass(frozen=True)
class ShownView:
    """A view with its title and status."""

    view: LearningView
    title: str = ""
    status: int = 200


def first_read(request: PageRequest) -> FirstRead | None:
    """What the dashboard, or the page of most lessons, is made of."""
    slug, lesson = request.query.get("course", "")[:SLUG_LENGTH], request.query.get("lesson", "")

    def page_of_lesson(session: Session, current: CurrentSession) -> LessonPage | None:
        return lesson_page(session, current.auth.learner_id, slug, int(lesson), request.at)

    def dashboard(session: Session, current: CurrentSession) -> Dashboard:
        return dashboards.dashboard(session, current.auth.learner_id, request.at, request.scope)

    if not slug:
        return None if request.query.get("list", "") else dashboard
    return page_of_lesson if is_number(lesson) else None


@page("user-dashboard", first_read=first_read, learner_limits=policies.LEARNING_CODES)
async def load(request: PageRequest, route: Page) -> LoaderResult[UserDashboardProps]:
    """Raises ServiceUnavailable while the database does not answer in time."""
    try:
        shown = await _shown(request)
    except NotFound:
        return await errors.not_found(request)
    if isinstance(shown, Redirect):
        return shown
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    head = client_rendered.head(request, route, shown.title or route.title, route.title)
    props: UserDashboardProps = {
        "title": route.title,
        "html": "",
        "styleHref": request.app[ASSETS].styles[route.style],
        "learning": _as_json(shown.view),
    }
    no_script = {"key": partial(request.form_key, "gift"), "message": ""}
    return PageResult(route.id, head, props, shown.status, no_script=no_script)


async def _shown(request: PageRequest) -> ShownView | Redirect:
    """Raises NotFound."""
    slug = request.query.get("course", "")
    if slug:
        return await _course(request, slug[:SLUG_LENGTH])
    if name := request.query.get("list", ""):
        if name not in _LISTS:
            raise NotFound
        return await _LISTS[name](request, _page(request))
    return await _dashboard(request)


async def _dashboard(request: PageRequest) -> ShownView:
    session = _session(request)
    own: Dashboard = request.first_read
    newest = replace(own.certificates, issued=own.certificates.issued[:CARDS], unnamed=own.certificates.unnamed[:CARDS])
    issued, recommended = _certificate_list(request, newest), await _recommended(request, own.recommended)
    shown = dashboard_view(own, session, request.settings, issued, recommended)
    beside = await offers.load(request)
    return ShownView(
        {
            "view": "dashboard",
            "dashboard": shown,
            "gift": beside.gift,
            "seats": beside.seats,
            "join": beside.join,
            "failed": beside.failed,
        }
    )


async def _recommended(request: PageRequest, found: Sequence[Recommendation]) -> list[RecommendedCourse]:
    return await recommended_courses(request.db, _session(request), found, request.at, request.settings.shop)


async def _courses(request: PageRequest, page: int) -> ShownView:
    rows, pages = await request.db.read(dashboards.page_of_courses, _learner_id(request), page, request.at)
    _check_page(page, pages)
    return ShownView(CoursesView(courses=[course_row(row) for row in rows], page=page, pages=pages), "My courses")


async def _orders(request: PageRequest, page: int) -> ShownView:
    rows, pages = await request.db.read(dashboards.page_of_orders, _learner_id(request), page)
    _check_page(page, pages)
    return ShownView(OrdersView(orders=[order_row(row) for row in rows], page=page, pages=pages), "My orders")


async def _materials(request: PageRequest, page: int) -> ShownView:
    size = dashboards.PAGE_SIZE
    rows, pages = await request.db.read(materials.page, _learner_id(request), page, size)
    _check_page(page, pages)
    shown = MaterialsView(materials=[material_row(row) for row in rows], page=page, pages=pages)
    return ShownView(shown, "My materials")


async def _certificates(request: PageRequest, page: int) -> ShownView:
    own = await request.db.read(certificate_reading.of_learner, _learner_id(request), request.at)
    pages = max(1, -(-len(own.issued) // dashboards.PAGE_SIZE))
    _check_page(page, pages)
    first = (page - 1) * dashboards.PAGE_SIZE
    issued = own.issued[first : first + dashboards.PAGE_SIZE]
    # One name serves them all: the first ones say so.
    of_page = replace(own, issued=issued, unnamed=own.unnamed[: dashboards.PAGE_SIZE])
    return ShownView(
        CertificatesView(certificates=_certificate_list(request, of_page), page=page, pages=pages), "My certificates"
    )


async def _notes(request: PageRequest, page: int) -> ShownView:
    total, shown = await request.db.read(notes.page, _learner_id(request), page, request.at)
    pages = max(1, -(-total // notes.PAGE))
    _check_page(page, pages)
    return ShownView(NotesView(notes=[listed_note(entry) for entry in shown], page=page, pages=pages), "My notes")


def _certificate_list(request: PageRequest, own: LearnerCertificates) -> CertificateList:
    return certificate_list(own, request.settings.site_origin, request.settings.site_name)


_LISTS: dict[str, Callable[[PageRequest, int], Coroutine[Any, Any, ShownView]]] = {
    "courses": _courses,
    "certificates": _certificates,
    "materials": _materials,
    "orders": _orders,
    "notes": _notes,
}


async def _course(request: PageRequest, slug: str) -> ShownView | Redirect:
    page: LessonPage | None = request.first_read
    if page is not None:
        return await _lesson_shown(request, page.content, page.note, course_view(page.content.course))
    found = await request.db.read(courses.by_slug, _learner_id(request), slug, request.at, request.scope)
    if isinstance(found, MovedCourse):
        return Redirect(_same_place(request, found.slug))
    if isinstance(found, ForeignCourse):
        view = NotOwnedView(course=course_ref(found), subtitle=found.subtitle, isSold=found.status == "published")
        return ShownView(view, found.name)
    successor = await request.db.read(courses.successor_of, found)
    course = course_view(found, successor)
    end = await request.db.read(access.access_end, _learner_id(request), found)
    if end is not None:
        refund = await _refund(request, course) if end.is_closed else None
        shown_end = await access_over.view(request, _learner_id(request), found, course, end, refund=refund)
        return ShownView(shown_end, found.facts.name)
    text = request.query.get("lesson", "")
    if text == NEXT:
        # A course without lessons has its own page.
        text = "" if found.resume is None else str(found.resume.id)
    if text:
        return await (_end(request, found, course) if text == END else _lesson(request, found, text, course))
    search_result = await _search(request, found)
    review, issued = await _review(request, found), await _issued(request, found)
    refund = await _refund(request, course)
    closure = await _closure(request, course)
    shown = CourseView(
        course=course, search=search_result, review=review, certificates=issued, refund=refund, closure=closure
    )
    return ShownView(shown, found.facts.name)


async def _end(request: PageRequest, own: OwnCourse, course: LearningCourse) -> ShownView:
    found = await request.db.read(recommendations.recommended, _learner_id(request), [own], request.scope)
    view: CourseEndView = {
        "view": "course-end",
        "course": course,
        "review": await _review(request, own),
        "certificates": await _issued(request, own),
        "recommended": await _recommended(request, found),
    }
    return ShownView(view, own.facts.name)


async def _review(request: PageRequest, own: OwnCourse) -> CourseReview | None:
    options = await request.db.read(writing.options, _learner_id(request), own.facts.id, request.at)
    return None if options is None else course_review(options)


async def _issued(request: PageRequest, own: OwnCourse) -> CertificateList:
    found = await request.db.read(certificate_reading.of_learner, _learner_id(request), request.at, own.facts.id)
    return _certificate_list(request, found)


async def _closure(request: PageRequest, course: LearningCourse) -> CourseClosureView | None:
    """Only a retired course is closed."""
    if not course["isRetired"]:
        return None
    row = await request.db.read(closures.closure_of, course["id"])
    return None if row is None else CourseClosureView(endsAt=row.ends_at, reason=row.reason)


async def _refund(request: PageRequest, course: LearningCourse) -> LearningLink | None:
    if not course["isRetired"]:
        return None
    context = Context(request.at, request.settings.orders)
    code = await request.db.read(withdrawn.refundable_order, _learner_id(request), course["id"], context)
    return None if code is None else {"name": code, "href": f"/order/{code}"}


async def _search(request: PageRequest, own: OwnCourse) -> CourseSearch | None:
    text = request.query.get("q", "").strip()
    return search_view(own, text, await request.db.read(search.search, own, text)) if text else None


async def _lesson(request: PageRequest, own: OwnCourse, text: str, course: LearningCourse) -> ShownView:
    try:
        if not is_number(text):
            raise NotFound
        content = await request.db.read(courses.lesson_of, own, int(text))
    except NotFound:
        return ShownView(MissingLessonView(course=course, message=NO_LESSON), own.facts.name, 404)
    note = await request.db.read(notes.note_of, _learner_id(request), content.lesson.id)
    return await _lesson_shown(request, content, note, course)


async def _lesson_shown(request: PageRequest, content: LessonContent, note: Note, course: LearningCourse) -> ShownView:
    quiz = await _quiz(request, content)
    lesson = lesson_view(content, _files(request))
    view: LessonView = {"view": "lesson", "course": course, "lesson": lesson, "quiz": quiz, "note": note_view(note)}
    return ShownView(view, content.lesson.title)


def _as_json(view: LearningView) -> Any:
    """Models of a view, or in one, as what they are in JSON."""
    # Whether a dict is a model takes as long as a statement: models have abstract base classes.
    if not isinstance(view, dict):
        return view.model_dump(mode="json")
    parts: Mapping[str, Any] = view
    return {
        name: part if part is None or isinstance(part, _NO_MODELS) else part.model_dump(mode="json")
        for name, part in parts.items()
    }


async def _quiz(request: PageRequest, content: LessonContent) -> Quiz | None:
    """Without the right answers, which come with the result of an attempt. None for other lessons."""
    if content.lesson.kind != "quiz" or content.body is None:
        return None
    learner_id = _learner_id(request)
    view = await request.db.read(attempts.view_of, learner_id, content.lesson.id)
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    names = request.app[QUIZ_OPTIONS].of(learner_id, content.lesson.id)
    return quiz_view(view, names, request.settings.locale)


def _files(request: PageRequest) -> LessonFiles:
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    return lesson_files(request.app, _learner_id(request), request.at)


def _same_place(request: PageRequest, slug: str) -> str:
    lesson, text = request.query.get("lesson", ""), request.query.get("q", "")
    if lesson in (END, NEXT):
        return end_href(slug) if lesson == END else next_href(slug)
    if is_number(lesson):
        return lesson_href(slug, int(lesson))
    return f"{course_href(slug)}&{urlencode({'q': text})}" if text else course_href(slug)


def _page(request: PageRequest) -> int:
    """Raises NotFound for what is no number of a page."""
    text = request.query.get("page", "1")
    if not is_number(text) or not 1 <= int(text) <= MAX_PAGE:
        raise NotFound
    return int(text)


def _check_page(page: int, pages: int) -> None:
    if page > pages:
        raise NotFound


def _session(request: PageRequest) -> CurrentSession:
    assert request.session is not None  # noqa: S101 page_handler.load calls the loader of a private page with one
    return request.session


def _learner_id(request: PageRequest) -> int:
    return _session(request).auth.learner_id
