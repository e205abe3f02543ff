"""Who learns in the demo shop and what lowers its prices: learners, two organisations, a coupon of every kind."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import learners
from domain.learners import Identity
from domain.tables import (
    Category,
    Contract,
    ContractProduct,
    Coupon,
    CouponProduct,
    Enrolment,
    Learner,
    Membership,
    Organisation,
    Product,
)

FILE = Path(__file__).parent / "selling.json"
# Learners who exist without a provider; whoever signs in through one is known by its own issuer.
ISSUER = "development"
AGREED = timedelta(days=90)

Row = dict[str, Any]
Ids = dict[str, int]


def add(session: Session, at: datetime) -> None:
    """Adds what is missing; what is there, and was changed since, stays as it is."""
    rows: Row = json.loads(FILE.read_text("utf-8"))
    named = select(Product.slug, Product.id).where(Product.kind == "course")
    courses: Ids = dict(session.execute(named).all())
    people = {row["subject"]: _learner(session, row, at) for row in rows["learners"]}
    organisations = {row["slug"]: _organisation(session, row, people, courses, at) for row in rows["organisations"]}
    for row in rows["coupons"]:
        _coupon(session, row, organisations, courses, at)
    for subject, slugs in rows["enrolments"].items():
        for slug in slugs:
            _enrol(session, people[subject], courses[slug], at)


def _learner(session: Session, row: Row, at: datetime) -> int:
    subject = row["subject"]
    is_new = learners.known(session, ISSUER, subject) is None
    learner = learners.made(session, Identity(ISSUER, subject, row["name"], f"{subject}@example.test"), at)
    if is_new:
        learner.roles = row.get("roles", [])
        learner.student_number = learners.folded(row.get("number") or learner.student_number)
        session.flush()
    return learner.id


def is_there(session: Session) -> bool:
    return session.scalar(select(Learner.id).where(Learner.issuer == ISSUER).limit(1)) is not None


def _organisation(session: Session, row: Row, people: Ids, courses: Ids, at: datetime) -> int:
    known = session.scalar(select(Organisation.id).where(Organisation.slug == row["slug"]))
    if known is not None:
        return known
    logo = f"/static/images/partners/{row['slug']}.svg"
    made = Organisation(slug=row["slug"], name=row["name"], domains=row["domains"], logo=logo)
    session.add(made)
    session.flush()
    _contract(session, made.id, row, courses, at)
    for subject, (role, is_restricted) in row["members"].items():
        facts = {"organisation_id": made.id, "role": role, "is_restricted": is_restricted, "joined_at": at - AGREED}
        session.add(Membership(learner_id=people[subject], **facts))
    session.flush()
    return made.id


def _contract(session: Session, organisation_id: int, row: Row, courses: Ids, at: datetime) -> None:
    agreed = {**row["contract"], "value": Decimal(row["contract"]["value"])}
    has_all = row.get("all_courses", False)
    contract = Contract(organisation_id=organisation_id, starts_at=at - AGREED, has_all_courses=has_all, **agreed)
    session.add(contract)
    session.flush()
    for slug, price in row["courses"].items():
        own = None if price is None else Decimal(price)
        session.add(ContractProduct(contract_id=contract.id, product_id=courses[slug], price=own))


def _coupon(session: Session, row: Row, organisations: Ids, courses: Ids, at: datetime) -> None:
    code = row["code"].casefold()
    if session.scalar(select(Coupon.id).where(Coupon.code == code)) is not None:
        return
    category = row.get("category")
    made = Coupon(
        code=code,
        shown=row["code"],
        kind=row["kind"],
        value=Decimal(row["value"]),
        minimum=Decimal(row.get("minimum", "0.00")),
        covers="category" if category else row.get("covers", "all"),
        category_id=session.scalar(select(Category.id).where(Category.slug == category)) if category else None,
        total_limit=row.get("total_limit"),
        learner_limit=row.get("learner_limit"),
        organisation_id=organisations[row["organisation"]] if "organisation" in row else None,
        is_special=row.get("is_special", False),
        campaign=row.get("campaign", ""),
        created_at=at,
    )
    session.add(made)
    session.flush()
    session.add_all(CouponProduct(coupon_id=made.id, product_id=courses[slug]) for slug in row.get("products", ()))
    session.flush()


def _enrol(session: Session, learner_id: int, course_id: int, at: datetime) -> None:
    mine = select(Enrolment.id).where(Enrolment.learner_id == learner_id, Enrolment.product_id == course_id)
    if session.scalar(mine) is None:
        facts = {"source": "order", "enrolled_at": at - timedelta(days=20)}
        session.add(Enrolment(learner_id=learner_id, product_id=course_id, **facts))
        session.flush()
