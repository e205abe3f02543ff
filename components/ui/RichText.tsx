import { trustedHtml } from '../browser/trustedHtml';

type RichTextProps = { html: string; className?: string };

/** The only component that inserts HTML as text, but for previews of mails: content that the host has sanitised on save and again on read. */
export function RichText({ html, className }: RichTextProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place; the host sanitises (host/rendering/markdown.py)
  return <div dir="auto" className={className} dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />;
}
