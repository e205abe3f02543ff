"""Names of queues and tasks: the host sends by them, beat schedules them, workers serve them."""

from enum import StrEnum

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
    # Days of visits: a day may take minutes, and jobs go on meanwhile.
    ROLLUPS = "rollups"


# Served by a worker process of its own: a slice of a job takes seconds.
BACKGROUND_QUEUES = (Queue.JOBS, Queue.IMAGES, Queue.ROLLUPS)
QUEUES = tuple(queue for queue in Queue if queue not in BACKGROUND_QUEUES)


class Task(StrEnum):
    """A task, and the queue of its messages."""

    queue: Queue

    def __new__(cls, name: str, queue: Queue) -> "Task":
        task = str.__new__(cls, name)
        task._value_, task.queue = name, queue
        return task

    STORE_VISIT_BATCHES = "visits.store_batches", Queue.VISIT_BATCHES
    STORE_OVERDUE_VISITS = "visits.store_overdue", Queue.VISITS
    # Visitors wait for these: they must not queue behind a batch of visits.
    DESCRIBE_CODE = "coupons.describe", Queue.COUPONS
    APPLY_TO_LINE = "coupons.apply_to_line", Queue.COUPONS
    APPLY_TO_CART = "coupons.apply_to_cart", Queue.COUPONS
    PING = "rpc.ping", Queue.COUPONS
    RELEASE_RESERVATIONS = "maintenance.release_reservations", Queue.HEALTH
    DELETE_EXPIRED_CARTS = "maintenance.delete_expired_carts", Queue.HEALTH
    DELETE_EXPIRED_SESSIONS = "maintenance.delete_expired_sessions", Queue.HEALTH
    HEARTBEAT = "worker.heartbeat", Queue.HEALTH
    DELETE_DONE_OUTBOX_ROWS = "maintenance.delete_done_outbox_rows", Queue.HEALTH
    DELETE_OLD_DEAD_LETTERS = "maintenance.delete_old_dead_letters", Queue.HEALTH
    ERASE_OLD_DOCUMENTS = "maintenance.erase_old_documents", Queue.HEALTH
    ANONYMISE_LATE_VISITS = "maintenance.anonymise_late_visits", Queue.HEALTH
    UPDATE_RATINGS = "reviews.update_ratings", Queue.HEALTH
    PUBLISH_DUE = "publishing.publish_due", Queue.HEALTH
    CLOSE_COURSES = "learning.close_courses", Queue.HEALTH
    APPLY_SEAT_RULES = "seats.apply_rules", Queue.HEALTH
    FREEZE_MONTHS = "reports.freeze_months", Queue.HEALTH
    ROLLUP_VISITS = "reports.rollup", Queue.ROLLUPS
    RETAIN_VISITS = "reports.retain", Queue.ROLLUPS
    SEND_MAIL = "mail.send_pending", Queue.MAIL
    CALL_GATEWAY = "payments.call_gateway", Queue.PAYMENTS
    POLL_PAYMENTS = "payments.poll", Queue.PAYMENTS
    ADD_MISSED_EVENTS = "payments.add_missed_events", Queue.PAYMENTS
    RECONCILE_PAYMENTS = "payments.reconcile", Queue.PAYMENTS
    RUN_LEARNING = "learning.run_pending", Queue.HEALTH
    RUN_JOBS = "jobs.run", Queue.JOBS
    CONVERT_IMAGES = "images.convert", Queue.IMAGES
    DELETE_EXPIRED_UPLOADS = "jobs.delete_expired_uploads", Queue.JOBS
    DELETE_UNUSED_FILES = "images.delete_unused_files", Queue.JOBS
    # Seconds of reading: beside the jobs, where nobody waits.
    RAISE_COUPON_ALARMS = "coupons.raise_alarms", Queue.JOBS
    VERIFY_AUDIT = "audit.verify", Queue.JOBS
    DELETE_OLD_SAMPLES = "maintenance.delete_old_samples", Queue.HEALTH


# Tasks by their names.
TASKS = {str(task): task for task in Task}


class Topic(StrEnum):
    """Rows of the table `outbox` that need the same outside service. Each topic is handled by a task of its own."""

    MAIL = "mail"
    PAYMENTS = "payments"
    LEARNING = "learning"


class OutboxKind(StrEnum):
    """What is to be done for a row of the table `outbox`. The first part of the name is the topic."""

    CONTACT_CONFIRMATION = "mail.contact_confirmation"
    CONTACT_REPLY = "mail.contact_reply"
    # To the buyer, about their order.
    ORDER_RECEIVED = "mail.order_received"
    ORDER_PAID = "mail.order_paid"
    PAYMENT_FAILED = "mail.payment_failed"
    LATE_REFUNDED = "mail.late_refunded"
    REFUND_REQUESTED = "mail.refund_requested"
    REFUND_DECLINED = "mail.refund_declined"
    REFUND_ACCEPTED = "mail.refund_accepted"
    REFUND_FAILED = "mail.refund_failed"
    GOODS_SHIPPED = "mail.goods_shipped"
    WITHDRAWAL_RECEIVED = "mail.withdrawal_received"
    # To the learner.
    ENROLLED = "mail.enrolled"
    ACCESS_ENDS = "mail.access_ends"
    COURSE_CLOSES = "mail.course_closes"
    COURSE_STAYS = "mail.course_stays"
    CERTIFICATE_ISSUED = "mail.certificate_issued"
    CERTIFICATE_REVOKED = "mail.certificate_revoked"
    # To the recipient of a gift, and to its giver when it was accepted.
    GIFT_SENT = "mail.gift_sent"
    GIFT_CLAIMED = "mail.gift_claimed"
    # To the holder of an organisation's seat.
    SEAT_ASSIGNED = "mail.seat_assigned"
    SEAT_REMINDER = "mail.seat_reminder"
    SEAT_NOTICE = "mail.seat_notice"
    SEAT_ENDED = "mail.seat_ended"
    # To the author of a review, after a moderator has looked at it.
    REVIEW_PUBLISHED = "mail.review_published"
    REVIEW_HIDDEN = "mail.review_hidden"
    # To the applicant of an organisation.
    APPLICATION_RECEIVED = "mail.application_received"
    APPLICATION_QUESTION = "mail.application_question"
    APPLICATION_APPROVED = "mail.application_approved"
    APPLICATION_DECLINED = "mail.application_declined"
    # To the person who is invited into an organisation.
    INVITATION = "mail.invitation"
    # To staff.
    STAFF_APPLICATION = "mail.staff_application"
    MISMATCH = "mail.mismatch"
    STAFF_REFUND_REQUESTED = "mail.staff_refund_requested"
    STAFF_REFUND_FAILED = "mail.staff_refund_failed"
    DISPUTE = "mail.dispute"
    FINDING = "mail.finding"
    PUBLICATION_FAILED = "mail.publication_failed"
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
