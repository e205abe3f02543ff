import { currentAddress, returnAddress } from '../address';
import { cutFromAddress, forgetCut } from './cutAddress';

const CARD = '/user-dashboard?giftToken=t0ken&page=2&joinCode=c0de';

beforeEach(() => window.history.replaceState({ key: 'own' }, '', CARD));

test('a sign-in returns to the whole address from which secrets were cut, one after the other', () => {
  cutFromAddress(['giftToken']);
  cutFromAddress(['inviteToken', 'joinCode']);
  expect([currentAddress(), returnAddress()]).toEqual(['/user-dashboard?page=2', CARD]);
  expect(window.history.state).toEqual({ key: 'own' });
});

test('what was accepted does not come back, and what waits does', () => {
  cutFromAddress(['giftToken', 'joinCode']);
  forgetCut(['giftToken']);
  expect(returnAddress()).toBe('/user-dashboard?page=2&joinCode=c0de');
});

test('another page has nothing of the secrets', () => {
  cutFromAddress(['giftToken', 'joinCode']);
  window.history.pushState(null, '', '/shop');
  expect(returnAddress()).toBe('/shop');
});
