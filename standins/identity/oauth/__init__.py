"""The OAuth 2 and OpenID Connect endpoints of both issuers, over Authlib."""
