import { act, fireEvent, render, screen } from '@testing-library/react';
import { Fragment, type ReactNode, useState } from 'react';
import { followTranslators } from './translation';

beforeAll(followTranslators);

type Translate = (text: Text) => void;

function fontsAround(inner: Node): HTMLElement {
  const [outer, font] = [document.createElement('font'), document.createElement('font')];
  font.append(inner);
  outer.append(font);
  return outer;
}

const translation = (text: Text) => document.createTextNode(text.data.toUpperCase());

/** The ways in which a translator changes a text. */
const WAYS: [string, Translate][] = [
  [
    'is moved into the translation',
    (text) => {
      const place = document.createComment('');
      text.replaceWith(place);
      place.replaceWith(fontsAround(text));
    },
  ],
  ['is replaced', (text) => text.replaceWith(fontsAround(translation(text)))],
  [
    'has the translation put before it, and is removed',
    (text) => {
      text.before(fontsAround(translation(text)));
      text.remove();
    },
  ],
];

async function translateAll(translate: Translate): Promise<void> {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.trim() && text.parentNode?.nodeName !== 'FONT') texts.push(text);
  }
  // The observer hears of it.
  await act(async () => texts.forEach(translate));
}

let change: (part: ReactNode) => void;

function Page() {
  const [part, setPart] = useState<ReactNode>('3');
  change = setPart;
  return (
    <main>
      {part}
      {' of 10 courses '}
      <input aria-label="Search" />
    </main>
  );
}

const shown = () => screen.getByRole('main').textContent?.toUpperCase();

describe.each(WAYS)('a text that %s', (_, translate) => {
  beforeEach(async () => {
    render(<Page />);
    fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'typed' } });
    await translateAll(translate);
  });

  afterEach(() => expect(screen.getByLabelText('Search')).toHaveValue('typed'));

  test('can be changed, also after it was translated again', async () => {
    await act(async () => change('4'));
    expect(shown()).toBe('4 OF 10 COURSES ');
    await translateAll(translate);
    await act(async () => change('5'));
    expect(shown()).toBe('5 OF 10 COURSES ');
  });

  test('can be removed', async () => {
    await act(async () => change(null));
    expect(shown()).toBe(' OF 10 COURSES ');
  });

  test('can give way to an element, which stands in its place', async () => {
    await act(async () => change(<b>Many</b>));
    expect(shown()).toBe('MANY OF 10 COURSES ');
  });
});

test('a text that React moves beside a translation, and then changes, stays where it is', async () => {
  const keyed = (...texts: string[]) => texts.map((text) => <Fragment key={text[0]}>{text}</Fragment>);
  render(<Page />);
  await act(async () => change(keyed('a', 'b', 'c')));
  const [first] = screen.getByRole('main').childNodes;
  await act(async () => first?.replaceWith(fontsAround(translation(first as Text))));
  await act(async () => change(keyed('a', 'c', 'b')));
  await act(async () => change(keyed('a', 'c2', 'b2')));
  expect(shown()).toBe('AC2B2 OF 10 COURSES ');
});

test('where a translation is gone as well, nothing fails', async () => {
  render(<Page />);
  await translateAll((text) => text.replaceWith(fontsAround(translation(text))));
  await act(async () => document.querySelectorAll('main > font').forEach((font) => void font.remove()));
  await act(async () => change(<b>Many</b>));
  expect(shown()).toBe('MANY');
});
