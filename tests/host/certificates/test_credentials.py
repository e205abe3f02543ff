"""A library that is not ours checks certificates, with nothing but what the site publishes."""

import asyncio
import json
import stat
from base64 import urlsafe_b64decode
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc.jwk import RSAKey
from jwt import PyJWK, decode, get_unverified_header
from openbadgeslib.ob3.status import check_credential_status
from openbadgeslib.ob3.verifier import OB3VerificationError, OB3Verifier

from domain.audit import recording
from domain.learning.certificates import keys
from domain.permissions import SystemActor
from host.documents.certificates import status_list
from host.documents.certificates.signing_keys import SIGNING_KEYS, SigningKey, SigningKeys
from tests.host.certificates.issued import CODE, PAGE, issue, revoke
from tests.host.site import ORIGIN, Site

KEYS = "/.well-known/certificate-keys.json"
NOW = datetime(2026, 11, 29, tzinfo=UTC)


async def text_of(site: Site, path: str) -> str:
    response = await site.get(path)
    assert response.status == 200, path
    return await response.text()


async def signed(site: Site, code: str = CODE) -> str:
    return await text_of(site, f"/verify-certificate/{code}/credential.jwt")


async def key_for(site: Site, token: str) -> bytes:
    """The published key that a token names."""
    kid = get_unverified_header(token)["kid"]
    (jwk,) = [key for key in json.loads(await text_of(site, KEYS))["keys"] if key["kid"] == kid]
    return PyJWK(jwk).key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


async def check(site: Site, token: str):
    """As a stranger would: the token and its list by the key file alone."""
    credential = OB3Verifier(await key_for(site, token)).verify(token)
    (entry,) = credential.credential_status
    revocations = await text_of(site, entry["statusListCredential"].removeprefix(ORIGIN))
    check_credential_status(
        credential,
        lambda _url: revocations.encode(),
        verify_list=True,
        list_pubkey_pem=await key_for(site, revocations),
    )
    return credential


async def refusal_of(site: Site, token: str) -> str:
    with pytest.raises(OB3VerificationError) as refusal:
        await check(site, token)
    return str(refusal.value)


async def test_the_foreign_library_accepts_a_certificate_and_reads_what_it_says(own_site):
    issue(own_site)
    credential = await check(own_site, await signed(own_site))
    assert credential.issuer.id == f"{ORIGIN}/.well-known/certificate-issuer.json"
    assert credential.id == f"{ORIGIN}{PAGE}/credential.json"
    assert credential.achievement.name == "VAT basics"
    assert credential.achievement.criteria_narrative == "Finish it."


async def test_the_credential_names_the_holder_and_no_address(own_site):
    issue(own_site)
    document = json.loads(await text_of(own_site, f"{PAGE}/credential.json"))
    (name,) = document["credentialSubject"]["identifier"]
    assert (name["identityHash"], name["identityType"], name["hashed"]) == ("Ada Lovelace", "name", False)
    assert "@" not in json.dumps(document["credentialSubject"])
    assert document["credentialSubject"]["creditsEarned"] == 2.5


async def test_the_header_names_the_key_and_the_payload_is_the_credential(own_site):
    issue(own_site)
    token = await signed(own_site)
    header = get_unverified_header(token)
    assert (header["alg"], header["typ"], header["jwk"]["kid"]) == ("RS256", "JWT", header["kid"])
    assert "d" not in header["jwk"]
    payload = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
    document = json.loads(await text_of(own_site, f"{PAGE}/credential.json"))
    assert {name: payload[name] for name in document} == document
    assert payload.keys() - document.keys() == {"iss", "jti", "sub", "nbf", "exp"}


async def bare_key(site: Site, kid: str) -> dict:
    """What the address of a key answers: step 1 of the specification's verification, "JSON Web Token Proof"."""
    assert kid.startswith(f"{ORIGIN}/")
    response = await site.get(kid.removeprefix(ORIGIN))
    assert response.status == 200, await response.text()
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    return json.loads(await response.text())


async def verify_by_the_text(site: Site, token: str) -> dict:
    """The steps of Open Badges 3.0 for a JWT proof, and of its status: the payload. `kid` first where there is one."""
    header = get_unverified_header(token)
    jwk = await bare_key(site, header["kid"])
    assert (jwk["kty"], "d" in jwk) == ("RSA", False)
    # Where a header has both, they are the same key.
    assert {name: header["jwk"][name] for name in ("kty", "n", "e")} == {name: jwk[name] for name in ("kty", "n", "e")}
    options = {"require": ["iss", "jti", "nbf", "sub"]}
    claims = decode(token, PyJWK(jwk).key, algorithms=["RS256"], options=options)
    # The claims of a JWT say what the members of the credential say.
    issuer = claims["issuer"]
    assert claims["iss"] == (issuer if isinstance(issuer, str) else issuer["id"])
    assert (claims["jti"], claims["sub"]) == (claims["id"], claims["credentialSubject"]["id"])
    assert claims["nbf"] == datetime.fromisoformat(claims["validFrom"]).timestamp()
    assert claims["exp"] == datetime.fromisoformat(claims["validUntil"]).timestamp()
    return claims


async def test_the_steps_of_the_specification_accept_a_certificate_and_its_status_list(own_site):
    issue(own_site)
    credential = await verify_by_the_text(own_site, await signed(own_site))
    assert {"VerifiableCredential", "OpenBadgeCredential"} <= set(credential["type"])
    profile = json.loads(await text_of(own_site, credential["iss"].removeprefix(ORIGIN)))
    assert profile["id"] == credential["iss"]
    status = credential["credentialStatus"]
    listed = await verify_by_the_text(own_site, await text_of(own_site, status["statusListCredential"][len(ORIGIN) :]))
    assert (listed["id"], listed["credentialSubject"]["statusPurpose"]) == (
        status["statusListCredential"],
        "revocation",
    )


async def test_a_bare_thumbprint_as_kid_would_be_refused(own_site):
    """The negative control: such tokens were signed once, and no verifier that follows the steps took them."""
    issue(own_site)
    key = await own_site.app[SIGNING_KEYS].current()
    token = replace(key, kid=key.thumbprint).sign({"iss": "x"})
    with pytest.raises(AssertionError):
        await verify_by_the_text(own_site, token)


async def distrust(site: Site, thumbprint: str) -> None:
    def mark(session):
        since = datetime(2026, 11, 1, tzinfo=UTC)
        recording.run(session, SystemActor("command", NOW), keys.distrust, thumbprint, since, "A laptop was lost.", NOW)

    await site.db.write(mark)


async def test_a_key_that_others_know_signs_nothing_and_every_place_says_so(own_site):
    issue(own_site)
    before = await signed(own_site)
    old = await own_site.app[SIGNING_KEYS].current()
    await distrust(own_site, old.thumbprint)
    answer = await own_site.get(old.kid.removeprefix(ORIGIN))
    assert answer.status == 410
    assert "others know it since November 1, 2026. A laptop was lost." in await answer.text()
    for path in (f"{PAGE}/credential.jwt", "/.well-known/certificate-status/0.jwt"):
        assert (await own_site.get(path)).status == 503
    own_site.app[SIGNING_KEYS]._settings = _with_key(own_site, RSAKey.generate_key(2048).as_pem(private=True).decode())
    own_site.app[SIGNING_KEYS]._key = None
    await verify_by_the_text(own_site, await signed(own_site))
    with pytest.raises(AssertionError, match="410"):
        await verify_by_the_text(own_site, before)
    listed = json.loads(await text_of(own_site, KEYS))["keys"]
    since = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp())
    marks = [key.get("revoked") for key in listed]
    assert marks == [None, {"revoked_at": since, "reason": "A laptop was lost."}]
    page = json.loads(await text_of(own_site, f"/data{PAGE}"))["props"]
    assert page["keyNotice"].startswith("Others know a key of ours since November 1, 2026: A laptop was lost.")


async def test_equal_status_lists_are_signed_once_and_the_requests_of_an_address_are_limited(own_site, monkeypatch):
    issue(own_site)
    signings = []
    sign = SigningKey.sign
    monkeypatch.setattr(SigningKey, "sign", lambda key, claims: signings.append(claims) or sign(key, claims))
    path = "/.well-known/certificate-status/0.jwt"
    answers = [await own_site.get(path) for _ in range(31)]
    assert [answer.status for answer in answers] == [200] * 30 + [429]
    assert len(signings) == 1


async def test_every_flipped_byte_is_refused(own_site):
    issue(own_site)
    token = await signed(own_site)
    key = await key_for(own_site, token)
    for place in range(0, len(token), 97):
        other = "A" if token[place] != "A" else "B"
        with pytest.raises(OB3VerificationError):
            OB3Verifier(key).verify(token[:place] + other + token[place + 1 :])


async def test_another_issuer_is_refused(own_site):
    issue(own_site)
    token = await signed(own_site)
    forger = RSAKey.generate_key(2048)
    header, payload, _ = token.split(".")
    from joserfc import jwt

    claims = json.loads(urlsafe_b64decode(payload + "=="))
    kid = json.loads(urlsafe_b64decode(header + "=="))["kid"]
    forged = jwt.encode({"alg": "RS256", "kid": kid}, claims, forger)
    assert await refusal_of(own_site, forged) == "Invalid signature"
    renamed = jwt.encode({"alg": "RS256"}, {**claims, "iss": "https://other.example"}, forger)
    with pytest.raises(OB3VerificationError, match="'iss' does not match"):
        OB3Verifier(forger.as_pem(private=False)).verify(renamed)


async def test_a_certificate_that_was_revoked_after_its_download_is_refused(own_site):
    issue(own_site)
    token = await signed(own_site)
    await check(own_site, token)
    revoke(own_site)
    assert "'revocation' is set" in await refusal_of(own_site, token)
    for form in ("jwt", "json"):
        assert (await own_site.get(f"{PAGE}/credential.{form}")).status == 410


async def test_an_expired_certificate_is_refused(own_site):
    issue(own_site, expires_at=datetime.now(UTC) - timedelta(hours=1))
    assert "expired" in await refusal_of(own_site, await signed(own_site))


async def test_after_a_rotation_certificates_of_both_keys_are_checked(own_site):
    issue(own_site)
    before = await signed(own_site)
    new = RSAKey.generate_key(2048).as_pem(private=True).decode()
    own_site.app[SIGNING_KEYS]._settings = _with_key(own_site, new)
    own_site.app[SIGNING_KEYS]._key = None
    after = await signed(own_site)
    kids = [get_unverified_header(token)["kid"] for token in (after, before)]
    assert [key["kid"] for key in json.loads(await text_of(own_site, KEYS))["keys"]] == kids
    assert len(set(kids)) == 2
    for token in (before, after):
        await check(own_site, token)
    revoke(own_site)
    assert "'revocation' is set" in await refusal_of(own_site, before)


def _with_key(site: Site, key: str):
    return replace(site.settings, certificate_key=key)


async def test_one_line_of_base64_is_the_same_key_as_its_pem(own_site):
    pem = RSAKey.generate_key(2048).as_pem(private=True).decode()
    line = "".join(pem.splitlines()[1:-1])
    made = [SigningKeys(_with_key(own_site, text), own_site.db) for text in (pem, line)]
    first, second = [(await keys.current()).thumbprint for keys in made]
    assert first == second


async def test_without_a_setting_the_key_is_made_once_and_only_its_owner_reads_it(own_site):
    hosts = [SigningKeys(own_site.settings, own_site.db) for _ in range(4)]
    keys = await asyncio.gather(*(host.current() for host in hosts for _ in range(2)))
    assert len({key.thumbprint for key in keys}) == 1
    file = own_site.settings.var_dir / "certificate.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(json.loads(await text_of(own_site, KEYS))["keys"]) == 1


async def test_lists_that_have_not_begun_and_unknown_codes_are_not_found(own_site):
    issue(own_site)
    paths = ("/.well-known/certificate-status/1.jwt", "/verify-certificate/unknown/credential.jwt")
    assert [(await own_site.get(path)).status for path in paths] == [404, 404]
    assert (await own_site.get("/.well-known/certificate-status/0.jwt")).headers[
        "Cache-Control"
    ] == "public, max-age=60"
    assert (await own_site.get(f"{PAGE}/credential.jwt")).headers["Cache-Control"] == "no-store"


async def test_the_issuer_publishes_its_profile(own_site):
    profile = json.loads(await text_of(own_site, "/.well-known/certificate-issuer.json"))
    assert (profile["id"], profile["type"]) == (f"{ORIGIN}/.well-known/certificate-issuer.json", ["Profile"])
    assert profile["jwksUrl"] == f"{ORIGIN}{KEYS}"


def test_the_first_bit_is_the_leftmost():
    import gzip

    bits = gzip.decompress(urlsafe_b64decode(status_list.encoded([0, 9, status_list.SIZE - 1])[1:] + "=="))
    assert (bits[:2], bits[-1], len(bits)) == (b"\x80\x40", 1, 16_384)
