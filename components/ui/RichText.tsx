import { trustedHtml } from '../browser/trustedHtml';

type RichTextProps = { html: string; className?: string };

/** The only door for HTML as text: content that the host has sanitised on save and again when it reads it. */
export function RichText({ html, className }: RichTextProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place; the host sanitises (host/markup.py)
  return <div className={className} dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />;
}
