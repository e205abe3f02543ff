import type { SaveState } from '../../api/learning/progress';
import { useOnline } from '../state/useOnline';

const TEXTS: Record<SaveState, string> = {
  idle: '',
  saving: 'Saving …',
  saved: 'Saved',
  waiting: 'Kept here, saved when the site answers again',
  'signed-out': 'Your sign-in has ended. Your work is kept here.',
};

/** How saving goes, said politely. Its place is kept. */
export function SaveStatus({ state }: { state: SaveState }) {
  const isOnline = useOnline();
  const text = isOnline || state !== 'waiting' ? TEXTS[state] : 'Kept here until you are online';
  return (
    <p className="player__saving hint">
      {/* "Saving" comes and goes with every call: it is shown, not read out. */}
      <span aria-hidden={state === 'saving' || undefined}>{state === 'saving' ? text : ''}</span>
      <span role="status">{state === 'saving' ? '' : text}</span>
    </p>
  );
}
