"""GET calls of what a learner studies, for programs: what the page /user-dashboard shows, as it shows it."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.account import current_session
from domain.account import dashboard as dashboards
from domain.identity.sessions import AuthSession
from domain.learning.views import course as courses
from domain.learning.views import search
from host.api.fields import EmptyRequest, Strict
from host.api.registry import query
from host.app_keys import DATABASE, SETTINGS
from host.auth import catalogue_scope
from host.http import request_keys
from host.learning.certificate_view import certificate_list
from host.learning.course_schemas import CourseSearch, LearningCourse
from host.learning.course_view import course_view, search_view
from host.learning.dashboard_schemas import Dashboard
from host.learning.dashboard_view import dashboard_view
from host.learning.lesson_files import lesson_files
from host.learning.lesson_schemas import LearningLesson
from host.learning.lesson_view import lesson_view
from host.learning.recommended import recommended_courses
from host.rate_limits import policies

LIMITED = (404, 429)


class CourseSearchQuery(Strict):
    q: Annotated[str, Field(max_length=search.MAX_LENGTH)] = ""


@query("learning/dashboard", EmptyRequest, Dashboard, caller="learner", refusals=(429,))
async def read_dashboard(request: web.Request, _body: EmptyRequest) -> Dashboard:
    """Return the courses, orders and recommendations of the learner."""
    auth = await _auth(request)
    at, db = datetime.now(UTC), request.app[DATABASE]
    scope = await catalogue_scope.scope_of(request)
    session = await db.read_inline(current_session.describe, auth, at)
    own = await db.read_inline(dashboards.dashboard, auth.learner_id, at, scope)
    settings = request.app[SETTINGS]
    issued = certificate_list(own.certificates, settings.site_origin, settings.site_name)
    recommended = await recommended_courses(db, session, own.recommended, at, settings.shop)
    return dashboard_view(own, session, settings, issued, recommended)


@query("learning/courses/{id}", EmptyRequest, LearningCourse, caller="learner", refusals=LIMITED)
async def read_course(request: web.Request, _body: EmptyRequest) -> LearningCourse:
    """Return a course that the learner has or had, with its outline, its rule and their status; 404 for every other."""
    auth = await _auth(request)
    course_id, at, db = request[request_keys.PATH_ID], datetime.now(UTC), request.app[DATABASE]
    own = await db.read_inline(courses.by_id, auth.learner_id, course_id, at)
    return course_view(own, await db.read(courses.successor_of, own))


@query("learning/lessons/{id}", EmptyRequest, LearningLesson, caller="learner", refusals=LIMITED)
async def read_lesson(request: web.Request, _body: EmptyRequest) -> LearningLesson:
    """Return a lesson of a course to which the learner has access, with its text; 404 for every other."""
    auth = await _auth(request)
    at, db = datetime.now(UTC), request.app[DATABASE]
    content = await db.read_inline(courses.lesson_by_id, auth.learner_id, request[request_keys.PATH_ID], at)
    return lesson_view(content, lesson_files(request.app, auth.learner_id, at))


@query("learning/courses/{id}/search", CourseSearchQuery, CourseSearch, caller="learner", refusals=LIMITED)
async def search_course(request: web.Request, body: CourseSearchQuery) -> CourseSearch:
    """Return the lessons of a course of the learner that hold all words, with the sentence where they stand."""
    auth = await _auth(request)
    course_id, at, db = request[request_keys.PATH_ID], datetime.now(UTC), request.app[DATABASE]
    own = await db.read_inline(courses.by_id, auth.learner_id, course_id, at)
    return search_view(own, body.q, await db.read(search.search, own, body.q))


async def _auth(request: web.Request) -> AuthSession:
    await policies.limit(request, "learning_calls_per_learner_minute")
    return request[request_keys.AUTH_SESSION]
