"""Certificates as PDF files and as signed credentials (Open Badges 3.0), and the keys to check these."""
