"""The reference of P7: the same call through Celery's result backend. `celery -A bench.celery_reference worker …`

Like workers/app.py, except that `AsyncResult.get` reads the reply from a result backend.
"""

import os
from typing import Any

from celery import Celery

from config import defaults
from contracts.payloads import DescribeCode, decode
from contracts.tasks import Task
from domain.cart.coupon_checks import HANDLERS
from workers.app import SETTINGS, database
from workers.app import app as ours

QUEUE = "answering"
DESCRIBE = "answering.describe"


def create_celery(redis_url: str) -> Celery:
    """A Celery application as in its manual, with the transport options of workers/app.py."""
    url = defaults.celery_broker_url(redis_url)
    celery = Celery("answering", broker=url, backend=url)
    celery.conf.update(
        broker_transport_options=ours.conf.broker_transport_options,
        result_expires=60,
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
        worker_hijack_root_logger=False,
    )
    return celery


app = create_celery(os.environ.get("REDIS_URL", defaults.REDIS_URL))


@app.task(name=DESCRIBE)
def describe(**fields: Any) -> dict[str, Any]:
    with database().read_session() as session:
        return HANDLERS[Task.DESCRIBE_CODE](session, decode(DescribeCode, fields), SETTINGS.shop)
