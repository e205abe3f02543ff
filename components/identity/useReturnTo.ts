import { useLocation } from 'react-router-dom';
import { safeReturn } from '../model/returnTo';

/** The safe return address of the query. */
export function useReturnTo(): string {
  return safeReturn(new URLSearchParams(useLocation().search).get('returnTo'));
}
