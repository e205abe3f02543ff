"""The last day in charts, by the half hour."""

from collections.abc import Callable, Sequence

from domain.health.series import SampleInterval
from host.loaders.ui.chart_props import ChartProps, ChartUnit, require_consistent

Value = Callable[[dict[str, float]], float | None]


def charts(buckets: Sequence[SampleInterval]) -> list[ChartProps]:
    """[] before there is a sample."""
    if not any(bucket.values for bucket in buckets):
        return []
    return [
        _chart("Queues of the workers", "count", "Messages that wait, at most", buckets, lambda row: row.get("queued")),
        _chart("Outbox", "count", "Age of its oldest row in seconds, at most", buckets, _whole("outbox_oldest_s")),
        _chart("Jobs", "count", "Jobs that wait or run, at most", buckets, _jobs),
        _chart("Render failures", "count", "Pages that could not be rendered", buckets, _whole("render_failures")),
        _chart("Page cache", "percent", "Share of requests that were cached", buckets, _hit_share),
        _chart(
            "Visits", "count", "Age of the oldest batch not stored, in seconds", buckets, _whole("batches_oldest_s")
        ),
        _chart("Spool", "count", "Batches of visits on disk, at most", buckets, _whole("batches_on_disk")),
        _chart("Disk", "percent", "Free, at least", buckets, lambda row: row.get("disk_free")),
        _chart("Lessons", "count", "Opened without their video or text", buckets, _whole("lessons_unshown")),
    ]


def _chart(title: str, unit: ChartUnit, label: str, buckets: Sequence[SampleInterval], value: Value) -> ChartProps:
    return require_consistent(
        {
            "kind": "line",
            "title": title,
            "summary": "",
            "unit": unit,
            "unitLabel": label,
            "period": "the last 24 hours by the half hour, UTC",
            "points": {"kind": "time", "labels": [f"{bucket.since:%Y-%m-%dT%H:%M}" for bucket in buckets]},
            "series": [{"label": title, "values": [value(bucket.values) for bucket in buckets]}],
            "unfinishedFrom": len(buckets) - 1,
            "empty": "Nothing yet.",
            "csvHref": None,
        }
    )


def _whole(name: str) -> Value:
    def value(row: dict[str, float]) -> float | None:
        number = row.get(name)
        return None if number is None else round(number)

    return value


def _jobs(row: dict[str, float]) -> float | None:
    if "jobs_waiting" not in row:
        return None
    return row["jobs_waiting"] + row.get("jobs_running", 0)


def _hit_share(row: dict[str, float]) -> float | None:
    requests = row.get("cache_hits", 0) + row.get("cache_misses", 0)
    return round(row.get("cache_hits", 0) / requests * 100) if requests else None
