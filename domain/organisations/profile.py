"""What an organisation says of itself: name, logo and email domains."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound
from domain.images import image_rows
from domain.organisations import email_domains
from domain.permissions import Tenant
from domain.tables import Organisation

MAX_NAME = 120


@dataclass(frozen=True)
class Profile:
    """`requested_domains` wait for the staff."""

    slug: str
    name: str
    logo: str
    domains: tuple[str, ...]
    requested_domains: tuple[str, ...]
    version: int


def profile_of(session: Session, tenant: Tenant) -> Profile:
    row = session.get_one(Organisation, tenant.organisation_id)
    return Profile(row.slug, row.name, row.logo, tuple(row.domains), tuple(row.requested_domains), row.version)


def rename(session: Session, tenant: Tenant, name: str) -> None:
    """For `Database.write_as`. Raises InvalidInput."""
    plain = " ".join(name.split())
    if not 2 <= len(plain) <= MAX_NAME:
        raise InvalidInput({"name": f"Enter a name of 2 to {MAX_NAME} characters."})
    row = _locked(session, tenant.organisation_id)
    if row.name == plain:
        recording.no_change(session)
        return
    before, row.name = row.name, plain
    _record(session, row, "organisation.rename", {"name": before}, {"name": plain})


def request_domain(session: Session, tenant: Tenant, text: str) -> None:
    """Ask the staff to approve an email domain. For `Database.write_as`. Raises InvalidInput."""
    domain = email_domains.normalised(text)
    if wrong := email_domains.problem(domain):
        raise InvalidInput({"domain": wrong})
    row = _locked(session, tenant.organisation_id)
    if domain in row.domains or domain in row.requested_domains:
        recording.no_change(session)
        return
    if len(row.domains) + len(row.requested_domains) >= email_domains.MAX_DOMAINS:
        raise InvalidInput({"domain": f"An organisation has at most {email_domains.MAX_DOMAINS} domains."})
    row.requested_domains = [*row.requested_domains, domain]
    _record(session, row, "organisation.request_domain", {}, {"domain": domain})


def remove_domain(session: Session, tenant: Tenant, domain: str) -> None:
    """For `Database.write_as`. Raises NotFound for one that the organisation does not have."""
    _remove(session, _locked(session, tenant.organisation_id), domain)


def decide_domain(session: Session, organisation_id: int, domain: str, *, is_approved: bool) -> None:
    """What staff decide about one domain. For `Database.write_as`. Raises NotFound."""
    row = _locked(session, organisation_id)
    if not is_approved:
        _remove(session, row, domain)
        return
    if domain in row.domains:
        recording.no_change(session)
        return
    if domain not in row.requested_domains:
        raise NotFound("The organisation did not ask for this domain.")
    row.requested_domains = [other for other in row.requested_domains if other != domain]
    row.domains = [*row.domains, domain]
    _record(session, row, "organisation.approve_domain", {}, {"domain": domain})


def put_logo(session: Session, tenant: Tenant, path: str) -> None:
    """`path`: of a picture on this site, "" for none. For `Database.write_as`. Raises NotFound for a deleted one."""
    row = _locked(session, tenant.organisation_id)
    if path:
        image_rows.require_address(session, path)
    before, row.logo = row.logo, path
    _record(session, row, "organisation.logo", {"logo": before}, {"logo": path})


def _remove(session: Session, row: Organisation, domain: str) -> None:
    if domain not in row.domains and domain not in row.requested_domains:
        raise NotFound("The organisation has no such domain.")
    row.domains = [other for other in row.domains if other != domain]
    row.requested_domains = [other for other in row.requested_domains if other != domain]
    _record(session, row, "organisation.remove_domain", {"domain": domain}, {})


def _locked(session: Session, organisation_id: int) -> Organisation:
    query = select(Organisation).where(Organisation.id == organisation_id).with_for_update()
    row = session.scalar(query.execution_options(populate_existing=True))
    if row is None:
        raise NotFound("There is no such organisation.")
    return row


def _record(
    session: Session, row: Organisation, action: str, before: dict[str, object], after: dict[str, object]
) -> None:
    row.version += 1
    session.flush()
    subject = Subject("organisation", row.id)
    recording.record(session, action, subject, before=before, after=after, organisation_id=row.id)
