"""/admin/health: /readyz as a picture, and the last day, from the samples of all host processes."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.crawlers import stored_ranges
from domain.crawlers.stored_ranges import ListState
from domain.display_text import count_text, minutes_text, percent_text, size_text
from domain.health import series as health_series
from domain.health import upkeep
from domain.health.samples import EVERY_S
from domain.health.series import SampleInterval
from domain.health.upkeep import UpkeepState
from domain.payments import reconciliation
from domain.permissions import Permission, permissions_of
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.admin.health import record_restore
from host.loaders.areas import area_page
from host.loaders.operations.crawler_lists import crawler_lists
from host.loaders.operations.health_charts import charts
from host.loaders.operations.part_texts import GROUPS, PARTS, state_of
from host.loaders.ui import table_cells as cells
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.detail_props import Fact, ShortTable, facts, short_table
from host.loaders.ui.table_cells import BadgeTone, Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# Beside what the samples have: when a payment last agreed with the gateway's.
AGREED = "payments_agreed_at"
Sample = tuple[datetime, Mapping[str, Any]]


class HealthPart(TypedDict):
    """`text`: what it does, and what its state means for visitors."""

    title: str
    state: str
    tone: BadgeTone
    text: str


class HealthGroup(TypedDict):
    title: str
    parts: list[HealthPart]


class HealthProps(TypedDict):
    """`groups`: [] while no process has taken a sample yet; `note` then says so. `at`: of the newest sample. `upkeep`:
    copies and secrets, with what is late."""

    title: str
    note: str
    at: str | None
    groups: list[HealthGroup]
    facts: list[Fact]
    upkeep: ShortTable
    tables: list[ShortTable]
    charts: list[ChartProps]
    actions: list[Action]


def _upkeep_text(done: UpkeepState) -> str:
    """What it is, in words."""
    names = {upkeep.BACKUP: "Copy of the database and the files", upkeep.RESTORE: "Tested restore"}
    return names.get(done.name) or done.name.removeprefix(upkeep.KEY_PREFIX)


def _upkeep_state(done: UpkeepState) -> tuple[str, BadgeTone]:
    if done.at is None:
        return "Not recorded", "warning"
    if done.name.startswith(upkeep.KEY_PREFIX):
        return ("Old", "warning") if done.is_late else ("In use", "good")
    return ("Too old", "bad") if done.is_late else ("In time", "good")


def _upkeep_advice(done: UpkeepState, command: str) -> str | None:
    """What to do about what is late. `command`: what copies this shop's database."""
    if not done.is_late:
        return None
    if done.name == upkeep.BACKUP:
        due = f"One is due every {minutes_text(_minutes(upkeep.BACKUP_LATE))}"
        return f"{due}: let {command} write them." if done.at is None else f"{due}: see what {command} says."
    if done.name == upkeep.RESTORE:
        return (
            f"Restore a copy into an empty database every {count_text(upkeep.RESTORE_LATE.days)} days, and record it."
        )
    return f"Older than {count_text(upkeep.KEY_OLD.days)} days: docs/operations.md says how it is replaced."


def _minutes(of: timedelta) -> int:
    return of // timedelta(minutes=1)


def _upkeep_columns(*, is_sqlite: bool) -> tuple[Column[UpkeepState], ...]:
    command = "python -m host backup FOLDER --every 3600" if is_sqlite else "scripts/backup"
    return (
        cells.text("what", "What", _upkeep_text),
        cells.badge("state", "State", _upkeep_state),
        cells.time("at", "When", lambda row: row.at),
        cells.text("size", "Size", lambda row: None if row.size is None else size_text(row.size)),
        cells.text("advice", "What to do", lambda row: _upkeep_advice(row, command)),
    )


@page("admin-health")
async def load(request: PageRequest, route: Page) -> PageResult[HealthProps]:
    """Raises ServiceUnavailable."""
    newest, buckets, agreed_at, done, lists = await request.db.read(_read, request.at)
    permissions = frozenset() if request.actor is None else permissions_of("admin", request.actor.roles)
    samples = {process: values for process, (_, values) in newest.items()}
    at = max((at for at, _ in newest.values()), default=None)
    note = f"A host takes a sample every {EVERY_S} seconds; there is none of the last minutes."
    props: HealthProps = {
        "title": route.title,
        "note": "" if samples else note,
        "at": None if at is None else at.isoformat(),
        "groups": _groups([*samples.values()]) if samples else [],
        "facts": facts(_FACTS, {**_sums([*samples.values()]), AGREED: agreed_at}) if samples else [],
        "upkeep": short_table(
            "upkeep", "Copies and secrets", "None.", _upkeep_columns(is_sqlite=request.db.is_sqlite), done
        ),
        "tables": [
            short_table("processes", "Host processes", "None.", _PROCESSES, newest.items()),
            short_table("queues", "Queues of the workers", "There is no broker.", _QUEUES, _queues(samples)),
            crawler_lists(lists, request.at),
        ],
        "charts": charts(buckets),
        "actions": [record_restore.form()] if Permission.AUDIT_READ in permissions else [],
    }
    return area_page.page(request, route, props)


def _read(
    session: Session, at: datetime
) -> tuple[dict[str, Sample], list[SampleInterval], datetime | None, list[UpkeepState], list[ListState]]:
    newest, series = health_series.newest(session, at + timedelta(seconds=1)), health_series.series(session, at)
    lists = stored_ranges.all_states(session)
    return newest, series, reconciliation.last_agreed_at(session), upkeep.read(session, at), lists


def _groups(samples: Sequence[Mapping[str, Any]]) -> list[HealthGroup]:
    """Each part in its worst state of all processes."""
    return [
        {"title": title, "parts": [_part(name, [sample["parts"].get(name) for sample in samples]) for name in names]}
        for title, names in GROUPS
    ]


def _part(name: str, states: Sequence[str | None]) -> HealthPart:
    found = [state_of(name, state) for state in states if state is not None]
    worst = max(found, key=lambda state: state.rank, default=state_of(name, "unknown"))
    title, about = PARTS[name]
    return {"title": title, "state": worst.label, "tone": worst.tone, "text": f"{about} {worst.text}".strip()}


def _sums(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Numbers of all processes: what each counts for itself added up, what all share once."""
    own = ("render_failures", "render_shed", "cache_hits", "cache_misses", "lessons_unshown")
    added = {name: sum(sample.get(name) or 0 for sample in samples) for name in own}
    shared = {name: value for sample in samples for name, value in sample.items() if name not in own}
    return {**shared, **added, "batches_on_disk": sum(sample.get("batches_on_disk") or 0 for sample in samples)}


def _queues(samples: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, int]]:
    lengths: Mapping[str, float] = next((values["queues"] for values in samples.values() if values.get("queues")), {})
    return [(name.capitalize(), int(length)) for name, length in lengths.items()]


def _hit_rate(values: Mapping[str, Any]) -> str | None:
    requests = values["cache_hits"] + values["cache_misses"]
    return (
        f"{percent_text(round(100 * values['cache_hits'] / requests))} of {count_text(requests)} requests"
        if requests
        else None
    )


def _age(values: Mapping[str, Any], name: str) -> str:
    seconds = round(values.get(name) or 0)
    return f"{count_text(seconds)} s" if seconds < 120 else minutes_text(round(seconds / 60))


def _unstored(values: Mapping[str, Any]) -> str | None:
    """How many batches of visits the broker holds, and since when. None: it does not answer, or a sample of the build
    before."""
    waiting, claimed, failing = (values.get(f"batches_{name}") for name in ("waiting", "claimed", "failing"))
    if waiting is None:
        return None
    count, failed = waiting + (claimed or 0), f", {count_text(failing)} failed before" if failing else ""
    return f"{count_text(count)}, the oldest {_age(values, 'batches_oldest_s')} old{failed}" if count else f"0{failed}"


_FACTS: tuple[Column[dict[str, Any]], ...] = (
    cells.text("cache", "Page cache hits", _hit_rate),
    cells.count("failures", "Pages that could not be rendered", lambda row: row["render_failures"]),
    cells.count("shed", "Pages left to the browser under load", lambda row: row["render_shed"]),
    cells.text("batches", "Batches of visits not stored yet", _unstored),
    cells.count("spool", "Batches of visits on disk", lambda row: row["batches_on_disk"]),
    cells.count("letters", "Visits that could not be stored", lambda row: row.get("dead_letters")),
    cells.count("outbox", "Work that waits in the outbox", lambda row: row.get("outbox_waiting")),
    cells.text("oldest", "Age of the oldest of it", lambda row: _age(row, "outbox_oldest_s")),
    cells.time("agreed", "Payments last agreed with the gateway", lambda row: row[AGREED]),
    cells.count("waiting", "Jobs that wait", lambda row: row.get("jobs_waiting")),
    cells.count("running", "Jobs that run", lambda row: row.get("jobs_running")),
    cells.count("stalled", "Jobs that do not go on", lambda row: row.get("jobs_stalled")),
    cells.count("unshown", "Lessons without their video or text", lambda row: row["lessons_unshown"]),
    cells.text("disk", "Free on the disk", lambda row: _percent(row.get("disk_free"))),
)


def _percent(value: float | None) -> str | None:
    return None if value is None else percent_text(round(value))


_PROCESSES: tuple[Column[tuple[str, Sample]], ...] = (
    cells.text("process", "Process", lambda row: row[0]),
    cells.time("at", "Last sample", lambda row: row[1][0]),
    cells.count("workers", "Render workers", lambda row: row[1][1].get("render_workers")),
    cells.count("failures", "Render failures", lambda row: row[1][1].get("render_failures")),
    cells.text("cache", "Page cache hits", lambda row: _hit_rate(_sums([row[1][1]]))),
    cells.text("disk", "Free on its disk", lambda row: _percent(row[1][1].get("disk_free"))),
)
_QUEUES: tuple[Column[tuple[str, int]], ...] = (
    cells.text("queue", "Queue", lambda row: row[0]),
    cells.count("length", "Messages that wait", lambda row: row[1]),
)
