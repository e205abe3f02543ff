"""Who must not be named beside what they learn: whoever months count in a group whose figures come in steps. Their own
progress would tell what the others of the group have done (decision 0077)."""

from typing import Any

from sqlalchemy import ColumnElement, exists, or_

from domain.tables import CountedLearner


def is_in_group(organisation_id: Any, learner_id: Any, product_id: Any) -> ColumnElement[bool]:
    """Whether a learner counts in a group without names; of columns or values. Without a product, as in a seat for a
    person: in any course of theirs."""
    own = (CountedLearner.organisation_id == organisation_id, CountedLearner.learner_id == learner_id)
    of_course = or_(CountedLearner.product_id == product_id, product_id.is_(None))
    return exists().where(*own, of_course, CountedLearner.is_named.is_(False))
