"""Generates original SVG pictures for products from their kind, category and slug."""

from artwork.covers import cover, generic_cover

# Categories with scenes of their own; the others get scenes by words in their names.
KNOWN = frozenset({"accounting", "tax", "ethics", "data", "leadership", "languages", "finance", "technology"})

__all__ = ["KNOWN", "cover", "generic_cover", "picture"]


def picture(kind: str, category: str, slug: str, variant: int = 0) -> str:
    """The SVG document of the URL /pictures/{kind}/{category}/{slug}/{variant}.svg."""
    return cover(slug, category, kind, variant) if category in KNOWN else generic_cover(slug, category)
