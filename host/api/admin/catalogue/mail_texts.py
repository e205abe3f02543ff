"""Calls about the words of mails: a preview, publishing them, the shop's own again, and a test to oneself."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from adapters import mail_templates
from config.settings import Settings
from contracts.tasks import OutboxKind, Topic
from domain import mail as domain_mail
from domain.errors import NotFound
from domain.mail import MailSite
from domain.permissions import Permission
from domain.publishing.editing import content_pages, mail_texts
from domain.publishing.editing.mail_texts import MailEdit, MailPart, MailTest
from domain.publishing.editing.stored_course import NewerVersion
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import ActionPreview, MailPreview, StaffOutcome
from host.api.fields import SAFE, WHOLE, Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem, version_conflict
from host.messaging.outbox_wake import OUTBOX_WAKER

WRITE = Permission.CONTENT_WRITE
Name = Annotated[str, Field(max_length=40)]
Words = Annotated[str, Field(max_length=mail_texts.MAX_LENGTH)]
Version = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
MAX_PARTS = 20
CASES = ("With all that it may have", "With as little as it may have", "Of a seat")
_STYLE, _BODY = re.compile("<style>(.*?)</style>", re.DOTALL), re.compile("<body>(.*?)</body>", re.DOTALL)
# The policy of pages allows no styles of single elements.
_AS_TYPED = ('style="white-space: pre-wrap"', 'class="as-typed"', ".as-typed { white-space: pre-wrap; }")


class MailWords(Strict):
    """`words`: by the name of a part."""

    words: Annotated[dict[Name, Words], Field(max_length=MAX_PARTS), FormField("{}", "text", rows=2)]


class MailTextChange(MailWords):
    """`version`: the one that was changed, 0 for the shop's own words."""

    version: Version


class MailTextReset(Strict):
    """`version`: the one that is left."""

    version: Version


def kind_of(name: str) -> OutboxKind:
    """The kind of a mail by its name in addresses, such as order_paid. Raises NotFound."""
    kind = next((one for one in mail_texts.worded() if one == f"{content_pages.MAIL_PREFIX}{name}"), None)
    if kind is None:
        raise NotFound("There is no such mail.")
    return kind


def title_of(kind: OutboxKind) -> str:
    """In words, such as "Mail: order paid"."""
    return f"Mail: {kind.partition('.')[2].replace('_', ' ')}"


@action(
    "admin/mail-texts/{kind}",
    MailTextChange,
    "Words",
    "Publish",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    has_text_ids=True,
    is_editor=True,
)
async def publish_words(request: web.Request, body: MailTextChange) -> StaffOutcome:
    """Publish words for all mails of a kind that are written from now on. 409 with what somebody else has published
    since `version`."""
    await _publish(request, body.version, body.words)
    return StaffOutcome(text="The words are published. Mails that are written from now on have them.")


@publish_words.preview("typed")
async def preview_words(request: web.Request, body: MailTextChange) -> ActionPreview:
    """How the mail would look. Stores nothing."""
    kind = _kind(request)
    words, parts = mail_texts.tidy(body.words), parts_of(kind)
    refused = mail_texts.refusals(words, parts)
    lacks = [f"{mail_texts.part_text(name)}: {text}" for name, text in refused.items() if name in parts]
    return ActionPreview(lacks=lacks, mails=previews(request.app[SETTINGS], kind, words))


@action(
    "admin/mail-texts/{kind}/reset",
    MailTextReset,
    "Use the shop's own words",
    "Use the shop's own words",
    text="What you have published stays among the versions.",
    permission=WRITE,
    refusals=(409,),
    has_text_ids=True,
    question="The mails that are written from now on have the words with which the shop came.",
)
async def reset_words(request: web.Request, body: MailTextReset) -> StaffOutcome:
    """Publish the shop's own words. 409 with what somebody else has published since `version`."""
    await _publish(request, body.version, {})
    return StaffOutcome(text="The mail has the shop's own words again.")


@action(
    "admin/mail-texts/{kind}/test",
    MailWords,
    "Test",
    "Send me a test",
    permission=WRITE,
    has_text_ids=True,
)
async def send_test(request: web.Request, body: MailWords) -> StaffOutcome:
    """Send whoever asks the mail in these words, with examples as its values. Words with mistakes are refused."""
    kind, actor, db = _kind(request), request[request_keys.ACTOR], request.app[DATABASE]
    test = MailTest(kind, body.words, request.app[SETTINGS].shop.currency.code)
    to = await db.write_as(actor, mail_texts.order_test, actor, test, parts_of(kind))
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text=f"A test is on its way to {to}.")


def previews(settings: Settings, kind: OutboxKind, words: Mapping[str, str]) -> list[MailPreview]:
    """The mail with examples, as often as they make a difference."""
    shown: dict[tuple[str, str], MailPreview] = {}
    for case, values in zip(CASES, samples(settings, kind), strict=True):
        mail = mail_templates.render(_template(kind), values, words)
        style, body = _STYLE.search(mail.html), _BODY.search(mail.html)
        shown.setdefault(
            (mail.subject, mail.text),
            MailPreview(
                case=case,
                subject=mail.subject,
                text=mail.text,
                html="" if body is None else body[1].replace(*_AS_TYPED[:2]),
                style="" if style is None else f"{style[1]}{_AS_TYPED[2]}",
            ),
        )
    return [*shown.values()]


def samples(settings: Settings, kind: OutboxKind) -> list[Mapping[str, object]]:
    staff = settings.staff_email or settings.site_email
    site = MailSite(
        settings.site_name,
        settings.site_origin,
        staff,
        settings.locale,
        has_withdrawal=settings.shop.follows_union_rules,
    )
    return [*domain_mail.samples(kind, site, settings.shop.currency, datetime.now(UTC))]


def examples(settings: Settings, kind: OutboxKind) -> Mapping[str, str]:
    """What stands at each name in the first of the previews."""
    return mail_templates.examples(_template(kind), samples(settings, kind)[0])


def parts_of(kind: OutboxKind) -> Mapping[str, MailPart]:
    return mail_templates.parts(_template(kind))


def words_of(kind: OutboxKind, chosen: Mapping[str, str]) -> dict[str, str]:
    """The words of all parts: the published ones, else the shop's own."""
    return {name: chosen.get(name, part.words) for name, part in parts_of(kind).items()}


def _template(kind: OutboxKind) -> str:
    return kind.partition(".")[2]


def _kind(request: web.Request) -> OutboxKind:
    return kind_of(request[request_keys.PATH_IDS]["kind"])


async def _publish(request: web.Request, seen: int, words: Mapping[str, str]) -> None:
    kind, actor, db = _kind(request), request[request_keys.ACTOR], request.app[DATABASE]
    try:
        edit = MailEdit(kind, title_of(kind), seen, words)
        await db.write_as(actor, mail_texts.publish, actor, edit, parts_of(kind))
    except NewerVersion:
        raise await _conflict(request, kind) from None


async def _conflict(request: web.Request, kind: OutboxKind) -> Problem:
    newest, *_ = await request.app[DATABASE].read(content_pages.versions, kind)
    values = {f"words.{name}": text for name, text in words_of(kind, newest.text.words).items()}
    return version_conflict(newest.number, newest.published_by or "A deleted account", newest.published_at, values)
