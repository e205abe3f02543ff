import type { HeadProps } from '../contracts/schema';
import { trustedData } from './trustedHtml';

/** The head as the host rendered it, so that returning to the first page needs no request. */
export function readHead(): HeadProps {
  const jsonLd = [...document.head.querySelectorAll('script[type="application/ld+json"]')];
  return {
    title: document.title,
    description: content('meta[name="description"]'),
    canonical: document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? null,
    robots: content('meta[name="robots"]'),
    type: content('meta[property="og:type"]'),
    image: content('meta[property="og:image"]') || null,
    jsonLd: jsonLd.map((script) => JSON.parse(script.textContent ?? 'null') as HeadProps['jsonLd'][number]),
  };
}

function content(selector: string): string {
  return document.head.querySelector<HTMLMetaElement>(selector)?.content ?? '';
}

/** Updates the document's head for another page, with the same data that Jinja renders on a full load. */
export function applyHead(head: HeadProps): void {
  document.title = head.title;
  setMeta('name', 'description', head.description);
  setMeta('name', 'robots', head.robots);
  setMeta('property', 'og:title', head.title);
  setMeta('property', 'og:description', head.description);
  setMeta('property', 'og:type', head.type);
  setMeta('property', 'og:url', head.canonical);
  setMeta('property', 'og:image', head.image);
  // Every social card has this size; its tags are set and removed with the image.
  setMeta('property', 'og:image:width', head.image && '1200');
  setMeta('property', 'og:image:height', head.image && '630');
  setMeta('property', 'og:image:alt', head.image && head.title);
  setMeta('name', 'twitter:card', head.image && 'summary_large_image');
  setCanonical(head.canonical);
  setJsonLd(head.jsonLd);
}

function setMeta(attribute: 'name' | 'property', name: string, value: string | null): void {
  let meta = document.head.querySelector<HTMLMetaElement>(`meta[${attribute}="${name}"]`);
  if (value === null) {
    meta?.remove();
    return;
  }
  if (!meta) {
    meta = document.createElement('meta');
    meta.setAttribute(attribute, name);
    document.head.append(meta);
  }
  meta.content = value;
}

function setCanonical(href: string | null): void {
  let link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  if (href === null) {
    link?.remove();
    return;
  }
  if (!link) {
    link = document.createElement('link');
    link.rel = 'canonical';
    document.head.append(link);
  }
  link.href = href;
}

function setJsonLd(blocks: object[]): void {
  for (const old of document.head.querySelectorAll('script[type="application/ld+json"]')) old.remove();
  for (const block of blocks) {
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    script.text = trustedData(block);
    document.head.append(script);
  }
}
