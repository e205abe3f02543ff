import { loadOrReload } from '../../ui/loading/lazyModule';
import { useLater } from '../../ui/loading/useLater';
import type { OfflineState } from '../state/useOfflinePages';
import type { OfflineTextProps } from './OfflineText';

type OfflineNoteProps = OfflineState & Omit<OfflineTextProps, 'wasRefused'>;

const loadText = () => loadOrReload(import('./OfflineText')).then(({ OfflineText }) => OfflineText);

/**
 * Says that there is no connection, and what that means here. It lies over the page: nothing moves. Its code loads after
 * the page, while there is one.
 */
export function OfflineNote({ isOnline, ...about }: OfflineNoteProps) {
  const Text = useLater(loadText);
  return (
    <div className="offline" role="status">
      {!isOnline && Text && <Text {...about} />}
    </div>
  );
}
