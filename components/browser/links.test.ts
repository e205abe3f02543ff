import { watchLinks } from './links';

const onNavigate = jest.fn();
const onIntent = jest.fn();
let isFullLoad = false;
let stop: () => void;
let leftToBrowser: boolean;

/** jsdom cannot navigate: events that our listeners do not handle are recorded and cancelled. */
function lastWord(event: Event) {
  leftToBrowser = !event.defaultPrevented;
  event.preventDefault();
}

beforeEach(() => {
  onNavigate.mockReset();
  onIntent.mockReset();
  isFullLoad = false;
  window.history.replaceState(null, '', '/shop?page=2');
  stop = watchLinks({ onNavigate, onIntent, isFullLoad: () => isFullLoad });
  window.addEventListener('click', lastWord);
  window.addEventListener('submit', lastWord);
});

afterEach(() => {
  stop();
  window.removeEventListener('click', lastWord);
  window.removeEventListener('submit', lastWord);
});

function put<T extends Element>(html: string): T {
  document.body.innerHTML = html;
  return document.body.querySelector('[data-here]') as T;
}

function click(html: string, how: MouseEventInit = {}) {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how });
  put(html).dispatchEvent(event);
}

describe('a click becomes client navigation', () => {
  test.each([
    ['on a link', '<a data-here href="/about">x</a>', '/about'],
    ['on what is inside it', '<a href="/about"><b data-here>x</b></a>', '/about'],
    [
      'with query and hash',
      '<a data-here href="/course-details?course=a#reviews">x</a>',
      '/course-details?course=a#reviews',
    ],
    ['relative', '<a data-here href="?page=3">x</a>', '/shop?page=3'],
    ['absolute on this site', '<a data-here href="http://localhost/about">x</a>', '/about'],
    ['to the page that is shown', '<a data-here href="/shop?page=2">x</a>', '/shop?page=2'],
  ])('%s', (_, html, address) => {
    click(html);
    expect(onNavigate.mock.calls).toEqual([[address]]);
    expect(leftToBrowser).toBe(false);
  });
});

test('a link whose translation leaves the page while it is clicked is followed', () => {
  const font = put<HTMLElement>('<a href="/about"><font data-here>x</font></a>');
  font.addEventListener('click', () => font.remove());
  font.click();
  expect(onNavigate.mock.calls).toEqual([['/about']]);
});

describe('a click is left to the browser', () => {
  test.each([
    ['another site', '<a data-here href="https://example.org/about">x</a>'],
    ['another port', '<a data-here href="http://localhost:81/about">x</a>'],
    ['mail', '<a data-here href="mailto:a@example.org">x</a>'],
    ['a new tab', '<a data-here href="/about" target="_blank">x</a>'],
    ['a download', '<a data-here href="/about" download>x</a>'],
    ['a hash on this page', '<a data-here href="#reviews">x</a>'],
    ['a picture', '<a data-here href="/pictures/course/tax/a/0.svg">x</a>'],
    ['a static file', '<a data-here href="/static/images/logo.svg">x</a>'],
    ['the sitemap', '<a data-here href="/sitemap.xml">x</a>'],
    ['an invoice', '<a data-here href="/documents/CODE/2026-000001.pdf">x</a>'],
    ['a call', '<a data-here href="/api/x">x</a>'],
    ['no link', '<p data-here>x</p>'],
    ['an anchor without address', '<a data-here>x</a>'],
  ])('%s', (_, html) => {
    click(html);
    expect(onNavigate).not.toHaveBeenCalled();
    expect(leftToBrowser).toBe(true);
  });

  test.each([{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
    'made with %p',
    (how) => {
      click('<a data-here href="/about">x</a>', how);
      expect([onNavigate.mock.calls.length, leftToBrowser]).toEqual([0, true]);
    },
  );

  test('once a newer build is live', () => {
    isFullLoad = true;
    click('<a data-here href="/about">x</a>');
    expect([onNavigate.mock.calls.length, leftToBrowser]).toEqual([0, true]);
  });

  test('after the watch was stopped', () => {
    stop();
    click('<a data-here href="/about">x</a>');
    expect([onNavigate.mock.calls.length, leftToBrowser]).toEqual([0, true]);
  });
});

test('what someone else has handled is not handled again', () => {
  const link = put<HTMLAnchorElement>('<a data-here href="/about">x</a>');
  link.addEventListener('click', (event) => event.preventDefault());
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  expect(onNavigate).not.toHaveBeenCalled();
});

describe('a GET form', () => {
  const fields =
    '<input name="sort" value="newest"><input name="q" value=""><input name="level" value="beginner">';

  function submit(html: string) {
    put<HTMLFormElement>(html).dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  }

  test('with the attribute becomes client navigation, without its empty fields', () => {
    submit(`<form data-here data-navigate action="/shop">${fields}</form>`);
    expect(onNavigate.mock.calls).toEqual([['/shop?sort=newest&level=beginner']]);
  });

  test('with nothing filled in goes to the bare address', () => {
    submit('<form data-here data-navigate action="/shop?old=1"><input name="q"></form>');
    expect(onNavigate.mock.calls).toEqual([['/shop']]);
  });

  test.each([
    ['without the mark', `<form data-here action="/shop">${fields}</form>`],
    ['that posts', `<form data-here data-navigate method="post" action="/contact">${fields}</form>`],
  ])('%s is left to the browser', (_, html) => {
    submit(html);
    expect([onNavigate.mock.calls.length, leftToBrowser]).toEqual([0, true]);
  });
});

describe('intent', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function point(html: string, type = 'pointerover') {
    put(html).dispatchEvent(new Event(type, { bubbles: true }));
  }

  test.each(['pointerover', 'focusin'])('%s on a link announces it after 65 ms', (type) => {
    point('<a data-here href="/about">x</a>', type);
    jest.advanceTimersByTime(64);
    expect(onIntent).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onIntent.mock.calls).toEqual([['/about']]);
  });

  test('a pointer that passes on announces only where it stays', () => {
    point('<a data-here href="/about">x</a>');
    jest.advanceTimersByTime(30);
    point('<a data-here href="/contact">x</a>');
    jest.advanceTimersByTime(65);
    expect(onIntent.mock.calls).toEqual([['/contact']]);
  });

  test('who saves data fetches nothing ahead', () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    point('<a data-here href="/about">x</a>');
    jest.advanceTimersByTime(1_000);
    Reflect.deleteProperty(navigator, 'connection');
    expect(onIntent).not.toHaveBeenCalled();
  });

  test('the end of the watch takes a waiting announcement along', () => {
    point('<a data-here href="/about">x</a>');
    stop();
    jest.advanceTimersByTime(1_000);
    expect(onIntent).not.toHaveBeenCalled();
  });
});
