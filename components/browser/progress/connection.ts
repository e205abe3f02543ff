import { onReconnect } from '../windowEvents';

/** Calls back when the connection is lost, and when it is back; returns a function that stops it. */
export function watchConnection(callback: () => void): () => void {
  const stop = onReconnect(callback);
  window.addEventListener('offline', callback);
  return () => {
    stop();
    window.removeEventListener('offline', callback);
  };
}
