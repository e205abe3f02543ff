"""Campaigns of addresses, as people and programs write them."""

import pytest

from domain.visits.campaigns import CLICK_IDS
from domain.visits.visits import URL_LENGTH, address_of, campaign_of

NEWS = {"utm_source": "news", "utm_medium": "email"}
LONG = "/shop?q=" + "x" * URL_LENGTH


@pytest.mark.parametrize(
    ("url", "campaign"),
    [
        ("/shop", {}),
        ("/shop?page=2", {}),
        ("/?utm_source=news&utm_medium=email&x=1", NEWS),
        ("/?utm_source", {}),
        ("/utm_source=news", {}),
        ("/?x=utm_source&medium=email", {}),
        pytest.param("/about?UTM_Source=Newsletter&Utm_mEDIUM=email", NEWS | {"utm_source": "Newsletter"}, id="case"),
        pytest.param("/?utm%5Fsource=news&utm_medium=email", NEWS, id="an escaped name"),
        pytest.param("/?utm_source=news&amp;utm_medium=email", NEWS, id="of HTML"),
        pytest.param("/?utm_source=news&amp;amp;utm_medium=email", NEWS, id="of HTML twice"),
        pytest.param("/?utm_source=news&AMP;UTM_MEDIUM=email", NEWS, id="of HTML in capitals"),
        pytest.param("/?utm_source%3Dnews%26utm_medium%3Demail", NEWS, id="escaped as a whole"),
        pytest.param("/?utm_source=news%26amp%3Butm_medium%3Demail", NEWS, id="of HTML, escaped"),
        pytest.param("/?to=%2Fshop%3Futm_source%3Dnews%26utm_medium%3Demail", NEWS, id="of an address in it"),
        pytest.param("/?page=2?utm_source=news&utm_medium=email", NEWS, id="a second question mark"),
        pytest.param("/?utm_content=really%3F+why?&x", {"utm_content": "really? why?"}, id="question marks in a text"),
        pytest.param("/?utm_source=a%26b&utm_term=c%2B%2B", {"utm_source": "a&b", "utm_term": "c++"}, id="in a text"),
        pytest.param("/?utm_campaign=Fr%C3%BChling+26", {"utm_campaign": "Fr\u00fchling 26"}, id="plus and percent"),
        pytest.param("/?gclid=a&gclid=b", {"gclid": "a"}, id="the first of two"),
        pytest.param("/?utm_source=&UTM_SOURCE=b", {"utm_source": "b"}, id="the first that says something"),
        pytest.param("/?utm_term=a%00b%0Ac", {"utm_term": "abc"}, id="control characters"),
        pytest.param("/?utm_source=" + "x" * 300, {"utm_source": "x" * 200}, id="200 letters"),
        pytest.param("/?" + "n=1&" * 300 + "utm_source=a", {"utm_source": "a"}, id="many parameters"),
        pytest.param("/?utm_id=7&utm_source=a", {"utm_source": "a"}, id="parameters that are not kept"),
    ],
)
def test_campaign_parameters_are_read_from_the_address(url, campaign):
    assert campaign_of(url) == campaign


@pytest.mark.parametrize("name", [*CLICK_IDS, "LI_FAT_ID", "ScCid"])
def test_click_ids_of_networks_are_kept(name):
    assert campaign_of(f"/?{name}=x-7") == {name.lower(): "x-7"}


def test_a_campaign_behind_what_is_stored_of_an_address_is_read():
    address = address_of(LONG + "&utm_source=news&amp;utm_medium=email")
    assert (len(address.url), address.campaign) == (URL_LENGTH, NEWS)


def test_a_campaign_names_nobody():
    assert address_of("/?utm_source=news&utm_term=ada@example.test").campaign == {
        "utm_source": "news",
        "utm_term": "{removed}",
    }


@pytest.mark.parametrize("piece", ["%26utm_", "?utm_", "&amp;", "&amp;amp;utm_", "%3futm%5f"])
def test_a_long_address_is_read_in_one_go(piece):
    assert campaign_of("/?" + piece * 100_000 + "&utm_source=a") == {"utm_source": "a"}
