import { onChunkFailure } from './chunks';

test('a chunk that cannot be loaded reloads the page; a second time at once it is an error', () => {
  window.sessionStorage.clear();
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const cause = new TypeError('Failed to fetch dynamically imported module');
  onChunkFailure(cause);
  // jsdom cannot reload and logs an error.
  expect(logged).toHaveBeenCalledTimes(1);
  expect(() => onChunkFailure(cause)).toThrow(cause);
  expect(logged).toHaveBeenCalledTimes(1);
});
