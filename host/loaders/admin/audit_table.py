"""The rows of events under their former name, for the pages of /admin that are still being written."""

from host.loaders.areas.audit_table import DELETED, actor_text, change_text, events_table, value_text

__all__ = ["DELETED", "actor_text", "change_text", "events_table", "value_text"]
