"""Learners, two organisations with contracts, and a coupon of every kind for the demo shop."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.identity import learners
from domain.identity.learners import Identity
from domain.tables import (
    Category,
    Contract,
    ContractProduct,
    Coupon,
    CouponProduct,
    Enrolment,
    Membership,
    Organisation,
    Product,
)

FILE = Path(__file__).parent / "selling.json"
CONTRACT_AGE = timedelta(days=90)

Row = dict[str, Any]
Ids = dict[str, int]


def add(session: Session, at: datetime) -> None:
    """Add what is missing; existing rows stay unchanged."""
    rows: Row = json.loads(FILE.read_text("utf-8"))
    slugs_and_ids = select(Product.slug, Product.id).where(Product.kind == "course")
    courses: Ids = dict(session.execute(slugs_and_ids).all())
    people = {row["subject"]: _learner(session, row, at) for row in rows["learners"]}
    organisations = {row["slug"]: _organisation(session, row, people, courses, at) for row in rows["organisations"]}
    for row in rows["coupons"]:
        _coupon(session, row, organisations, courses, at)
    for subject, slugs in rows["enrolments"].items():
        for slug in slugs:
            _enrol(session, people[subject], courses[slug], at)


def _learner(session: Session, row: Row, at: datetime) -> int:
    subject = row["subject"]
    is_new = learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, subject) is None
    learner = learners.create(
        session, Identity(learners.DEVELOPMENT_ISSUER, subject, row["name"], f"{subject}@example.test"), at
    )
    if is_new:
        learner.roles = row.get("roles", [])
        learner.student_number = learners.normalised_student_number(row.get("number") or learner.student_number)
        session.flush()
    return learner.id


def _organisation(session: Session, row: Row, people: Ids, courses: Ids, at: datetime) -> int:
    stored_id = session.scalar(select(Organisation.id).where(Organisation.slug == row["slug"]))
    if stored_id is not None:
        return stored_id
    logo = f"/static/images/partners/{row['slug']}.svg"
    organisation = Organisation(slug=row["slug"], name=row["name"], domains=row["domains"], logo=logo)
    session.add(organisation)
    session.flush()
    _contract(session, organisation.id, row, courses, at)
    for subject, (role, is_restricted) in row["members"].items():
        columns = {
            "organisation_id": organisation.id,
            "role": role,
            "is_restricted": is_restricted,
            "joined_at": at - CONTRACT_AGE,
        }
        session.add(Membership(learner_id=people[subject], **columns))
    session.flush()
    return organisation.id


def _contract(session: Session, organisation_id: int, row: Row, courses: Ids, at: datetime) -> None:
    terms = {**row["contract"], "value": Decimal(row["contract"]["value"])}
    has_all = row.get("all_courses", False)
    contract = Contract(organisation_id=organisation_id, starts_at=at - CONTRACT_AGE, has_all_courses=has_all, **terms)
    session.add(contract)
    session.flush()
    for slug, price in row["courses"].items():
        own_price = None if price is None else Decimal(price)
        session.add(ContractProduct(contract_id=contract.id, product_id=courses[slug], price=own_price))


def _coupon(session: Session, row: Row, organisations: Ids, courses: Ids, at: datetime) -> None:
    code = row["code"].casefold()
    if session.scalar(select(Coupon.id).where(Coupon.code == code)) is not None:
        return
    category = row.get("category")
    coupon = Coupon(
        code=code,
        display_code=row["code"],
        kind=row["kind"],
        value=Decimal(row["value"]),
        minimum=Decimal(row.get("minimum", "0.00")),
        applies_to="category" if category else row.get("applies_to", "all"),
        category_id=session.scalar(select(Category.id).where(Category.slug == category)) if category else None,
        total_limit=row.get("total_limit"),
        learner_limit=row.get("learner_limit"),
        organisation_id=organisations[row["organisation"]] if "organisation" in row else None,
        is_special=row.get("is_special", False),
        campaign=row.get("campaign", ""),
        created_at=at,
    )
    session.add(coupon)
    session.flush()
    session.add_all(CouponProduct(coupon_id=coupon.id, product_id=courses[slug]) for slug in row.get("products", ()))
    session.flush()


def _enrol(session: Session, learner_id: int, course_id: int, at: datetime) -> None:
    stored = select(Enrolment.id).where(Enrolment.learner_id == learner_id, Enrolment.product_id == course_id)
    if session.scalar(stored) is None:
        enrolled_at = at - timedelta(days=20)
        session.add(Enrolment(learner_id=learner_id, product_id=course_id, source="order", enrolled_at=enrolled_at))
        session.flush()
