// Interact, token, authorize, userinfo, revoke, introspect, logout, keys, session.
import assert from 'node:assert/strict';
import { client, eager, location, ORIGIN, PASSWORD, refusal, SITE, signedIn } from './client.mjs';

export const oauth = {
  async 'interact answers with a handle, introspect with the first form'() {
    const auth = client();
    const { interactionHandle, meta, state } = await auth.idx.interact({});
    assert.equal(typeof interactionHandle, 'string');
    assert.equal(meta.codeChallengeMethod, 'S256');
    assert.equal(meta.state, state);
    const found = await auth.idx.introspect({ interactionHandle });
    assert.equal(found.requestDidSucceed, true);
    assert.deepEqual(
      found.neededToProceed.map((one) => one.name),
      ['identify', 'select-enroll-profile', 'unlock-account', 'redirect-idp'],
    );
  },

  async 'a code of authorize becomes tokens'() {
    const auth = await signedIn();
    const { idToken, accessToken } = await auth.tokenManager.getTokens();
    assert.equal(idToken.claims.iss, ORIGIN);
    assert.equal(idToken.claims.aud, 'storefront');
    assert.equal(idToken.claims.email, 'ada@example.test');
    assert.deepEqual(accessToken.scopes, ['openid', 'profile', 'email', 'phone']);
    assert.equal(await auth.isAuthenticated(), true);
  },

  async 'the custom issuer gives tokens of its own'() {
    const auth = await signedIn('ada', PASSWORD, { issuer: `${ORIGIN}/oauth2/default` });
    const { idToken } = await auth.tokenManager.getTokens();
    assert.equal(idToken.claims.iss, `${ORIGIN}/oauth2/default`);
    assert.equal((await auth.token.getUserInfo()).sub, idToken.claims.sub);
  },

  async 'a code is good once'() {
    const auth = client();
    const { sessionToken } = await auth.signInWithCredentials({ username: 'ada', password: PASSWORD });
    await auth.token.getWithRedirect({ sessionToken });
    const back = await location(auth.went);
    const meta = auth.transactionManager.load();
    await auth.token.parseFromUrl(back);
    const again = { authorizationCode: new URL(back).searchParams.get('code'), ...meta };
    const error = await refusal(auth.token.exchangeCodeForTokens(again, meta.urls));
    assert.equal(error.name, 'OAuthError');
    assert.equal(error.errorCode, 'invalid_grant');
  },

  async 'prompt none without a session is login_required'() {
    const auth = client();
    await auth.token.getWithRedirect({ prompt: 'none' });
    const error = await refusal(auth.token.parseFromUrl(await location(auth.went)));
    assert.equal(error.errorCode, 'login_required');
    assert.ok(error.errorSummary.length > 0);
  },

  async 'userinfo speaks of the same person'() {
    const auth = await signedIn();
    const found = await auth.token.getUserInfo();
    assert.equal(found.sub, (await auth.tokenManager.getTokens()).idToken.claims.sub);
    assert.equal(found.email, 'ada@example.test');
  },

  async 'a revoked token opens nothing, and is said to be dead'() {
    const auth = await signedIn();
    const { accessToken } = await auth.tokenManager.getTokens();
    assert.equal((await auth.token.introspect('accessToken', accessToken)).active, true);
    await auth.revokeAccessToken(accessToken);
    assert.equal((await auth.token.introspect('accessToken', accessToken)).active, false);
    const { idToken } = await auth.tokenManager.getTokens();
    const error = await refusal(auth.token.getUserInfo(accessToken, idToken));
    assert.equal(error.errorCode, 'invalid_token');
  },

  async 'a refresh token renews, and is revoked'() {
    const auth = await signedIn('ada', PASSWORD, {
      scopes: ['openid', 'profile', 'email', 'offline_access'],
    });
    const before = await auth.tokenManager.getTokens();
    const renewed = await auth.token.renewTokens();
    assert.notEqual(renewed.accessToken.accessToken, before.accessToken.accessToken);
    assert.equal(renewed.idToken.claims.sub, before.idToken.claims.sub);
    auth.tokenManager.setTokens(renewed);
    await auth.revokeRefreshToken();
    auth.tokenManager.setTokens(renewed);
    const error = await refusal(auth.token.renewTokens());
    assert.equal(error.errorCode, 'invalid_grant');
    assert.equal(error.errorSummary, 'The refresh token is invalid or expired.');
  },

  async 'logout leads back to the site'() {
    const auth = await signedIn();
    const address = auth.getSignOutRedirectUrl({ postLogoutRedirectUri: SITE, state: 'bye' });
    assert.ok(address.startsWith(`${ORIGIN}/oauth2/v1/logout?id_token_hint=`));
    assert.equal(await location(address), `${SITE}?state=bye`);
  },

  async 'the id token is verified with the published key'() {
    const auth = await signedIn();
    const { idToken } = await auth.tokenManager.getTokens();
    const verified = await auth.token.verify(idToken, { clientId: 'storefront', ignoreSignature: false });
    assert.deepEqual(verified, idToken);
  },

  async 'nobody has a session at the provider without its cookie'() {
    assert.equal(await client().session.exists(), false);
  },

  async 'the fingerprint frame says that it is ready, and answers only when it is asked'() {
    const answer = await fetch(`${ORIGIN}/auth/services/devicefingerprint`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('content-security-policy'), /frame-ancestors http:\/\/localhost:8080/);
    const page = await answer.text();
    const scripts = [...page.matchAll(/src="([^"]+)"/g)].map((one) => new URL(one[1], ORIGIN));
    const texts = await Promise.all(scripts.map(async (one) => (await fetch(one)).text()));
    for (const word of ['FingerprintServiceReady', 'GetFingerprint', 'FingerprintAvailable'])
      assert.ok([page, ...texts].join('\n').includes(word), word);
  },

  async 'on a device without fingerprints the library says so'() {
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'IEMobile' }, configurable: true });
    const error = await refusal(client().fingerprint());
    assert.equal(error.errorSummary, 'Fingerprinting is not supported on this device');
  },

  async 'an interaction code becomes tokens, once'() {
    const auth = eager({ idx: { enableLegacyMode: true, exchangeCodeForTokens: false } });
    const done = await auth.idx.authenticate({ username: 'ada', password: PASSWORD });
    assert.equal(done.status, 'SUCCESS');
    const meta = done.meta;
    const given = { interactionCode: done.interactionCode, ...meta };
    const { tokens } = await auth.token.exchangeCodeForTokens(given, meta.urls);
    assert.equal(tokens.idToken.claims.nonce, meta.nonce);
    const error = await refusal(auth.token.exchangeCodeForTokens(given, meta.urls));
    assert.equal(error.errorCode, 'invalid_grant');
  },
};
