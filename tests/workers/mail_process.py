"""A child process that sends the mails of the outbox until it is killed (tests/support/children.py).

`group` is the negative control: the process leases all due rows at once. With `commit` it kills itself when the mail
server has accepted a mail, before the row is done.
"""

import os
import signal
import time
from collections.abc import Callable

from domain.outbox import leases as outbox_leases
from domain.outbox.leases import Lease
from workers import mail

_lease_next: Callable[..., Lease | None] = outbox_leases.lease_next
_group: list[Lease] = []


def lease_group(*arguments: object) -> Lease | None:
    while lease := _lease_next(*arguments):
        _group.append(lease)
    return _group.pop(0) if _group else None


def die(*_arguments: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def send_until_killed(way: str = "") -> None:
    if way == "group":
        outbox_leases.lease_next = lease_group
    if way == "commit":
        outbox_leases.finish = die
    while True:
        mail.send_pending()
        time.sleep(0.02)
