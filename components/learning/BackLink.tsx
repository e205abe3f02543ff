import { Icon } from '../ui/Icon';

/** The way to the page above. */
export function BackLink({ href, text }: { href: string; text: string }) {
  return (
    <a className="back-link" href={href}>
      <Icon name="arrow" />
      {text}
    </a>
  );
}
