"""What a person may ask of us about themselves: everything we hold on them, and that it ends."""

from domain.account.export import Exported, export
from domain.account.farewell import WRONG_ADDRESS, forget

__all__ = ["WRONG_ADDRESS", "Exported", "export", "forget"]
