"""What learners can do with their own data: export all of it, and delete the account."""

from domain.account.anonymise import WRONG_ADDRESS, anonymise_account
from domain.account.export import ExportedData, export

__all__ = ["WRONG_ADDRESS", "ExportedData", "anonymise_account", "export"]
