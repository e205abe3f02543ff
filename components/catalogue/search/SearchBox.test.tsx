import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Suggestion } from '../../api/search';
import { renderInShop } from '../../fixtures/renderInShop';
import { SearchBox } from './SearchBox';

const TAX: Suggestion = { text: 'Tax', href: '/shop?category=tax', kind: 'category' };
const AUDIT: Suggestion = { text: 'Tax Audit', href: '/course-details?course=tax-audit', kind: 'course' };
const VAT: Suggestion = { text: 'VAT', href: '/course-details?course=vat', kind: 'course' };
const BOTH = [TAX, AUDIT];

type Asked = {
  typed: string | null;
  signal: AbortSignal;
  answer: (suggestions: Suggestion[]) => Promise<void>;
};
let calls: Asked[] = [];
let submitted: string[] = [];

/** Each question waits until the test answers it. */
beforeEach(() => {
  calls = [];
  submitted = [];
  globalThis.fetch = (address, init) =>
    new Promise((resolve) => {
      const answer = async (suggestions: Suggestion[]) => {
        await act(async () => resolve(Response.json({ suggestions })));
      };
      const typed = new URL(String(address), 'http://shop').searchParams.get('q');
      calls.push({ typed, signal: init?.signal as AbortSignal, answer });
    });
});

async function open(typed: string, suggestions: Suggestion[] = BOTH) {
  const user = userEvent.setup();
  const { container } = renderInShop(<SearchBox place="header" />);
  container.querySelector('form')?.addEventListener('submit', (event) => {
    submitted.push(String(new FormData(event.target as HTMLFormElement).get('q')));
    event.preventDefault();
  });
  const box = screen.getByRole('combobox', { name: 'Search courses and materials' });
  await user.click(box);
  await user.type(box, typed);
  await waitFor(() => expect(calls.at(-1)?.typed).toBe(typed));
  await calls.at(-1)?.answer(suggestions);
  return { user, box };
}

const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const chosen = () => screen.queryByRole('option', { selected: true })?.textContent;

function clicks(): string[] {
  const seen: string[] = [];
  for (const option of screen.getAllByRole('option')) {
    option.addEventListener('click', (event) => {
      seen.push(option.getAttribute('href') ?? '');
      event.preventDefault();
    });
  }
  return seen;
}

test.each([
  ['stays chosen where it is in the answer', [VAT, TAX, AUDIT], 'Tax AuditCourse'],
  ['is no longer chosen when the answer lacks it', [VAT, TAX], undefined],
])('an entry that was chosen before a later answer came %s', async (_, answer, expected) => {
  const { user, box } = await open('tax');
  await user.type(box, ' a');
  await user.keyboard('{ArrowDown}');
  expect(chosen()).toBe('Tax AuditCourse');
  await waitFor(() => expect(calls.at(-1)?.typed).toBe('tax a'));
  await calls.at(-1)?.answer(answer);
  expect(chosen()).toBe(expected);
});

test('without JavaScript it is a form that leads to the search page', () => {
  const { container } = renderInShop(<SearchBox place="page" query="vat" />);
  const form = container.querySelector('form');
  expect([form?.method, form?.getAttribute('action'), form?.dataset.navigate]).toEqual([
    'get',
    '/search',
    '',
  ]);
  expect(new FormData(form ?? undefined).get('q')).toBe('vat');
  expect(screen.getByRole('combobox')).toHaveAttribute('maxlength', '200');
});

test('no request before something is typed', async () => {
  renderInShop(<SearchBox place="header" />);
  await userEvent.click(screen.getByRole('combobox'));
  await waitFor(() => expect(screen.getByRole('status')).toBeEmptyDOMElement());
  expect(calls).toEqual([]);
});

test('suggestions show, are counted aloud, and the box knows its list', async () => {
  const { box } = await open('ta');
  expect(options()).toEqual(['TaxSubject', 'Tax AuditCourse']);
  expect(screen.getByRole('status')).toHaveTextContent('2 suggestions');
  expect(box).toHaveAttribute('aria-expanded', 'true');
  expect(box).toHaveAttribute('aria-controls', screen.getByRole('listbox', { name: 'Suggestions' }).id);
  expect(chosen()).toBeUndefined();
});

test('the arrows go round through the box, Home and End to the ends', async () => {
  const { user, box } = await open('ta');
  const seen = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'ArrowUp', 'ArrowUp']) {
    await user.keyboard(`{${key}}`);
    seen.push(chosen());
  }
  const [tax, audit] = ['TaxSubject', 'Tax AuditCourse'];
  expect(seen).toEqual([tax, audit, undefined, audit, tax, audit, tax, undefined]);
  await user.keyboard('{ArrowDown}');
  expect(box).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id);
  expect(box).toHaveFocus();
});

test('Enter follows the chosen suggestion, and without one it sends the form', async () => {
  const { user, box } = await open('ta');
  const followed = clicks();
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect([followed, submitted]).toEqual([[AUDIT.href], []]);
  expect(box).toHaveAttribute('aria-expanded', 'false');
  await user.keyboard('{Enter}');
  expect(submitted).toEqual(['ta']);
});

test('a click follows a suggestion; until then the box has the focus', async () => {
  const { user, box } = await open('ta');
  const followed = clicks();
  await user.click(screen.getByRole('option', { name: /Audit/ }));
  expect(followed).toEqual([AUDIT.href]);
  expect(box).toHaveFocus();
  expect(box).toHaveAttribute('aria-expanded', 'false');
});

test('Escape closes the list and leaves the text; an arrow key opens it again', async () => {
  const { user, box } = await open('ta');
  await user.keyboard('{ArrowDown}{Escape}');
  expect(box).toHaveAttribute('aria-expanded', 'false');
  expect(box).not.toHaveAttribute('aria-activedescendant');
  expect(box).toHaveValue('ta');
  await user.keyboard('{ArrowDown}');
  expect([options(), chosen()]).toEqual([['TaxSubject', 'Tax AuditCourse'], undefined]);
});

test('leaving the box closes the list', async () => {
  const { user, box } = await open('ta');
  await user.tab();
  expect(box).toHaveAttribute('aria-expanded', 'false');
  expect(options()).toEqual([]);
});

test('typing on hides at once what no longer fits', async () => {
  const { user } = await open('ta');
  await user.keyboard('x a');
  expect(options()).toEqual(['Tax AuditCourse']);
  await user.keyboard('x');
  expect(options()).toEqual([]);
});

test('fast typing sends one request, and a late response to earlier text is not shown', async () => {
  const { user, box } = await open('t');
  await user.type(box, 'ax');
  await waitFor(() => expect(calls.at(-1)?.typed).toBe('tax'));
  expect(calls.map(({ typed }) => typed)).toEqual(['t', 'tax']);
  await user.clear(box);
  await user.type(box, 'v');
  await waitFor(() => expect(calls.at(-1)?.typed).toBe('v'));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  await calls[2]?.answer([VAT]);
  await calls[1]?.answer(BOTH);
  expect(options()).toEqual(['VATCourse']);
});

test('an emptied box suggests nothing and makes no request', async () => {
  const { user, box } = await open('ta');
  await user.clear(box);
  expect([options(), box.getAttribute('aria-expanded')]).toEqual([[], 'false']);
  expect(calls).toHaveLength(1);
});

test('no suggestions, no list', async () => {
  const { box } = await open('qwrtz', []);
  expect(box).toHaveAttribute('aria-expanded', 'false');
});

test('a question that fails leaves a box that works', async () => {
  const user = userEvent.setup();
  renderInShop(<SearchBox place="header" />);
  globalThis.fetch = async () => Response.json({ title: 'Too many requests' }, { status: 429 });
  await user.type(screen.getByRole('combobox'), 'ta');
  await waitFor(() => expect(screen.getByRole('combobox')).toHaveValue('ta'));
  expect(screen.getByRole('combobox')).toHaveAttribute('aria-expanded', 'false');
});

test('a question without an answer is given up after five seconds', async () => {
  const { user } = await open('ta');
  jest.useFakeTimers();
  fireEvent.input(screen.getByRole('combobox'), { target: { value: 'tax' } });
  act(() => void jest.advanceTimersByTime(5_119));
  expect(calls.at(-1)?.signal.aborted).toBe(false);
  act(() => void jest.advanceTimersByTime(1));
  expect(calls.at(-1)?.signal.aborted).toBe(true);
  jest.useRealTimers();
  await user.keyboard('{Escape}');
});
