"""The logo of an organisation: a picture that its owner sends, re-encoded, shown and taken away again."""

from sqlalchemy import select

from domain.tables import AuditEvent, Organisation
from tests.adapters.images.pictures import photo
from tests.host.api.admin.test_uploads_and_imports import KEY, begin, complete, send
from tests.host.organisation.world import two_organisations
from tests.host.signing import Learner
from tests.support.waiting import until


async def send_logo(owner: Learner, content: bytes) -> dict[str, object]:
    """The job of a picture once it has ended."""
    upload_id = await send(owner, content, "logo")
    assert (await complete(owner, upload_id, content))[0] == 200
    status, job = await owner.call("organization/logos", uploadId=upload_id, idempotencyKey=KEY)
    assert status == 201, job

    async def ended() -> dict[str, object] | None:
        _, found = await owner.get(f"organization/logos/{job['id']}")
        return None if found["state"] in ("queued", "running") else found

    return await until(ended)


def logo_of(owner: Learner, organisation_id: int) -> str:
    with owner.site.db.read_session() as session:
        return session.get_one(Organisation, organisation_id).logo


async def test_an_owner_sends_a_logo_which_is_re_encoded_shown_and_taken_away(bare_site):
    world = two_organisations(bare_site, "logo")
    job = await send_logo(world.owner, photo())
    assert (await world.owner.call("organization/profile/logo", jobId=job["id"]))[0] == 200
    path = logo_of(world.owner, world.own)
    assert path == job["image"]["src"]
    answer = await bare_site.client.get(path)
    assert (answer.status, answer.content_type, (await answer.read())[8:12]) == (200, "image/webp", b"WEBP")
    assert (await world.owner.call("organization/profile/logo", jobId=None))[0] == 200
    assert logo_of(world.owner, world.own) == ""
    with bare_site.db.read_session() as session:
        events = session.scalars(select(AuditEvent.action).where(AuditEvent.action == "organisation.logo")).all()
    assert len(events) == 2


async def test_the_picture_of_somebody_else_is_no_logo_and_managers_send_none(bare_site):
    world = two_organisations(bare_site, "logos")
    job = await send_logo(world.rival, photo())
    assert (await world.owner.get(f"organization/logos/{job['id']}"))[0] == 404
    assert (await world.owner.call("organization/profile/logo", jobId=job["id"]))[0] == 404
    assert logo_of(world.owner, world.own) == ""
    assert (await begin(world.manager, 9, "logo"))[0] == 403


async def test_what_is_no_picture_is_refused_with_what_to_do(bare_site):
    world = two_organisations(bare_site, "broken")
    job = await send_logo(world.owner, photo()[:400])
    assert (job["state"], job["error"]) == ("failed", "The picture cannot be read. Save it anew as PNG, JPEG or WebP.")
    assert (await world.owner.call("organization/profile/logo", jobId=job["id"]))[0] == 404
