"""Names of queues and tasks: the host sends by them, beat schedules them, workers serve them."""

from dataclasses import dataclass
from datetime import time
from enum import StrEnum

from contracts.redis_keys import HEARTBEAT_EVERY_S

# Header of a message: when it was sent, in seconds since 1970. Workers measure with it how long messages wait.
SENT_AT = "sent_at"


class Queue(StrEnum):
    """Each is a Redis list of the same name; a worker takes from those that its option -Q names."""

    COUPONS = "coupons"
    # What beat sends for visits.
    VISITS = "visits"
    # Each message says that batches of visits wait in Redis.
    VISIT_BATCHES = "visits.batches"
    HEALTH = "health"
    MAIL = "mail"
    PAYMENTS = "payments"
    # Long work of staff, for a worker process of its own.
    JOBS = "jobs"
    # Pictures that somebody waits for: they do not wait for a slice of an import.
    IMAGES = "images"
    # Reports with filters, for which somebody waits: answered where the files of days are.
    REPORTS = "reports"
    # Days of visits: a day may take minutes, and jobs go on meanwhile.
    ROLLUPS = "rollups"
    # Questions to DNS, each of which may take seconds.
    CRAWLERS = "crawlers"


# Served by a worker process of its own: a slice of a job takes seconds.
BACKGROUND_QUEUES = (Queue.JOBS, Queue.IMAGES, Queue.ROLLUPS, Queue.REPORTS)
# Served by another, which reaches name servers outside: the one above, which opens what people send, reaches nothing.
OUTSIDE_QUEUES = (Queue.CRAWLERS,)
QUEUES = tuple(queue for queue in Queue if queue not in (*BACKGROUND_QUEUES, *OUTSIDE_QUEUES))


@dataclass(frozen=True)
class Period:
    """When a task begins by itself: every so many seconds, or daily `at` a time, UTC. Beat sends its message; a host
    without a broker does its work, unless there is none without a broker."""

    every_s: float
    at: time | None = None
    needs_broker: bool = False


DAY_S = 86_400.0


class Task(StrEnum):
    """A task, the queue of its messages, and when it begins by itself; None: only when somebody sends it."""

    queue: Queue
    period: Period | None

    def __new__(cls, name: str, queue: Queue, period: Period | None = None) -> "Task":
        task = str.__new__(cls, name)
        task._value_, task.queue, task.period = name, queue, period
        return task

    STORE_VISIT_BATCHES = "visits.store_batches", Queue.VISIT_BATCHES
    # A shorter timeout of the broker, as in the tests of faults, needs more frequent runs (workers/app.py).
    STORE_OVERDUE_VISITS = "visits.store_overdue", Queue.VISITS, Period(5.0, needs_broker=True)
    # Visitors wait for these: they must not queue behind a batch of visits.
    DESCRIBE_CODE = "coupons.describe", Queue.COUPONS
    APPLY_TO_LINE = "coupons.apply_to_line", Queue.COUPONS
    APPLY_TO_CART = "coupons.apply_to_cart", Queue.COUPONS
    PING = "rpc.ping", Queue.COUPONS
    RUN_REPORT = "reports.run", Queue.REPORTS
    PING_REPORTS = "reports.ping", Queue.REPORTS
    RELEASE_RESERVATIONS = "maintenance.release_reservations", Queue.HEALTH, Period(60.0)
    DELETE_EXPIRED_CARTS = "maintenance.delete_expired_carts", Queue.HEALTH, Period(60.0)
    DELETE_EXPIRED_SESSIONS = "maintenance.delete_expired_sessions", Queue.HEALTH, Period(60.0)
    HEARTBEAT = "worker.heartbeat", Queue.HEALTH, Period(HEARTBEAT_EVERY_S, needs_broker=True)
    DELETE_DONE_OUTBOX_ROWS = "maintenance.delete_done_outbox_rows", Queue.HEALTH, Period(600.0)
    DELETE_OLD_DEAD_LETTERS = "maintenance.delete_old_dead_letters", Queue.HEALTH, Period(600.0)
    ERASE_OLD_DOCUMENTS = "maintenance.erase_old_documents", Queue.HEALTH, Period(600.0)
    ANONYMISE_LATE_VISITS = "maintenance.anonymise_late_visits", Queue.HEALTH, Period(60.0)
    # Each run that counts something empties the cache of pages.
    UPDATE_RATINGS = "reviews.update_ratings", Queue.HEALTH, Period(60.0)
    PUBLISH_DUE = "publishing.publish_due", Queue.HEALTH, Period(30.0)
    CLOSE_COURSES = "learning.close_courses", Queue.HEALTH, Period(30.0)
    # The rules count in days. A run that was missed, because beat was restarted, is made up within the hour.
    APPLY_SEAT_RULES = "seats.apply_rules", Queue.HEALTH, Period(3600.0)
    REMIND_OF_QUOTES = "quotes.remind", Queue.HEALTH, Period(3600.0)
    FREEZE_MONTHS = "reports.freeze_months", Queue.HEALTH, Period(3600.0)
    # A month is due when its last days are computed and its paths closed, which no clock tells.
    FREEZE_PARTNER_MONTHS = "reports.freeze_partner_months", Queue.ROLLUPS, Period(300.0)
    ROLLUP_VISITS = "reports.rollup", Queue.ROLLUPS, Period(60.0)
    ROLLUP_SALES = "reports.rollup_sales", Queue.ROLLUPS, Period(60.0)
    ROLLUP_CREDITS = "reports.rollup_credits", Queue.ROLLUPS, Period(60.0)
    # Saved views that people get by mail. Computed where the files of days are.
    MAIL_REPORTS = "reports.mail", Queue.ROLLUPS, Period(60.0)
    # Most runs find nothing: a day is due at its end. One that was missed is made up within the hour.
    RETAIN_VISITS = "reports.retain", Queue.ROLLUPS, Period(3600.0)
    # Also deletes what is older than the visits that it is about.
    VERIFY_CRAWLERS = "crawlers.verify", Queue.CRAWLERS, Period(10.0)
    SEND_MAIL = "mail.send_pending", Queue.MAIL, Period(2.0)
    CALL_GATEWAY = "payments.call_gateway", Queue.PAYMENTS, Period(2.0)
    POLL_PAYMENTS = "payments.poll", Queue.PAYMENTS, Period(15.0)
    ADD_MISSED_EVENTS = "payments.add_missed_events", Queue.PAYMENTS, Period(60.0)
    # More often than daily: what beat has counted is lost when it restarts.
    RECONCILE_PAYMENTS = "payments.reconcile", Queue.PAYMENTS, Period(6 * 3600.0)
    RUN_LEARNING = "learning.run_pending", Queue.HEALTH, Period(2.0)
    RUN_JOBS = "jobs.run", Queue.JOBS, Period(2.0)
    CONVERT_IMAGES = "images.convert", Queue.IMAGES, Period(2.0)
    DELETE_EXPIRED_UPLOADS = "jobs.delete_expired_uploads", Queue.JOBS, Period(600.0)
    # It may read all lessons. The address of a picture ends with the picture, not with its files.
    DELETE_UNUSED_FILES = "images.delete_unused_files", Queue.JOBS, Period(3600.0)
    # Seconds of reading: beside the jobs, where nobody waits. An hour is looked at soon after its end; a second look at
    # it finds nothing new.
    RAISE_COUPON_ALARMS = "coupons.raise_alarms", Queue.JOBS, Period(600.0)
    # When few people wait for the database.
    VERIFY_AUDIT = "audit.verify", Queue.JOBS, Period(DAY_S, time(3, 17))
    DELETE_OLD_SAMPLES = "maintenance.delete_old_samples", Queue.HEALTH, Period(600.0)


# Tasks by their names.
TASKS = {str(task): task for task in Task}
# Those that begin by themselves: beat and a host without a broker read it.
PERIODIC: dict[Task, Period] = {task: task.period for task in Task if task.period is not None}


class Topic(StrEnum):
    """Rows of the table `outbox` that need the same outside service. Each topic is handled by a task of its own."""

    MAIL = "mail"
    PAYMENTS = "payments"
    LEARNING = "learning"


class OutboxKind(StrEnum):
    """What is to be done for a row of the table `outbox`. The first part of the name is the topic. Staff read the mails
    in this order; `@mail` (domain/mail.py) says what causes each and who gets it."""

    ORDER_RECEIVED = "mail.order_received"
    ORDER_PAID = "mail.order_paid"
    PAYMENT_FAILED = "mail.payment_failed"
    TRANSFER_DUE = "mail.transfer_due"
    TRANSFER_REMINDER = "mail.transfer_reminder"
    TRANSFER_SHORT = "mail.transfer_short"
    GOODS_SHIPPED = "mail.goods_shipped"
    LATE_REFUNDED = "mail.late_refunded"
    WITHDRAWAL_RECEIVED = "mail.withdrawal_received"
    REFUND_REQUESTED = "mail.refund_requested"
    REFUND_DECLINED = "mail.refund_declined"
    REFUND_IN_PART = "mail.refund_in_part"
    REFUND_ACCEPTED = "mail.refund_accepted"
    REFUND_FAILED = "mail.refund_failed"
    ENROLLED = "mail.enrolled"
    ACCESS_ENDS = "mail.access_ends"
    COURSE_CLOSES = "mail.course_closes"
    COURSE_STAYS = "mail.course_stays"
    CERTIFICATE_ISSUED = "mail.certificate_issued"
    CERTIFICATE_REVOKED = "mail.certificate_revoked"
    GIFT_SENT = "mail.gift_sent"
    GIFT_CLAIMED = "mail.gift_claimed"
    SEAT_ASSIGNED = "mail.seat_assigned"
    SEAT_REMINDER = "mail.seat_reminder"
    SEAT_NOTICE = "mail.seat_notice"
    SEAT_ENDED = "mail.seat_ended"
    REVIEW_PUBLISHED = "mail.review_published"
    REVIEW_HIDDEN = "mail.review_hidden"
    APPLICATION_RECEIVED = "mail.application_received"
    APPLICATION_QUESTION = "mail.application_question"
    APPLICATION_APPROVED = "mail.application_approved"
    APPLICATION_DECLINED = "mail.application_declined"
    QUOTE_ISSUED = "mail.quote_issued"
    QUOTE_ENDS = "mail.quote_ends"
    INVITATION = "mail.invitation"
    CONTACT_CONFIRMATION = "mail.contact_confirmation"
    CONTACT_REPLY = "mail.contact_reply"
    STAFF_APPLICATION = "mail.staff_application"
    STAFF_REFUND_REQUESTED = "mail.staff_refund_requested"
    STAFF_CONFIRMATION = "mail.staff_confirmation"
    STAFF_REFUND_FAILED = "mail.staff_refund_failed"
    MISMATCH = "mail.mismatch"
    DISPUTE = "mail.dispute"
    FINDING = "mail.finding"
    PUBLICATION_FAILED = "mail.publication_failed"
    REPORT = "mail.report"
    TEST = "mail.test"
    # Retrieve what an event of the gateway names; end a hosted page; send money back.
    HANDLE_GATEWAY_EVENT = "payments.event"
    EXPIRE_PAYMENT = "payments.expire"
    SEND_REFUND = "payments.refund"
    # Apply the completion rule of a course anew.
    RECOUNT = "learning.recount"

    @property
    def topic(self) -> Topic:
        return Topic(self.partition(".")[0])


# The task that handles the rows of a topic.
RUNNER_OF: dict[Topic, Task] = {
    Topic.MAIL: Task.SEND_MAIL,
    Topic.PAYMENTS: Task.CALL_GATEWAY,
    Topic.LEARNING: Task.RUN_LEARNING,
}
