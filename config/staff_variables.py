"""How the staff of the school sign in. The host reads these."""

from dataclasses import dataclass

from config.parsers import integer, one_of, pattern
from config.setting import setting

NO_ACR_VALUES = "none"


@dataclass(frozen=True)
class StaffVariables:
    """Field `staff_second_factor` is the variable STAFF_SECOND_FACTOR, and so on."""

    staff_second_factor: str = setting(
        one_of("on", "off"), "", "`on`: staff need two factors to sign in, a password and a code, for example"
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

    @property
    def requires_second_factor(self) -> bool:
        return self.staff_second_factor == "on"

    @property
    def second_factor_acr(self) -> str:
        """The value for the provider, "" when it has none."""
        return "" if self.staff_acr_values == NO_ACR_VALUES else self.staff_acr_values
