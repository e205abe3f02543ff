import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderInShop } from '../../fixtures/renderInShop';
import { PanelBoundary } from './ErrorPanel';

let isBroken = true;

function Part() {
  if (isBroken) throw new Error('broken');
  return <p>Sales of May</p>;
}

test('a part that fails is a panel, and is rendered again on request', async () => {
  const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  renderInShop(
    <>
      <p>The rest</p>
      <PanelBoundary title="The sales could not be shown">
        <Part />
      </PanelBoundary>
    </>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('The sales could not be shown');
  expect(screen.getByText('The rest')).toBeVisible();
  expect(reported).toHaveBeenCalled();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('Sales of May')).toBeVisible();
});
