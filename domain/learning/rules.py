"""Changes the rule by which a course is completed. It counts at once, and for those on the way too."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.errors import InvalidInput
from domain.learning import outline, recount
from domain.learning.completion import CompletionRule
from domain.tables import CompletionRuleRow, Course

# A century. The last day of a certificate must be one that a calendar has.
MAX_VALID_MONTHS = 1_200


def put_rule(session: Session, course_id: int, rule: CompletionRule, at: datetime) -> CompletionRule:
    """Store the rule as the next version and recount the course afterwards; an equal one changes nothing. `version` and
    `changed_at` of `rule` are ignored. Raises InvalidInput."""
    if errors := problems(rule):
        raise InvalidInput(errors)
    session.get_one(Course, course_id, with_for_update=True)
    stored = outline.rule_of(session, course_id)
    if replace(rule, version=stored.version, changed_at=stored.changed_at) == stored:
        return stored
    changed = replace(rule, version=stored.version + 1, changed_at=at)
    row = session.get(CompletionRuleRow, course_id) or CompletionRuleRow(course_id=course_id)
    for name in changed.__dataclass_fields__:
        setattr(row, name, getattr(changed, name))
    session.add(row)
    session.flush()
    bump_version(session)
    recount.enqueue(session, course_id, at)
    return changed


def problems(rule: CompletionRule) -> dict[str, str]:
    """By field."""
    months = rule.valid_months
    has_valid_months = months is None or 1 <= months <= MAX_VALID_MONTHS
    checks = {
        "required_percent": (1 <= rule.required_percent <= 100, "Enter 1 to 100 percent."),
        "pass_mark": (0 <= rule.pass_mark <= 100, "Enter 0 to 100 percent."),
        "valid_months": (has_valid_months, f"Enter 1 to {MAX_VALID_MONTHS} months, or nothing."),
    }
    return {name: text for name, (is_valid, text) in checks.items() if not is_valid}
