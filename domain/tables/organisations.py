"""Organisations, their applications, contracts, invitations and members."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, EmailKey, Folded, Money, UTCTime, exact_text


class Organisation(Base):
    """`domains` are those of its members' email addresses, which staff have approved; `requested_domains` wait for it.
    `logo` is a path on this site. `request_text`: why it applied, in the applicant's words. `version` counts the
    changes of what people edit."""

    __tablename__ = "organisations"
    __table_args__ = (
        CheckConstraint("state IN ('submitted', 'information', 'approved', 'declined')", name="state"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    slug: Mapped[str] = mapped_column(Folded, unique=True)
    name: Mapped[str] = mapped_column(String(255))
    logo: Mapped[str] = mapped_column(String(500), default="")
    domains: Mapped[list[str]] = mapped_column(JSON, default=list)
    requested_domains: Mapped[list[str]] = mapped_column(JSON, default=list)
    state: Mapped[str] = mapped_column(String(20), default="approved")
    website: Mapped[str] = mapped_column(String(255), default="", server_default="")
    # The number of its people, as the applicant says.
    size: Mapped[int | None]
    request_text: Mapped[str | None] = mapped_column(Text)
    applied_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    applied_at: Mapped[datetime | None] = mapped_column(UTCTime)
    decided_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    decided_at: Mapped[datetime | None] = mapped_column(UTCTime)
    version: Mapped[int] = mapped_column(default=1, server_default="1")


class ApplicationMessage(Base):
    """A message of the thread between an applicant and the staff. `is_staff`: who wrote it was of the staff."""

    __tablename__ = "application_messages"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"), index=True)
    sent_at: Mapped[datetime] = mapped_column(UTCTime)
    author_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    is_staff: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)


class Contract(Base):
    """The terms of an organisation for its members, from `starts_at` to `ends_at` (None: no end agreed).

    `kind` and `value` as in domain.pricing.Offer; the price of a ContractProduct takes precedence. `join_policy`:
    invitation | code | domain. `is_restricted`: those who join through it see its courses and nothing else.

    `seats`: how many rows of `seats` it has that were not removed; None: as many as its members need. A seat is for a
    person, or for a person and a course (`seat_kind`); `seat_price`: of one more. `frees_completed`: a seat whose
    course was completed is free again instead of spent. `join_code` (None: there is none) was used `join_code_uses`
    times. `start_days` and `idle_days`: after which a seat that nobody uses may be taken back. `shows_names`: reports
    may name members who agreed. `joining_gives_seat`: whoever joins by code or email domain gets a seat at once.

    `term_days`: the organisation made the contract with its first purchase, and it lasts so many days from the payment
    on; until then it ends when it begins. None: staff made it.
    """

    __tablename__ = "contracts"
    __table_args__ = (
        CheckConstraint("kind IN ('percent', 'amount', 'price')", name="kind"),
        CheckConstraint("join_policy IN ('invitation', 'code', 'domain')", name="join_policy"),
        CheckConstraint("value >= 0", name="value"),
        CheckConstraint("seat_kind IN ('person', 'course')", name="seat_kind"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"), index=True)
    starts_at: Mapped[datetime] = mapped_column(UTCTime)
    ends_at: Mapped[datetime | None] = mapped_column(UTCTime)
    seats: Mapped[int | None]
    kind: Mapped[str] = mapped_column(String(10), default="percent")
    value: Mapped[Decimal] = mapped_column(Money, default=Decimal(0))
    has_all_courses: Mapped[bool] = mapped_column(default=False)
    is_restricted: Mapped[bool] = mapped_column(default=False)
    join_policy: Mapped[str] = mapped_column(String(10), default="invitation")
    seat_kind: Mapped[str] = mapped_column(String(10), default="person", server_default="person")
    seat_price: Mapped[Decimal | None] = mapped_column(Money)
    is_self_service: Mapped[bool] = mapped_column(default=False, server_default=false())
    join_code: Mapped[str | None] = mapped_column(exact_text(20, ASCII), unique=True)
    join_code_uses: Mapped[int] = mapped_column(default=0, server_default="0")
    start_days: Mapped[int] = mapped_column(default=30, server_default="30")
    idle_days: Mapped[int] = mapped_column(default=90, server_default="90")
    shows_names: Mapped[bool] = mapped_column(default=False, server_default=false())
    frees_completed: Mapped[bool] = mapped_column(default=False, server_default=false())
    term_days: Mapped[int | None]
    joining_gives_seat: Mapped[bool] = mapped_column(default=False, server_default=false())
    version: Mapped[int] = mapped_column(default=1, server_default="1")


class ContractProduct(Base):
    """A product that a contract names; `price` None: the terms of the contract apply."""

    __tablename__ = "contract_products"
    __table_args__ = MARIADB

    contract_id: Mapped[int] = mapped_column(BigKey, ForeignKey("contracts.id", ondelete="CASCADE"), primary_key=True)
    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    price: Mapped[Decimal | None] = mapped_column(Money)


class Membership(Base):
    """`shares_progress`: the member agreed that managers see how far they are. `ended_at` None: a member now."""

    __tablename__ = "memberships"
    __table_args__ = (
        UniqueConstraint("learner_id", "organisation_id"),
        Index("ix_memberships_organisation_id_ended_at", "organisation_id", "ended_at"),
        CheckConstraint("role IN ('owner', 'manager', 'member')", name="role"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(10), default="member")
    # Sees and buys only the products of the contract.
    is_restricted: Mapped[bool] = mapped_column(default=False)
    team: Mapped[str] = mapped_column(String(100), default="", server_default="")
    shares_progress: Mapped[bool] = mapped_column(default=False, server_default=false())
    joined_at: Mapped[datetime] = mapped_column(UTCTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)


class Invitation(Base):
    """An invitation by mail into an organisation, under one of its contracts.

    `token` is the digest of the secret in the mail, `open_key` the contract and the address, as long as it is open: one
    address has one open invitation. `email_key` is emptied with the account
    that accepted it. `sends` counts the mails.
    """

    __tablename__ = "invitations"
    __table_args__ = (
        CheckConstraint("state IN ('sent', 'accepted', 'declined', 'expired', 'cancelled', 'refused')", name="state"),
        CheckConstraint("role IN ('owner', 'manager', 'member')", name="role"),
        Index("ix_invitations_organisation_id_id", "organisation_id", "id"),
        Index("ix_invitations_organisation_id_state_id", "organisation_id", "state", "id"),
        Index("ix_invitations_organisation_id_sent_at", "organisation_id", "sent_at"),
        Index("ix_invitations_state_expires_at", "state", "expires_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"))
    contract_id: Mapped[int] = mapped_column(BigKey, ForeignKey("contracts.id", ondelete="CASCADE"), index=True)
    email_key: Mapped[str] = mapped_column(EmailKey, index=True)
    name: Mapped[str] = mapped_column(String(255), default="")
    team: Mapped[str] = mapped_column(String(100), default="")
    role: Mapped[str] = mapped_column(String(10), default="member")
    product_ids: Mapped[list[int]] = mapped_column(JSON, default=list)
    token: Mapped[str | None] = mapped_column(Digest, unique=True)
    open_key: Mapped[str | None] = mapped_column(exact_text(280), unique=True)
    state: Mapped[str] = mapped_column(String(10), default="sent")
    sent_at: Mapped[datetime] = mapped_column(UTCTime)
    reminded_at: Mapped[datetime | None] = mapped_column(UTCTime)
    sends: Mapped[int] = mapped_column(default=0)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
    invited_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
