import { timeOfDay } from '../../format/timeOfDay';
import { Icon } from '../../ui/Icon';
import type { OfflineState } from '../state/useOfflinePages';

type OfflineNoteProps = OfflineState & {
  view: string;
  /** When the host made what is on screen. */
  madeAt: string;
};

/** Says that there is no connection, and what that means here. It lies over the page: nothing moves. */
export function OfflineNote({ isOnline, wasRefused, view, madeAt }: OfflineNoteProps) {
  return (
    <div className="offline" role="status">
      {!isOnline && (
        <p className="offline__note">
          <Icon name="info" />
          <span>{wasRefused ? REFUSED : textOf(view, madeAt)}</span>
        </p>
      )}
    </div>
  );
}

const REFUSED = 'You are offline. This page was not loaded before, so it opens when you are connected again.';

function textOf(view: string, madeAt: string): string {
  return view === 'lesson'
    ? 'You are offline. Your work is kept here and saved when you are connected again.'
    : `You are offline. This is how it was as of ${timeOfDay(madeAt)}.`;
}
