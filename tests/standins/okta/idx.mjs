// The identity engine: every flow, with passwords and mailed codes.
import assert from 'node:assert/strict';
import { AuthenticatorKey } from '@okta/okta-auth-js';
import { client, code, eager, message, NEW, ORIGIN, PASSWORD, refusal } from './client.mjs';
import { at, isDone, keysOf } from './steps.mjs';

export const idx = {
  async 'authenticate: name and password end with tokens'() {
    const auth = eager();
    isDone(await auth.idx.authenticate({ username: 'ada', password: PASSWORD }), auth);
  },

  async 'authenticate: step by step, on the custom issuer'() {
    const auth = client({ issuer: `${ORIGIN}/oauth2/default` });
    const first = await auth.idx.start();
    assert.equal(first.status, 'PENDING');
    assert.deepEqual(first.enabledFeatures.sort(), [
      'enroll-profile',
      'recover-password',
      'redirect-idp',
      'unlock-account',
    ]);
    const done = await auth.idx.proceed({
      step: 'identify',
      identifier: 'ada',
      credentials: { passcode: PASSWORD },
    });
    isDone(done, auth);
  },

  async 'authenticate: a wrong password says so, and the form remains'() {
    const auth = eager();
    const step = await auth.idx.authenticate({ username: 'ada', password: 'wrong' });
    at(step, 'identify');
    assert.deepEqual(keysOf(step), ['errors.E0000004']);
    isDone(await auth.idx.proceed({ username: 'ada', password: PASSWORD }), auth);
  },

  async 'authenticate: an expired password is replaced'() {
    const auth = eager();
    at(await auth.idx.authenticate({ username: 'expired', password: PASSWORD }), 'reenroll-authenticator');
    isDone(await auth.idx.proceed({ newPassword: NEW }), auth);
  },

  async 'authenticate: a password about to expire may be kept'() {
    const auth = eager();
    const step = await auth.idx.authenticate({ username: 'warn', password: PASSWORD });
    assert.equal(at(step, 'reenroll-authenticator-warning').canSkip, true);
    isDone(await auth.idx.proceed({ skip: true }), auth);
  },

  async 'register: enroll-profile, email code, password, no more'() {
    const auth = eager();
    let step = await auth.idx.register({ firstName: 'New', lastName: 'Comer', email: 'new@example.test' });
    const offered = () => step.nextStep.inputs[0].options.map((one) => one.value);
    at(step, 'select-authenticator-enroll');
    assert.deepEqual(offered(), ['okta_password', 'okta_email']);
    at(await auth.idx.proceed({ authenticator: AuthenticatorKey.OKTA_EMAIL }), 'enroll-authenticator');
    step = await auth.idx.proceed({ verificationCode: await code('new@example.test') });
    assert.deepEqual(offered(), ['okta_password']);
    at(await auth.idx.proceed({ authenticator: AuthenticatorKey.OKTA_PASSWORD }), 'enroll-authenticator');
    step = await auth.idx.proceed({ password: 'short' });
    assert.deepEqual(keysOf(step), ['password.passwordRequirementsNotMet']);
    step = await auth.idx.proceed({ password: NEW });
    assert.equal(at(step, 'select-authenticator-enroll').canSkip, true);
    isDone(await auth.idx.proceed({ skip: true }), auth);
    assert.equal(
      (await client().signInWithCredentials({ username: 'new@example.test', password: NEW })).status,
      'SUCCESS',
    );
  },

  async 'register: a taken address is refused at its field'() {
    const auth = eager();
    const step = await auth.idx.register({ firstName: 'A', lastName: 'B', email: 'ada@example.test' });
    at(step, 'enroll-profile');
    assert.equal(keysOf(step).length, 1);
  },

  async 'recoverPassword: by a mailed code'() {
    const auth = eager();
    let step = await auth.idx.recoverPassword({ username: 'ada' });
    at(step, 'select-authenticator-authenticate');
    step = await auth.idx.proceed({ authenticator: AuthenticatorKey.OKTA_EMAIL });
    at(step, 'challenge-authenticator');
    step = await auth.idx.proceed({ verificationCode: await code('ada') });
    at(step, 'reset-authenticator');
    isDone(await auth.idx.proceed({ password: NEW }), auth);
    assert.equal(
      (await client().signInWithCredentials({ username: 'ada', password: NEW })).status,
      'SUCCESS',
    );
  },

  async 'unlockAccount: by a mailed code'() {
    const auth = eager();
    let step = await auth.idx.unlockAccount({
      username: 'locked',
      authenticator: AuthenticatorKey.OKTA_EMAIL,
    });
    at(step, 'challenge-authenticator');
    step = await auth.idx.proceed({ verificationCode: await code('locked') });
    assert.equal(step.status, 'TERMINAL');
    assert.equal(step.messages[0].class, 'INFO');
    const answer = await client().signInWithCredentials({ username: 'locked', password: PASSWORD });
    assert.equal(answer.status, 'SUCCESS');
  },

  async 'redirect-idp: leads out and comes back with an interaction code'() {
    const auth = client();
    const first = await auth.idx.start();
    const out = first.neededToProceed.find((one) => one.name === 'redirect-idp');
    assert.deepEqual([out.type, out.idp.name], ['OIDC', 'Demo']);
    const page = await (await fetch(out.href)).text();
    const [, stateToken] = page.match(/name="stateToken" value="([^"]+)"/);
    const body = new URLSearchParams({ stateToken, login: 'ada', action: 'accept' });
    const back = await fetch(out.href, { method: 'POST', body, redirect: 'manual' });
    await auth.idx.handleInteractionCodeRedirect(back.headers.get('location'));
    assert.equal((await auth.tokenManager.getTokens()).idToken.claims.email, 'ada@example.test');
  },

  async 'a code of nobody is refused at the way back, and a foreign state too'() {
    const auth = client();
    assert.equal(
      (
        await refusal(
          auth.idx.handleInteractionCodeRedirect('http://localhost:8080/logincallback?interaction_code=x'),
        )
      ).errorSummary,
      'No transaction data was found in storage',
    );
    await auth.idx.start();
    assert.equal(
      (
        await refusal(
          auth.idx.handleInteractionCodeRedirect(
            'http://localhost:8080/logincallback?interaction_code=x&state=y',
          ),
        )
      ).errorSummary,
      'State in redirect uri does not match with transaction state',
    );
  },

  async 'cancel: the transaction is over'() {
    const auth = eager();
    await auth.idx.authenticate({ username: 'email-mfa', password: PASSWORD });
    assert.equal((await auth.idx.cancel()).status, 'CANCELED');
    const error = await refusal(auth.idx.proceed({ verificationCode: '1' }));
    assert.equal(error.errorSummary, 'Unable to proceed: saved transaction could not be loaded');
  },

  async 'password: asked on a step of its own after another authenticator was left'() {
    const auth = eager();
    at(await auth.idx.authenticate({ username: 'ada' }), 'identify');
    isDone(await auth.idx.proceed({ username: 'ada', password: PASSWORD }), auth);
  },

  async 'email: wrong code, sent again, right code'() {
    const auth = eager();
    let step = await auth.idx.authenticate({ username: 'email-mfa', password: PASSWORD });
    const next = at(step, 'challenge-authenticator');
    assert.deepEqual([next.authenticator.key, next.canResend], ['okta_email', true]);
    step = await auth.idx.proceed({ verificationCode: 'nope' });
    assert.deepEqual(keysOf(step), ['api.authn.error.PASSCODE_INVALID']);
    at(await auth.idx.proceed({ resend: true }), 'challenge-authenticator');
    isDone(await auth.idx.proceed({ verificationCode: await code('email-mfa') }), auth);
  },

  async "email: the mail's link goes on in the browser that began, and names the code in another"() {
    const auth = eager();
    await auth.idx.authenticate({ username: 'email-mfa', password: PASSWORD });
    const { link, code: otp } = await message('email-mfa');
    const { search } = new URL(link);
    assert.equal(auth.idx.isEmailVerifyCallback(search), true);
    const error = await refusal(eager().idx.handleEmailVerifyCallback(search));
    assert.equal(error.message, `Enter the OTP code in the originating client: ${otp}`);
    isDone(await auth.idx.handleEmailVerifyCallback(search), auth);
  },
};
