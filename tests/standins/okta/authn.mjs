// Classic authentication: states, their links, recovery, unlocking, polling.
import assert from 'node:assert/strict';
import { client, code, message, NEW, PASSWORD, push, refusal } from './client.mjs';

export const authn = {
  async 'a right password is SUCCESS with a session token'() {
    const answer = await client().signInWithCredentials({ username: 'ada', password: PASSWORD });
    assert.equal(answer.status, 'SUCCESS');
    assert.equal(typeof answer.sessionToken, 'string');
    assert.equal(answer.user.profile.login, 'ada');
  },

  async 'a wrong one is E0000004'() {
    const error = await refusal(client().signInWithCredentials({ username: 'ada', password: 'wrong' }));
    assert.equal(error.name, 'AuthApiError');
    assert.deepEqual(
      [error.errorCode, error.errorSummary, error.xhr.status],
      ['E0000004', 'Authentication failed', 401],
    );
  },

  async 'a locked account says so'() {
    const answer = await client().signInWithCredentials({ username: 'locked', password: PASSWORD });
    assert.equal(answer.status, 'LOCKED_OUT');
  },

  async 'a transaction is resumed and introspected by its saved token'() {
    const auth = client();
    const first = await auth.signInWithCredentials({ username: 'email-mfa', password: PASSWORD });
    assert.equal(first.status, 'MFA_REQUIRED');
    const { stateToken } = first.data;
    assert.equal((await auth.tx.resume({ stateToken })).status, 'MFA_REQUIRED');
    assert.equal((await auth.tx.introspect({ stateToken })).status, 'MFA_REQUIRED');
    await first.cancel();
    const error = await refusal(auth.tx.introspect({ stateToken }));
    assert.equal(error.errorCode, 'E0000011');
  },

  async 'without a saved token there is nothing to resume or to evaluate'() {
    const auth = client();
    assert.equal((await refusal(auth.tx.resume())).errorSummary, 'No transaction to resume');
    assert.equal((await refusal(auth.tx.introspect())).errorSummary, 'No transaction to evaluate');
  },

  async 'a mailed code is the second factor, and may be sent again'() {
    const first = await client().signInWithCredentials({ username: 'email-mfa', password: PASSWORD });
    const [factor] = first.factors;
    assert.deepEqual([factor.factorType, factor.provider], ['email', 'OKTA']);
    const asked = await factor.verify();
    assert.equal(asked.status, 'MFA_CHALLENGE');
    const wrong = await refusal(asked.verify({ passCode: 'nope' }));
    assert.deepEqual([wrong.errorCode, wrong.xhr.status], ['E0000068', 403]);
    const again = await asked.resend('email');
    const done = await again.verify({ passCode: await code('email-mfa') });
    assert.equal(done.status, 'SUCCESS');
  },

  async 'a resend link of another name is not there'() {
    const first = await client().signInWithCredentials({ username: 'email-mfa', password: PASSWORD });
    const asked = await first.factors[0].verify();
    const error = await refusal((async () => asked.resend('pigeon'))());
    assert.equal(error.errorSummary, 'No link found for that name');
  },

  async 'an expired password is changed'() {
    const answer = await client().signInWithCredentials({ username: 'expired', password: PASSWORD });
    assert.equal(answer.status, 'PASSWORD_EXPIRED');
    const wrong = await refusal(answer.changePassword({ oldPassword: 'x', newPassword: NEW }));
    assert.equal(wrong.errorCode, 'E0000014');
    assert.equal(
      (await answer.changePassword({ oldPassword: PASSWORD, newPassword: NEW })).status,
      'SUCCESS',
    );
  },

  async 'a password about to expire may be kept'() {
    const options = { warnBeforePasswordExpired: true };
    const answer = await client().signInWithCredentials({ username: 'warn', password: PASSWORD, options });
    assert.equal(answer.status, 'PASSWORD_WARN');
    assert.equal((await answer.skip()).status, 'SUCCESS');
  },

  async 'a forgotten password is recovered by the token of a mail'() {
    const auth = client();
    const asked = await auth.forgotPassword({ username: 'ada', factorType: 'EMAIL' });
    assert.deepEqual([asked.status, asked.data.factorResult], ['RECOVERY_CHALLENGE', 'WAITING']);
    const { token } = await message('ada');
    let step = await auth.verifyRecoveryToken({ recoveryToken: token });
    if (step.status === 'RECOVERY') step = await step.answer({ answer: 'none' });
    assert.equal(step.status, 'PASSWORD_RESET');
    assert.equal((await step.resetPassword({ newPassword: NEW })).status, 'SUCCESS');
    assert.equal((await auth.signInWithCredentials({ username: 'ada', password: NEW })).status, 'SUCCESS');
    const error = await refusal(auth.verifyRecoveryToken({ recoveryToken: token }));
    assert.equal(error.errorCode, 'E0000011');
  },

  async 'an unknown name is recovered in the same words'() {
    const asked = await client().forgotPassword({ username: 'nobody', factorType: 'EMAIL' });
    assert.deepEqual([asked.status, asked.data.factorResult], ['RECOVERY_CHALLENGE', 'WAITING']);
  },

  async 'a locked account is unlocked by the token of a mail'() {
    const auth = client();
    const asked = await auth.unlockAccount({ username: 'locked', factorType: 'EMAIL' });
    assert.deepEqual([asked.status, asked.data.recoveryType], ['RECOVERY_CHALLENGE', 'UNLOCK']);
    const { token } = await message('locked');
    const done = await auth.verifyRecoveryToken({ recoveryToken: token });
    assert.equal(done.status, 'SUCCESS');
    assert.equal(
      (await auth.signInWithCredentials({ username: 'locked', password: PASSWORD })).status,
      'SUCCESS',
    );
  },

  async 'polling goes on while the push is waiting'() {
    const auth = client();
    let step = await auth.signInWithCredentials({ username: 'enroller', password: PASSWORD });
    assert.equal(step.status, 'MFA_ENROLL');
    const factor = step.factors.find((one) => one.factorType === 'push');
    step = await factor.enroll();
    assert.equal(step.status, 'MFA_ENROLL_ACTIVATE');
    let polls = 0;
    const done = await step.poll({
      delay: 10,
      transactionCallBack: async () => {
        polls += 1;
        if (polls === 2) await push('enroller', 'enroll');
      },
    });
    assert.ok(['MFA_ENROLL', 'SUCCESS'].includes(done.status), done.status);
    assert.ok(polls >= 2);
  },

  async 'another call of the transaction stops the polling'() {
    let step = await client().signInWithCredentials({ username: 'enroller', password: PASSWORD });
    step = await step.factors.find((one) => one.factorType === 'push').enroll();
    let polls = 0;
    const stopped = step.poll({
      delay: 50,
      transactionCallBack: () => {
        polls += 1;
        if (polls === 1) step.cancel();
      },
    });
    const error = await refusal(stopped);
    assert.equal(error.errorSummary ?? error.message, 'The poll was stopped by the sdk');
  },
};
