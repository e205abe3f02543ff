"""Crawls a running site from its sitemaps and links, and reports every breach of the SEO contract.

crawl.py fetches; page.py parses one response; head.py, body.py and markup.py have the rules of one page, each a small
function in a table; whole.py has the rules that compare pages, sitemaps.py and probes.py those of other addresses.
Memory grows with the number of addresses, by some hundred bytes each, and not with the size of the pages.
"""
