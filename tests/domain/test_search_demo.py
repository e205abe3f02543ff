"""What people may type into the demo shop's search box, and the first hits they get: the same on both databases."""

import pytest

from tests.domain.searching import demo, find, names  # noqa: F401 a fixture

VAT = ["VAT Fundamentals for Finance Teams", "Cross-Border VAT: Goods, Services and Platforms", "VAT at the Border"]
C_SHARP = ["C# for Automating Office Work", "From Excel to C#: Automating Recurring Reports"]
EXCEL = ["Clean Data in Excel: Tables, Queries and Pivots", "From Excel to C#: Automating Recurring Reports"]
NAIVE = ["Naïve Forecasts and Beyond: Demand Planning Basics"]
ENCODING = ["Text Encoding at Work: From Zoë to Łukasz"]
JAPANESE = ["英文財務諸表の読み方と説明のしかた"]
INGLES = ["Inglés para reuniones de finanzas"]
ENTRETIEN = ["Préparer et mener l'entretien annuel"]
LIQUIDITY = ["Liquiditätsplanung für den Mittelstand"]
BORDER = ["VAT at the Border", "Cross-Border VAT: Goods, Services and Platforms"]
CASH = ["Cash Flow Forecasting: The Thirteen-Week Model", "Thirteen Weeks of Cash"]
CLOSE = ["The Controller's Guide to a Faster Month-End Close", "The Calm Month End"]
LEASES = ["Fixed Assets & Leases: From Invoice to Disclosure"]
MEETINGS = ["Chairing Meetings That End on Time", "Business Japanese for Meetings"]
APIS = ["APIs Explained for Analysts and Managers"]
LEADERSHIP = ["Chairing Meetings That End on Time", "Difficult Conversations at Work"]

# Typed, how it is answered, the first hits, how many there are (None: not the point).
EXACT = [
    ("Go", ["Go for Internal Services"], 11),
    ("golang", ["Go for Internal Services"], 11),
    ("C#", C_SHARP, 2),
    ("c# excel", C_SHARP[1:], 1),
    ("csharp", C_SHARP, 2),
    ("C", C_SHARP, 3),
    ("UX", ["UX for Internal Tools"], 1),
    ("ux tools", ["UX for Internal Tools"], 1),
    ("AI", ["Responsible AI for Teams That Already Use It", "Generative AI at Work: Draft, Check, Disclose"], 2),
    ("API", APIS, 1),
    ("apis", APIS, 1),
    ("IT", ["Cloud Cost Control for Finance and IT"], None),
    ("IFRS 15", ["IFRS 15: Revenue Recognition in Practice"], 1),
    ("ias 12", ["Deferred Tax Workshop: IAS 12 by Worked Example"], 1),
    ("naïve", NAIVE, 1),
    ("naive", NAIVE, 1),
    ("NAÏVE forecasts", NAIVE, 1),
    ("Zoë", ENCODING, 1),
    ("zoe", ENCODING, 1),
    ("Łukasz", ENCODING, 1),
    ("lukasz", ENCODING, 1),
    ("日本語", JAPANESE, 1),
    ("財務諸表", JAPANESE, 1),
    ("英", JAPANESE, 1),
    ("ingles", INGLES, 1),
    ("inglés", INGLES, 1),
    ("Inglés para reuniones", INGLES, 1),
    ("proteccion datos", ["Protección de datos para equipos de Recursos Humanos"], 1),
    ("entretien", ENTRETIEN, 1),
    ("l'entretien annuel", ENTRETIEN, 1),
    ("l\u2019entretien", ENTRETIEN, 1),
    ("Liquiditätsplanung", LIQUIDITY, 1),
    ("liquiditatsplanung", LIQUIDITY, 1),
    ("vat", VAT, 4),
    ("vAt", VAT, 4),
    ("VAT fundamentals", VAT[:2], 2),
    ("vat at the border", BORDER, 2),
    ("cross-bor", ["Cross-Border VAT: Goods, Services and Platforms"], 4),
    ("cross border vat", ["Cross-Border VAT: Goods, Services and Platforms"], 1),
    ("crossborder", ["Cross-Border VAT: Goods, Services and Platforms"], 3),
    ("cash flow", CASH, 6),
    ("cash-flow", CASH, 6),
    ("month end close", CLOSE, 2),
    ("fixed assets & leases", LEASES, 1),
    ("fixed assets and leases", LEASES, 1),
    ("controller's guide", CLOSE[:1], 5),
    ("controllers guide", CLOSE[:1], 5),
    ("meeting", MEETINGS, 12),
    ("meetings", MEETINGS, 12),
    ("currencies", ["Group Consolidation Step by Step"], 4),
    ("first ninety days", ["First Ninety Days as a Team Lead", "Your First Ninety Days as a Manager"], 3),
    ("time value of money", ["Time Value of Money: A Refresher"], 1),
    ("chairing meetings that end on time", MEETINGS[:1], 1),
    ("exam voucher", ["Exam Voucher: Group Reporting", "Exam Voucher: Business Spanish B2"], 5),
    ("elif kaya", ["SQL for Analysts Who Live in Spreadsheets"], 6),
    ("ML-BK-001", ["The Calm Month End"], 1),
    ("german", ["Business German: Emails and Phone Calls", *LIQUIDITY], 3),
    ("deutsch", LIQUIDITY, 1),
    ("🙂 excel", EXCEL, 2),
    ("100%", ["Tax Terms Flash Cards", "Ledger Notebook A5"], 2),
    ("of", ["Time Value of Money: A Refresher"], 3),
]
CORRECTED = [
    ("acounting", "accounting", ["Consolidation, Case by Case"], 17),
    ("leadrship", "leadership", LEADERSHIP, 11),
    ("excell", "excel", EXCEL, 2),
    ("phising", "phishing", ["Phishing & Password Habits at Work"], 1),
    ("statistcs", "statistics", ["Statistics for People Who Make Decisions"], 1),
    ("witholding paymnts", "withholding payments", ["Withholding Tax on Payments Abroad"], 1),
    ("conflicts of intrest", "conflicts of interest", ["Conflicts of Interest in an Hour"], 2),
    ("liquiditaetsplanung", "liquiditätsplanung", LIQUIDITY, 1),
    ("cashflow", "cash flow", CASH, 6),
    ("phish ing", "phishing", ["Phishing & Password Habits at Work"], 1),
]
PARTIAL = [
    ("vat qwrtz", ("qwrtz",), VAT, 4),
    ("gdpr zzzz", ("zzzz",), ["GDPR for Everyday Decisions"], 1),
    ("prepare entretien", (), ENTRETIEN, 20),
    ("'; drop table products; --", (), ["SQL for Analysts Who Live in Spreadsheets"], None),
]
NOTHING = [
    "c++",
    ".NET",
    "R",
    "会議",
    "税",
    "qwrtz",
    "x" * 300,
    "🙂",
    "🙂👍",
    "!!!",
    "%",
    "%%",
    "_",
    "\\",
    "'",
    '"',
    "--",
    "*",
]


@pytest.mark.parametrize(("typed", "first", "total"), EXACT, ids=[row[0] for row in EXACT])
def test_all_words_are_found(demo, typed, first, total):  # noqa: F811
    found = find(demo, typed)
    assert (found.answer, names(found)[: len(first)]) == ("exact", first)
    assert total in (None, found.total)


@pytest.mark.parametrize(("typed", "meant", "first", "total"), CORRECTED, ids=[row[0] for row in CORRECTED])
def test_a_slip_is_mended_and_said(demo, typed, meant, first, total):  # noqa: F811
    found = find(demo, typed)
    assert (found.answer, found.understood, found.total) == ("corrected", meant, total)
    assert names(found)[: len(first)] == first
    assert find(demo, typed, as_typed=True).answer != "corrected"


@pytest.mark.parametrize(("typed", "unknown", "first", "total"), PARTIAL, ids=[row[0] for row in PARTIAL])
def test_what_has_some_of_the_words_is_said_to_be_that(demo, typed, unknown, first, total):  # noqa: F811
    found = find(demo, typed)
    assert (found.answer, found.unknown, names(found)[: len(first)]) == ("partial", unknown, first)
    assert total in (None, found.total)


@pytest.mark.parametrize("typed", NOTHING)
def test_nothing_is_found_and_nothing_breaks(demo, typed):  # noqa: F811
    found = find(demo, typed)
    assert (found.answer, found.total, found.everything, list(found.rows)) == ("none", 0, 0, [])


@pytest.mark.parametrize("typed", ["distance selling one stop shop", "desk security kit", "data quality ownership"])
def test_what_is_not_published_is_not_found(demo, typed):  # noqa: F811
    assert find(demo, typed).answer == "partial"
