"""The written courses of the demo: a folder each, below it one per section, with the lessons in their order."""
