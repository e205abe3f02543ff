/** @jest-environment node */
import { SITE } from '../components/fixtures/renderInShop';
import { BadJob, pageData, parseJob } from './job';

const JOB = {
  mode: 'stream',
  nonce: 'n',
  requestId: 'a1b2c3d4e5f60718',
  url: '/shop?page=2',
  page: 'shop',
  status: 200,
  deferred: ['reviews'],
  site: SITE,
  props: { heading: 'Shop' },
};

test('a valid job is returned unchanged', () => {
  expect(parseJob(JSON.stringify(JOB))).toEqual(JOB);
});

test('unknown fields are dropped', () => {
  expect(parseJob(JSON.stringify({ ...JOB, extra: 1 }))).toEqual(JOB);
});

test('a job of a host of the build before has no request id', () => {
  const { requestId: _, ...before } = JOB;
  expect(parseJob(JSON.stringify(before)).requestId).toBe('');
});

test('the nonce may be null', () => {
  expect(parseJob(JSON.stringify({ ...JOB, mode: 'whole', nonce: null })).nonce).toBeNull();
});

test.each([
  ['no JSON', 'mode=stream', 'the job is not JSON'],
  ['nothing', '', 'the job is not JSON'],
  ['null', 'null', 'the job is not an object'],
  ['a list', '[]', 'the job is not an object'],
  ['a text', '"job"', 'the job is not an object'],
])('%s is refused', (_, text, message) => {
  expect(() => parseJob(text)).toThrow(new BadJob(message));
});

test.each([
  ['mode', 'static'],
  ['mode', undefined],
  ['nonce', undefined],
  ['nonce', 7],
  ['requestId', 7],
  ['url', 'https://example.org/'],
  ['url', ''],
  ['url', null],
  ['page', 7],
  ['status', '200'],
  ['deferred', 'reviews'],
  ['deferred', [7]],
  ['deferred', undefined],
  ['site', null],
  ['site', []],
  ['props', 'x'],
  ['props', undefined],
])('a job whose %s is %p is refused with the name of the field', (field, value) => {
  expect(() => parseJob(JSON.stringify({ ...JOB, [field]: value }))).toThrow(new BadJob(field));
});

test('deferred parts are promises among the props', () => {
  const later = Promise.resolve(1);
  const data = pageData(parseJob(JSON.stringify(JOB)), { reviews: later });
  expect(data.props).toEqual({ heading: 'Shop', reviews: later });
});

test('the area of a page reaches the components', () => {
  const area = {
    id: 'admin',
    title: 'Administration',
    layout: 'area',
    home: '/admin',
    signIn: '/adminlogin',
    nav: [],
  };
  expect(pageData(parseJob(JSON.stringify({ ...JOB, area })), {}).area).toEqual(area);
  expect(() => parseJob(JSON.stringify({ ...JOB, area: 'admin' }))).toThrow(new BadJob('area'));
});
