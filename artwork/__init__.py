"""Original SVG pictures for the demo shop, drawn from nothing but a name and a category."""

from .covers import cover, generic_cover

# Categories with scenes of their own; what is imported into others gets a general one.
KNOWN = frozenset({"accounting", "tax", "ethics", "data", "leadership", "languages", "finance", "technology"})

__all__ = ["KNOWN", "cover", "generic_cover", "picture"]


def picture(kind: str, category: str, slug: str, variant: int = 0) -> str:
    """The picture behind an address /pictures/{kind}/{category}/{slug}/{variant}.svg."""
    return cover(slug, category, kind, variant) if category in KNOWN else generic_cover(slug, category)
