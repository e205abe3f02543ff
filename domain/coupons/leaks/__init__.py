"""Codes that more people know than should: noticed by the hour, and what staff do about it (docs/decisions)."""

from domain.coupons.leaks.alarms import MAX_REASON, AlarmDecision, dismiss, pause, replace
from domain.coupons.leaks.raising import raise_alarms

__all__ = ["MAX_REASON", "AlarmDecision", "dismiss", "pause", "raise_alarms", "replace"]
