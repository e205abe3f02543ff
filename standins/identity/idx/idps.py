"""Sign-in through another provider: its demo page, and the redirect back with an interaction code."""

import json
from urllib.parse import urlencode

from standins.identity import pages, transactions, users
from standins.identity.idx import flow
from standins.identity.idx.transaction import Tx
from standins.identity.oauth.authorize import PageError
from standins.identity.responses import IdentityCall, IdentityResponse, not_found, redirect


def _tx(call: IdentityCall, state_token: str) -> Tx:
    if call.params["id"] not in {idp["id"] for idp in call.provider.policies["idps"]}:
        raise not_found()
    row = transactions.find(call, "idx", state_token)
    if row is None:
        raise PageError("Too late", "This sign-in has ended. Go back to the site and begin again.", 401)
    return Tx(call, state_token, row)


def show_page(call: IdentityCall) -> IdentityResponse:
    state_token = call.query.get("stateToken", "")
    tx = _tx(call, state_token)
    name = next(idp["name"] for idp in call.provider.policies["idps"] if idp["id"] == call.params["id"])
    return pages.render_page(
        "idp", forms_to=tx.client.origins, name=name, word=state_token, path=call.path, client=tx.client.label
    )


def complete(call: IdentityCall) -> IdentityResponse:
    """Accepts any known login without a password. Otherwise redirects back with an error."""
    tx = _tx(call, call.form.get("stateToken", ""))
    user = users.find_user(call.session, call.form.get("login", ""))
    back, state = tx.data["redirect_uri"], tx.data["state"]
    if user is None or not user.is_active or call.form.get("action") == "refuse":
        text = "The sign-in at the other provider was not finished."
        return redirect(
            f"{back}?{urlencode({'error': 'interaction_required', 'error_description': text, 'state': state})}"
        )
    tx.row.user_id = user.id
    tx.go_to("done", verified=["idp"], amr=["fed"])
    final_response = flow.complete(tx)
    fields = json.loads(final_response.body)["successWithInteractionCode"]["value"]
    code = next(form_field["value"] for form_field in fields if form_field["name"] == "interaction_code")
    response = redirect(f"{back}?{urlencode({'interaction_code': code, 'state': state})}")
    response.cookies.update(final_response.cookies)
    return response
