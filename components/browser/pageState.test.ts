import { readParts, readRoot, readState } from './pageState';

type Holder = { parts?: { push: (part: [string, unknown]) => void } };
const holder = window as unknown as Holder;

beforeEach(() => {
  document.body.innerHTML = '';
  holder.parts = undefined;
});

function loading(state: DocumentReadyState) {
  jest.spyOn(document, 'readyState', 'get').mockReturnValue(state);
}

/** What the inline scripts of the stream do (docs/contracts.md, "document"). */
function arrive(key: string, value: unknown) {
  holder.parts ??= [] as unknown as Holder['parts'];
  holder.parts?.push([key, value]);
}

test('a part that came before is a value', () => {
  loading('loading');
  arrive('reviews', { items: [] });
  expect(readParts(['reviews'])).toEqual({ reviews: { items: [] } });
});

test('a part that comes later is a promise', async () => {
  loading('loading');
  const { reviews } = readParts(['reviews']);
  arrive('reviews', { items: [1] });
  expect(await reviews).toEqual({ items: [1] });
});

test('a part that could not be had is null, before as after', async () => {
  loading('loading');
  arrive('related', null);
  const parts = readParts(['reviews', 'related']);
  arrive('reviews', null);
  expect([parts.related, await parts.reviews]).toEqual([null, null]);
});

test('a stream that broke off settles the rest as null when the document has ended', async () => {
  loading('loading');
  const parts = readParts(['reviews', 'related']);
  arrive('related', [1]);
  document.dispatchEvent(new Event('DOMContentLoaded'));
  expect([await parts.reviews, await parts.related]).toEqual([null, [1]]);
});

test('in a document that has ended already nothing is waited for', async () => {
  loading('interactive');
  expect(await readParts(['reviews']).reviews).toBeNull();
});

test('an unknown part changes nothing', () => {
  loading('loading');
  const parts = readParts([]);
  arrive('reviews', 1);
  expect(parts).toEqual({});
});

test("the state is read as the host wrote it, and markup in a course's name stays text", () => {
  document.body.innerHTML =
    '<script type="application/json" id="state">{"page":"error","name":"\\u003c/script\\u003e\\u0026\\u2028"}</script>';
  expect(readState()).toEqual({ page: 'error', name: '</script>&\u2028' });
});

test('the root shows whether a worker has rendered it', () => {
  document.body.innerHTML = '<div id="root"></div>';
  expect(readRoot().isRendered).toBe(true);
  document.body.innerHTML = '<div id="root" data-rendered="no"></div>';
  expect(readRoot().isRendered).toBe(false);
});

test('a document without a root is an error', () => {
  expect(readRoot).toThrow('The document has no #root');
});
