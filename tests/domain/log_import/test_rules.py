"""Which lines are pages, and what is stored of them."""

import re
from itertools import islice

import pytest

from domain.log_import.addresses import LogAddresses, path_of
from domain.log_import.event_ids import EventIds
from domain.log_import.lines import MAX_LINE, LogFile
from domain.log_import.page_rules import LineKind, PageRules, is_embedded, kind_of_status
from tests.domain.log_import.log_files import CHROME, GOOGLEBOT
from tests.domain.log_import.worlds import visitors

KINDS = {
    **{
        "/": LineKind.PAGE,
        "/api": LineKind.FILE,
        "/api/x": LineKind.FILE,
        "/apiary": LineKind.PAGE,
        "/sitemap-2.xml": LineKind.FILE,
    },
    **{
        "/feedback": LineKind.PAGE,
        "/feed.php": LineKind.FILE,
        "/folder.css/": LineKind.PAGE,
        "/download/a.pdf": LineKind.PAGE,
    },
    **{
        "/other/a.PDF": LineKind.FILE,
        "/no/such.page": LineKind.PAGE,
        "/robots.txt": LineKind.FILE,
        "/index.html": LineKind.PAGE,
    },
}


@pytest.mark.parametrize("path", KINDS)
def test_a_path_is_a_page_or_a_file(path):
    assert PageRules(["/download/*.pdf"]).kind_of_path(path) == KINDS[path]


STATUSES = {
    200: LineKind.PAGE,
    299: LineKind.PAGE,
    304: LineKind.PAGE,
    303: LineKind.REDIRECT,
    399: LineKind.REDIRECT,
    400: LineKind.ERROR,
}
STATUSES |= {0: LineKind.ERROR, 101: LineKind.ERROR, 199: LineKind.ERROR, 500: LineKind.ERROR, 999: LineKind.ERROR}


@pytest.mark.parametrize("status", STATUSES)
def test_only_some_answers_may_be_pages(status):
    assert kind_of_status(status) == STATUSES[status]


def test_an_icon_is_no_sign_of_a_browser_that_shows_pages():
    assert [is_embedded(path) for path in ("/a.CSS", "/p.woff2", "/favicon.ico", "/a.pdf", "/")] == [
        *(True, True, False, False, False)
    ]


TARGETS = {
    "/a?b": ("/a?b", "/a"),
    "https://x.example/a?b": ("/a?b", "/a"),
    "http://x.example": ("/", "/"),
    "*": ("", ""),
    "x.example:443": ("", ""),
    "": ("", ""),
    "ftp://x/": ("", ""),
}


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_is_a_path_or_none(target):
    assert path_of(target) == TARGETS[target]


PATH_PAIRS = [("/kurse", "/course-details"), ("/kurse/neu", "/shop"), ("/k", "/course-details?course=k")]
URLS = {
    "/kurse": "/course-details",
    "/kurse?course=a": "/course-details?course=a",
    "/kurse/neu/x": "/shop/x",
    "/kurse-alt": "/kurse-alt",
    "/k?a=b": "/course-details?course=k&a=b",
    "/about?token=secret1": "/about?token={removed}",
    # Days read the campaign from what is stored.
    f"/about?q={'x' * 3000}&UTM_Source=news": "/about?utm_source=news",
    f"/about?q={'x' * 3000}": f"/about?q={'x' * 2039}",
}


@pytest.mark.parametrize("target", URLS)
def test_paths_are_those_of_this_shop_and_without_secrets(target):
    assert LogAddresses([], PATH_PAIRS).url_of(target) == URLS[target]


REFERRERS = {
    ("https://school.example/kurse?x=1", ""): "/course-details",
    ("http://WWW.School.example", ""): "/",
    ("https://shop.example/a", "www.shop.example"): "/a",
    ("https://shop.example/a?b=c", ""): "https://shop.example/a",
    ("https://www.google.com/search?q=a", "-"): "https://www.google.com/search",
    ("-", ""): "",
    ("", ""): "",
    ("javascript:alert(1)", ""): "",
    ("https://[bad/", ""): "",
}


@pytest.mark.parametrize(("referrer", "host"), REFERRERS)
def test_a_referrer_is_a_path_of_the_site_or_a_page_of_another(referrer, host):
    assert LogAddresses(["school.example"], PATH_PAIRS).referrer_of(referrer, host) == REFERRERS[referrer, host]


HOSTS = {
    **{"www.School.example:8080": True, "school.example.": True, "-": True, "school.example:x": False},
    **{"[2001:db8::1]:8080": True, "[2001:db8::1]": True, "2001:db8::2": False, "other.example:8080": False},
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_own_with_any_port(host):
    assert LogAddresses(["school.example", "2001:db8::1"]).is_own(host) == HOSTS[host]


def test_ids_are_of_version_8_with_the_time_of_the_line():
    found = EventIds("school").id_of("line", 1_772_445_600_250)
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", found)
    assert int(found[:8] + found[9:13], 16) == 1_772_445_600_250


def test_the_same_line_has_the_same_id_in_another_file_of_the_site_alone():
    first, again, other = (EventIds(site).id_of("line", 1_000) for site in ("a", "a", "b"))
    assert first == again != other


def test_equal_lines_are_told_apart_also_when_others_come_between():
    ids = EventIds("school")
    found = [ids.id_of("line", 1_000), ids.id_of("other", 290_000), ids.id_of("line", 1_000)]
    assert len(set(found)) == 3


@pytest.mark.parametrize(("seconds", "lines_of_last_span"), [(range(2_000), 5), (range(2_000, 0, -1), 14)])
def test_what_is_remembered_of_lines_does_not_grow_with_the_log(seconds, lines_of_last_span):
    ids = EventIds("school")
    for second in seconds:
        ids.id_of(f"line of {second}", second * 1_000)
    assert (len(ids._seen), ids._count) == (21, 20 * 15 + lines_of_last_span)


def test_a_visitor_is_a_cookie_or_else_an_address_with_an_agent():
    found = visitors()
    same, other_agent = (found.read("::1", "-", agent).session_id for agent in (CHROME, "curl/8.5.0"))
    assert same == visitors().read("::1", "", CHROME).session_id != other_agent
    assert found.read("::1", "s1", CHROME).session_id == found.read("::2", "s1", "curl/8.5.0").session_id
    crawler = found.read("::1", "", GOOGLEBOT)
    assert (crawler.session_id, crawler.visitor_class) == ("", "crawler")


def test_agents_that_are_empty_are_programs_and_forms_without_them_say_nothing():
    found = visitors()
    assert [found.read("::1", "", agent).visitor_class for agent in ("-", "", None)] == [
        "suspected",
        "suspected",
        "human",
    ]


def test_visitors_of_two_sites_have_nothing_in_common():
    assert visitors("a").read("::1", "", CHROME).session_id != visitors("b").read("::1", "", CHROME).session_id


def lines(tmp_path, contents: bytes) -> list[str | None]:
    (tmp_path / "a.log").write_bytes(contents)
    return [*LogFile(tmp_path / "a.log", len(contents)).lines()]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_last_line_may_lack_its_end(tmp_path, end):
    assert lines(tmp_path, b"a\r\nb" + end) == ["a", "b"]


def test_bytes_that_are_no_text_are_replaced(tmp_path):
    assert lines(tmp_path, b"a\xff\n\nb\n") == ["a�", "", "b"]


@pytest.mark.parametrize("length", [MAX_LINE + 1, 3_000_000])
def test_a_line_that_is_too_long_is_none_and_those_beside_it_are_read(tmp_path, length):
    long = b"x" * length
    assert lines(tmp_path, b"a\n" + long + b"\nb\n" + long) == ["a", None, "b", None]


@pytest.mark.parametrize("before", [0, (1 << 20) - 100])
def test_the_length_of_a_line_is_measured_in_bytes_wherever_it_lies(tmp_path, before):
    allowed, long = ("é" * (MAX_LINE // 2), "é" * (MAX_LINE // 2 + 1))
    first = "x\n" * (before // 2)
    found = lines(tmp_path, f"{first}{allowed}\n{long}\n{allowed}\n{long}".encode())
    assert found[before // 2 :] == [allowed, None, allowed, None]


def test_lines_are_read_whole_over_the_parts_of_a_file(tmp_path):
    text = "".join(f"{number} {'ä' * 50}\n" for number in range(30_000))
    found = lines(tmp_path, text.encode())
    assert found == text.split("\n")[:-1]
    assert [*islice(found, 1)] == [f"0 {'ä' * 50}"]
