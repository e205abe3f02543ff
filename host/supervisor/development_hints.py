"""What is printed beside `ready` in development: who can sign in, and where sent mail is read."""

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
# Those of staff, and their roles.
STAFF = {
    "admin": "administrator",
    "editor": "editor",
    "support": "support",
    "finance": "finance",
    "marketing": "marketer",
}
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
    staff = {login: f"{role}: {', '.join(screens(role))}" for login, role in STAFF.items()}
    return [
        f"  sign in with the password {PASSWORD} as",
        *(f"    {login:<10} {who}" for login, who in ACCOUNTS.items()),
        "  and at /adminlogin as",
        *(f"    {login:<10} {what}" for login, what in staff.items()),
    ]


def screens(role: str) -> list[str]:
    """The labels of the side navigation of staff that people with this role see, without those that everybody sees."""
    allowed = ROLES["admin"][role]
    pages = [page for page in area_pages() if page.area.session == "admin" and page.served]
    return [page.nav.label for page in pages if page.nav and not page.nav.below and page.permission in allowed]
