/** A place outside #root for what floats above every page. */
export function appendMount(): HTMLElement {
  const mount = document.createElement('div');
  document.body.append(mount);
  return mount;
}

/**
 * A modal dialog covers everything outside it and keeps assistive technology and clicks away from it: what floats above
 * every page moves into the topmost one, and out again before it closes.
 */
export function raiseMount(mount: HTMLElement): void {
  const top = [...document.querySelectorAll('dialog[open]')].filter((one) => !mount.contains(one)).at(-1);
  const place = top ?? document.body;
  if (mount.parentElement !== place) place.append(mount);
  // Capturing: a listener on the dialog itself may come after it has left the page.
  if (top) document.addEventListener('close', () => raiseMount(mount), { capture: true, once: true });
}

/** A style sheet that came with a chunk. Constructed sheets need no <style>, which the CSP would refuse. */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
