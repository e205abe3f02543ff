"""Asks the worker that has the files of days for the figures of a report with filters."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from aiohttp import web

from adapters import telemetry
from contracts.payloads import ReportFigures, RunReport, decode, encode
from contracts.tasks import Task
from domain.database.database import Database
from domain.reports.visit_reports import filed_figures
from domain.reports.visit_reports.figure_sources import ReportUnavailable
from domain.reports.visit_reports.filed_figures import FigureRequest, FigureRows
from domain.reports.warehouse import Warehouse, WarehouseUnavailable
from host.messaging.reply_channel import CallNotReadable, ReplyChannel, RpcFailed
from host.messaging.worker_calls import WorkerCalls

log = logging.getLogger("coursefront.reports")

# Whoever opens a report waits no longer for a worker.
DEADLINE_S = 5.0
NOT_HERE = (
    "Filters are answered by the worker that has the files of days, and it does not answer: please try again in a "
    "minute. Without filters the report works."
)
FAILED = (
    "The files of days cannot be read now. They are written anew within the hour; please choose fewer days until then, "
    "or remove the filters."
)
FiguresByRequest = Mapping[FigureRequest, FigureRows]


class ReportClient(WorkerCalls):
    """Behind a circuit breaker of its own: a report that takes long says nothing of coupons. Without a worker the
    figures are read in a thread of this process, if it has the files."""

    def __init__(self, db: Database, replies: ReplyChannel | None, warehouse: Warehouse):
        super().__init__(replies, "the worker of reports")
        self._db, self._warehouse = db, warehouse

    async def figures(self, requests: Sequence[FigureRequest]) -> FiguresByRequest:
        """Raises ReportUnavailable, after DEADLINE_S at the latest for a worker that does not answer."""
        if self._replies is not None and not self._breaker.is_open:
            call = RunReport(requests=[filed_figures.to_wire(request) for request in requests])
            try:
                with telemetry.span(f"call {call.task}", "producer"):
                    reply = decode(ReportFigures, await self._replies.call(call.task, encode(call)))
            except CallNotReadable as error:
                log.info("%s runs inline: %s", call.task, error)
            except RpcFailed as error:
                self._breaker.trip(error)
                self._replies.fail_pending("another report had no reply")
            else:
                self.by_worker += 1
                if reply.error:
                    log.warning("a worker cannot read the files of days: %s", reply.error)
                    raise ReportUnavailable(FAILED)
                pairs = zip(requests, reply.rows, strict=True)
                return {request: filed_figures.rows_from_wire(request, rows) for request, rows in pairs}
        return await self._read_here(requests)

    async def _read_here(self, requests: Sequence[FigureRequest]) -> FiguresByRequest:
        lists = await self._db.read(filed_figures.current_lists)
        if not await asyncio.to_thread(filed_figures.has_files, self._warehouse, lists):
            # A day may have been computed in between.
            lists = await self._db.read(filed_figures.current_lists)
            if not await asyncio.to_thread(filed_figures.has_files, self._warehouse, lists):
                raise ReportUnavailable(NOT_HERE)
        self.inline += 1
        try:
            return await asyncio.to_thread(filed_figures.read, self._warehouse, lists, requests)
        except WarehouseUnavailable as error:
            log.warning("the files of days cannot be read: %s", error)
            raise ReportUnavailable(FAILED) from error

    async def _ping(self) -> None:
        """Raises RpcFailed without a worker."""
        if self._replies is not None:
            await self._replies.call(Task.PING_REPORTS, {})


REPORT_CLIENT = web.AppKey("report_client", ReportClient)
