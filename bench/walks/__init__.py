"""Pages of a thousand addresses in turn: what a page costs that nobody asked for a moment ago."""
