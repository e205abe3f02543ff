"""/user-dashboard: the dashboard, a whole list, a course or a lesson, as the query says (docs/readings.md)."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from domain.errors import NotFound
from domain.identity.current_session import CurrentSession
from domain.learning import certificates, gifts, notes, reviews
from domain.learning.certificates import LearnerCertificates
from domain.learning.notes import Note
from domain.learning.quizzes import attempts
from domain.learning.quizzes.number_texts import decimal_sign
from domain.learning.views import access, search
from domain.learning.views import course as courses
from domain.learning.views import dashboard as dashboards
from domain.learning.views.lesson_page import lesson_page
from domain.learning.views.records import ForeignCourse, FormerSlug, LessonContent, OwnCourse
from domain.routes import Page
from host.learning.addresses import course_href, lesson_href
from host.learning.certificate_schemas import CertificateList
from host.learning.certificate_view import certificate_list
from host.learning.course_schemas import CourseSearch, LearningCourse
from host.learning.course_view import course_ref, course_view, search_view
from host.learning.dashboard_view import course_row, dashboard_view, order_row
from host.learning.lesson_files import LessonFiles, lesson_files
from host.learning.lesson_view import lesson_view
from host.learning.note_schemas import listed_note, note_view
from host.learning.offers.gift_schemas import GiftCard, gift_card
from host.learning.page_schemas import (
    CertificatesView,
    CoursesView,
    CourseView,
    DashboardView,
    LearningView,
    LessonView,
    MissingLessonView,
    NotesView,
    NotOwnedView,
    OrdersView,
)
from host.learning.quiz_schemas import Quiz
from host.learning.quiz_view import quiz_view
from host.learning.review_schemas import course_review
from host.loaders import client_rendered, errors
from host.loaders.learning import access_over
from host.rendering.assets import ASSETS
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, Redirect
from host.seo import head_texts

SLUG_LENGTH = 191
MAX_PAGE = 100_000
MAX_ID_DIGITS = 15
NO_LESSON = "This lesson is not part of the course."


@dataclass(frozen=True)
class Shown:
    """A view with its title and status."""

    view: LearningView
    title: str = ""
    status: int = 200


async def load(request: PageRequest, route: Page) -> LoaderResult:
    """Raises ServiceUnavailable while the database does not answer in time."""
    try:
        shown = await _shown(request)
    except NotFound:
        return await errors.not_found(request)
    if isinstance(shown, Redirect):
        return shown
    waiting = await client_rendered.load(request, route)
    title = shown.title or route.title
    head = replace(waiting.head, title=head_texts.title(request.settings, title), description=route.title)
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    style = request.app[ASSETS].styles[route.style]
    props = {**waiting.props, "styleHref": style, "learning": shown.view.model_dump(mode="json")}
    no_script = {"key": request.form_key("gift"), "message": ""}
    return replace(waiting, head=head, props=props, status=shown.status, no_script=no_script)


async def _shown(request: PageRequest) -> Shown | Redirect:
    """Raises NotFound."""
    slug = request.query.get("course", "")
    if slug:
        return await _course(request, slug[:SLUG_LENGTH])
    if name := request.query.get("list", ""):
        if name not in _LISTS:
            raise NotFound
        return await _LISTS[name](request, _page(request))
    return await _dashboard(request)


async def _dashboard(request: PageRequest) -> Shown:
    session = _session(request)
    own = await request.db.read_inline(dashboards.dashboard, _learner_id(request), request.at, request.scope)
    shown = dashboard_view(own, session, request.settings, _certificate_list(request, own.certificates))
    return Shown(DashboardView(dashboard=shown, gift=await _gift(request)))


async def _gift(request: PageRequest) -> GiftCard | None:
    token = request.query.get("giftToken", "")
    if not token:
        return None
    offer = await request.db.read(gifts.offer, _learner_id(request), token, request.at)
    return gift_card(token, offer, gifts.UNKNOWN)


async def _courses(request: PageRequest, page: int) -> Shown:
    rows, pages = await request.db.read(dashboards.page_of_courses, _learner_id(request), page, request.at)
    _check_page(page, pages)
    return Shown(CoursesView(courses=[course_row(row) for row in rows], page=page, pages=pages), "My courses")


async def _orders(request: PageRequest, page: int) -> Shown:
    rows, pages = await request.db.read(dashboards.page_of_orders, _learner_id(request), page)
    _check_page(page, pages)
    return Shown(OrdersView(orders=[order_row(row) for row in rows], page=page, pages=pages), "My orders")


async def _certificates(request: PageRequest, page: int) -> Shown:
    own = await request.db.read(certificates.of_learner, _learner_id(request), request.at)
    pages = max(1, -(-len(own.issued) // dashboards.PAGE_SIZE))
    _check_page(page, pages)
    first = (page - 1) * dashboards.PAGE_SIZE
    of_page = replace(own, issued=own.issued[first : first + dashboards.PAGE_SIZE])
    return Shown(
        CertificatesView(certificates=_certificate_list(request, of_page), page=page, pages=pages), "My certificates"
    )


async def _notes(request: PageRequest, page: int) -> Shown:
    total, shown = await request.db.read(notes.page, _learner_id(request), page, request.at)
    pages = max(1, -(-total // notes.PAGE))
    _check_page(page, pages)
    return Shown(NotesView(notes=[listed_note(entry) for entry in shown], page=page, pages=pages), "My notes")


def _certificate_list(request: PageRequest, own: LearnerCertificates) -> CertificateList:
    return certificate_list(own, request.settings.site_origin, request.settings.site_name)


_LISTS: dict[str, Callable[[PageRequest, int], Coroutine[Any, Any, Shown]]] = {
    "courses": _courses,
    "certificates": _certificates,
    "orders": _orders,
    "notes": _notes,
}


async def _course(request: PageRequest, slug: str) -> Shown | Redirect:
    if is_id(request.query.get("lesson", "")) and (lesson := await _lesson_alone(request, slug)) is not None:
        return lesson
    found = await request.db.read(courses.by_slug, _learner_id(request), slug, request.at, request.scope)
    if isinstance(found, FormerSlug):
        return Redirect(_same_place(request, found.slug))
    if isinstance(found, ForeignCourse):
        view = NotOwnedView(course=course_ref(found), subtitle=found.subtitle, isSold=found.status == "published")
        return Shown(view, found.name)
    successor = await request.db.read(courses.successor_of, found)
    course = course_view(found, successor)
    end = await request.db.read(access.access_end, _learner_id(request), found)
    if end is not None:
        return Shown(await access_over.view(request, _learner_id(request), found, course, end), found.row.name)
    if text := request.query.get("lesson", ""):
        return await _lesson(request, found, text, course)
    search_result = await _search(request, found)
    own = await request.db.read(reviews.options, _learner_id(request), course.id, request.at)
    review = None if own is None else course_review(own)
    issued = _certificate_list(
        request, await request.db.read(certificates.of_learner, _learner_id(request), request.at, course.id)
    )
    shown = CourseView(course=course, search=search_result, review=review, certificates=issued)
    return Shown(shown, found.row.name)


async def _lesson_alone(request: PageRequest, slug: str) -> Shown | None:
    """The page of most lessons, from one inline read; None for the others."""
    learner_id, lesson_id = _learner_id(request), int(request.query["lesson"])
    page = await request.db.read_inline(lesson_page, learner_id, slug, lesson_id, request.at)
    return (
        None
        if page is None
        else await _lesson_shown(request, page.content, page.note, course_view(page.content.course))
    )


async def _search(request: PageRequest, own: OwnCourse) -> CourseSearch | None:
    text = request.query.get("q", "").strip()
    return search_view(own, text, await request.db.read(search.search, own, text)) if text else None


async def _lesson(request: PageRequest, own: OwnCourse, text: str, course: LearningCourse) -> Shown:
    try:
        if not is_id(text):
            raise NotFound
        content = await request.db.read(courses.lesson_of, own, int(text))
    except NotFound:
        return Shown(MissingLessonView(course=course, message=NO_LESSON), own.row.name, 404)
    note = await request.db.read(notes.note_of, _learner_id(request), content.lesson.id)
    return await _lesson_shown(request, content, note, course)


async def _lesson_shown(request: PageRequest, content: LessonContent, note: Note, course: LearningCourse) -> Shown:
    quiz = await _quiz(request, content)
    view = LessonView(course=course, lesson=lesson_view(content, _files(request)), quiz=quiz, note=note_view(note))
    return Shown(view, content.lesson.title)


async def _quiz(request: PageRequest, content: LessonContent) -> Quiz | None:
    """Without the right answers, which come with the result of an attempt. None for other lessons."""
    if content.lesson.kind != "quiz" or content.body is None:
        return None
    learner_id = _learner_id(request)
    view = await request.db.read(attempts.view_of, learner_id, content.lesson.id)
    return quiz_view(view, learner_id, decimal_sign(request.settings.locale))


def _files(request: PageRequest) -> LessonFiles:
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    return lesson_files(request.app, _learner_id(request), request.at)


def _same_place(request: PageRequest, slug: str) -> str:
    lesson = request.query.get("lesson", "")
    return lesson_href(slug, int(lesson)) if is_id(lesson) else course_href(slug)


def is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_ID_DIGITS


def _page(request: PageRequest) -> int:
    """Raises NotFound for what is no number of a page."""
    text = request.query.get("page", "1")
    if not is_id(text) or not 1 <= int(text) <= MAX_PAGE:
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
