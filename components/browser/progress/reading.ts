import { beforeHide } from './beforeHide';

// A pause in scrolling after which the position counts.
const REST_MS = 2000;
// From here on the next lesson is fetched.
const NEAR_END = 0.8;

type Handlers = {
  /** Thousandths of the text above the top of the window, some time after scrolling and when the page is left. */
  onPosition: (position: number) => void;
  /** Most of the text has been in view. */
  onNearEnd: () => void;
};

/** Follows where a text is read. Returns a function that stops it. */
export function followReading(text: HTMLElement, { onPosition, onNearEnd }: Handlers): () => void {
  let timer = 0;
  let told = shareAbove(text);
  const tell = () => {
    window.clearTimeout(timer);
    const share = shareAbove(text);
    if (share === told) return;
    told = share;
    onPosition(Math.round(share * 1000));
  };
  const onScroll = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(tell, REST_MS);
    if (shareSeen(text) >= NEAR_END) onNearEnd();
  };
  // A text that fits is read without scrolling.
  timer = window.setTimeout(() => shareSeen(text) >= NEAR_END && onNearEnd(), REST_MS);
  window.addEventListener('scroll', onScroll, { passive: true });
  const stop = beforeHide(tell);
  return () => {
    window.clearTimeout(timer);
    window.removeEventListener('scroll', onScroll);
    stop();
  };
}

/** Scrolls so that this share of the text is above the window. */
export function scrollToShare(text: HTMLElement, share: number): void {
  const { top, height } = text.getBoundingClientRect();
  window.scrollTo({ top: window.scrollY + top + height * share });
}

function shareAbove(text: HTMLElement): number {
  const { top, height } = text.getBoundingClientRect();
  return height > 0 ? Math.min(1, Math.max(0, -top / height)) : 0;
}

function shareSeen(text: HTMLElement): number {
  const { top, height } = text.getBoundingClientRect();
  return height > 0 ? (window.innerHeight - top) / height : 0;
}
