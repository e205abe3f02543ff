"""Registered OAuth clients, with the methods that Authlib's server core calls."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import compare_digest

from authlib.oauth2.rfc6749 import ClientMixin


@dataclass(frozen=True)
class Client(ClientMixin):
    """A registered application. `secret` None: a public client, which uses PKCE only."""

    id: str
    label: str
    redirects: tuple[str, ...]
    after_logout: tuple[str, ...]
    origins: tuple[str, ...]
    scopes: tuple[str, ...]
    grants: tuple[str, ...]
    secret: str | None = None
    # URLs in mails: kind of recovery -> URL with {token}.
    links: dict[str, str] = field(default_factory=dict)

    @property
    def client_metadata(self) -> Mapping[str, tuple[str, ...]]:
        return {"post_logout_redirect_uris": self.after_logout}

    def get_client_id(self) -> str:
        return self.id

    def get_default_redirect_uri(self) -> None:
        """None: requests always name the redirect URI."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """The requested scopes without duplicates; None when one is not allowed or none is requested."""
        requested = list(dict.fromkeys((scope or "").split()))
        return " ".join(requested) if requested and set(requested) <= set(self.scopes) else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri in self.redirects

    def check_client_secret(self, client_secret: str) -> bool:
        return self.secret is None or compare_digest(self.secret.encode(), client_secret.encode())

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """A client with a secret must have sent it."""
        return self.secret is None or method in ("client_secret_basic", "client_secret_post")

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in self.grants
