import { clearTop } from './clearPlace';

type Place = { top: number; bottom: number; left?: number; right?: number };

/** An element with a place: jsdom lays nothing out. */
function put(className: string, { top, bottom, left = 0, right = 390 }: Place) {
  const element = document.createElement('div');
  element.className = className;
  const rect = { top, bottom, left, right, width: right - left, height: bottom - top } as DOMRect;
  element.getBoundingClientRect = () => rect;
  document.body.append(element);
}

beforeEach(() => {
  document.body.replaceChildren();
  Object.assign(globalThis, { innerWidth: 390, innerHeight: 844 });
});

const HEADER: Place = { top: 0, bottom: 130 };
const CASES: [string, [string, Place][], number][] = [
  ['an empty page', [], 8],
  ['a header', [['site-header', HEADER]], 138],
  ['a header that is scrolled away', [['site-header', { top: -300, bottom: -170 }]], 8],
  [
    'a main button below the header',
    [
      ['site-header', HEADER],
      ['button', { top: 200, bottom: 250 }],
    ],
    258,
  ],
  [
    'a quiet button',
    [
      ['site-header', HEADER],
      ['button button--quiet', { top: 200, bottom: 250 }],
    ],
    138,
  ],
  [
    'a total and a button',
    [
      ['totals__row--total', { top: 20, bottom: 60 }],
      ['add', { top: 100, bottom: 148 }],
    ],
    156,
  ],
  ['a button far below', [['button', { top: 300, bottom: 350 }]], 8],
  ['a button beside', [['button', { top: 10, bottom: 60, left: 0, right: 30 }]], 8],
  [
    'no room above the middle',
    [
      ['site-header', HEADER],
      ['button', { top: 200, bottom: 420 }],
    ],
    138,
  ],
];

test.each(CASES)('beside %s', (_name, elements, expected) => {
  for (const [className, place] of elements) put(className, place);
  expect(clearTop()).toBe(expected);
});
