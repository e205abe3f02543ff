/**
 * Calls back whenever the element of this id has been scrolled past, or comes back; returns a function that stops it.
 */
export function whilePassed(id: string, onChange: (isPassed: boolean) => void): () => void {
  const element = document.getElementById(id);
  if (!element || !('IntersectionObserver' in window)) return () => undefined;
  // What is still below counts as seen: a jump over the element must be noticed too.
  const observer = new IntersectionObserver(([entry]) => onChange(entry?.isIntersecting === false), {
    rootMargin: '0px 0px 1000000px 0px',
  });
  observer.observe(element);
  return () => observer.disconnect();
}
