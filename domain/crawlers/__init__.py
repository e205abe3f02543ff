"""Crawlers: who fetches pages by a program, whether that fits what operators publish, and what they have read."""
