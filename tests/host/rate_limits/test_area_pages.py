"""Pages of areas, their lists as files and their data have one limit for each person, also when refused."""

from tests.host.signing import learner


async def test_pages_data_and_files_count_together(open_site):
    site = await open_site(AREA_PAGES_PER_LEARNER_MINUTE="3")
    support = learner(site, "Sue Support", area="admin", roles=["support"])
    paths = ("/admin/orders", "/data/admin/orders", "/csv/admin/orders")
    assert [(await site.get(path, **support.headers)).status for path in paths] == [200] * 3
    late = [await site.get(path, **support.headers) for path in paths]
    assert [answer.status for answer in late] == [429] * 3
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in late)
    other = learner(site, "Fay Finance", area="admin", roles=["finance"])
    assert (await site.get("/admin/orders", **other.headers)).status == 200


async def test_forbidden_pages_count_too(open_site):
    site = await open_site(AREA_PAGES_PER_LEARNER_MINUTE="1")
    marketer = learner(site, "Mark Keter", area="admin", roles=["marketer"])
    answers = [(await site.get("/csv/admin/orders", **marketer.headers)).status for _ in range(2)]
    assert answers == [403, 429]
