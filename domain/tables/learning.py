"""Which learner may study which course, and why: access is what grants give, each bound to what it came from.
Certificates of completed courses, and the public keys with which their credentials were signed."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, Numeric, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, UTCTime, exact_text


class Enrolment(Base):
    """`access_until` (None: no end) and `source` (of the oldest grant that lives, else of the one that ended last) are
    computed from the grants; only `domain.learning.grants` writes them. What begins at `started_at` is counted anew by
    `domain.learning.progress` at every change. `rule_version`: of the completion rule that counted last.
    `done_lesson_ids`: of all lessons that are done, in order, separated by commas. `completed_by`: who completed it by
    hand, with a reason."""

    __tablename__ = "enrolments"
    __table_args__ = (
        UniqueConstraint("learner_id", "product_id"),
        Index("ix_enrolments_learner_id_last_active_at", "learner_id", "last_active_at"),
        Index("ix_enrolments_product_id_access_until", "product_id", "access_until"),
        Index("ix_enrolments_access_until", "access_until"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id"))
    enrolled_at: Mapped[datetime] = mapped_column(UTCTime)
    access_until: Mapped[datetime | None] = mapped_column(UTCTime)
    source: Mapped[str | None] = mapped_column(String(10))
    started_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # No foreign key: the lesson may be deleted.
    last_lesson_id: Mapped[int | None] = mapped_column(BigInteger)
    last_active_at: Mapped[datetime | None] = mapped_column(UTCTime)
    done_lessons: Mapped[int] = mapped_column(default=0, server_default="0")
    done_lesson_ids: Mapped[str | None] = mapped_column(Text)
    completed_at: Mapped[datetime | None] = mapped_column(UTCTime)
    rule_version: Mapped[int] = mapped_column(default=0, server_default="0")
    # No foreign key: only staff and audits ask who it was.
    completed_by: Mapped[int | None] = mapped_column(BigInteger)
    completion_reason: Mapped[str | None] = mapped_column(String(500))


class EnrolmentGrant(Base):
    """Access by one source. `source_id`: of the order line, the seat or the gift; None where orders were not recorded
    yet. `until` None: no end."""

    __tablename__ = "enrolment_grants"
    __table_args__ = (
        UniqueConstraint("source", "source_id", "enrolment_id"),
        CheckConstraint("source IN ('order', 'seat', 'gift')", name="source"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    enrolment_id: Mapped[int] = mapped_column(BigKey, ForeignKey("enrolments.id", ondelete="CASCADE"), index=True)
    source: Mapped[str] = mapped_column(String(10))
    source_id: Mapped[int | None] = mapped_column(BigInteger)
    granted_at: Mapped[datetime] = mapped_column(UTCTime)
    until: Mapped[datetime | None] = mapped_column(UTCTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # Why it ended, for the learner's own export: refund, seat, …; "" while it has not.
    reason: Mapped[str] = mapped_column(String(40), default="")


class CourseClosure(Base):
    """Access to the course ends for everybody at `ends_at`, for legal reasons. `reason`: those who have it read it.
    `cancelled_at`: access stays, and the row goes once everybody knows."""

    __tablename__ = "course_closures"
    __table_args__ = (MARIADB,)

    course_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    announced_at: Mapped[datetime] = mapped_column(UTCTime)
    ends_at: Mapped[datetime] = mapped_column(UTCTime)
    reason: Mapped[str] = mapped_column(String(500))
    cancelled_at: Mapped[datetime | None] = mapped_column(UTCTime)


class CompletionRuleRow(Base):
    """The rule of a course that has another than the default (domain/learning/completion.py)."""

    __tablename__ = "completion_rules"
    __table_args__ = (
        CheckConstraint("quizzes IN ('passed', 'attempted', 'none')", name="quizzes"),
        CheckConstraint("required_percent BETWEEN 1 AND 100", name="required_percent"),
        CheckConstraint("pass_mark BETWEEN 0 AND 100", name="pass_mark"),
        MARIADB,
    )

    course_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    version: Mapped[int] = mapped_column(default=1)
    required_percent: Mapped[int] = mapped_column(default=100)
    quizzes: Mapped[str] = mapped_column(String(10), default="passed")
    pass_mark: Mapped[int] = mapped_column(default=70)
    has_certificate: Mapped[bool] = mapped_column(default=True)
    valid_months: Mapped[int | None]
    changed_at: Mapped[datetime] = mapped_column(UTCTime)


class Gift(Base):
    """A product that one learner gives to an email address. `token`: digest of the secret in its mail, None before the
    first mail. `order_line_id` None: given by staff, with the reason as `message`. `learner_id`: who claimed it."""

    __tablename__ = "gifts"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'sent', 'claimed', 'returned')", name="state"),
        Index("ix_gifts_state_send_at", "state", "send_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    token: Mapped[str | None] = mapped_column(Digest, unique=True)
    order_line_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("order_lines.id"), unique=True)
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    giver_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    recipient_email: Mapped[str] = mapped_column(String(254))
    message: Mapped[str] = mapped_column(Text)
    send_at: Mapped[datetime] = mapped_column(UTCTime)
    state: Mapped[str] = mapped_column(String(10))
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    claimed_at: Mapped[datetime | None] = mapped_column(UTCTime)


class BundleCourse(Base):
    """A course that a bundle opens."""

    __tablename__ = "bundle_courses"
    __table_args__ = MARIADB

    item_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("shop_items.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    course_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    )
    position: Mapped[int] = mapped_column(default=0)


class Certificate(Base):
    """What was true when it was issued: later names of the holder, the course and the rule change nothing. `code`: the
    secret of its public page. `number`: counts the certificates of one enrolment, renewed and corrected ones too.
    `holder_name` "": removed with the holder's account. `status_index`: its bit in the status lists, None only until
    its row has an id."""

    __tablename__ = "certificates"
    __table_args__ = (
        UniqueConstraint("enrolment_id", "number"),
        CheckConstraint("revoked_reason IN ('', 'refunded', 'fraud', 'replaced', 'holder')", name="revoked_reason"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    code: Mapped[str] = mapped_column(exact_text(40, ASCII), unique=True)
    enrolment_id: Mapped[int] = mapped_column(BigKey, ForeignKey("enrolments.id"))
    number: Mapped[int]
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    holder_name: Mapped[str] = mapped_column(String(255))
    course_name: Mapped[str] = mapped_column(String(255))
    credits: Mapped[Decimal | None] = mapped_column(Numeric(5, 1, asdecimal=False))
    minutes: Mapped[int] = mapped_column(default=0)
    # The completion rule in words.
    rule_text: Mapped[str] = mapped_column(String(300), default="")
    completed_at: Mapped[datetime] = mapped_column(UTCTime)
    issued_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime | None] = mapped_column(UTCTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCTime)
    revoked_reason: Mapped[str] = mapped_column(String(10), default="")
    status_index: Mapped[int | None] = mapped_column(unique=True)


class SigningKey(Base):
    """A public key that credentials were ever signed with. `thumbprint`: RFC 7638. `until`: when another one took its
    place. `distrusted_since`: from when on others may have used it, None while nobody does."""

    __tablename__ = "signing_keys"
    __table_args__ = MARIADB

    thumbprint: Mapped[str] = mapped_column(Digest, primary_key=True)
    public_jwk: Mapped[dict[str, Any]] = mapped_column(JSON)
    since: Mapped[datetime] = mapped_column(UTCTime)
    until: Mapped[datetime | None] = mapped_column(UTCTime)
    distrusted_since: Mapped[datetime | None] = mapped_column(UTCTime)
    distrust_reason: Mapped[str] = mapped_column(String(500), default="", server_default="")
