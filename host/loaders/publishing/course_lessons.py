"""/admin/courses/{id}/lessons and the page of one lesson."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.course_packages.cartridge_export import NOT_IN_A_CARTRIDGE
from domain.errors import NotFound
from domain.permissions import Permission
from domain.publishing.editing import course_outline, lesson_content
from domain.publishing.editing.lesson_content import LANGUAGES
from domain.publishing.editing.stored_course import stored_course
from domain.routes import Page
from host.documents import course_cartridges
from host.loaders.areas import area_page
from host.loaders.publishing.course_frame import CourseFrame, course_id, frame, may, path_id
from host.loaders.publishing.courses import PATH
from host.publishing.lesson_values import LessonFields, lesson_values
from host.publishing.outline_values import OutlineEffectsFields, OutlineFields, effects_values, outline_values
from host.rendering.lesson_html import LESSON_HTML
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class SelectOption(TypedDict):
    """An option of a select."""

    value: str
    label: str


class StoredLessonFields(TypedDict):
    """What the list of lessons shows of a stored one. `isGenerated`: the shop wrote its text."""

    id: int
    kind: str
    isGenerated: bool
    href: str


class CourseOutlineProps(TypedDict):
    """`frozen`: why only titles, minutes and contents can be changed; "" where all can. `cartridgeHref`: of the lessons
    as a Common Cartridge; `cartridgeLacks`: what that does not hold."""

    title: str
    frame: CourseFrame
    outline: OutlineFields
    stored: list[StoredLessonFields]
    effects: OutlineEffectsFields
    mayEdit: bool
    frozen: str
    cartridgeHref: str
    cartridgeLacks: list[str]


class CourseLessonProps(TypedDict):
    """`place`: of `count` lessons. `html`: the text as learners read it. `isGenerated`: the shop wrote it. `isFrozen`:
    the course is retired, and its lessons keep their kinds."""

    title: str
    frame: CourseFrame
    lessonId: int
    section: str
    place: int
    count: int
    fields: LessonFields
    html: str
    isGenerated: bool
    languages: list[SelectOption]
    isFrozen: bool
    mayEdit: bool


@page("admin-course-lessons")
async def load_outline(request: PageRequest, route: Page) -> PageResult[CourseOutlineProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CourseOutlineProps:
        stored = stored_course(session, course_id(request))
        key = stored.product.id
        outline = course_outline.read_outline(session, key)
        generated = course_outline.generated_ids(session, key)
        return {
            "title": route.title,
            "frame": frame(stored, "lessons"),
            "outline": outline_values(outline),
            "stored": [
                {
                    "id": lesson.id,
                    "kind": lesson.kind,
                    "isGenerated": lesson.id in generated,
                    "href": f"{PATH}/{key}/lessons/{lesson.id}",
                }
                for lesson in outline.lessons
                if lesson.id is not None
            ],
            "effects": effects_values(course_outline.effects(session, key, outline, datetime.now(UTC))),
            "mayEdit": may(request, Permission.CATALOGUE_WRITE),
            "frozen": course_outline.FROZEN if course_outline.is_frozen(stored) else "",
            "cartridgeHref": course_cartridges.href(key),
            "cartridgeLacks": list(NOT_IN_A_CARTRIDGE),
        }

    return area_page.page(request, route, await request.db.read(read))


@page("admin-course-lesson")
async def load_lesson(request: PageRequest, route: Page) -> PageResult[CourseLessonProps]:
    """Raises NotFound: also for a lesson of another course; ServiceUnavailable."""

    def read(session: Session) -> CourseLessonProps:
        stored = lesson_content.stored_lesson(session, path_id(request, "lesson", "There is no such lesson."))
        if stored.course.product.id != course_id(request):
            raise NotFound("There is no such lesson.")
        fields = lesson_values(stored, request.settings.files_folder)
        return {
            "title": route.title,
            "frame": frame(stored.course, "lessons"),
            "lessonId": stored.lesson.id,
            "section": stored.section,
            "place": stored.place,
            "count": stored.count,
            "fields": fields,
            "html": LESSON_HTML.render(fields["text"], {}),
            "isGenerated": stored.is_generated,
            "languages": [{"value": value, "label": label} for value, label in LANGUAGES.items()],
            "isFrozen": course_outline.is_frozen(stored.course),
            "mayEdit": may(request, Permission.CATALOGUE_WRITE),
        }

    return area_page.page(request, route, await request.db.read(read))
