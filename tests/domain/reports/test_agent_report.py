"""One line for each agent: what it read, whom it brought, its cart links and the orders of these, to the cent."""

import pytest
from sqlalchemy import update

from domain.crawlers import program_links
from domain.crawlers.fetches import AnsweredFetch
from domain.crawlers.operators import UNKNOWN_AGENT, agent_of, crawlers
from domain.crawlers.verification import CheckedCrawler, CrawlerVerification, Finding, Method, store_checks
from domain.reports import sales_lines
from domain.reports.crawl_reports import agent_report
from domain.reports.crawl_reports.agent_activity import CHECKED, NOT_CHECKED, PARTLY_CHECKED
from domain.reports.crawl_reports.readers import NOT_VERIFIED_NOTE
from domain.reports.visit_reports.figures import definitions
from domain.tables import OrderLine, ProgramLink
from domain.visits.days.channels import lists
from tests.domain.orders import taxed
from tests.domain.reports import selling_days
from tests.domain.reports.report_worlds import DAY, HOUR, MIDNIGHT, NOON, ask, compute, figures, sell
from tests.domain.visits.days.worlds import add, crawl, visit
from tests.support import factories

VAT = "/course-details?course=vat-basics"
CHATGPT = "https://chatgpt.com/"
ALL = ("pages", "feeds", "sessions", "links", "opened", "orders", "net")


def read(number, at, url, agent="ChatGPT-User", status=200, *, ip_hash=""):
    return crawl(number, at, url, agent=agent, attributes=AnsweredFetch(status, 900, 5).as_text(), ip_hash=ip_hash)


def came(number, at, session_id, referrer=CHATGPT):
    return visit(number, at, VAT, session_id, referrer=referrer, attributes=None, ip_hash="")


def link(session, name, at, agent="ChatGPT-User", opened_at=None):
    program_links.note_created(session, name.ljust(64, "0"), agent, at)
    session.flush()
    if opened_at is not None:
        assert program_links.note_opened(session, name.ljust(64, "0"), opened_at)


def prove(session, agent, ip_hash, verification=CrawlerVerification.VERIFIED):
    store_checks(session, [CheckedCrawler(agent, ip_hash, Finding(verification, Method.RANGE))], NOON)


@pytest.mark.each_database
def test_an_agent_has_one_line_from_the_page_it_read_to_the_order(database):
    with database.write_session() as session:
        factories.course(session, factories.category(session).id, "vat-basics")
        add(
            session,
            *(read(1, NOON, VAT), read(2, NOON + HOUR, VAT, status=304), read(3, NOON, "/gone", status=404)),
            *(read(4, NOON, "/llms.txt"), read(5, NOON, "/products.jsonl"), read(6, NOON, "/robots.txt")),
            *(came(10, NOON, "a"), came(11, NOON + HOUR, "b"), came(12, NOON, "c", "https://www.google.com/")),
            read(20, NOON, VAT, "Googlebot"),
        )
        link(session, "a", NOON, opened_at=NOON + HOUR)
        link(session, "b", NOON)
        ada = factories.learner(session).id
        sell(session, ada, "A", NOON, {"agent": "ChatGPT-User"}, {"unit_minor": 500})
        sell(session, factories.learner(session, "Bo").id, "B", NOON, {})
    compute(database)
    answer = ask(database, "agents")
    assert figures(answer, *ALL) == {"ChatGPT": (2, 2, 2, 2, 1, 1, 10_000), "Googlebot": (1, 0, 0, 0, 0, 0, 0)}
    assert {key: answer.totals[key] for key in ALL} == dict(zip(ALL, (3, 2, 2, 2, 1, 1, 10_000), strict=True))
    assert [values["pages"] for values in answer.series.values] == [0, 3, 0, 0, 0, 0]
    assert (answer.currency, answer.empty) == ("USD", "")
    assert {row.label: row.words["checked"] for row in answer.rows} == dict.fromkeys(
        ("ChatGPT", "Googlebot"), NOT_CHECKED
    )
    assert NOT_VERIFIED_NOTE in answer.notes


def test_programs_without_a_known_name_are_one_line_and_never_guessed(database):
    with database.write_session() as session:
        add(session, read(1, NOON, VAT, "ChattyBot"), read(2, NOON, VAT, "(unknown)"))
        for name, agent in (("a", "other"), ("b", "Python Requests"), ("c", "chatgpt")):
            link(session, name, NOON, agent)
        sell(session, factories.learner(session).id, "A", NOON, {"agent": "curl"})
    compute(database)
    answer = ask(database, "agents")
    assert figures(answer, *ALL) == {UNKNOWN_AGENT: (2, 0, 0, 3, 0, 1, 10_000)}
    assert any(note.startswith(UNKNOWN_AGENT) for note in answer.notes)


def test_once_a_crawler_has_proved_who_it_is_others_of_its_name_are_left_out(database):
    with database.write_session() as session:
        prove(session, "ChatGPT-User", "a" * 16)
        prove(session, "ChatGPT-User", "b" * 16, CrawlerVerification.SPOOFED)
        prove(session, "Perplexity-User", "c" * 16)
        add(
            session,
            *(read(number, NOON, VAT, ip_hash=ip * 16) for number, ip in enumerate("aabbbd", 1)),
            read(10, NOON, VAT, "Perplexity-User", ip_hash="c" * 16),
            read(11, NOON, "/llms.txt", "PerplexityUser"),
        )
    compute(database)
    answer = ask(database, "agents")
    assert figures(answer, "pages", "feeds") == {"ChatGPT": (2, 0), "Perplexity": (1, 1)}
    assert {row.label: row.words["checked"] for row in answer.rows} == {
        "ChatGPT": CHECKED,
        "Perplexity": PARTLY_CHECKED,
    }
    assert f"Left out: 3 fetches {agent_report.SPOOFED}" in answer.notes
    assert f"Left out: 1 fetch {agent_report.UNCHECKED}" in answer.notes


@pytest.mark.each_database
def test_refunds_lower_the_day_of_the_sale_to_the_cent_and_other_lines_do_not_count(database):
    with database.write_session() as session:
        world = taxed.fill(session)
        lines = selling_days.RequestedItem(world.course), selling_days.RequestedItem(world.book, 3)
        order = taxed.buy(session, world.learner, *lines, at=selling_days.at_day(1))
        session.execute(
            update(OrderLine).where(OrderLine.order_id == order.id, OrderLine.number == 2).values(agent="Claude-User")
        )
        taxed.give_back(session, order, {1: 1, 2: 1}, at=selling_days.at_day(3))
    compute(database, selling_days.at_day(8))
    with database.read_session() as session:
        [line] = [one for one in sales_lines.of_order(session, order.id) if one.product_id == world.book]
    assert line.refunded_net_minor > 0
    first, third = (f"{selling_days.DAYS[number]}" for number in (0, 2))
    sold = ask(database, "agents", selling_days.at_day(8), **{"from": first, "to": first})
    assert figures(sold, "orders", "net") == {"Claude": (1, line.net_minor)}
    back = ask(database, "agents", selling_days.at_day(8), **{"from": third, "to": third})
    assert (back.rows, back.totals["net"], back.empty) == ([], 0, agent_report.NOTHING)


def test_an_order_of_two_agents_counts_once_in_the_total_and_currencies_are_apart(database):
    with database.write_session() as session:
        buyer = factories.learner(session).id
        sell(session, buyer, "A", NOON, {"agent": "ChatGPT-User"}, {"agent": "Claude-User", "unit_minor": 300})
        sell(session, buyer, "B", NOON, {"agent": "ChatGPT-User", "unit_minor": 7}, currency="JPY")
    compute(database)
    answer = ask(database, "agents", currency="USD")
    assert figures(answer, "orders", "net") == {"ChatGPT": (1, 10_000), "Claude": (1, 300)}
    assert (answer.totals["orders"], answer.totals["net"]) == (1, 10_300)
    yen = ask(database, "agents", currency="JPY")
    assert (figures(yen, "net"), yen.currencies) == ({"ChatGPT": (7,)}, ("USD", "JPY"))


def test_a_chosen_agent_shows_the_pages_that_it_has_read_and_its_days(database):
    with database.write_session() as session:
        prove(session, "ChatGPT-User", "a" * 16)
        add(session, read(1, MIDNIGHT, VAT, ip_hash="a" * 16), read(2, NOON, VAT, ip_hash="a" * 16))
        add(session, read(3, NOON, "/terms", "Googlebot"))
    compute(database)
    answer = ask(database, "agents", f="agent:ChatGPT")
    [page] = answer.rows
    assert (page.key, page.href, page.figures, page.words["last"]) == (
        VAT,
        VAT,
        {"knownDays": 5},
        "2026-03-02 12:00:00",
    )
    assert (page.words["checked"], answer.totals["pages"], answer.chosen_label) == (CHECKED, 2, "ChatGPT")
    assert agent_report.PAGES_NOTE in answer.notes
    days = ask(database, "agents", f="agent:ChatGPT", by="day")
    assert [(row.key, row.figures["pages"]) for row in days.rows] == [("2026-03-02", 2)]
    everyone = ask(database, "agents", by="page")
    assert [row.key for row in everyone.rows] == [VAT, "/terms"]
    nobody = ask(database, "agents", f="agent:Nobody")
    assert (nobody.rows, nobody.empty, nobody.chosen_label) == ([], agent_report.NOTHING, "Nobody")


def test_a_shop_without_agents_says_so(database):
    answer = ask(database, "agents")
    assert (answer.rows, answer.empty, answer.totals["net"]) == ([], agent_report.NOTHING, 0)


@pytest.mark.each_database
def test_a_link_is_opened_once_and_forgotten_after_the_time_of_touchpoints(database):
    with database.write_session() as session:
        link(session, "a", NOON, opened_at=NOON + HOUR)
        assert not program_links.note_opened(session, "a".ljust(64, "0"), NOON + 2 * HOUR)
        assert not program_links.note_opened(session, "b" * 64, NOON)
        link(session, "c", NOON + DAY)
        assert session.get_one(ProgramLink, "a".ljust(64, "0")).opened_at == NOON + HOUR
        assert program_links.count_old(session, NOON + DAY) == 1
        assert program_links.delete_old(session, NOON + DAY, 10) == 1
        [left] = program_links.created_between(session, NOON, NOON + 9 * DAY)
        assert (left.created_at, left.is_opened) == (NOON + DAY, False)


def test_every_name_of_operators_leads_to_one_agent_and_no_assistant_is_a_crawler():
    assistants = {crawler.assistant for crawler in crawlers().values()} - {""}
    assert {agent_of(name) for name in crawlers()} == assistants | {
        name for name, crawler in crawlers().items() if not crawler.assistant
    }
    others = {name for name, crawler in crawlers().items() if not crawler.assistant}
    assert others.isdisjoint(assistants | lists()["assistants"].keys())
    assert (agent_of("chatgpt-user"), agent_of("")) == (UNKNOWN_AGENT, UNKNOWN_AGENT)


# Figure, what the example says, and its value.
def _pages(session):
    add(session, read(1, NOON, VAT, "Googlebot"), read(2, NOON, "/terms", "Googlebot"))
    add(session, read(3, NOON + DAY, VAT, "Googlebot"), read(4, NOON, "/gone", "Googlebot", 404))


def _feeds(session):
    add(session, *(read(number, NOON, url) for number, url in enumerate(("/llms.txt", "/products.jsonl"))))
    add(session, read(3, NOON + DAY, "/products.jsonl"))


def _sessions(session):
    add(session, came(1, NOON, "a"), came(2, NOON + HOUR, "b"))


def _links(session):
    link(session, "a", NOON)
    link(session, "b", NOON)


def _opened(session):
    link(session, "a", NOON, opened_at=NOON)
    for _ in range(4):
        program_links.note_opened(session, "a".ljust(64, "0"), NOON + HOUR)
    link(session, "b", NOON)


def _order(session):
    sell(session, factories.learner(session).id, "A", NOON, {"agent": "ChatGPT-User"}, {})


EXAMPLES = [
    ("pages", _pages, 3, "3 pages read"),
    ("feeds", _feeds, 3, "3 feeds read"),
    ("sessions", _sessions, 2, "2 sessions"),
    ("links", _links, 2, "2 cart links"),
    ("opened", _opened, 1, "1 opened"),
    ("orders", _order, 1, "1 order"),
]


@pytest.mark.parametrize(("figure", "fill", "value", "says"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_the_worked_example_of_a_figure_is_what_the_report_computes(database, figure, fill, value, says):
    with database.write_session() as session:
        fill(session)
    compute(database)
    assert ask(database, "agents").totals[figure] == value
    defined = definitions(agent_report.AGENTS.definitions)
    assert says in defined[figure].example
    assert defined.keys() == agent_report.FIGURES.keys()
