import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import type { SentImage } from '../../contracts/schema';
import { browserFile } from '../../fixtures/browserFile';
import { renderInShop } from '../../fixtures/renderInShop';
import { UPLOAD } from '../../fixtures/uploads';
import type { PickedImage } from '../images/ImagePicker';
import { EntryImage } from './EntryImage';
import { INSTRUCTOR } from './entryKinds';

const NOW: PickedImage = { src: '/files/now.webp', width: 40, height: 20, alt: 'Ada at work' };
const SENT: SentImage = { id: 8, src: '/files/new.webp', width: 40, height: 20, alt: 'Ada reads' };
const IMAGE_CALL = '/api/admin/instructors/7/image';
let stored: unknown[];

beforeEach(() => {
  stored = [];
  window.localStorage.clear();
  globalThis.fetch = async (address, init) => {
    if (String(address).startsWith('/api/uploads')) return Response.json(UPLOAD);
    if (address === '/api/admin/images')
      return Response.json({ id: 5, state: 'done', image: SENT, error: null });
    if (address !== IMAGE_CALL) throw new TypeError('The page cannot be loaded again.');
    stored.push(JSON.parse(String(init?.body)));
    return Response.json({ text: 'It is changed.', href: null });
  };
});

const withPicture = (picture: PickedImage | null) => (
  <MemoryRouter>
    <EntryImage kind={INSTRUCTOR} entry={{ entryId: 7, picture }} />
  </MemoryRouter>
);
const heading = () => screen.getByRole('heading', { name: 'Picture' });
const press = (name: string) => userEvent.setup().click(screen.getByRole('button', { name }));

test('a picture is removed once that is confirmed, and the focus stays in its box', async () => {
  const { rerender } = renderInShop(withPicture(NOW));
  await press('Remove picture');
  expect(screen.getByRole('heading', { name: 'Remove the picture?' })).toBeVisible();
  expect(stored).toEqual([]);
  await press('Remove');
  await waitFor(() => expect(heading()).toHaveFocus());
  rerender(withPicture(null));
  expect(stored).toEqual([{ imageId: null, alt: '' }]);
  expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull();
  expect(heading()).toHaveFocus();
});

test('a picture stays when its removal is not confirmed', async () => {
  renderInShop(withPicture(NOW));
  await press('Remove picture');
  await press('Cancel');
  expect(stored).toEqual([]);
  expect(screen.queryByRole('heading', { name: 'Remove the picture?' })).toBeNull();
  expect(screen.getByRole('img', { name: 'Ada at work' })).toHaveAttribute('src', NOW.src);
});

test('a picture that was sent is used, and the focus stays in its box', async () => {
  const { rerender } = renderInShop(withPicture(NOW));
  const file = browserFile('a picture', 'a.png', 'image/png');
  fireEvent.change(screen.getByLabelText('Another picture'), { target: { files: [file] } });
  fireEvent.change(await screen.findByLabelText(/What it shows/), { target: { value: 'Ada reads' } });
  await press('Use this picture');
  await waitFor(() => expect(heading()).toHaveFocus());
  rerender(withPicture(SENT));
  expect(stored).toEqual([{ imageId: 8, alt: 'Ada reads' }]);
  expect(screen.getByRole('img', { name: 'Ada reads' })).toHaveAttribute('src', SENT.src);
  expect(heading()).toHaveFocus();
});
