"""The outline of a course, its rule, and what both would do."""

from typing import Literal

from typing_extensions import TypedDict

from domain.publishing.editing.course_outline import EditedLesson, EditedOutline, OutlineEffects


class OutlineLessonFields(TypedDict):
    """`id` None: a new one. `kind`: its own page changes it."""

    id: int | None
    title: str
    minutes: int
    isRequired: bool
    isPreview: bool


class OutlineSectionFields(TypedDict):
    title: str
    lessons: list[OutlineLessonFields]


class OutlineRuleFields(TypedDict):
    """Marks in percent; `validMonths` None: the certificate has no end."""

    requiredPercent: int
    quizzes: Literal["passed", "attempted", "none"]
    passMark: int
    hasCertificate: bool
    validMonths: int | None


class OutlineFields(TypedDict):
    sections: list[OutlineSectionFields]
    rule: OutlineRuleFields


class OutlineEffectsFields(TypedDict):
    """`rule`: in words. `owners`: learners who have the course; `completed`: those who have completed it. `completing`:
    how many more would; `isAll` False: at least so many."""

    rule: str
    lessons: int
    minutes: int
    owners: int
    completed: int
    completing: int
    isAll: bool


def outline_values(edited: EditedOutline) -> OutlineFields:
    rule = edited.rule
    return {
        "sections": [
            {"title": section.title, "lessons": [_lesson_values(lesson) for lesson in section.lessons]}
            for section in edited.sections
        ],
        "rule": {
            "requiredPercent": rule.required_percent,
            "quizzes": rule.quizzes,
            "passMark": rule.pass_mark,
            "hasCertificate": rule.has_certificate,
            "validMonths": rule.valid_months,
        },
    }


def effects_values(effects: OutlineEffects) -> OutlineEffectsFields:
    return {
        "rule": effects.rule,
        "lessons": effects.lessons,
        "minutes": effects.minutes,
        "owners": effects.owners,
        "completed": effects.completed,
        "completing": effects.completing.count,
        "isAll": effects.completing.is_all,
    }


def _lesson_values(lesson: EditedLesson) -> OutlineLessonFields:
    return {
        "id": lesson.id,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "isRequired": lesson.is_required,
        "isPreview": lesson.is_preview,
    }
