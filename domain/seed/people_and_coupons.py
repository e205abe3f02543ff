"""Learners and their courses, two organisations with contracts, a coupon of every kind and the courses of bundles, for
the demo shop."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.queries import code_columns
from domain.identity import learners
from domain.identity.learners import Identity
from domain.learning import bundles
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.storing import StaffGift
from domain.money import Currency
from domain.seed.prices import price
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
    StaffRole,
)

FILE = Path(__file__).parent / "selling.json"
CONTRACT_AGE = timedelta(days=90)
ENROLMENT_AGE = timedelta(days=20)

Row = dict[str, Any]
Ids = dict[str, int]


def add(session: Session, at: datetime, currency: Currency) -> None:
    """Add what is missing; existing rows stay unchanged."""
    rows = _in_currency(json.loads(FILE.read_text("utf-8")), currency)
    slugs_and_ids = select(Product.slug, Product.id).where(Product.kind == "course")
    courses: Ids = dict(session.execute(slugs_and_ids).all())
    people = {row["subject"]: add_learner(session, row, at) for row in rows["learners"]}
    organisations = {row["slug"]: _organisation(session, row, people, courses, at) for row in rows["organisations"]}
    for row in rows["coupons"]:
        _coupon(session, row, organisations, courses, at)
    for slug, course_slugs in rows["bundles"].items():
        _bundle(session, slug, [courses[course] for course in course_slugs])
    for subject, slugs in rows["enrolments"].items():
        for slug in slugs:
            _enrol(session, people[rows["giver"]], people[subject], courses[slug], at)


def _in_currency(rows: Row, currency: Currency) -> Row:
    """The rows with the amounts of contracts and coupons in the shop's currency instead of dollars."""
    for row in rows["organisations"]:
        row["courses"] = {slug: text and str(price(text, currency)) for slug, text in row["courses"].items()}
        if row["contract"]["kind"] != "percent":
            row["contract"]["value"] = str(price(row["contract"]["value"], currency))
    for row in rows["coupons"]:
        row["minimum"] = str(price(row.get("minimum", "0"), currency))
        if row["kind"] == "amount":
            row["value"] = str(price(row["value"], currency))
    return rows


def add_learner(session: Session, row: Row, at: datetime) -> int:
    """The id of a learner of the demo shop, added when missing."""
    subject = row["subject"]
    is_new = learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, subject) is None
    learner = learners.create(
        session, Identity(learners.DEVELOPMENT_ISSUER, subject, row["name"], f"{subject}@example.test"), at
    )
    if is_new:
        roles = row.get("roles", [])
        session.add_all(StaffRole(learner_id=learner.id, role=role, granted_at=at) for role in roles)
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
    for slug, text in row["courses"].items():
        own_price = None if text is None else Decimal(text)
        session.add(ContractProduct(contract_id=contract.id, product_id=courses[slug], price=own_price))


def _coupon(session: Session, row: Row, organisations: Ids, courses: Ids, at: datetime) -> None:
    named = code_columns(row["code"])
    if session.scalar(select(Coupon.id).where(Coupon.code == named["code"])) is not None:
        return
    category = row.get("category")
    coupon = Coupon(
        **named,
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


def _bundle(session: Session, slug: str, course_ids: list[int]) -> None:
    item_id = session.scalar(select(Product.id).where(Product.slug == slug, Product.kind == "item"))
    if item_id is not None and not bundles.course_ids(session, item_id):
        bundles.put_courses(session, item_id, course_ids)


def _enrol(session: Session, giver_id: int, learner_id: int, course_id: int, at: datetime) -> None:
    stored = select(Enrolment.id).where(Enrolment.learner_id == learner_id, Enrolment.product_id == course_id)
    if session.scalar(stored) is None:
        learner = session.get_one(Learner, learner_id)
        gift = StaffGift(giver_id, course_id, "Part of the demo shop")
        gift_storing.give_by_staff(session, learner, gift, at - ENROLMENT_AGE, is_mailed=False)
