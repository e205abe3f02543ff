"""Signing in elsewhere: a demo of the other provider, and the way back with an interaction code."""

import json
from urllib.parse import urlencode

from standins.identity import pages, transactions, users
from standins.identity.answers import Answer, Call, missing, redirect
from standins.identity.authorize import PageError
from standins.identity.idx import flow
from standins.identity.idx.transaction import Tx


def _tx(call: Call, word: str) -> Tx:
    if call.params["id"] not in {one["id"] for one in call.provider.policies["idps"]}:
        raise missing()
    row = transactions.find(call, "idx", word)
    if row is None:
        raise PageError("Too late", "This sign-in has ended. Go back to the site and begin again.", 401)
    return Tx(call, word, row)


def shown(call: Call) -> Answer:
    word = call.query.get("stateToken", "")
    tx = _tx(call, word)
    name = next(one["name"] for one in call.provider.policies["idps"] if one["id"] == call.params["id"])
    return pages.page("idp", forms_to=tx.client.origins, name=name, word=word, path=call.path, client=tx.client.label)


def answered(call: Call) -> Answer:
    """The demo believes any known login; everything else is a refusal, after which the site goes on by itself."""
    tx = _tx(call, call.form.get("stateToken", ""))
    user = users.find(call.session, call.form.get("login", ""))
    back, state = tx.data["redirect_uri"], tx.data["state"]
    if user is None or not user.is_active or call.form.get("action") == "refuse":
        text = "The sign-in at the other provider was not finished."
        return redirect(
            f"{back}?{urlencode({'error': 'interaction_required', 'error_description': text, 'state': state})}"
        )
    tx.row.user_id = user.id
    tx.go("done", verified=["idp"], amr=["fed"])
    made = flow.success(tx)
    fields = json.loads(made.body)["successWithInteractionCode"]["value"]
    code = next(one["value"] for one in fields if one["name"] == "interaction_code")
    answer = redirect(f"{back}?{urlencode({'interaction_code': code, 'state': state})}")
    answer.cookies.update(made.cookies)
    return answer
