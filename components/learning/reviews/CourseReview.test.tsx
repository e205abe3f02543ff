import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CourseReview as CourseReviewData, OwnReview } from '../../contracts/schema';
import { renderLearning } from '../../fixtures/learning/renderLearning';
import { CourseReview } from './CourseReview';

const OWN: OwnReview = {
  id: 4,
  rating: 4,
  title: 'Clear',
  text: 'It helped me at work.',
  state: 'published',
  author: 'Ada L.',
  reviewedAt: '2026-03-04T10:00:00Z',
  editedAt: null,
  hiddenReason: '',
};
const none: CourseReviewData = { refusal: null, own: null };
const show = (review = none) => renderLearning(<CourseReview courseId={7} review={review} />);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

function answer(status: number, body: unknown) {
  const calls = jest.fn(async (..._request: Parameters<typeof fetch>) => {
    const type = status < 300 ? 'application/json' : 'application/problem+json';
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
  });
  globalThis.fetch = calls;
  return calls;
}

test('stars are needed, and nothing is sent without them', async () => {
  const calls = answer(200, none);
  await show();
  await press('Write a review');
  await press('Publish the review');
  expect(screen.getByText('Choose one to five stars.')).toBeVisible();
  expect(screen.getByRole('radio', { name: '1 star' })).toHaveFocus();
  expect(calls).not.toHaveBeenCalled();
});

test('a review is written and shown at once', async () => {
  const calls = answer(200, { refusal: null, own: OWN });
  await show();
  await press('Write a review');
  expect(screen.getByRole('radio', { name: '1 star' })).toHaveFocus();
  await userEvent.click(screen.getByRole('radio', { name: '4 stars' }));
  await userEvent.type(screen.getByLabelText('In one line'), 'Clear');
  await press('Publish the review');
  expect(await screen.findByRole('heading', { name: 'Clear' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveFocus();
  const [address, request] = calls.mock.calls[0] ?? [];
  expect([String(address), request?.method, request?.body]).toEqual([
    '/api/learning/courses/7/review',
    'PUT',
    JSON.stringify({ rating: 4, title: 'Clear', text: '' }),
  ]);
});

test('a refused text keeps what was typed', async () => {
  answer(422, {
    type: 'about:blank',
    title: 'x',
    status: 422,
    detail: '',
    errors: { title: 'Shorten this.' },
  });
  await show({ refusal: null, own: OWN });
  await press('Change it');
  expect(screen.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await press('Save the change');
  expect(await screen.findByText('Shorten this.')).toBeVisible();
  expect(screen.getByLabelText('In one line')).toHaveValue('Clear');
});

test('a review is deleted after a question', async () => {
  const calls = answer(200, none);
  await show({ refusal: null, own: OWN });
  await press('Delete it');
  expect(calls).not.toHaveBeenCalled();
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('button', { name: 'Write a review' })).toBeVisible();
  expect(calls.mock.calls[0]?.[1]?.method).toBe('DELETE');
});

test.each([
  ['pending' as const, 'Being checked'],
  ['hidden' as const, 'It names a person.'],
])('what others do not see says so (%s)', async (state, text) => {
  await show({ refusal: null, own: { ...OWN, state, hiddenReason: state === 'hidden' ? text : '' } });
  expect(screen.getByText(text)).toBeVisible();
});

test('who cannot write one yet reads why', async () => {
  await show({ refusal: 'Finish 2 required lessons first: you have finished 0.', own: null });
  expect(screen.getByText(/^Finish 2 required lessons/)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});
