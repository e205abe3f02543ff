import { onReconnect } from '../windowEvents';

type Handlers = {
  /** The connection is back. */
  onOnline: () => void;
  /** The page is left or hidden; on phones it may never come back. */
  onHide: () => void;
};

/** Watches what decides when a draft is sent beside its own pause. Returns a function that stops it. */
export function watchLeaving({ onOnline, onHide }: Handlers): () => void {
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') onHide();
  };
  const stopOnline = onReconnect(onOnline);
  window.addEventListener('pagehide', onHide);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    stopOnline();
    window.removeEventListener('pagehide', onHide);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
