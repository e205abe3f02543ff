"""How crawlers are checked: settings of hosts and workers."""

from dataclasses import dataclass
from ipaddress import ip_address

from config.parsers import one_of
from config.setting import setting

DNS_PORT = 53


def resolver_address(text: str) -> str:
    """An address of a name server, with its port after a colon unless it is 53."""
    address, port = _parts(text)
    try:
        ip_address(address)
    except ValueError:
        raise ValueError("an address such as 192.0.2.53, 127.0.0.1:5353 or [::1]:5353") from None
    if not 1 <= port <= 65_535:
        raise ValueError("a port from 1 to 65535 after the address")
    return text


def _parts(text: str) -> tuple[str, int]:
    """Port 0 for what is none."""
    address, colon, port = text.rpartition(":")
    if text.count(":") > 1 and "]" not in text:
        return text, DNS_PORT
    if not colon or text.endswith("]"):
        return text.strip("[]"), DNS_PORT
    return address.strip("[]"), int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else 0


@dataclass(frozen=True)
class CrawlerVariables:
    """Field `crawler_dns` is the variable CRAWLER_DNS, and so on."""

    crawler_dns: str = setting(
        one_of("on", "off"),
        "",
        "`on`: DNS is asked whether an address is that of the crawler which its header names, where the operator says "
        "so; `off`: published ranges alone decide",
        absent="on in production, else off",
    )
    dns_resolver: str = setting(
        resolver_address,
        "",
        "the name server for that, with its port if it is not 53, such as `127.0.0.1:5353`",
        absent="those of the system",
    )

    @property
    def asks_names(self) -> bool:
        return self.crawler_dns == "on"

    @property
    def name_server(self) -> tuple[str, int] | None:
        """Address and port; None for those of the system."""
        return _parts(self.dns_resolver) if self.dns_resolver else None
