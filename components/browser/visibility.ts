/**
 * Calls back whenever the element of this id has been scrolled past, or comes back into view; returns a function that
 * stops it.
 */
export function whilePassed(id: string, onChange: (isPassed: boolean) => void): () => void {
  const element = document.getElementById(id);
  if (!element || !('IntersectionObserver' in window)) return () => undefined;
  const observer = new IntersectionObserver(([entry]) => {
    if (entry) onChange(!entry.isIntersecting && entry.boundingClientRect.bottom < 0);
  });
  observer.observe(element);
  return () => observer.disconnect();
}
