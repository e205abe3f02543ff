"""Reports about crawlers: what they fetch, which pages they know, and what search engines were last served."""
