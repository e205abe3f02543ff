"""/admin/coupons: all coupons, the newest first."""

from domain.coupons.staff_list import COUPONS, CouponRow
from domain.permissions import Permission, permissions_of
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, ListPageProps, list_file
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/coupons"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "draft": ("Draft", "neutral"),
    "active": ("Active", "good"),
    "paused": ("Paused", "warning"),
    "ended": ("Ended", "neutral"),
}


class CouponsProps(ListPageProps):
    """`mayWrite`: whether this person may create one."""

    mayWrite: bool


def uses_text(row: CouponRow) -> str:
    return str(row.uses) if row.total_limit is None else f"{row.uses} of {row.total_limit}"


def may_write(request: PageRequest) -> bool:
    return request.actor is not None and Permission.COUPONS_WRITE in permissions_of("admin", request.actor.roles)


def _off(row: CouponRow) -> str:
    is_per_piece = row.kind == "amount" and not row.once_per_order
    return f"{row.value_text} per piece" if is_per_piece else row.value_text


LIST = AreaList(
    TableSpec(
        caption="Coupons",
        source=COUPONS,
        columns=(
            cells.link("code", "Code", lambda row: (row.code, f"{PATH}/{row.id}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.text("value", "Takes off", _off),
            cells.text("scope", "Applies to", lambda row: row.scope),
            cells.text("uses", "Reserved and used", uses_text),
            cells.text("campaign", "Campaign", lambda row: row.campaign or None, sortable=True),
            cells.time("starts", "From", lambda row: row.starts_at),
            cells.time("ends", "Until", lambda row: row.ends_at),
            cells.text("organisation", "Organisation", lambda row: row.organisation, hidden=True),
            cells.time("created", "Created", lambda row: row.created_at, hidden=True),
        ),
        filters=(
            search("q", "Code"),
            choice("state", "State", {state: text for state, (text, _) in STATES.items()}),
            search("campaign", "Campaign"),
        ),
        empty={
            "title": "No coupons yet",
            "text": "Every coupon is listed here, with what was made of it.",
            "action": {"text": "Create a coupon", "href": f"{PATH}/new"},
        },
    )
)
list_file("admin-coupons", LIST)


@page("admin-coupons")
async def load(request: PageRequest, route: Page) -> PageResult[CouponsProps]:
    """Raises ServiceUnavailable."""
    table = await LIST.table(request)
    props: CouponsProps = {"title": route.title, "table": table, "mayWrite": may_write(request)}
    return area_page.page(request, route, props)
