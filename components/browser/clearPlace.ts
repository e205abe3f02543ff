// What a toast must not cover: the page's header, main buttons, totals, and where the keyboard is.
const UNCOVERED = [
  '.site-header',
  '.area-header',
  '.blank-header',
  '.button:not(.button--quiet, .button--ghost)',
  '.add',
  '.totals__row--total',
  ':focus-visible',
].join();
// A toast of three lines, and its width beside a narrow screen; static/css/toasts.css.
const HEIGHT = 88;
const WIDTH = 320;
const GAP = 8;

/** How far from the top of the window a toast begins: below the header, at the first place of the upper half that is free. */
export function clearTop(): number {
  const rows = [...document.querySelectorAll(UNCOVERED)]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height, bottom }) => width > 0 && height > 0 && bottom > 0)
    .filter(({ left, right }) => left < (innerWidth + WIDTH) / 2 && right > (innerWidth - WIDTH) / 2)
    .sort((one, other) => one.top - other.top);
  let top = GAP;
  for (const row of rows) if (row.top < top + HEIGHT && row.bottom + GAP > top) top = row.bottom + GAP;
  const header = document.querySelector('.site-header, .area-header, .blank-header')?.getBoundingClientRect();
  return top + HEIGHT <= innerHeight / 2 ? top : Math.max(GAP, (header?.bottom ?? 0) + GAP);
}
