"""Invoices and credit notes as PDF files."""
