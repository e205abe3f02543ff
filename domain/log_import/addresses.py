"""URLs and referrers of a log as they are stored."""

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

from domain.log_import.forms.line_fields import EMPTY, without_port
from domain.visits.referrers import cut_referrer
from domain.visits.visits import REFERRER_LENGTH, URL_LENGTH, address_of, clean_url


class LogAddresses:
    """`own_hosts`: those of the site, beside the one that a line names. `path_pairs`: beginnings of its paths and
    those of this shop that they stand for, such as /kurse and /course-details."""

    def __init__(self, own_hosts: Sequence[str], path_pairs: Sequence[tuple[str, str]] = ()):
        self._own_hosts = frozenset(map(host_key, own_hosts))
        # The longest first: it says more.
        self._path_pairs = sorted(path_pairs, key=lambda pair: (-len(pair[0]), pair))
        self._known_referrer = lru_cache(20_000)(self.read_referrer)

    def is_own(self, host: str) -> bool:
        """Also of a line that does not name its host."""
        return not self._own_hosts or host in EMPTY or host_key(host) in self._own_hosts

    def url_of(self, target: str) -> str:
        """The address as it is stored. A longer one keeps its path and its campaign: days read it from there."""
        address = address_of(self._replaced(target) if self._path_pairs else target)
        if len(address.url) < URL_LENGTH or not address.campaign:
            return address.url
        return clean_url(f"{address.url.partition('?')[0]}?{urlencode(address.campaign)}")

    def _replaced(self, target: str) -> str:
        path, mark, query = target.partition("?")
        for former, new in self._path_pairs:
            rest = path.removeprefix(former)
            if rest != path and (not rest or former.endswith("/") or rest.startswith("/")):
                joined = mark if "?" not in new else "&" if query else ""
                return f"{new}{rest}{joined}{query}"
        return target

    def referrer_of(self, referrer: str, host: str) -> str:
        """What `read_referrer` finds, remembered. It takes nothing from the query: referrers that differ in that are
        read once."""
        return self._known_referrer(referrer.partition("?")[0], host)

    def read_referrer(self, referrer: str, host: str) -> str:
        """The path of a page of the same site; scheme, host and path of another's."""
        if referrer in EMPTY:
            return ""
        try:
            parts = urlsplit(referrer)
            other = host_key(parts.hostname or "")
        except ValueError:
            return ""
        if other and (other in self._own_hosts or other == host_key(host)):
            return clean_url(self._replaced(parts.path or "/"))[:REFERRER_LENGTH]
        return cut_referrer(referrer, "")


@lru_cache(1_000)
def host_key(host: str) -> str:
    """The name under which a host is known, with or without www. and a port."""
    return "" if host in EMPTY else without_port(host).lower().rstrip(".").removeprefix("www.")


def path_of(target: str) -> tuple[str, str]:
    """The target without scheme and host, as proxies send it, and its path alone. The first is "" when it is none."""
    if target[:1] != "/":
        scheme, mark, rest = target.partition("://")
        if not mark or scheme.lower() not in ("http", "https"):
            return "", ""
        target = f"/{rest.partition('/')[2]}"
    return target, target.partition("?")[0]
