"""Original SVG pictures for the demo shop, drawn from nothing but a name and a category."""

from .covers import cover, generic_cover

__all__ = ["cover", "generic_cover"]
