"""Crawls a running site from its sitemaps and links, and names every breach of the SEO contract.

crawl.py fetches; page.py reads one answer; head.py, body.py and markup.py hold the rules of a page, each a small
function in a table; whole.py holds the rules that need many pages, sitemaps.py and probes.py those of the site around.
Memory is bounded by the number of addresses (some hundred bytes for each), never by what stands on the pages.
"""
