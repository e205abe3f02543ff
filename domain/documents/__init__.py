"""Invoices and credit notes: numbered without gaps, and frozen when they are issued (docs/decisions/0037)."""
