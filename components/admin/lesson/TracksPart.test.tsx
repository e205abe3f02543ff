import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { LessonFields } from '../../contracts/schema';
import { renderInShop } from '../../fixtures/renderInShop';
import { TracksPart } from './TracksPart';

const ENGLISH = { label: 'English', value: 'en' };
const WORDS = 'WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n';
const FIELDS = { embedUrl: '', tracks: [{ language: 'en', text: '' }] } as unknown as LessonFields;

function choose(text: string) {
  const changes: Partial<LessonFields>[] = [];
  const set = (change: Partial<LessonFields>) => void changes.push(change);
  renderInShop(<TracksPart fields={FIELDS} errors={{}} set={set} languages={[ENGLISH]} />);
  // jsdom has no Blob.text().
  const file = Object.assign(new File([text], 'talk.vtt'), { text: async () => text });
  fireEvent.change(screen.getByLabelText('Or from a file'), { target: { files: [file] } });
  return changes;
}

test('captions of a file are taken into the field', async () => {
  const changes = choose(WORDS);
  await waitFor(() => expect(changes).toEqual([{ tracks: [{ language: 'en', text: WORDS }] }]));
});

test('a file that is too large is said to be, and changes nothing', async () => {
  const changes = choose('x'.repeat(200_001));
  expect(screen.getByText('The file has more than 200 KB.')).toBeVisible();
  expect(screen.getByLabelText('Or from a file')).toHaveAccessibleDescription(
    'The file has more than 200 KB.',
  );
  await Promise.resolve();
  expect(changes).toEqual([]);
});
