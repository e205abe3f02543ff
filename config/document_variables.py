"""What invoices and credit notes say about the seller, how long they are kept, and what signs certificates: settings
of host and workers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from config.environment import SettingError
from config.parsers import integer, pattern
from config.setting import read_variables, setting
from domain.documents.issuer import Issuer
from domain.shop_settings.shop import ShopSettings

# Printable text of one line, in any script.
_LINE = r"[^\x00-\x1f\x7f]{1,500}"
# A PKCS #8 key in PEM, or only its base64 text, which fits into one line.
_KEY = r"-----BEGIN (RSA )?PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END (RSA )?PRIVATE KEY-----|[A-Za-z0-9+/=]{1000,}"


@dataclass(frozen=True)
class DocumentVariables:
    """Field `shop_legal_name` is the variable SHOP_LEGAL_NAME, and so on."""

    shop_legal_name: str = setting(
        pattern(_LINE, "one line of text"), "", "the seller's name on invoices; required in production"
    )
    shop_address: str = setting(
        pattern(_LINE, "lines of an address, separated by |"),
        "",
        r"the seller's address on invoices, its lines separated by `\|`",
    )
    shop_vat_id: str = setting(
        pattern(r"[A-Z0-9]{2,20}", "capital letters and digits"),
        "",
        "the seller's VAT id, printed on invoices; without one no business owes the tax itself, and no invoice has a "
        "structured form",
    )
    document_prefix: str = setting(
        pattern(r"[A-Za-z0-9-]{1,12}", "at most 12 letters, digits and hyphens, such as ML-"),
        "",
        "what the numbers of invoices and credit notes begin with, such as `ML-`",
    )

    documents_keep_years: int = setting(
        integer(1, 100),
        10,
        "years that invoices and credit notes keep the buyer's name and addresses, and their orders too",
    )

    certificate_key: str = setting(
        pattern(_KEY, "a private RSA key of at least 2048 bits in PEM, or its base64 text"),
        "",
        "private RSA key, in PEM or as its base64 text, that signs certificates, the same for every host process; "
        "required in production",
        absent="made once, stored in `VAR_DIR`",
    )

    def with_seller(self, shop: ShopSettings) -> ShopSettings:
        """The settings of the shop with what only documents say about the seller."""
        return replace(shop, has_vat_id=bool(self.shop_vat_id))

    def issuer(self, site_name: str, locale: str, country: str) -> Issuer:
        """`site_name`: printed where there is no legal name, in development."""
        lines = tuple(line.strip() for line in self.shop_address.split("|") if line.strip())
        name = self.shop_legal_name or site_name
        return Issuer(name, lines, self.shop_vat_id, self.document_prefix, locale, country)

    def require_certificate_key(self) -> None:
        """Raises SettingError."""
        if not self.certificate_key:
            raise SettingError("CERTIFICATE_KEY must be set in production, the same for every host process")

    def require_legal_name(self) -> None:
        """Raises SettingError."""
        if not self.shop_legal_name:
            raise SettingError("SHOP_LEGAL_NAME must be set in production: it is the seller's name on invoices")


def read_documents(environment: Mapping[str, str]) -> DocumentVariables:
    """For workers, which do not read the settings of the host. Raises SettingError."""
    return read_variables(DocumentVariables, environment)
