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
export function applyHead({ title, description, canonical, robots, type, image, jsonLd }: HeadProps): void {
  document.title = title;
  setTag('meta', 'name', 'description', 'content', description);
  setTag('meta', 'name', 'robots', 'content', robots);
  setTag('link', 'rel', 'canonical', 'href', canonical);
  setOpenGraph('title', title);
  setOpenGraph('description', description);
  setOpenGraph('type', type);
  setOpenGraph('url', canonical);
  setOpenGraph('image', image);
  // Every social card has this size; its tags are set and removed with the image.
  setOpenGraph('image:width', image && '1200');
  setOpenGraph('image:height', image && '630');
  setOpenGraph('image:alt', image && title);
  setTag('meta', 'name', 'twitter:card', 'content', image && 'summary_large_image');
  setJsonLd(jsonLd);
}

function setOpenGraph(name: string, value: string | null): void {
  setTag('meta', 'property', `og:${name}`, 'content', value);
}

/** Gives the tag that `attribute` identifies by `name` its value, or removes it with null. */
function setTag(tag: string, attribute: string, name: string, valueIn: string, value: string | null): void {
  let element = document.head.querySelector(`${tag}[${attribute}="${name}"]`);
  if (value === null) {
    element?.remove();
    return;
  }
  if (!element) {
    element = document.createElement(tag);
    element.setAttribute(attribute, name);
    document.head.append(element);
  }
  element.setAttribute(valueIn, value);
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
