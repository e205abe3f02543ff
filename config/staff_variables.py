"""How the staff of the school sign in, which the host reads; how their reports count visits, which workers read too."""

from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from config.defaults import MIN_REPORT_K, REPORT_K
from config.environment import SettingError
from config.parsers import integer, one_of, pattern
from config.setting import setting
from domain.attribution.rules import AttributionRules
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods

NO_ACR_VALUES = "none"


@dataclass(frozen=True)
class StaffVariables:
    """Field `staff_second_factor` is the variable STAFF_SECOND_FACTOR, and so on."""

    staff_second_factor: str = setting(
        one_of("on", "off"),
        "",
        "`on`: staff need two factors to sign in, a password and a code, for example",
        absent="on in production, else off",
    )
    staff_acr_values: str = setting(
        pattern(r"[\x21-\x7e]+( [\x21-\x7e]+)*", "values of acr_values, separated by single spaces, or none"),
        "urn:okta:loa:2fa:any",
        "`acr_values` with which the provider is asked for a second factor; `none`: it has none, and its own rules "
        "must require one",
    )

    coupon_max_percent: int = setting(
        integer(1, 100), 60, "the most that a coupon of a marketer takes off, percent; administrators may go above it"
    )

    seat_term_days: int = setting(
        integer(0, 3650),
        365,
        "an organisation without a contract buys seats of a course for so many days from the payment on; 0: staff make "
        "every contract",
    )
    quote_days: int = setting(
        integer(1, 365), 30, "days for which a quote to an organisation is valid, that of its making not counted"
    )

    @property
    def requires_second_factor(self) -> bool:
        return self.staff_second_factor == "on"

    @property
    def second_factor_acr(self) -> str:
        """The value for the provider, "" when it has none."""
        return "" if self.staff_acr_values == NO_ACR_VALUES else self.staff_acr_values


def time_zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ValueError, KeyError, OSError):
        raise ValueError("a time zone such as Europe/Berlin") from None
    return text


@dataclass(frozen=True)
class ReportVariables:
    """Field `rollup_keys` is the variable ROLLUP_KEYS, and so on."""

    report_time_zone: str = setting(
        time_zone, DayRules.zone, "time zone of the days in reports about visits, such as `Europe/Berlin`"
    )
    rollup_keys: int = setting(
        integer(10, 5_000),
        DayRules.keys,
        "values of a dimension, such as pages, that a day keeps: the most visited; the rest is one row, `(other)`",
    )
    session_idle_minutes: int = setting(
        integer(1, 240), DayRules.idle_minutes, "a session ends when its next visit comes later than that, minutes"
    )

    visits_keep_days: int = setting(
        integer(0, 3_650),
        Periods.visits,
        "days that visits are kept, 0 = for ever, and search queries, 0 = 90: the figures of the days stay, and so do"
        " what led to orders and its credits",
    )
    touchpoints_keep_days: int = setting(
        integer(0, 3_650),
        Periods.touchpoints,
        "days that touchpoints, learners of days, figures by the hour, files of days, changes of pages, links"
        " of programs and looks at reports are kept, 0 = for ever",
    )
    analytics_dir: str = setting(
        pattern(r"/.{0,500}", "an absolute path"),
        "",
        "folder of the files of days of visits, which filtered reports are answered from: of the machine whose worker"
        " serves the queues `rollups` and `reports`; absent: `VAR_DIR/analytics`",
        absent="VAR_DIR/analytics",
    )
    duckdb_memory_mb: int = setting(
        integer(64, 65_536), 256, "memory that filtered reports may use, MB; what takes more has no answer"
    )

    report_k: int = setting(
        integer(MIN_REPORT_K, 1000),
        REPORT_K,
        "figures about people come in steps of so many, of groups of at least as many",
    )

    attribution_days: int = setting(
        integer(1, 365),
        AttributionRules.window_days,
        "how long before an order, in days, visits of the buyer count as what led to it; a path that is closed stays",
    )
    attribution_close_hours: int = setting(
        integer(0, 240),
        AttributionRules.close_hours,
        "the path of an order is closed so many hours after the payment; later refunds change its money alone",
    )
    attribution_half_life_hours: int = setting(
        integer(1, 8_760),
        AttributionRules.half_life_hours,
        "by the model `decay` a touchpoint counts half as much as one that is so many hours later",
    )

    @property
    def attribution(self) -> AttributionRules:
        return AttributionRules(
            self.attribution_days,
            self.attribution_close_hours,
            self.attribution_half_life_hours,
            self.touchpoints_keep_days,
        )

    def require_touchpoints(self) -> None:
        """Raises SettingError where touchpoints are deleted before the paths of orders are closed."""
        least = self.attribution.touchpoint_days
        if 0 < self.touchpoints_keep_days < least:
            raise SettingError(
                f"TOUCHPOINTS_KEEP_DAYS={self.touchpoints_keep_days} is less than {least}: what led to an order is"
                " looked up for ATTRIBUTION_DAYS and two weeks"
            )

    @property
    def periods(self) -> Periods:
        return Periods(self.visits_keep_days, self.touchpoints_keep_days)

    @property
    def day_rules(self) -> DayRules:
        return DayRules(self.report_time_zone, self.rollup_keys, self.session_idle_minutes)

    def analytics_folder_in(self, var_dir: Path) -> Path:
        return Path(self.analytics_dir) if self.analytics_dir else var_dir / "analytics"
