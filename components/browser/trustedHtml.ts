type Policy = { createHTML: (html: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

let policy: Policy | null | undefined;

/** Marks HTML from the host as trusted where the browser asks for it (CSP require-trusted-types-for); Node has no such rule. */
export function trustedHtml(html: string): string {
  if (policy === undefined) {
    const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
    policy = factory ? factory.createPolicy('coursefront', { createHTML: (text) => text }) : null;
  }
  return policy ? policy.createHTML(html) : html;
}
