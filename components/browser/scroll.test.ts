import type * as Scroll from './scroll';

const scrollTo = jest.fn();
let scroll: typeof Scroll;

beforeEach(async () => {
  window.sessionStorage.clear();
  document.body.innerHTML = '';
  scrollTo.mockReset();
  window.scrollTo = scrollTo;
  jest.resetModules();
  scroll = await import('./scroll');
});

function scrolledTo(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  window.dispatchEvent(new Event('scroll'));
}

function wentTo(): unknown[] {
  return scrollTo.mock.calls.map(([options]) => options.top);
}

test('a new page begins at its top', () => {
  scroll.placeScroll('b', false, '');
  expect(scrollTo.mock.calls).toEqual([[{ top: 0, behavior: 'instant' }]]);
});

test('coming back goes to where the page was left', () => {
  const stop = scroll.rememberScroll(() => 'a');
  scrolledTo(420);
  stop();
  scroll.placeScroll('a', true, '');
  expect(wentTo()).toEqual([420]);
});

test('a new visit of the same entry does not', () => {
  const stop = scroll.rememberScroll(() => 'a');
  scrolledTo(420);
  stop();
  scroll.placeScroll('a', false, '');
  expect(wentTo()).toEqual([0]);
});

test('a hash names where the page begins', () => {
  const target = document.createElement('h2');
  target.id = 'häufige fragen';
  target.scrollIntoView = jest.fn();
  document.body.append(target);
  scroll.placeScroll('a', false, '#h%C3%A4ufige%20fragen');
  expect(target.scrollIntoView).toHaveBeenCalledTimes(1);
  expect(wentTo()).toEqual([]);
});

test.each(['#nothing', '#50%', '#'])('the hash %p names nothing: the page begins at its top', (hash) => {
  scroll.placeScroll('a', false, hash);
  expect(wentTo()).toEqual([0]);
});

test('a reload goes back to where it was; positions survive it in session storage', async () => {
  const stop = scroll.rememberScroll(() => 'a');
  scrolledTo(300);
  window.dispatchEvent(new Event('pagehide'));
  stop();
  jest.resetModules();
  const fresh: typeof Scroll = await import('./scroll');
  fresh.restoreScroll('a');
  fresh.restoreScroll('unknown');
  expect(wentTo()).toEqual([300]);
});

test.each([
  ['a page that comes without markup returns to its place when it is reloaded', 'reload', 0, [300]],
  ['the browser has returned a reloaded page to its place, or its visitor has moved on', 'reload', 120, []],
  ['a page that begins anew in this tab begins at its top', 'navigate', 0, []],
  ['a page to which one returns by full load is left to the browser', 'back_forward', 0, []],
])('first entry of a document: %s', (_, type, y, expected) => {
  jest
    .spyOn(performance, 'getEntriesByType')
    .mockReturnValue([{ type } as unknown as PerformanceNavigationTiming]);
  const stop = scroll.rememberScroll(() => 'default');
  scrolledTo(300);
  stop();
  scrolledTo(y);
  scroll.restoreScroll('default');
  expect(wentTo()).toEqual(expected);
});

test('fifty positions are stored, the oldest is removed first', () => {
  let key = '';
  const stop = scroll.rememberScroll(() => key);
  for (let number = 0; number < 60; number += 1) {
    key = `entry${number}`;
    scrolledTo(number);
  }
  window.dispatchEvent(new Event('pagehide'));
  stop();
  const entries = Object.keys(JSON.parse(window.sessionStorage.getItem('scroll_positions') ?? '{}'));
  expect([entries.length, entries[0], entries[49]]).toEqual([50, 'entry10', 'entry59']);
});

test.each(['abc', 'null', '7', '[]', '{"a":"x"}'])(
  'positions that read %p are as good as none',
  async (stored) => {
    window.sessionStorage.setItem('scroll_positions', stored);
    scroll.placeScroll('a', true, '');
    const stop = scroll.rememberScroll(() => 'a');
    scrolledTo(5);
    window.dispatchEvent(new Event('pagehide'));
    stop();
    expect(wentTo()).toEqual([0]);
  },
);

test('with storage refused positions live as long as the page', () => {
  for (const method of ['getItem', 'setItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
  }
  const stop = scroll.rememberScroll(() => 'a');
  scrolledTo(120);
  window.dispatchEvent(new Event('pagehide'));
  stop();
  scroll.placeScroll('a', true, '');
  expect(wentTo()).toEqual([120]);
});

test('the new page gets the focus without moving the view', () => {
  document.body.innerHTML = '<main id="main">x</main>';
  const main = document.body.firstElementChild as HTMLElement;
  const focus = jest.spyOn(main, 'focus');
  scroll.focusMain();
  expect(document.activeElement).toBe(main);
  expect(focus).toHaveBeenCalledWith({ preventScroll: true });
});
