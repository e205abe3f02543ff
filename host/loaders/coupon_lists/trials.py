"""/admin/coupons/trials, …/new and …/{id}: trials of the special offer, starting one, and what one has shown."""

from datetime import UTC, datetime, timedelta

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.coupons.queries import special_offer
from domain.coupons.trials import listing
from domain.coupons.trials.changes import NO_OFFER, usual_start
from domain.coupons.trials.listing import TRIALS, TrialRow
from domain.permissions import Permission
from domain.reports.coupon_trials import TrialResult, result
from domain.reports.sale_reports.trials import STATES
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.text_direction import isolated
from host.api.admin.people.coupon_trials import PATH, start_trial, stop_trial
from host.loaders.admin.coupon import NewCouponProps
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.coupon_lists import trial_result
from host.loaders.coupon_lists.trial_result import TrialInterval
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

_TONES: dict[str, BadgeTone] = {"planned": "info", "running": "info", "over": "good", "stopped": "neutral"}


class CouponTrialProps(ActionPageProps):
    """`intervals`: empty while there are too few pairs. `progress`: how far the trial is; `warnings`: what spoils it;
    `about`: how it is counted."""

    intervals: list[TrialInterval]
    progress: str
    warnings: list[str]
    about: str


def _state(row: TrialRow) -> tuple[str, BadgeTone]:
    state = row.state(datetime.now(UTC))
    return STATES[state], _TONES[state]


_BLOCKS: Column[TrialRow] = cells.count("hours", "Hours of a block", lambda row: row.block_hours)
_PAIRS: Column[TrialRow] = cells.count("pairs", "Pairs of blocks", lambda row: row.plan.pairs)
_STARTS: Column[TrialRow] = cells.time("starts", "From", lambda row: row.starts_at)
_ENDS: Column[TrialRow] = cells.time("ends", "Until", lambda row: row.is_over_at)
_BY: Column[TrialRow] = cells.text("by", "Started by", lambda row: row.started_by)

LIST = AreaList(
    TableSpec(
        caption="Trials of the special offer",
        source=TRIALS,
        columns=(
            cells.link("code", "Offer", lambda row: (row.code, f"{PATH}/{row.id}")),
            cells.badge("state", "State", _state),
            *(_STARTS, _ENDS, _BLOCKS, _PAIRS, _BY),
        ),
        empty={
            "title": "No trials yet",
            "text": "A trial shows and hides the special offer by turns, and compares what people buy.",
            "action": {"text": "Start a trial", "href": f"{PATH}/new"},
        },
    ),
    links=({"text": "Start a trial", "href": f"{PATH}/new"},),
)
list_page("admin-coupon-trials", LIST)


_ABOUT = (
    "is shown and hidden by turns, and what people buy meanwhile is compared. Nobody is followed: at one time all "
    "visitors are offered the same. The dates, and how sure the result will be, are said before anything begins."
)


@page("admin-coupon-trial-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[NewCouponProps]:
    """Raises ServiceUnavailable."""
    offer = await request.db.read(special_offer, request.at)
    rules = request.settings.day_rules
    midnight = rules.window(rules.day_of(request.at + timedelta(days=1))).since
    values = {"startsAt": usual_start(request.at, midnight), "blockHours": "12", "pairs": 28}
    text = NO_OFFER if offer is None else f"{isolated(offer.name)} {_ABOUT}"
    form = start_trial.form(values=values, text=text)
    props: NewCouponProps = {"title": route.title, "backHref": PATH, "backText": "All trials", "form": form}
    return area_page.page(request, route, props)


@page("admin-coupon-trial")
async def load_one(request: PageRequest, route: Page) -> PageResult[CouponTrialProps]:
    """Raises NotFound, ServiceUnavailable."""
    currency = request.settings.shop.currency
    row, found, events, warnings = await request.db.read(_read, number(request), request.at, currency.code)
    is_open = row.state(request.at) in ("planned", "running")
    props: CouponTrialProps = {
        "title": route.title,
        "heading": f"Trial of {isolated(row.code)}",
        "backHref": PATH,
        "backText": "All trials",
        "facts": facts(_FACTS, row),
        "texts": [],
        "tables": [*trial_result.tables(found), events_table(events)],
        "actions": [stop_trial.form(row.id)] if is_open and may(request, Permission.COUPONS_WRITE) else [],
        "intervals": trial_result.intervals(found, currency),
        "progress": trial_result.progress_text(row, found, request.at),
        "warnings": warnings,
        "about": trial_result.ABOUT,
    }
    return area_page.page(request, route, props)


def _read(
    session: Session, trial_id: int, at: datetime, currency: str
) -> tuple[TrialRow, TrialResult, list[AuditEntry], list[str]]:
    row = listing.trial(session, trial_id)
    found = result(session, row.plan, row.is_over_at, at, currency)
    events = [*subject_entries(session, Subject("coupon_trial", trial_id))]
    return row, found, events, _warnings(session, row, found, at)


def _warnings(session: Session, row: TrialRow, found: TrialResult, at: datetime) -> list[str]:
    warnings = []
    if row.state(at) == "running":
        offer = special_offer(session, at)
        if offer is None:
            warnings.append("There is no special offer now, so blocks in which it is shown are like those without.")
        elif offer.id != row.coupon_id:
            warnings.append(f"Another offer is shown now, {isolated(offer.name)}: the trial mixes both. Stop it.")
    if found.foreign_orders:
        warnings.append(
            f"Orders in other currencies than the shop's: {found.foreign_orders}. They are among the paid sessions, "
            "and not in what these brought."
        )
    return warnings


_FACTS: tuple[Column[TrialRow], ...] = (
    cells.badge("state", "State", _state),
    cells.link("code", "Offer", lambda row: (row.code, f"/admin/coupons/{row.coupon_id}")),
    *(_STARTS, _ENDS, _BLOCKS, _PAIRS, _BY),
)
