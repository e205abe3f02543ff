import { onChunkFailure } from './chunks';

test('a chunk that cannot be loaded reloads the page; a second time at once it is an error', () => {
  window.sessionStorage.clear();
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const cause = new TypeError('Failed to fetch dynamically imported module');
  onChunkFailure(cause);
  // jsdom cannot reload and says so.
  expect(said).toHaveBeenCalledTimes(1);
  expect(() => onChunkFailure(cause)).toThrow(cause);
  expect(said).toHaveBeenCalledTimes(1);
});
