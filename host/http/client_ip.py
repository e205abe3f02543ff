"""Where a request really comes from. Forwarding headers count only when a listed proxy wrote them."""

from ipaddress import ip_address

from aiohttp import web

from host import keys
from host.settings import Network


def visitor_address(request: web.Request) -> str:
    """The peer, or the nearest address in X-Forwarded-For that is no proxy of ours."""
    peer = request.remote or ""
    trusted = request.app[keys.SETTINGS].trusted_proxies
    if not trusted or not _is_one_of(peer, trusted):
        return peer
    for hop in reversed(",".join(request.headers.getall("X-Forwarded-For", [])).split(",")):
        address = hop.strip()
        if not _is_address(address):
            return peer
        if not _is_one_of(address, trusted):
            return address
    return peer


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_one_of(text: str, networks: tuple[Network, ...]) -> bool:
    if not _is_address(text):
        return False
    address = ip_address(text)
    return any(address.version == network.version and address in network for network in networks)
