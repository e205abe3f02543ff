import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MenuButton } from './MenuButton';

const done: string[] = [];
const ITEMS = ['Duplicate', 'Retire', 'Delete'].map((text) => ({ text, onPress: () => done.push(text) }));

async function open() {
  done.length = 0;
  render(
    <>
      <MenuButton text="Actions" items={ITEMS} />
      <button type="button">Elsewhere</button>
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
}

test('arrow keys move in an open menu, around its ends, and Home and End to them', async () => {
  await open();
  const places: (string | null)[] = [document.activeElement?.textContent ?? null];
  for (const key of ['{ArrowDown}', '{ArrowUp}', '{ArrowUp}', '{ArrowDown}', '{End}', '{Home}']) {
    await userEvent.keyboard(key);
    places.push(document.activeElement?.textContent ?? null);
  }
  expect(places).toEqual(['Duplicate', 'Retire', 'Duplicate', 'Delete', 'Duplicate', 'Delete', 'Duplicate']);
});

test('Esc closes it and gives the focus back', async () => {
  await open();
  await userEvent.keyboard('{Escape}');
  const opener = screen.getByRole('button', { name: 'Actions' });
  expect(screen.queryByRole('group')).toBeNull();
  expect(opener).toHaveFocus();
  expect(opener).toHaveAttribute('aria-expanded', 'false');
});

test('a choice is done once, and gives the focus back', async () => {
  await open();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(done).toEqual(['Retire']);
  expect(screen.getByRole('button', { name: 'Actions' })).toHaveFocus();
});

test('its button and a click elsewhere close it', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  expect(screen.queryByRole('group')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(screen.queryByRole('group')).toBeNull();
});
