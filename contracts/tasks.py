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
    STORE_VISIT_BATCHES = "visits.store_batches"
    STORE_OVERDUE_VISITS = "visits.store_overdue"
    DESCRIBE_CODE = "coupons.describe"
    APPLY_TO_LINE = "coupons.apply_to_line"
    APPLY_TO_CART = "coupons.apply_to_cart"
    PING = "rpc.ping"
    RELEASE_RESERVATIONS = "maintenance.release_reservations"
    DELETE_EXPIRED_CARTS = "maintenance.delete_expired_carts"
    DELETE_EXPIRED_SESSIONS = "maintenance.delete_expired_sessions"
    HEARTBEAT = "worker.heartbeat"
    DELETE_DONE_OUTBOX_ROWS = "maintenance.delete_done_outbox_rows"
    DELETE_OLD_DEAD_LETTERS = "maintenance.delete_old_dead_letters"
    ERASE_OLD_DOCUMENTS = "maintenance.erase_old_documents"
    ANONYMISE_LATE_VISITS = "maintenance.anonymise_late_visits"
    UPDATE_RATINGS = "reviews.update_ratings"
    PUBLISH_DUE = "publishing.publish_due"
    CLOSE_COURSES = "learning.close_courses"
    # For one release: see domain/learning/grants.py.
    APPLY_SEAT_RULES = "seats.apply_rules"
    FREEZE_MONTHS = "reports.freeze_months"
    ROLLUP_VISITS = "reports.rollup"
    RETAIN_VISITS = "reports.retain"
    SEND_MAIL = "mail.send_pending"
    CALL_GATEWAY = "payments.call_gateway"
    POLL_PAYMENTS = "payments.poll"
    ADD_MISSED_EVENTS = "payments.add_missed_events"
    RECONCILE_PAYMENTS = "payments.reconcile"
    RUN_LEARNING = "learning.run_pending"
    RUN_JOBS = "jobs.run"
    CONVERT_IMAGES = "images.convert"
    DELETE_EXPIRED_UPLOADS = "jobs.delete_expired_uploads"
    DELETE_UNUSED_FILES = "images.delete_unused_files"
    RAISE_COUPON_ALARMS = "coupons.raise_alarms"
    VERIFY_AUDIT = "audit.verify"
    DELETE_OLD_SAMPLES = "maintenance.delete_old_samples"


class Topic(StrEnum):
    """Rows of the table `outbox` that need the same outside service. Each topic is handled by a task of its own."""

    MAIL = "mail"
    PAYMENTS = "payments"
    LEARNING = "learning"


class OutboxKind(StrEnum):
    """What is to be done for a row of the table `outbox`."""

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


TOPIC_OF: dict[OutboxKind, Topic] = {
    OutboxKind.CONTACT_CONFIRMATION: Topic.MAIL,
    OutboxKind.CONTACT_REPLY: Topic.MAIL,
    OutboxKind.ORDER_RECEIVED: Topic.MAIL,
    OutboxKind.ORDER_PAID: Topic.MAIL,
    OutboxKind.PAYMENT_FAILED: Topic.MAIL,
    OutboxKind.LATE_REFUNDED: Topic.MAIL,
    OutboxKind.REFUND_REQUESTED: Topic.MAIL,
    OutboxKind.REFUND_DECLINED: Topic.MAIL,
    OutboxKind.REFUND_ACCEPTED: Topic.MAIL,
    OutboxKind.REFUND_FAILED: Topic.MAIL,
    OutboxKind.GOODS_SHIPPED: Topic.MAIL,
    OutboxKind.WITHDRAWAL_RECEIVED: Topic.MAIL,
    OutboxKind.ENROLLED: Topic.MAIL,
    OutboxKind.ACCESS_ENDS: Topic.MAIL,
    OutboxKind.COURSE_CLOSES: Topic.MAIL,
    OutboxKind.COURSE_STAYS: Topic.MAIL,
    OutboxKind.CERTIFICATE_ISSUED: Topic.MAIL,
    OutboxKind.CERTIFICATE_REVOKED: Topic.MAIL,
    OutboxKind.GIFT_SENT: Topic.MAIL,
    OutboxKind.GIFT_CLAIMED: Topic.MAIL,
    OutboxKind.SEAT_ASSIGNED: Topic.MAIL,
    OutboxKind.SEAT_REMINDER: Topic.MAIL,
    OutboxKind.SEAT_NOTICE: Topic.MAIL,
    OutboxKind.SEAT_ENDED: Topic.MAIL,
    OutboxKind.REVIEW_PUBLISHED: Topic.MAIL,
    OutboxKind.REVIEW_HIDDEN: Topic.MAIL,
    OutboxKind.APPLICATION_RECEIVED: Topic.MAIL,
    OutboxKind.APPLICATION_QUESTION: Topic.MAIL,
    OutboxKind.APPLICATION_APPROVED: Topic.MAIL,
    OutboxKind.APPLICATION_DECLINED: Topic.MAIL,
    OutboxKind.INVITATION: Topic.MAIL,
    OutboxKind.STAFF_APPLICATION: Topic.MAIL,
    OutboxKind.MISMATCH: Topic.MAIL,
    OutboxKind.STAFF_REFUND_REQUESTED: Topic.MAIL,
    OutboxKind.STAFF_REFUND_FAILED: Topic.MAIL,
    OutboxKind.DISPUTE: Topic.MAIL,
    OutboxKind.FINDING: Topic.MAIL,
    OutboxKind.PUBLICATION_FAILED: Topic.MAIL,
    OutboxKind.HANDLE_GATEWAY_EVENT: Topic.PAYMENTS,
    OutboxKind.EXPIRE_PAYMENT: Topic.PAYMENTS,
    OutboxKind.SEND_REFUND: Topic.PAYMENTS,
    OutboxKind.RECOUNT: Topic.LEARNING,
}

QUEUE_OF: dict[Task, Queue] = {
    Task.STORE_VISIT_BATCHES: Queue.VISIT_BATCHES,
    Task.STORE_OVERDUE_VISITS: Queue.VISITS,
    # Visitors wait for these: they must not queue behind a batch of visits.
    Task.DESCRIBE_CODE: Queue.COUPONS,
    Task.APPLY_TO_LINE: Queue.COUPONS,
    Task.APPLY_TO_CART: Queue.COUPONS,
    Task.PING: Queue.COUPONS,
    Task.RELEASE_RESERVATIONS: Queue.HEALTH,
    Task.DELETE_EXPIRED_CARTS: Queue.HEALTH,
    Task.DELETE_EXPIRED_SESSIONS: Queue.HEALTH,
    Task.DELETE_DONE_OUTBOX_ROWS: Queue.HEALTH,
    Task.DELETE_OLD_DEAD_LETTERS: Queue.HEALTH,
    Task.ERASE_OLD_DOCUMENTS: Queue.HEALTH,
    Task.ANONYMISE_LATE_VISITS: Queue.HEALTH,
    Task.UPDATE_RATINGS: Queue.HEALTH,
    Task.PUBLISH_DUE: Queue.HEALTH,
    Task.CLOSE_COURSES: Queue.HEALTH,
    Task.APPLY_SEAT_RULES: Queue.HEALTH,
    Task.FREEZE_MONTHS: Queue.HEALTH,
    Task.ROLLUP_VISITS: Queue.ROLLUPS,
    Task.RETAIN_VISITS: Queue.ROLLUPS,
    Task.HEARTBEAT: Queue.HEALTH,
    Task.SEND_MAIL: Queue.MAIL,
    Task.CALL_GATEWAY: Queue.PAYMENTS,
    Task.POLL_PAYMENTS: Queue.PAYMENTS,
    Task.ADD_MISSED_EVENTS: Queue.PAYMENTS,
    Task.RECONCILE_PAYMENTS: Queue.PAYMENTS,
    Task.RUN_LEARNING: Queue.HEALTH,
    Task.RUN_JOBS: Queue.JOBS,
    Task.CONVERT_IMAGES: Queue.IMAGES,
    Task.DELETE_EXPIRED_UPLOADS: Queue.JOBS,
    Task.DELETE_UNUSED_FILES: Queue.JOBS,
    # Seconds of reading: beside the jobs, where nobody waits.
    Task.RAISE_COUPON_ALARMS: Queue.JOBS,
    Task.VERIFY_AUDIT: Queue.JOBS,
    Task.DELETE_OLD_SAMPLES: Queue.HEALTH,
}
# The task that handles the rows of a topic.
RUNNER_OF: dict[Topic, Task] = {
    Topic.MAIL: Task.SEND_MAIL,
    Topic.PAYMENTS: Task.CALL_GATEWAY,
    Topic.LEARNING: Task.RUN_LEARNING,
}
