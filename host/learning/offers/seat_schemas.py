"""The seats of a learner, as the dashboard shows them."""

from datetime import datetime

from pydantic import BaseModel

from domain.display_text import count_text, day_text
from domain.seats.views.own import OwnSeat, OwnSeats
from domain.seats.views.own_history import OwnSeatEvent
from domain.text_direction import isolated


class SeatCard(BaseModel):
    """`number`: within its contract. `text`: what to know about it now. `canConfirm`: "I still need it" can be said;
    `canPause`: it was not paused yet."""

    id: int
    number: int
    organisation: str
    courses: list[str]
    text: str
    hasNotice: bool
    canConfirm: bool
    canPause: bool
    isPaused: bool


class WaitingSeat(BaseModel):
    """`place`: in the queue, counted from 1."""

    id: int
    course: str
    organisation: str
    requestedAt: datetime
    place: int


class SeatChoice(BaseModel):
    id: int
    name: str


class SeatEventLine(BaseModel):
    """`text`: what happened, to which seat, by whom and why."""

    id: int
    day: str
    text: str


class SeatsCard(BaseModel):
    """`choices`: courses that the learner may ask for. `history`: the newest first, also of seats that they had."""

    seats: list[SeatCard]
    waiting: list[WaitingSeat]
    choices: list[SeatChoice]
    history: list[SeatEventLine]


def seats_card(own: OwnSeats, locale: str) -> SeatsCard | None:
    """None where there is nothing to show."""
    if not (own.seats or own.waiting or own.choices or own.history):
        return None
    return SeatsCard(
        seats=[_seat(seat, locale) for seat in own.seats],
        waiting=[
            WaitingSeat(
                id=row.id,
                course=row.course,
                organisation=row.organisation,
                requestedAt=row.requested_at,
                place=row.place,
            )
            for row in own.waiting
        ],
        choices=[SeatChoice(id=course.id, name=course.name) for course in own.choices],
        history=[_line(event, locale) for event in own.history],
    )


_EVENTS = {
    "assigned": "You got",
    "reminded": "A reminder was sent about",
    "noticed": "A notice was sent, somebody waits for",
    "confirmed": "You said that you still need",
    "paused": "You paused",
    "resumed": "The pause ended for",
    "returned": "The membership ended, and you gave back",
    "reclaimed": "You lost",
    "spent": "You completed the course of",
    "freed": "You completed the course, and gave back",
}


def _line(event: OwnSeatEvent, locale: str) -> SeatEventLine:
    what = _EVENTS.get(event.kind, "Something changed for")
    by = f", by {event.actor}" if event.actor else ""
    text = f"{what} seat {count_text(event.number)} of {isolated(event.organisation)}{by}."
    return SeatEventLine(
        id=event.id, day=day_text(event.occurred_at, locale), text=" ".join([text, event.reason]).strip()
    )


def _seat(seat: OwnSeat, locale: str) -> SeatCard:
    return SeatCard(
        id=seat.id,
        number=seat.number,
        organisation=seat.organisation,
        courses=list(seat.courses),
        text=_text(seat, locale),
        hasNotice=seat.has_notice,
        canConfirm=seat.can_confirm,
        canPause=seat.can_pause,
        isPaused=seat.paused_until is not None,
    )


def _text(seat: OwnSeat, locale: str) -> str:
    if seat.paused_until is not None:
        return f"Paused until {day_text(seat.paused_until, locale)}: nobody takes it back before."
    if seat.goes_back_at is None:
        return "It is yours while you use it."
    day = day_text(seat.goes_back_at, locale)
    if seat.has_notice:
        return f"Your seat goes back on {day}: somebody waits for one. Anything that you do in the course keeps it."
    return f"Start by {day}, or it may go to somebody who waits."
