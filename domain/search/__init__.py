"""Search over published courses and shop items, the same on SQLite and MariaDB.

result = search.search(session, "acounting", ShopQuery(sort=search.RELEVANCE), at)     # a page of results
search.index_product(session, product_id)                                             # in the writer's transaction
"""
