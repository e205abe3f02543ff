"""A course whose access is over: why, and for 30 days what the learner wrote and reached in it."""

from domain.learning import notes
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.quizzes import scores
from domain.learning.views.access import AccessEnd
from domain.learning.views.records import OwnCourse
from host.learning.certificate_view import certificate_list
from host.learning.course_schemas import LearningCourse, LearningLink
from host.learning.note_schemas import listed_note
from host.learning.page_schemas import AccessOverView
from host.learning.quiz_schemas import QuizScore
from host.rendering.page_request import PageRequest


async def view(  # noqa: PLR0913 the course, its end, and what follows
    request: PageRequest,
    learner_id: int,
    own: OwnCourse,
    course: LearningCourse,
    end: AccessEnd,
    *,
    refund: LearningLink | None,
) -> AccessOverView:
    """`refund`: the order in which the course can be refunded. Raises ServiceUnavailable while the database does not
    answer in time."""
    is_readable = request.at < end.readable_until
    written = await request.db.read(notes.of_course, learner_id, own.facts.id, request.at) if is_readable else ()
    issued = await request.db.read(certificate_reading.of_learner, learner_id, request.at, own.facts.id)
    settings = request.settings
    return AccessOverView(
        course=course,
        reason=end.reason,
        endedAt=end.at,
        readableUntil=end.readable_until,
        isReadable=is_readable,
        back=_back(course, refund),
        scores=await _scores(request, learner_id, own) if is_readable else [],
        notes=[listed_note(entry) for entry in written],
        certificates=certificate_list(issued, settings.site_origin, settings.site_name),
    )


def _back(course: LearningCourse, refund: LearningLink | None) -> LearningLink | None:
    if refund is not None:
        return LearningLink(name="Ask for your money back", href=refund["href"])
    if course["isRetired"]:
        return course["successor"]
    return LearningLink(name="Get it again", href=course["href"])


async def _scores(request: PageRequest, learner_id: int, own: OwnCourse) -> list[QuizScore]:
    """In the order of the outline."""
    quizzes = [lesson for lesson in (*own.outline.lessons, *own.withdrawn) if lesson.kind == "quiz"]
    best = await request.db.read(scores.best_scores, learner_id, [lesson.id for lesson in quizzes])
    return [
        QuizScore(
            lesson=lesson.id,
            title=lesson.title,
            percent=best[lesson.id].score // 10,
            isPassed=best[lesson.id].is_passed,
            attempts=best[lesson.id].attempts,
        )
        for lesson in quizzes
        if lesson.id in best
    ]
