"""The reference of P7: the same question answered by Celery's own means. `celery -A bench.answering worker …`

Like workers/app.py but for the result backend, from which `AsyncResult.get` takes the answer.
"""

import os
from typing import Any

from celery import Celery

from domain.cart.answers import QUESTIONS
from workers.app import app as ours
from workers.app import database

QUEUE = "answering"
DESCRIBE = "answering.describe"


def celery_of(redis_url: str) -> Celery:
    """As its manual shows it, with the transport of our own."""
    url = redis_url.replace("unix://", "redis+socket://", 1)
    made = Celery("answering", broker=url, backend=url)
    made.conf.update(
        broker_transport_options=ours.conf.broker_transport_options,
        result_expires=60,
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
        worker_hijack_root_logger=False,
    )
    return made


app = celery_of(os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0"))


@app.task(name=DESCRIBE)
def describe(**given: Any) -> dict[str, Any]:
    with database().reading() as session:
        return QUESTIONS["coupons.describe"](session, **given)
