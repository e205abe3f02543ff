"""How changes of progress are merged: the same result in any order and after any number of repetitions.

components/model/progress.ts does the same with changes that were not sent yet (contracts/cases/progress.json).
"""

from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True)
class ProgressChange:
    """What happened in a lesson at a time of the server's clock; None: that field did not change."""

    lesson_id: int
    at: datetime
    is_done: bool | None = None
    position: int | None = None


@dataclass(frozen=True)
class LessonState:
    """`position`: seconds of a video, thousandths of a text. `furthest`: the largest position ever."""

    is_done: bool = False
    done_at: datetime | None = None
    position: int = 0
    position_at: datetime | None = None
    furthest: int = 0


def within_clock(change: ProgressChange, now: datetime) -> ProgressChange:
    """A wrong clock cannot win: the future counts as now. What is old keeps its time, however late it comes: else the
    result would depend on the delay."""
    return replace(change, at=min(change.at, now))


def merged(state: LessonState, change: ProgressChange) -> LessonState:
    """The newer of each field. Of two changes at the same time, done and the larger position count."""
    if change.is_done is not None and _is_newer(
        (change.at, change.is_done), None if state.done_at is None else (state.done_at, state.is_done)
    ):
        state = replace(state, is_done=change.is_done, done_at=change.at)
    if change.position is not None:
        state = replace(state, furthest=max(state.furthest, change.position))
        if _is_newer(
            (change.at, change.position), None if state.position_at is None else (state.position_at, state.position)
        ):
            state = replace(state, position=change.position, position_at=change.at)
    return state


def _is_newer(new: tuple[datetime, int], stored: tuple[datetime, int] | None) -> bool:
    return stored is None or new > stored
