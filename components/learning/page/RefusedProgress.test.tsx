import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refusedProgress, showUnsentProgress } from '../../api/learning/progress';
import { unsentProgress } from '../../browser/progress/unsentProgress';
import { holdServer, resetBrowser, signIn } from '../../fixtures/cartServer';
import { NEW_DASHBOARD } from '../../fixtures/learning/learning';
import { renderLearning } from '../../fixtures/learning/renderLearning';
import { SESSION } from '../../fixtures/session';
import { LearningView } from './LearningView';

const ADA = SESSION.learner.id;
const SEPTEMBER = Date.parse('2026-09-15T12:00:00Z');
const PARTS = { gift: null, seats: null, join: { cards: [], refusal: null }, failed: [] };

test('what was refused stays on the page until the learner forgets it', async () => {
  resetBrowser();
  signIn(ADA);
  holdServer();
  unsentProgress.add(ADA, 3, { at: SEPTEMBER, done: true });
  unsentProgress.refuse(unsentProgress.of(ADA, SEPTEMBER));
  await renderLearning(
    <LearningView view={{ view: 'dashboard', dashboard: NEW_DASHBOARD, ...PARTS }} session={SESSION} />,
  );
  expect(await screen.findByText('What you did in one lesson is not saved')).toBeVisible();
  expect(screen.getByText(/from September 15, 2026 or before/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Forget it' }));
  expect(screen.queryByText(/is not saved/)).toBeNull();
  act(() => showUnsentProgress(ADA));
  expect(refusedProgress.get()).toEqual([]);
});
