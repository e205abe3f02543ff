"""Applications in each state, members with teams, a join code and invitations, for the demo shop's organisations."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.identity import learners
from domain.organisations.joining.sending import VALID_FOR
from domain.seed.people_and_coupons import add_learner
from domain.tables import (
    ApplicationMessage,
    Contract,
    Invitation,
    Learner,
    LearnerIdentity,
    Membership,
    Organisation,
)

FILE = Path(__file__).parent / "organisations.json"
STAFF = "staff"
JOINED_AGO = timedelta(days=60)
Row = dict[str, Any]


def add(session: Session, at: datetime) -> None:
    """Add what is missing; existing rows stay unchanged. After people_and_coupons."""
    rows: Row = json.loads(FILE.read_text("utf-8"))
    if session.scalar(select(Organisation.id).where(Organisation.slug == rows["applications"][0]["slug"])) is not None:
        return
    for row in rows["people"]:
        add_learner(session, row, at)
    people = _people(session)
    for slug, members in rows["members"].items():
        organisation_id = _organisation_id(session, slug)
        for subject, about in members.items():
            _member(session, organisation_id, people[subject], about, at)
    for slug, code in rows["join_codes"].items():
        _contract(session, slug).join_code = code
    for slug, invitations in rows["invitations"].items():
        for row in invitations:
            _invitation(session, slug, row, people, at)
    for row in rows["applications"]:
        _application(session, row, people, at)
    session.flush()


def _people(session: Session) -> dict[str, int]:
    """Subject -> id of the demo shop's learners, whose addresses count as verified."""
    of_demo = select(LearnerIdentity.subject, LearnerIdentity.learner_id)
    people: dict[str, int] = dict(
        session.execute(of_demo.where(LearnerIdentity.issuer == learners.DEVELOPMENT_ISSUER)).all()
    )
    for learner in session.scalars(select(Learner).where(Learner.id.in_(people.values()))):
        learner.email_verified = True
    return people


def _organisation_id(session: Session, slug: str) -> int:
    return session.scalars(select(Organisation.id).where(Organisation.slug == slug)).one()


def _contract(session: Session, slug: str) -> Contract:
    own = Contract.organisation_id == _organisation_id(session, slug)
    return session.scalars(select(Contract).where(own).order_by(Contract.id).limit(1)).one()


def _member(session: Session, organisation_id: int, learner_id: int, about: Row, at: datetime) -> None:
    own = (Membership.organisation_id == organisation_id, Membership.learner_id == learner_id)
    row = session.scalar(select(Membership).where(*own))
    if row is None:
        is_restricted = about["role"] == "member"
        row = Membership(organisation_id=organisation_id, learner_id=learner_id, role=about["role"])
        row.is_restricted, row.joined_at = is_restricted, at - JOINED_AGO
        session.add(row)
    row.team, row.shares_progress = about.get("team", ""), about.get("shares", False)


def _invitation(session: Session, slug: str, row: Row, people: dict[str, int], at: datetime) -> None:
    contract, sent_at = _contract(session, slug), at - timedelta(days=row["days"])
    session.add(
        Invitation(
            organisation_id=contract.organisation_id,
            contract_id=contract.id,
            email_key=row["email"],
            name=row["name"],
            team=row["team"],
            state=row["state"],
            open_key=f"{contract.id}:{row['email']}" if row["state"] == "sent" else None,
            sent_at=sent_at,
            sends=row["sends"],
            expires_at=sent_at + VALID_FOR,
            invited_by=people["owner"],
            learner_id=people.get(row.get("subject", "")),
        )
    )


def _application(session: Session, row: Row, people: dict[str, int], at: datetime) -> None:
    applied_at, is_declined = at - timedelta(days=row["days"]), row["state"] == "declined"
    columns = {name: row[name] for name in ("slug", "name", "website", "size", "state", "requested_domains")}
    organisation = Organisation(
        **columns,
        domains=[],
        request_text=row["request"],
        applied_by=people[row["applicant"]],
        applied_at=applied_at,
        decided_by=people[STAFF] if is_declined else None,
        decided_at=at - timedelta(days=row["messages"][-1]["days"]) if is_declined else None,
    )
    session.add(organisation)
    session.flush()
    owner = {"learner_id": people[row["applicant"]], "role": "owner", "joined_at": applied_at}
    session.add(Membership(organisation_id=organisation.id, **owner))
    for message in row["messages"]:
        is_staff = message["by"] == STAFF
        author = people[STAFF] if is_staff else people[row["applicant"]]
        sent_at = at - timedelta(days=message["days"])
        about = {"organisation_id": organisation.id, "author_id": author, "is_staff": is_staff}
        session.add(ApplicationMessage(sent_at=sent_at, text=message["text"], **about))
