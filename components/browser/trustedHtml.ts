type Policy = { createHTML: (html: string) => string; createScript: (text: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

let policy: Policy | null | undefined;

/** Our policy where the browser requires one (CSP require-trusted-types-for); Node does not. */
function ourPolicy(): Policy | null {
  if (policy === undefined) {
    const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
    const asItIs = (text: string) => text;
    policy = factory
      ? factory.createPolicy('coursefront', { createHTML: asItIs, createScript: asItIs })
      : null;
  }
  return policy;
}

/** Marks HTML from the host as trusted. */
export function trustedHtml(html: string): string {
  return ourPolicy()?.createHTML(html) ?? html;
}

/** Marks the JSON of a data block as trusted: the browser guards every <script>, also those that are never run. */
export function trustedData(value: object): string {
  const text = JSON.stringify(value);
  return ourPolicy()?.createScript(text) ?? text;
}
