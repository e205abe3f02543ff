import { UNSENT_PROGRESS_PREFIX as PREFIX } from '../storage/storageKeys';
import { onReconnect } from '../windowEvents';
import type { UnsentLesson } from './unsentProgress';

type Handlers = {
  /** The connection is back. */
  onOnline: () => void;
  /** The page is left or hidden; on phones it may never come back. */
  onHide: () => void;
  /** Another tab has recorded something for this lesson; null: what it had recorded was accepted. */
  onOtherTab: (lesson: number, entry: UnsentLesson | null) => void;
};

/** Watches what decides when progress is sent. Returns a function that stops it. */
export function watchProgress(learner: number, { onOnline, onHide, onOtherTab }: Handlers): () => void {
  const prefix = `${PREFIX}${learner}.`;
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') onHide();
  };
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(prefix)) return;
    const lesson = Number(key.slice(prefix.length));
    onOtherTab(lesson, newValue === null ? null : (JSON.parse(newValue) as UnsentLesson));
  };
  const stopOnline = onReconnect(onOnline);
  window.addEventListener('pagehide', onHide);
  window.addEventListener('storage', onStorage);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    stopOnline();
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('storage', onStorage);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
