import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { type Action, ActionForm } from './ActionForm';

type Field = Action['fields'][number];
type Sent = { path: string; method: string; body: unknown; key: string | null };

const CALL = '/admin/things/7';
let sent: Sent[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  answers = { [`/api${CALL}`]: () => Response.json({ text: 'It is saved.', href: null }) };
  globalThis.fetch = async (address, init) => {
    const path = String(address).split('?')[0] ?? '';
    const answer = answers[path];
    if (!answer) throw new TypeError('The page cannot be loaded again.');
    if (init?.body)
      sent.push({
        path,
        method: String(init.method),
        body: JSON.parse(String(init.body)),
        key: new Headers(init.headers).get('Idempotency-Key'),
      });
    return answer();
  };
});

const field = (name: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  ...{
    name,
    kind,
    value: '',
    label: name,
    hint: '',
    isRequired: false,
    maxLength: 500,
    options: [],
    href: '',
  },
  ...more,
});

const thing = (fields: Field[], more: Partial<Action> = {}): Action => ({
  ...{ id: 'thing', title: 'Thing', text: '', call: CALL, button: 'Save', isDangerous: false },
  ...{ question: null, leadsTo: null, fields },
  ...more,
});

function show(action: Action) {
  renderInShop(
    <MemoryRouter>
      <ActionForm action={action} />
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const save = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Save' }));

const OPTIONS = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
];

test.each<[string, Field, unknown]>([
  ['a line without blanks around it', field('x', 'line', { value: ' VAT ' }), 'VAT'],
  ['an amount in minor units', field('x', 'money', { value: '4900' }), 4900],
  ['no amount', field('x', 'money'), null],
  ['an instant', field('x', 'time', { value: '2031-03-01T10:30:00Z' }), '2031-03-01T10:30:00.000Z'],
  ['no instant', field('x', 'time'), null],
  ['a number', field('x', 'number', { value: '90' }), 90],
  ['no number where there may be none', field('x', 'number', { isNullable: true }), null],
  ['no number elsewhere', field('x', 'number'), 0],
  ['a percentage', field('x', 'percent', { value: '12.5' }), '12.5'],
  ['a checked box', field('x', 'yes', { value: 'yes' }), true],
  ['a box that is not checked', field('x', 'yes'), false],
  ['a choice', field('x', 'choice', { value: 'b', options: OPTIONS }), 'b'],
  ['several choices', field('x', 'choices', { values: ['a', 'b'], options: OPTIONS }), ['a', 'b']],
  ['a picked thing', field('x', 'pick', { source: '/p', picked: [{ value: 's', text: 'S' }] }), 's'],
  ['several picked things', field('x', 'picks', { picked: [{ value: 's', text: 'S' }] }), ['s']],
  ['a value that nobody sees', field('x', 'fixed', { value: '7' }), '7'],
])('a field sends what the call takes: %s', async (_, one, value) => {
  const user = show(thing([one], { method: 'PUT', version: 41 }));
  await save(user);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ path: `/api${CALL}`, method: 'PUT', body: { x: value, version: 41 }, key: null });
});

test.each<[Field, string, string]>([
  [field('x', 'money'), 'much', 'Enter an amount, or nothing.'],
  [field('x', 'number', { minimum: 1, maximum: 9 }), '10', 'Enter a whole number from 1 to 9.'],
  [field('x', 'number'), '1.5', 'Enter a whole number.'],
  [field('x', 'percent', { maximum: 30 }), '31', 'Enter a percentage up to 30.'],
  [field('x', 'line', { isRequired: true, label: 'Reason' }), ' ', 'Reason: this is needed.'],
])('what cannot be sent is said at its field, which gets the focus: %#', async (one, typed, text) => {
  const user = show(thing([one]));
  await user.type(screen.getByRole('textbox'), typed);
  await save(user);
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('textbox')).toHaveFocus();
  expect(sent).toEqual([]);
});

test.each<Field['kind']>([
  ...(['line', 'text', 'markdown', 'choice', 'choices', 'yes', 'number', 'percent', 'money'] as const),
  ...(['time', 'day', 'pick', 'picks', 'products'] as const),
])('the hint of a field is shown: %s', (kind) => {
  show(thing([field('x', kind, { hint: 'In the shop.', options: OPTIONS })]));
  expect(screen.getByText(/^In the shop\./)).toBeVisible();
});

test('a fact is shown and not sent', async () => {
  const user = show(thing([field('Seats', 'fact', { value: '12' }), field('x', 'line')]));
  expect(screen.getByText('12')).toBeVisible();
  await save(user);
  await waitFor(() => expect(sent[0]?.body).toEqual({ x: '' }));
});

test('a field is shown, needed and sent only while another one has its value', async () => {
  const amount = field('much', 'line', { isRequired: true, shownIf: { name: 'kind', values: ['b'] } });
  const user = show(thing([field('kind', 'choice', { value: 'a', options: OPTIONS }), amount]));
  expect(screen.queryByRole('textbox')).toBeNull();
  await save(user);
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ kind: 'a' }]));
  await user.selectOptions(screen.getByRole('combobox'), 'b');
  await save(user);
  expect(await screen.findByText('much: this is needed.')).toBeVisible();
});

test('fields with the same heading are a group', () => {
  show(thing([field('x', 'line', { group: 'Terms' }), field('y', 'line', { group: 'Terms' })]));
  expect(within(screen.getByRole('group', { name: 'Terms' })).getAllByRole('textbox')).toHaveLength(2);
});

test('what it will do is said before it is confirmed, and only then it is done, as it was said', async () => {
  const preview = {
    effects: ['3 people lose it.'],
    lacks: [],
    html: {},
    button: 'Refund $5',
    confirmed: { sum: 5 },
  };
  answers[`/api${CALL}/preview`] = () => Response.json(preview);
  const user = show(
    thing([field('x', 'line', { value: 'y' })], {
      preview: { call: `${CALL}/preview`, when: 'confirmed' },
      isIdempotent: true,
    }),
  );
  await save(user);
  const dialog = await screen.findByRole('dialog', { name: 'Refund $5?' });
  expect(within(dialog).getByText('3 people lose it.')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await save(user);
  expect(sent.map(({ path }) => path)).toEqual([`/api${CALL}/preview`, `/api${CALL}/preview`]);
  await user.click(await screen.findByRole('button', { name: 'Refund $5' }));
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]).toEqual({
    ...{ path: `/api${CALL}`, method: 'POST', body: { x: 'y', sum: 5 } },
    key: expect.stringMatching(/^.{36}$/),
  });
});

test('a preview that is refused says so at the field, and nothing is asked', async () => {
  const problem = { detail: 'Wrong.', errors: { x: 'Give 30 days of notice.' } };
  answers[`/api${CALL}/preview`] = () => Response.json(problem, { status: 422 });
  const user = show(thing([field('x', 'line')], { preview: { call: `${CALL}/preview`, when: 'confirmed' } }));
  await save(user);
  expect(await screen.findByText('Give 30 days of notice.')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what a form would do is asked once everything that it needs is typed, and can be read', async () => {
  jest.useFakeTimers();
  answers[`/api${CALL}/preview`] = () =>
    Response.json({ effects: ['It costs $5.'], lacks: [], html: {}, button: null, confirmed: {} });
  const fields = [
    field('price', 'money', { isRequired: true }),
    field('reason', 'line', { isRequired: true }),
  ];
  show(thing(fields, { preview: { call: `${CALL}/preview`, when: 'typed' } }));
  const type = async (name: string, value: string) => {
    fireEvent.input(screen.getByRole('textbox', { name: new RegExp(`^${name}`) }), { target: { value } });
    await act(() => jest.advanceTimersByTimeAsync(2000));
  };
  await type('price', '5,00,1');
  await type('reason', 'because');
  expect(sent).toEqual([]);
  await type('price', '5');
  expect(sent.map(({ body }) => body)).toEqual([{ price: 500, reason: 'because' }]);
  expect(screen.getByText('It costs $5.')).toBeVisible();
  jest.useRealTimers();
});

test('of what somebody else has changed each field is theirs or mine, as it is chosen', async () => {
  const conflict = {
    ...{ version: 42, changedBy: 'Bo Sand', changedAt: '2026-03-01T10:30:00Z' },
    values: { name: 'Theirs', price: 9900, who: [{ value: 'ada', text: 'Ada Lovelace' }] },
  };
  answers[`/api${CALL}`] = () =>
    sent.length === 1
      ? Response.json({ conflict }, { status: 409 })
      : Response.json({ text: 'Saved.', href: null });
  const fields = [
    field('name', 'line', { value: 'Mine' }),
    field('price', 'money', { value: '4900' }),
    field('who', 'picks', { picked: [{ value: 'bo', text: 'Bo Sand' }] }),
  ];
  const user = show(thing(fields, { version: 41, isEditor: true }));
  await save(user);
  const price = await screen.findByRole('group', { name: 'price' });
  expect(within(price).getByRole('button', { name: 'Yours: 49.00' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(within(price).getByRole('button', { name: 'Theirs: 99.00' }));
  const who = screen.getAllByRole('group', { name: 'who' })[0] as HTMLElement;
  await user.click(within(who).getByRole('button', { name: 'Theirs: Ada Lovelace' }));
  await user.click(screen.getByRole('button', { name: 'Save this choice' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toEqual({ name: 'Mine', price: 9900, who: ['ada'], version: 42 });
});

test('things are picked by a part of their name, each once, and taken away again', async () => {
  answers['/api/p'] = () => Response.json({ options: [{ value: 'ada', text: 'Ada', detail: 'ada' }] });
  const user = show(thing([field('who', 'picks', { source: '/p', picked: [{ value: 'bo', text: 'Bo' }] })]));
  for (const _ of [1, 2]) {
    await user.type(screen.getByRole('combobox'), 'ad');
    await user.click(await screen.findByRole('option', { name: /Ada/ }));
  }
  await user.click(screen.getByRole('button', { name: 'Remove Bo' }));
  expect(screen.getByRole('combobox')).toHaveFocus();
  await save(user);
  await waitFor(() => expect(sent[0]?.body).toEqual({ who: ['ada'] }));
});
