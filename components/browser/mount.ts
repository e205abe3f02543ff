/** A place outside #root for what floats above every page. */
export function appendMount(): HTMLElement {
  const mount = document.createElement('div');
  document.body.append(mount);
  return mount;
}

/** A style sheet that came with a chunk. Constructed sheets need no <style>, which the CSP would refuse. */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
