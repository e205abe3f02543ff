import { setCookie } from '../../fixtures/setCookie';
import { clearLogin } from '../session/clearLogin';
import { accessToken, authCookies, offerCookies, saveOffer, visitCookies } from './cookies';
import { partnerLogo } from './partnerLogo';

afterEach(() => {
  for (const pair of document.cookie.split('; ')) setCookie(`${pair.split('=')[0]}=; max-age=0`);
});

function signInAs(user: unknown, token: unknown = 't') {
  setCookie(`userInfo=${encodeURIComponent(JSON.stringify({ accessToken: token, user }))}`);
}

test('a userInfo of the exact form signs in', () => {
  signInAs({ AAUserID: 7, Email: 'ada@example.test' });
  expect(accessToken()).toBe('t');
  expect(visitCookies()).toMatchObject({ learnerId: 7, email: 'ada@example.test' });
});

test.each([
  ['no cookie', ''],
  ['not JSON', 'userInfo=abc'],
  ['broken escapes', 'userInfo=%E0%A4%A'],
  ['a number', 'userInfo=7'],
  ['null', 'userInfo=null'],
  ['a list', 'userInfo=%5B%5D'],
  ['no token', `userInfo=${encodeURIComponent('{"user":{"AAUserID":7}}')}`],
  ['an empty token', `userInfo=${encodeURIComponent('{"accessToken":"","user":{"AAUserID":7}}')}`],
  [
    'a token that is no text',
    `userInfo=${encodeURIComponent('{"accessToken":{"a":1},"user":{"AAUserID":7}}')}`,
  ],
])('%s reads as signed out', (_, cookie) => {
  setCookie(cookie);
  expect([accessToken(), visitCookies().learnerId, visitCookies().email]).toEqual([null, 0, '']);
});

test.each([
  [7, 7],
  ['7', 7],
  [0, 0],
  [-1, 0],
  [1.5, 0],
  ['7 or 1=1', 0],
  ['', 0],
  [true, 0],
  [[7], 0],
  [2 ** 53, 0],
  ['9'.repeat(16), 0],
  [null, 0],
])('AAUserID %p counts as %d', (overrides, expected) => {
  signInAs({ AAUserID: overrides, Email: 'ada@example.test' });
  expect(visitCookies().learnerId).toBe(expected);
});

test('a user that is no object leaves the token alone', () => {
  signInAs('ada');
  expect([accessToken(), visitCookies().learnerId]).toEqual(['t', 0]);
});

test.each([
  ['specialcouponid=9; specialcouponcode=SPRING', '9'],
  ['specialcouponcode=SPRING', 'SPRING'],
  ['specialcouponid=; specialcouponcode=SPRING', 'SPRING'],
  ['', ''],
])('the special coupon of %p is %p', (cookies, expected) => {
  for (const cookie of cookies.split('; ')) setCookie(cookie);
  expect(visitCookies().specialCoupon).toBe(expected);
});

test('the first of two cookies of similar name is not taken for the other', () => {
  setCookie('myCouponID=1');
  setCookie('CouponID=2%3B3');
  expect(visitCookies().couponId).toBe('2;3');
});

test('the offer’s cookies live 180 minutes, on every path, for same-site pages', () => {
  const written = jest.spyOn(document, 'cookie', 'set');
  saveOffer({ id: '4', code: 'Übung 1' });
  expect(written.mock.calls.flat()).toEqual([
    'specialcouponcheck=1; path=/; max-age=10800; SameSite=Lax',
    'specialcouponid=4; path=/; max-age=10800; SameSite=Lax',
    'specialcouponcode=%C3%9Cbung%201; path=/; max-age=10800; SameSite=Lax',
  ]);
  written.mockRestore();
  expect(offerCookies()).toEqual({ id: '4', code: 'Übung 1', wasChecked: true });
});

test('IsRestrictedAccess is the text true, or nothing', () => {
  setCookie('IsRestrictedAccess=1');
  expect(authCookies().isRestricted).toBe(false);
  setCookie('IsRestrictedAccess=true');
  expect(authCookies().isRestricted).toBe(true);
});

test.each([
  ['/static/images/partners/harbour-trust.svg', true],
  ['https://elsewhere.example/logo.svg', false],
  ['//elsewhere.example/logo.svg', false],
  ['/static/../api/logout', false],
  ['/static/x.svg?y', false],
])('a partner’s logo at %s: %s', (path, isShown) => {
  setCookie(`domainLogo=${encodeURIComponent(path)}`);
  expect(partnerLogo()).toBe(isShown ? path : '');
});

test('the end of a sign-in clears its cookie and no other', () => {
  signInAs({ AAUserID: 7, Email: 'ada@example.test' });
  setCookie('CouponID=TAX');
  clearLogin();
  expect([accessToken(), authCookies().couponId]).toEqual([null, 'TAX']);
});
