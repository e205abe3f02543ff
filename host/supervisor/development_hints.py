"""What is printed beside `ready` in development: who can sign in, and where sent mail is read."""

from textwrap import wrap

from config.settings import Settings
from domain.permissions import ROLES
from domain.routes import area_pages
from host.supervisor.programs import IDENTITY_PORT, MAIL_PORT

# The initial accounts of the stand-in provider that can sign in with their password alone, and who they are.
ACCOUNTS = {
    "ada": "learner",
    "member": "learner of an organisation, restricted to its courses",
    "org": "manager of that organisation, at /organization-login",
    "owner": "its owner, at /organization-login",
}
# The initial accounts of staff, and their roles.
STAFF = {
    "admin": "administrator",
    "editor": "editor",
    "support": "support",
    "finance": "finance",
    "marketing": "marketer",
}
# Longer lines of the list of staff are wrapped.
COLUMNS = 100
PASSWORD = "Correct-Horse-1"  # noqa: S105 of the demo accounts, documented in the README
# Without the demo shop nobody has a role yet.
FIRST_STEPS = [
    f"  first administrator: sign in at /login as admin with the password {PASSWORD}, read the student number on",
    "    /user-dashboard, then run: .venv/bin/python -m host staff add STUDENT-NUMBER administrator",
]


def development_hints(settings: Settings) -> list[str]:
    """Lines about the stand-ins that run; none for services that are configured, and none in production."""
    if settings.is_production or settings.port + MAIL_PORT > 65_535:
        return []
    lines = []
    if not settings.oidc_issuer:
        lines += _accounts() if settings.has_demo_shop else FIRST_STEPS
    if not settings.smtp_url:
        lines.append(f"  mail that the site sends: http://127.0.0.1:{settings.port + IDENTITY_PORT}/outbox")
    return lines


def _accounts() -> list[str]:
    return [
        f"  sign in with the password {PASSWORD} as",
        *(f"    {login:<10} {who}" for login, who in ACCOUNTS.items()),
        "  and at /adminlogin as",
        *(line for login, role in STAFF.items() for line in _staff(login, role)),
    ]


def _staff(login: str, role: str) -> list[str]:
    text = f"    {login:<10} {role}: {', '.join(screens(role))}"
    return wrap(text, COLUMNS, subsequent_indent=" " * 15, break_on_hyphens=False)


def screens(role: str) -> list[str]:
    """The labels of the side navigation of staff that people with this role see, without those that everybody sees.
    Pages that lie below another stand in brackets after it: "Orders (Refunds)"."""
    allowed = ROLES["admin"][role]
    pages = [page for page in area_pages() if page.area.session == "admin" and page.served]
    shown = {page.id: page.nav for page in pages if page.nav and page.permission in allowed}
    labels = {page_id: nav.label for page_id, nav in shown.items() if nav.below not in shown}
    below = {page_id: [nav.label for nav in shown.values() if nav.below == page_id] for page_id in labels}
    return [f"{label} ({', '.join(below[page_id])})" if below[page_id] else label for page_id, label in labels.items()]
