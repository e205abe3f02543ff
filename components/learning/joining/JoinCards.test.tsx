import { screen } from '@testing-library/react';
import { renderLearning } from '../../fixtures/learning/renderLearning';
import { SESSION } from '../../fixtures/session';
import { JoinCards } from './JoinCards';

test.each(['inviteToken', 'joinCode'])('%s leaves the address, also when it opens nothing', async (name) => {
  window.history.replaceState(null, '', `/user-dashboard?${name}=s3cret`);
  await renderLearning(
    <JoinCards join={{ cards: [], refusal: 'This link opens nothing.' }} learner={SESSION.learner} />,
  );
  expect(screen.getByText('This link opens nothing.')).toBeVisible();
  expect(window.location.search).toBe('');
});
