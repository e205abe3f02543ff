// MyAccount, every function of the library, by calls and by the links of answers.
import assert from 'node:assert/strict';
import { client, code, NEW, PASSWORD, refusal, signedIn } from './client.mjs';

const MAIL = 'more@example.test';
const PHONE = '+15550100077';
const RIGHTS = ['profile', 'email', 'phone', 'password'].map((part) => `okta.myAccount.${part}.manage`);
const owner = () => signedIn('ada', PASSWORD, { scopes: ['openid', 'profile', 'email', 'phone', ...RIGHTS] });

export const myaccount = {
  async 'without a token nothing is sent'() {
    const error = await refusal(client().myaccount.getProfile());
    assert.equal(error.errorSummary, 'AccessToken is required to request MyAccount API endpoints.');
  },

  async 'the scopes of OpenID Connect are not enough'() {
    const { myaccount: mine } = await signedIn();
    const error = await refusal(mine.getEmails());
    assert.deepEqual([error.errorCode, error.xhr.status], ['E0000015', 403]);
  },

  async 'getProfile, updateProfile, getProfileSchema'() {
    const { myaccount: mine } = await owner();
    const { profile } = await mine.getProfile();
    assert.equal(profile.firstName, 'Ada');
    const changed = await mine.updateProfile({ payload: { profile: { ...profile, firstName: 'Adele' } } });
    assert.equal(changed.profile.firstName, 'Adele');
    const schema = await mine.getProfileSchema();
    assert.equal(schema.properties.firstName.permissions.SELF, 'READ_WRITE');
  },

  async 'getEmails, addEmail, getEmail, sendEmailChallenge, getEmailChallenge, verifyEmailChallenge, deleteEmail'() {
    const { myaccount: mine } = await owner();
    assert.deepEqual(
      (await mine.getEmails()).map((one) => [one.profile.email, one.status]),
      [['ada@example.test', 'VERIFIED']],
    );
    const payload = { profile: { email: MAIL }, sendEmail: false, role: 'SECONDARY' };
    const { id } = await mine.addEmail({ payload });
    assert.equal((await mine.getEmail({ id })).status, 'UNVERIFIED');
    const challenge = await mine.sendEmailChallenge({ id });
    const which = { emailId: id, challengeId: challenge.id };
    assert.equal((await mine.getEmailChallenge(which)).status, 'UNVERIFIED');
    const wrong = await refusal(
      mine.verifyEmailChallenge({ ...which, payload: { verificationCode: 'nope' } }),
    );
    assert.deepEqual([wrong.errorCode, wrong.xhr.status], ['E0000004', 401]);
    await mine.verifyEmailChallenge({ ...which, payload: { verificationCode: await code(MAIL) } });
    assert.equal((await mine.getEmail({ id })).status, 'VERIFIED');
    await mine.deleteEmail({ id });
    assert.equal((await refusal(mine.getEmail({ id }))).errorCode, 'E0000007');
  },

  async 'an address by the links of its answers: challenge, poll, verify, get, delete'() {
    const { myaccount: mine } = await owner();
    const made = await mine.addEmail({
      payload: { profile: { email: MAIL }, sendEmail: true, role: 'SECONDARY' },
    });
    const challenge = await made.challenge();
    assert.equal((await challenge.poll()).status, 'UNVERIFIED');
    await challenge.verify({ verificationCode: await code(MAIL) });
    const now = await made.get();
    assert.equal(now.status, 'VERIFIED');
    await now.delete();
    assert.equal((await mine.getEmails()).length, 1);
  },

  async 'getPhones, addPhone, getPhone, verifyPhoneChallenge, deletePhone'() {
    const { myaccount: mine } = await owner();
    assert.deepEqual(await mine.getPhones(), []);
    const { id } = await mine.addPhone({
      payload: { profile: { phoneNumber: PHONE }, sendCode: true, method: 'SMS' },
    });
    assert.equal((await mine.getPhone({ id })).status, 'UNVERIFIED');
    await mine.verifyPhoneChallenge({ id, payload: { verificationCode: await code(PHONE) } });
    assert.equal((await mine.getPhone({ id })).status, 'VERIFIED');
    await mine.deletePhone({ id });
    assert.deepEqual(await mine.getPhones(), []);
  },

  async 'a number by sendPhoneChallenge, and too soon again'() {
    const { myaccount: mine } = await owner();
    const { id } = await mine.addPhone({
      payload: { profile: { phoneNumber: PHONE }, sendCode: false, method: 'SMS' },
    });
    await mine.sendPhoneChallenge({ id, payload: { method: 'CALL' } });
    const error = await refusal(mine.sendPhoneChallenge({ id, payload: { method: 'SMS' } }));
    assert.deepEqual([error.errorCode, error.xhr.status], ['E0000047', 429]);
    const phone = await mine.getPhone({ id });
    await phone.verify({ verificationCode: await code(PHONE) });
    assert.equal((await phone.get()).status, 'VERIFIED');
  },

  async 'getPassword, updatePassword, deletePassword, enrollPassword; each status offers its own'() {
    const { myaccount: mine } = await owner();
    const active = await mine.getPassword();
    assert.deepEqual(
      [active.status, typeof active.enroll, typeof active.update],
      ['ACTIVE', 'undefined', 'function'],
    );
    const wrong = { profile: { password: NEW, currentPassword: 'wrong' } };
    assert.equal((await refusal(mine.updatePassword({ payload: wrong }))).errorCode, 'E0000014');
    assert.equal(
      (await refusal(mine.enrollPassword({ payload: { profile: { password: NEW } } }))).xhr.status,
      409,
    );
    await mine.updatePassword({ payload: { profile: { password: NEW, currentPassword: PASSWORD } } });
    await mine.deletePassword();
    const none = await mine.getPassword();
    assert.deepEqual(
      [none.status, typeof none.enroll, typeof none.update],
      ['NOT_ENROLLED', 'function', 'undefined'],
    );
    assert.equal(
      (await refusal(mine.updatePassword({ payload: { profile: { password: NEW } } }))).xhr.status,
      404,
    );
    const first = await none.enroll({ profile: { password: `${NEW}3` } });
    assert.equal(first.status, 'ACTIVE');
  },
};
