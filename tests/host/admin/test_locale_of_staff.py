"""What staff read is written in the shop's locale, as long as its host runs."""

from domain.display_text import count_text
from domain.locales import shop_locale


async def test_a_host_writes_in_the_locale_of_its_shop(open_site):
    await open_site(LOCALE="de-DE")
    assert (shop_locale(), count_text(12_345)) == ("de-DE", "12.345")
