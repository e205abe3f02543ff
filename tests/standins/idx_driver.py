"""A client of the identity engine: follows the forms that an answer offers, sends what they fix."""

from typing import Any

from tests.standins.driver import CALLBACK, CHALLENGE, PASSWORD, SCOPE, VERIFIER, Browser, Json

NEW_PASSWORD = "Better-Horse-22"


class Engine:
    """One transaction; `answer` is the last one."""

    def __init__(self, browser: Browser, issuer: str = ""):
        self.browser, self.issuer, self.answer = browser, issuer, Json()

    async def interact(self, **more: str) -> Json:
        fields = {
            "client_id": "storefront",
            "scope": SCOPE,
            "redirect_uri": CALLBACK,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "s1",
            "nonce": "n1",
            **more,
        }
        return await self.browser.form(f"{self.issuer or '/oauth2'}/v1/interact", **fields)

    async def start(self, **more: str) -> Json:
        handle = (await self.interact(**more))["interaction_handle"]
        return await self.introspect(interactionHandle=handle)

    async def introspect(self, **body: str) -> Json:
        self.answer = await self.browser.post("/idp/idx/introspect", body)
        return self.answer

    @property
    def names(self) -> list[str]:
        return [form["name"] for form in self.answer.get("remediation", {}).get("value", [])]

    @property
    def messages(self) -> list[str]:
        """Keys of all messages, at the top and at fields."""
        return list(_keys(self.answer))

    @property
    def current(self) -> Json:
        """The authenticator that the step is about."""
        name = next(
            entry for entry in ("currentAuthenticator", "currentAuthenticatorEnrollment") if entry in self.answer
        )
        return self.answer[name]["value"]

    def form(self, name: str) -> Json:
        """A remediation, or an action such as `currentAuthenticator-recover`."""
        forms = [form for form in self.answer.get("remediation", {}).get("value", []) if form["name"] == name]
        if forms:
            return forms[0]
        holder, _, member = name.partition("-")
        return self.answer[holder]["value"][member] if member else self.answer[name]

    async def submit(self, name: str, **values: Any) -> Json:
        form = self.form(name)
        fixed = {field["name"]: field["value"] for field in form["value"] if field.get("mutable") is False}
        self.answer = await self.browser.post(form["href"], {**values, **fixed})
        return self.answer

    async def choose(self, form: str, key: str, **more: Any) -> Json:
        """The option of that authenticator in a list."""
        options = next(field for field in self.form(form)["value"] if field["name"] == "authenticator")["options"]
        for option in options:
            target = resolved(self.answer, option["relatesTo"])
            if target["key"] == key:
                fields = option["value"]["form"]["value"]
                params = {entry["name"]: entry["value"] for entry in fields if "value" in entry}
                who = more.pop("identifier", None)
                extra = {"identifier": who} if who else {}
                return await self.submit(form, authenticator={**params, **more}, **extra)
        raise AssertionError(f"{key} is not offered")

    async def identify(self, name: str, password: str = PASSWORD) -> Json:
        return await self.submit("identify", identifier=name, credentials={"passcode": password})

    async def answers(self, form: str, **values: Any) -> Json:
        return await self.submit(form, credentials=values)

    async def tokens(self) -> Json:
        """The interaction code of the end, exchanged."""
        fields = self.answer["successWithInteractionCode"]["value"]
        code = next(field["value"] for field in fields if field["name"] == "interaction_code")
        return await self.browser.token(
            self.issuer, grant_type="interaction_code", interaction_code=code, code_verifier=VERIFIER
        )


def resolved(answer: Json, path: str) -> Json:
    """What a relatesTo points at; a KeyError here is an answer that clients cannot use."""
    here: Any = answer
    for part in path.removeprefix("$.").replace("[", ".").replace("]", "").split("."):
        here = here[int(part)] if part.isdigit() else here[part]
    return here["value"] if "value" in here and "key" not in here else here


def _keys(part: Any) -> Any:
    if isinstance(part, dict):
        if "i18n" in part:
            yield part["i18n"]["key"]
        for entry in part.values():
            yield from _keys(entry)
    elif isinstance(part, list):
        for entry in part:
            yield from _keys(entry)
