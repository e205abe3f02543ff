// Every kind of authenticator that is enrolled first, then asked.
import assert from 'node:assert/strict';
import { AuthenticatorKey, OktaAuth } from '@okta/okta-auth-js';
import { code, eager, message, PASSWORD, push } from './client.mjs';
import { appCode, securityKey } from './keys.mjs';
import { at, isDone } from './steps.mjs';

const { getAttestation, getAssertion } = OktaAuth.webauthn;
const ENROLLER = { username: 'enroller', password: PASSWORD };

/** `enroller` with that authenticator chosen from the list. */
async function enrolling(authenticator) {
  const auth = eager();
  const listed = await auth.idx.authenticate(ENROLLER);
  assert.equal(at(listed, 'select-authenticator-enroll').canSkip, true);
  return [auth, await auth.idx.proceed({ authenticator })];
}

/** `enroller` in a new transaction, at the second factor. */
async function again() {
  const auth = eager();
  return [auth, await auth.idx.authenticate(ENROLLER)];
}

const secretOf = (step) => step.nextStep.authenticator.contextualData.sharedSecret;

export const authenticators = {
  async 'phone: enrolled by SMS, asked by call; second factor: phone_number'() {
    let [auth, step] = await enrolling(AuthenticatorKey.PHONE_NUMBER);
    at(step, 'authenticator-enrollment-data');
    step = await auth.idx.proceed({ methodType: 'sms', phoneNumber: '+15550100088' });
    at(step, 'enroll-authenticator');
    isDone(await auth.idx.proceed({ verificationCode: await code('+15550100088') }), auth);
    [auth, step] = await again();
    at(step, 'authenticator-verification-data');
    at(await auth.idx.proceed({ methodType: 'voice' }), 'challenge-authenticator');
    assert.equal((await message('+15550100088')).channel, 'call');
    isDone(await auth.idx.proceed({ verificationCode: await code('+15550100088') }), auth);
  },

  async 'app: enrolled by its secret, asked by the next code; second factor: google_otp'() {
    let [auth, step] = await enrolling(AuthenticatorKey.GOOGLE_AUTHENTICATOR);
    at(step, 'enroll-authenticator');
    const secret = secretOf(step);
    assert.match(step.nextStep.authenticator.contextualData.qrcode.href, /^data:image\/png;base64,/);
    isDone(await auth.idx.proceed({ verificationCode: appCode(secret) }), auth);
    [auth, step] = await again();
    at(step, 'challenge-authenticator');
    isDone(await auth.idx.proceed({ verificationCode: appCode(secret, 1) }), auth);
  },

  async 'question: one of their own, enrolled and asked; second factor: security_question'() {
    let [auth, step] = await enrolling(AuthenticatorKey.SECURITY_QUESTION);
    at(step, 'enroll-authenticator');
    isDone(await auth.idx.proceed({ question: 'Name of the boat?', answer: 'Seagull' }), auth);
    [auth, step] = await again();
    at(step, 'challenge-authenticator');
    isDone(await auth.idx.proceed({ questionKey: 'custom', answer: 'Seagull' }), auth);
  },

  async 'verify app: enrolled by polling, asked by push; second factor: okta_verify'() {
    let [auth, step] = await enrolling(AuthenticatorKey.OKTA_VERIFY);
    const next = at(step, 'enroll-poll');
    assert.equal(next.poll.required, true);
    at(await auth.idx.poll(), 'enroll-poll');
    await push('enroller', 'enroll');
    isDone(await auth.idx.poll(), auth);
    [auth, step] = await again();
    at(step, 'authenticator-verification-data');
    at(await auth.idx.proceed({ methodType: 'push' }), 'challenge-poll');
    await push('enroller', 'approve');
    isDone(await auth.idx.poll(), auth);
  },

  async 'webauthn: enrolled and asked; second factor: webauthn'() {
    const key = securityKey();
    let [auth, step] = await enrolling(AuthenticatorKey.WEBAUTHN);
    at(step, 'enroll-authenticator');
    const { activationData } = step.nextStep.authenticator.contextualData;
    const made = OktaAuth.webauthn.buildCredentialCreationOptions(
      activationData,
      step.nextStep.authenticatorEnrollments,
    );
    assert.deepEqual([made.publicKey.rp.id, made.publicKey.attestation], ['localhost', 'none']);
    const { clientData, attestation } = getAttestation(key.create(activationData.challenge));
    isDone(await auth.idx.proceed({ clientData, attestation }), auth);
    [auth, step] = await again();
    at(step, 'challenge-authenticator');
    const { challengeData } = step.nextStep.authenticator.contextualData;
    const asked = OktaAuth.webauthn.buildCredentialRequestOptions(
      challengeData,
      step.nextStep.authenticatorEnrollments,
    );
    assert.equal(asked.publicKey.rpId ?? 'localhost', 'localhost');
    const proof = getAssertion(key.get(challengeData.challenge));
    isDone(
      await auth.idx.proceed({
        clientData: proof.clientData,
        authenticatorData: proof.authenticatorData,
        signatureData: proof.signatureData,
      }),
      auth,
    );
  },
};
