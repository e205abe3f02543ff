import type * as AreaPlaces from './areaPlaces';

const scrollTo = jest.fn();
let places: typeof AreaPlaces;

const GAPS = '/admin/reports/gaps';
const PARTS = '<main id="main"><details><summary>a</summary></details><details></details></main>';

/** Another document of this tab, which the browser has begun as `type` says. */
async function begin(type: string, address: string, state: object | null = null) {
  jest
    .spyOn(performance, 'getEntriesByType')
    .mockReturnValue([{ type } as unknown as PerformanceNavigationTiming]);
  window.history.replaceState(state, '', address);
  document.body.innerHTML = PARTS;
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
  scrollTo.mockReset();
  jest.resetModules();
  places = await import('./areaPlaces');
}

const parts = () => [...document.querySelectorAll('details')];
const open = () => parts().map((part) => part.open);
const wentTo = () => [...new Set(scrollTo.mock.calls.map(([options]) => options.top))];

/** Opens the second part, scrolls, and leaves the document: the history is at the next page by then. */
function leave(y: number) {
  const stop = places.rememberPlaces();
  places.returnToPlace();
  parts()[1]?.setAttribute('open', '');
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  window.history.replaceState({ key: 'next' }, '', '/search?q=scrum');
  window.dispatchEvent(new Event('pagehide'));
  stop();
}

beforeEach(() => {
  window.sessionStorage.clear();
  window.scrollTo = scrollTo;
  jest.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => {
    callback(0);
    return 0;
  });
});

test.each([
  ['back from a page of the shop', 'back_forward', GAPS, null, [false, true], [700]],
  ['a reload', 'reload', GAPS, null, [false, true], [700]],
  ['a link that begins anew', 'navigate', GAPS, null, [false, false], []],
  ['another report', 'back_forward', '/admin/reports/pages', null, [false, false], []],
  ['another entry of the same report', 'back_forward', GAPS, { key: 'b' }, [false, false], []],
])('after %s', async (_, type, address, state, expectedOpen, expectedScroll) => {
  await begin('navigate', GAPS);
  leave(700);
  await begin(type, address, state);
  places.returnToPlace();
  expect([open(), wentTo()]).toEqual([expectedOpen, expectedScroll]);
});

test('an entry that the router has made is known by its key', async () => {
  await begin('navigate', GAPS, { key: 'b' });
  leave(300);
  await begin('navigate', GAPS, { key: 'b' });
  places.returnToPlace();
  expect([open(), wentTo()]).toEqual([[false, true], [300]]);
});

test('within a document parts are opened again, and the router scrolls', async () => {
  await begin('navigate', GAPS, { key: 'a' });
  const stop = places.rememberPlaces();
  places.returnToPlace();
  parts()[0]?.setAttribute('open', '');
  parts()[0]?.dispatchEvent(new Event('toggle'));
  window.history.replaceState({ key: 'b' }, '', '/admin/reports/pages');
  document.body.innerHTML = PARTS;
  places.returnToPlace();
  expect(open()).toEqual([false, false]);
  window.history.replaceState({ key: 'a' }, '', GAPS);
  places.returnToPlace();
  expect([open(), wentTo()]).toEqual([[true, false], []]);
  stop();
});

test('a page that has other parts by now is left as it is', async () => {
  await begin('navigate', GAPS);
  leave(700);
  await begin('back_forward', GAPS);
  document.querySelector('details')?.remove();
  places.returnToPlace();
  expect([open(), wentTo()]).toEqual([[false], [700]]);
});

test.each(['abc', 'null', '7', '{"a":1}', '{"a":{"top":"x"}}'])(
  'places that read %p are as good as none',
  async (stored) => {
    window.sessionStorage.setItem('area_places', stored);
    await begin('reload', GAPS);
    places.returnToPlace();
    expect(wentTo()).toEqual([]);
  },
);
