import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SiteProvider } from '../../api/site';
import type { SentImage } from '../../contracts/schema';
import { browserFile } from '../../fixtures/browserFile';
import { SITE } from '../../fixtures/renderInShop';
import { UPLOAD } from '../../fixtures/uploads';
import { ImagePicker } from './ImagePicker';

const IMAGE: SentImage = { id: 8, src: '/files/a.webp', width: 40, height: 20, alt: 'A desk' };
let image: SentImage | null;
let requests: [string, unknown][];

beforeEach(() => {
  requests = [];
  window.localStorage.clear();
  globalThis.fetch = async (address, init) => {
    if (String(address).startsWith('/api/uploads')) return Response.json(UPLOAD);
    requests.push([String(address), JSON.parse(String(init?.body ?? 'null'))]);
    const state = image ? 'done' : 'failed';
    return Response.json({ id: 5, state, image, error: image ? null : 'It has several frames.' });
  };
});

async function send(alt: string) {
  const onPick = jest.fn(async () => undefined);
  render(
    <SiteProvider site={SITE}>
      <ImagePicker current={null} label="Picture" button="Use" onPick={onPick} />
    </SiteProvider>,
  );
  const file = browserFile('a picture', 'a.png', 'image/png');
  fireEvent.change(screen.getByLabelText('Picture'), { target: { files: [file] } });
  fireEvent.change(await screen.findByLabelText(/What it shows/), { target: { value: alt } });
  fireEvent.click(screen.getByRole('button', { name: 'Use' }));
  return onPick;
}

test('a picture is used with what it shows', async () => {
  image = IMAGE;
  const onPick = await send(' A desk ');
  await waitFor(() => expect(onPick).toHaveBeenCalledWith(IMAGE));
  expect(requests).toEqual([
    ['/api/admin/images', { uploadId: 3, alt: 'A desk', idempotencyKey: expect.any(String) }],
  ]);
  expect(screen.getByRole('img', { name: 'A desk' })).toHaveAttribute('src', IMAGE.src);
});

test('nothing is sent without saying what it shows', async () => {
  const onPick = await send(' ');
  expect(screen.getByText(/Say what the picture shows/)).toBeVisible();
  expect([requests, onPick.mock.calls]).toEqual([[], []]);
});

test('one that the site cannot use says why', async () => {
  image = null;
  const onPick = await send('A desk');
  expect(await screen.findByText('It has several frames.')).toBeVisible();
  expect(onPick).not.toHaveBeenCalled();
});
