"""Pictures that staff send: re-encoded in up to three widths, shown under an address that never changes."""

from domain.images.rows import (
    MAX_ALT_LENGTH,
    NewImage,
    Rendition,
    StoredImage,
    address_of,
    digest_of,
    public_file,
    require_address,
    smaller_widths,
    store,
    to_show,
)

__all__ = [
    "MAX_ALT_LENGTH",
    "NewImage",
    "Rendition",
    "StoredImage",
    "address_of",
    "digest_of",
    "public_file",
    "require_address",
    "smaller_widths",
    "store",
    "to_show",
]
