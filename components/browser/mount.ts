/** Appends an element outside #root for content above every page. */
export function appendMount(): HTMLElement {
  const mount = document.createElement('div');
  document.body.append(mount);
  return mount;
}

/**
 * A modal dialog blocks clicks and assistive technology outside it: content above every page moves into the topmost
 * dialog, and out again before the dialog closes.
 */
export function raiseMount(mount: HTMLElement): void {
  const top = [...document.querySelectorAll('dialog[open]')]
    .filter((dialog) => !mount.contains(dialog))
    .at(-1);
  const place = top ?? document.body;
  if (mount.parentElement !== place) place.append(mount);
  // Capturing: a listener on the dialog itself might run after the dialog has left the page.
  if (top) document.addEventListener('close', () => raiseMount(mount), { capture: true, once: true });
}

/** A style sheet that came with a chunk. Constructed sheets need no <style>, which the CSP would refuse. */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
