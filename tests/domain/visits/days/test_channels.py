"""Channel, source and campaign of a first visit: the first rule that fits, lists of hosts, and texts of visitors."""

import pytest

from domain.visits.days.channels import VisitSource, device_of, normalised, source_of

GOOGLE, CHATGPT = "https://www.google.com/", "https://chatgpt.com/"


def found(referrer: str = "", page: str = "home", *, is_partner: bool = False, **campaign: str) -> VisitSource:
    return source_of(page, campaign, referrer, is_partner=is_partner)


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ({}, ("direct", "(none)")),
        ({"gclid": "1", "utm_medium": "email"}, ("paid", "Google")),
        ({"msclkid": "1"}, ("paid", "Microsoft")),
        ({"gbraid": "1", "referrer": "https://googleads.g.doubleclick.net/"}, ("paid", "Google")),
        ({"wbraid": "1", "utm_source": "summer"}, ("paid", "summer")),
        ({"ttclid": "1", "referrer": "https://www.tiktok.com/"}, ("paid", "TikTok")),
        ({"li_fat_id": "1"}, ("paid", "LinkedIn")),
        ({"gclid": "", "utm_medium": "post"}, ("direct", "(none)")),
        ({"utm_medium": "cpc", "utm_source": "chatgpt.com"}, ("paid", "chatgpt.com")),
        ({"utm_medium": "CPC", "utm_source": "Google"}, ("paid", "google")),
        ({"page": "doorway", "is_partner": True, "utm_medium": "email"}, ("partner", "(none)")),
        ({"page": "doorway", "utm_medium": "email"}, ("email", "(none)")),
        ({"page": "share-link", "referrer": CHATGPT}, ("student", "ChatGPT")),
        ({"utm_medium": "Newsletter", "referrer": CHATGPT}, ("email", "ChatGPT")),
        ({"utm_source": "chatgpt.com"}, ("assistant", "chatgpt.com")),
        ({"utm_source": "Perplexity"}, ("assistant", "perplexity")),
        ({"utm_source": "spring", "referrer": CHATGPT}, ("assistant", "spring")),
        ({"utm_campaign": "spring", "referrer": GOOGLE}, ("campaign", "Google")),
        ({"utm_medium": "post", "referrer": GOOGLE}, ("search", "Google")),
        ({"fbclid": "1", "referrer": GOOGLE}, ("search", "Google")),
        ({"fbclid": "1"}, ("social", "(none)")),
        ({"referrer": "https://m.facebook.com/x"}, ("social", "Facebook")),
        ({"referrer": "android-app://com.linkedin.android/"}, ("social", "LinkedIn")),
        ({"referrer": "https://www.chamber.example/members"}, ("referral", "chamber.example")),
        ({"referrer": "www.chamber.example"}, ("referral", "chamber.example")),
    ],
)
def test_the_first_rule_that_fits_names_the_channel(about, expected):
    assert found(**about)[:2] == expected


@pytest.mark.parametrize(
    ("referrer", "assistant"),
    [
        ("https://chatgpt.com/", "ChatGPT"),
        ("https://chat.openai.com/", "ChatGPT"),
        ("android-app://com.openai.chatgpt/", "ChatGPT"),
        ("https://www.perplexity.ai/search/x", "Perplexity"),
        ("https://claude.ai/", "Claude"),
        ("https://copilot.microsoft.com/", "Copilot"),
        ("https://m365.cloud.microsoft/", "Copilot"),
        ("https://gemini.google.com/app", "Gemini"),
        ("https://notebooklm.google.com/", "NotebookLM"),
        ("https://chat.mistral.ai/", "Le Chat"),
        ("https://duck.ai/", "Duck.ai"),
        ("https://chat.deepseek.com/", "DeepSeek"),
        ("https://chatgpt.com.evil.example/", "(none)"),
        ("https://www.google.com/", "(none)"),
    ],
)
def test_an_assistant_is_known_by_its_host(referrer, assistant):
    assert found(referrer).assistant == assistant


@pytest.mark.parametrize(
    ("name", "assistant"),
    [("chatgpt.com", "ChatGPT"), ("openai", "ChatGPT"), ("Perplexity", "Perplexity"), ("copilot.com", "Copilot")],
)
def test_an_assistant_is_known_by_the_campaign_that_it_adds(name, assistant):
    assert found(utm_source=name).assistant == assistant


@pytest.mark.parametrize(
    ("host", "engine"),
    [
        ("google.de", "Google"),
        ("news.google.co.uk", "Google"),
        ("google.com.br", "Google"),
        ("gemini.google.com", "(none)"),
        ("google.evil.example", "(none)"),
        ("evilgoogle.com", "(none)"),
        ("google.com.evil.example", "(none)"),
        ("search.yahoo.co.jp", "Yahoo"),
        ("mail.yahoo.com", "(none)"),
    ],
)
def test_a_search_engine_is_known_by_whole_parts_of_its_host(host, engine):
    assert found(f"https://{host}/").engine == engine


def test_a_campaign_is_source_medium_and_name():
    about = found(utm_source="  News   Letter ", utm_medium="", utm_campaign="ÄRGER")
    assert about.campaign == "news letter / - / ärger"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(other)", "other)"),
        (" ( (None)", "none)"),
        ("a\t b", "a b"),
        ("x" * 99 + " y", "x" * 99),
        ("", ""),
    ],
)
def test_a_visitors_text_is_never_one_of_ours(text, expected):
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("agent", "device"), [("Mobile Safari", "mobile"), ("Edge", "desktop"), ("", "(unknown)"), ("Lynx", "(unknown)")]
)
def test_the_device_is_what_the_browser_says_of_it(agent, device):
    assert device_of(agent) == device
