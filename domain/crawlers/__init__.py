"""Crawlers: who fetches pages by a program, what operators publish about theirs, and whether it fits."""
