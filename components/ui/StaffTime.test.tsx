import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { FactList } from '../admin/FactList';
import { SiteProvider } from '../api/site';
import { times } from '../browser/timeZone';
import type { PageData } from '../contracts/schema';
import { renderInShop, SITE } from '../fixtures/renderInShop';
import { TimesChoice } from '../layouts/TimesChoice';
import { StaffTime, useZone } from './StaffTime';
import { tableFormatOf } from './table/TableCell';

const AT = '2031-07-01T22:30:00Z';
const AREA = { timeZone: 'Asia/Kolkata' };

function Shown() {
  const zone = useZone();
  return (
    <p>
      <StaffTime at={AT} format={tableFormatOf(SITE).time} />
      {` ${zone.name}`}
    </p>
  );
}

/** On a page of an area whose shop is in Kolkata. */
const inArea = (node: React.ReactNode) => (
  <SiteProvider site={SITE} page={{ area: AREA } as PageData}>
    {node}
  </SiteProvider>
);

beforeEach(() => {
  localStorage.clear();
  times.set('utc');
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...new Intl.DateTimeFormat().resolvedOptions(),
    timeZone: 'America/New_York',
  });
});

afterEach(() => jest.restoreAllMocks());

test('a time is in UTC until another zone is chosen', () => {
  const { container } = renderInShop(inArea(<Shown />));
  expect(container.innerHTML).toBe(`<p><time datetime="${AT}">Jul 1, 2031, 22:30</time> UTC</p>`);
});

test.each([
  ['shop', 'Jul 2, 2031, 04:00', 'Kolkata'],
  ['own', 'Jul 1, 2031, 18:30', 'New York'],
] as const)('in the zone %s, with UTC for the pointer and for screen readers', (choice, text, name) => {
  const { container } = renderInShop(inArea(<Shown />));
  act(() => times.set(choice));
  const utc = 'Jul 1, 2031, 22:30 UTC';
  expect(container.innerHTML).toBe(
    `<p><time datetime="${AT}" title="${utc}">${text}<span class="sr-only">, ${utc}</span></time> ${name}</p>`,
  );
  expect(localStorage.getItem('area_times')).toBe(choice);
});

test('the server and the first render of the browser write UTC, whatever is stored', () => {
  times.set('own');
  expect(renderToString(inArea(<Shown />))).toContain('Jul 1, 2031, 22:30</time>');
});

test('what is stored and no choice counts as UTC', () => {
  localStorage.setItem('area_times', 'moon');
  const { container } = renderInShop(inArea(<Shown />));
  expect(container).toHaveTextContent('Jul 1, 2031, 22:30 UTC');
});

test('a fact names the zone of its time', async () => {
  const facts = [{ label: 'Placed', cell: { kind: 'time' as const, at: AT } }];
  renderInShop(inArea(<FactList facts={facts} format={tableFormatOf(SITE)} />));
  expect(screen.getByText('Placed (UTC)')).toBeVisible();
  act(() => times.set('shop'));
  expect(screen.getByText('Placed (Kolkata)')).toBeVisible();
});

test('the zones of the shop and of the browser can be chosen', async () => {
  renderInShop(
    inArea(
      <>
        <TimesChoice shopZone="Asia/Kolkata" />
        <Shown />
      </>,
    ),
  );
  const choice = screen.getByRole('combobox', { name: 'Times' });
  expect([...choice.children].map(({ textContent }) => textContent)).toEqual([
    ...['UTC', 'Shop (Kolkata)', 'Mine (New York)'],
  ]);
  await userEvent.selectOptions(choice, 'Mine (New York)');
  expect(screen.getByText(/18:30/)).toBeVisible();
});

test.each([
  ['UTC', ['UTC', 'Mine (New York)']],
  ['America/New_York', ['UTC', 'Shop (New York)']],
])('a zone that says the same as another one is not offered: %s', (shopZone, options) => {
  renderInShop(inArea(<TimesChoice shopZone={shopZone} />));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(options);
});
