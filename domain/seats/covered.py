"""Which courses a contract covers, and which of them a learner needs a seat for."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.learning import grants
from domain.tables import Contract, ContractProduct, Membership, Product

NOT_COVERED = "The contract does not cover this course."
NO_MEMBER = "This person is not a member of your organisation."


def named_courses(session: Session, contract_id: int) -> list[int]:
    """The courses that the contract names."""
    query = select(ContractProduct.product_id).join(Product, Product.id == ContractProduct.product_id)
    return list(session.scalars(query.where(ContractProduct.contract_id == contract_id, Product.kind == "course")))


def covered_courses(session: Session, contract: Contract, product_ids: Collection[int]) -> list[int]:
    """The ids in their order. Raises Refused for what is no course of the contract."""
    wanted = sorted(set(product_ids))
    if not wanted:
        return []
    if contract.has_all_courses:
        is_course = (Product.id.in_(wanted), Product.kind == "course", Product.status == "published")
        covered = set(session.scalars(select(Product.id).where(*is_course)))
    else:
        covered = set()
    if covered != set(wanted):
        covered |= set(named_courses(session, contract.id))
    if not set(wanted) <= covered:
        raise Refused(NOT_COVERED)
    return wanted


def needed_courses(session: Session, learner_id: int, product_ids: Collection[int], at: datetime) -> list[int]:
    """The courses that the learner has no access to: nobody needs a seat for what they own."""
    owned = grants.owned_ids(session, learner_id, product_ids, at)
    return [product_id for product_id in product_ids if product_id not in owned]


def require_member(session: Session, learner_id: int, organisation_id: int) -> None:
    """Raises Refused."""
    is_theirs = (Membership.learner_id == learner_id, Membership.organisation_id == organisation_id)
    query = select(Membership.id).where(*is_theirs, Membership.ended_at.is_(None)).with_for_update(read=True)
    if session.scalar(query) is None:
        raise Refused(NO_MEMBER)
