import { useCallback, useContext } from 'react';
import { UNSAFE_NavigationContext } from 'react-router-dom';

export type Navigate = (address: string, options?: { replace: boolean }) => void;

/**
 * A function that goes to an address of this site, which begins with a slash; with `replace`, instead of the present
 * one. React Router's own hook also resolves addresses relative to nested routes, which no page has: with it the bundle
 * of every page holds 3 KB of matching.
 */
export function useNavigate(): Navigate {
  const { navigator } = useContext(UNSAFE_NavigationContext);
  return useCallback(
    (address, options) => (options?.replace ? navigator.replace(address) : navigator.push(address)),
    [navigator],
  );
}
