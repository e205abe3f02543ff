"""The IP address a request comes from. Forwarding headers count only when a trusted proxy set them."""

from ipaddress import ip_address

from aiohttp import web

from config.parsers import Network
from host.app_keys import SETTINGS


def client_ip(request: web.Request) -> str:
    """The peer's address, or behind a trusted proxy the last address in X-Forwarded-For that is not such a proxy."""
    peer = request.remote or ""
    trusted = request.app[SETTINGS].trusted_proxies
    if not trusted or not _is_in_networks(peer, trusted):
        return peer
    for hop in reversed(",".join(request.headers.getall("X-Forwarded-For", [])).split(",")):
        address = hop.strip()
        if not _is_address(address):
            return peer
        if not _is_in_networks(address, trusted):
            return address
    return peer


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_in_networks(text: str, networks: tuple[Network, ...]) -> bool:
    if not _is_address(text):
        return False
    address = ip_address(text)
    return any(address.version == network.version and address in network for network in networks)
