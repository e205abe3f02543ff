"""What is read of single lines, and which are refused."""

import re

import pytest

from domain.log_import.forms import templates
from domain.log_import.forms.cloudfront import CLOUDFRONT
from domain.log_import.forms.expressions import COMBINED, COMMON, VHOST, expression_format
from domain.log_import.forms.json_lines import CADDY, JSON
from domain.log_import.forms.line_fields import NAMES, BrokenLine, LogRefused, unescaped
from domain.log_import.forms.templates import template_format
from domain.log_import.times import milliseconds_of

TIME = "02/Mar/2026:10:00:00 +0000"


def fields(form, line: str, *names: str) -> list:
    found = form.open()(line)
    return [found[NAMES.index(name)] for name in names]


def combined(request: str, agent: str = "a") -> str:
    return f'192.0.2.1 - ada [{TIME}] "{request}" 200 5 "-" "{agent}"'


REQUESTS = {
    "GET /a?b=c HTTP/1.1": ("GET", "/a?b=c"),
    "GET /a": ("GET", "/a"),
    r"GET /a?q=\"x\" HTTP/1.1": ("GET", '/a?q="x"'),
    r"GET /caf\xc3\xa9 HTTP/1.1": ("GET", "/café"),
    "GET /a b HTTP/1.1": ("", ""),
    r"\x16\x03\x01": ("", ""),
    "-": ("", ""),
    "": ("", ""),
}


@pytest.mark.parametrize("request_line", REQUESTS)
def test_a_request_is_read_or_is_none(request_line):
    method, target = fields(COMBINED, combined(request_line), "method", "target")
    assert (method or "", target or "") == REQUESTS[request_line]


def test_quotes_in_an_agent_do_not_end_it():
    assert fields(COMBINED, combined("GET / HTTP/1.1", r"x \"y\" \\z"), "agent") == ['x "y" \\z']


def test_more_fields_after_those_of_combined_are_left_out():
    assert fields(COMBINED, combined("GET / HTTP/1.1") + " rt=0.1 -", "agent", "status") == ["a", "200"]


def test_a_form_without_agents_has_none():
    assert fields(COMMON, f'::1 - - [{TIME}] "GET / HTTP/1.1" 200 -', "address", "agent") == ["::1", None]


def test_a_virtual_host_is_the_host_without_its_port():
    assert fields(VHOST, f"a.example:443 {combined('GET / HTTP/1.1')}", "host", "address") == ["a.example", "192.0.2.1"]


WRONG = ["", "x", f"192.0.2.1 - - [{TIME}]", combined("GET /").replace(" 200 ", " ok "), combined("GET /")[:-1]]


@pytest.mark.parametrize("line", WRONG)
def test_lines_of_no_form_are_none(line):
    assert [form.open()(line) for form in (COMMON, COMBINED, VHOST, JSON, CADDY)] == [None] * 5


@pytest.mark.parametrize("line", ["[1]", "1", "{}", '{"request": "GET /"}', "{" * 100_000, '{"status": 200}'])
def test_json_that_is_no_line_of_a_log_is_none(line):
    assert (JSON.open()(line), CADDY.open()(line)) == (None, None)


def test_json_may_have_method_and_uri_apart():
    line = '{"time": 1772445600.25, "ip": "::1", "method": "GET", "uri": "/a", "status": "200", "host": "a.example:80"}'
    assert fields(JSON, line, "time", "method", "target", "host", "agent") == [
        *("1772445600.25", "GET", "/a", "a.example", None)
    ]


def test_json_has_the_first_key_with_a_text_or_a_number():
    agents = '"agent": {"type": "filebeat"}, "user_agent": "", "useragent": "curl/8"'
    hosts = '"http_host": "-", "host": "a.example"'
    line = f'{{"time": "", "ts": 1772445600, "status": null, "code": 200, {hosts}, {agents}}}'
    assert fields(JSON, line, "time", "status", "host", "agent") == ["1772445600", "200", "a.example", "curl/8"]
    assert fields(JSON, '{"ts": 1, "code": 200, "agent": {"type": "filebeat"}}', "agent") == [None]
    assert fields(JSON, '{"ts": 1, "code": 200, "agent": null}', "agent") == [""]


def test_what_caddy_logs_beside_requests_is_broken():
    with pytest.raises(BrokenLine, match="no answered request"):
        CADDY.open()('{"request": {"method": "GET"}}')


def test_columns_of_cloudfront_are_those_that_the_file_names():
    read = CLOUDFRONT.open()
    assert read("#Fields: date time sc-status c-ip cs-method cs-uri-stem cs(User-Agent) cs-uri-query") is None
    found = read("2026-03-02\t10:00:00\t200\t::1\tGET\t/a\tMozilla%2520%2528x%2529\tb=c")
    assert [found[NAMES.index(name)] for name in ("time", "target", "agent", "status", "host")] == [
        *("2026-03-02T10:00:00+00:00", "/a?b=c", "Mozilla (x)", "200", "")
    ]


def test_a_line_of_cloudfront_that_was_cut_off_is_broken():
    """Otherwise it would be a page of a visitor whose agent ends there."""
    read = CLOUDFRONT.open()
    names = "date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs(Referer) x-host-header sc-bytes"
    assert read(f"#Fields: {names}") is None
    whole = "2026-03-02\t10:00:00\t::1\tGET\t/a\t200\tMozilla\t-\ta.example\t5"
    assert read(whole) is not None
    with pytest.raises(BrokenLine, match="fewer columns than the line #Fields names"):
        read(whole.rpartition("illa")[0])


TEMPLATES = {
    ('%h %l %u %t "%r" %>s %b', f'::1 - - [{TIME}] "GET /a HTTP/1.1" 200 5'): ["::1", "", TIME, "GET", "/a", "200"],
    (r"%{X-Id}i %a %m %U %q %{sid}C [%t] %s", f"9 ::1 GET /a ?b=c s1 [[{TIME}]] 304"): [
        *("::1", "s1", TIME, "GET", "/a?b=c", "304")
    ],
    ('$msec;$cookie_sid;"$request";$status', '1772445600.250;s1;"GET /a HTTP/1.1";200'): [
        *("", "s1", "1772445600.250", "GET", "/a", "200")
    ],
    ("$remote_addr [$time_local] $request_method ${uri} $args $status", f"::1 [{TIME}] GET /a - 200"): [
        *("::1", "", TIME, "GET", "/a", "200")
    ],
    (
        '$remote_addr $msec "$request_method $uri$is_args$args $server_protocol" $status',
        '::1 1.5 "GET /a?b=c- H" 200',
    ): [*("::1", "", "1.5", "GET", "/a?b=c-", "200")],
    ('$remote_addr $msec $request_method "$uri$is_args$args" $status', '::1 1.5 GET "/a-b-" 200'): [
        *("::1", "", "1.5", "GET", "/a-b", "200")
    ],
    ("%h %t %m %U%q %D%X %s", f"::1 [{TIME}] GET /a-?b=c 12+ 200"): ["::1", "", TIME, "GET", "/a-?b=c", "200"],
    ('%h %t %m %U%q "%r" %s', f'::1 [{TIME}] PUT /b "GET /a HTTP/1.1" 200'): ["::1", "", TIME, "GET", "/a", "200"],
    ("%h %h %t %r %s 100%%", f"::1 ::2 [{TIME}] GET /a HTTP/1.1 200 100%"): ["::1", "", TIME, "GET", "/a", "200"],
}


@pytest.mark.parametrize(("template", "line"), TEMPLATES)
def test_a_template_reads_what_its_server_writes(template, line):
    names = ("address", "visitor", "time", "method", "target", "status")
    assert fields(template_format(template), line, *names) == TEMPLATES[template, line]


@pytest.mark.parametrize("fields", ["$scheme://$host$request_uri", "$status$body_bytes_sent", "$uri$status"])
def test_fields_that_nothing_keeps_apart_are_refused(fields):
    with pytest.raises(LogRefused, match=r"without text between them.*Nothing was changed"):
        template_format(f"$remote_addr $msec $request_method $args {fields}")


def test_an_expression_does_not_try_all_ends_of_fields_beside_each_other(monkeypatch):
    made = []
    monkeypatch.setattr(
        templates, "expression_format", lambda name, text: made.append(text) or expression_format(name, text)
    )
    template = (
        '"$request_method $uri$is_args$args $server_protocol" $status $msec $remote_addr $scheme$https $request_id'
    )
    read = template_format(template).open()
    assert not re.search(r"\*\)?(\(\?(:|P<\w+>))?\\S\*", made[0])
    assert read(f'"GET /{"a-?" * 20_000} HTTP/1.1" 200 1.5 ::1 https 1 2') is None


LACKING = {
    '%h "%r" %s': "a time",
    "%h %t %s": "a request",
    '%h %t "%r"': "a status",
    '%t "%r" %s': "an address or a cookie",
    "nothing": "a time",
}


@pytest.mark.parametrize("template", LACKING)
def test_a_template_that_lacks_what_a_visit_needs_is_refused(template):
    with pytest.raises(LogRefused, match=f"lacks {LACKING[template]}.*Nothing was changed"):
        template_format(template)


TIMES = {
    "02/Mar/2026:10:00:00 +0000": 1_772_445_600_000,
    "02/Mar/2026:10:00:00 +0530": 1_772_425_800_000,
    "02/Mar/2026:10:00:00 -0330": 1_772_458_200_000,
    "2026-03-02T10:00:00Z": 1_772_445_600_000,
    "2026-03-02T10:00:00.250+01:00": 1_772_442_000_250,
    "2026-03-02 10:00:00": 1_772_445_600_000,
    "1772445600": 1_772_445_600_000,
    "1772445600.25": 1_772_445_600_250,
    "1772445600250": 1_772_445_600_250,
}


@pytest.mark.parametrize("text", TIMES)
def test_times_are_read_to_the_millisecond(text):
    assert milliseconds_of(text) == TIMES[text]


@pytest.mark.parametrize(
    "text", ["", "-", "now", "31/Feb/2026:10:00:00 +0000", "02/Xyz/2026:10:00:00 +0000", "nan", "inf", "-5", "1e300"]
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises((ValueError, OverflowError)):
        milliseconds_of(text)


def test_bytes_that_are_no_utf8_are_kept_as_they_are():
    assert unescaped(r"\xff\n\q") == "\xff\nq"
