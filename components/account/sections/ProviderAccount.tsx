import type { ProviderAccountProps } from '../../contracts/schema';
import { Section } from '../parts/Section';

/** An account that only its provider can change: what it told us at the sign-in, and the way to its own page. */
export function ProviderAccount({ account: { name, email, url } }: { account: ProviderAccountProps }) {
  const facts = [
    ['Name', name],
    ['Email address', email],
  ].filter(([, value]) => value);
  return (
    <Section
      id="account"
      title="About you"
      text="Your account is kept by the provider you sign in with. What you change there is shown here from your next sign-in."
    >
      {facts.length > 0 && (
        <dl className="account-facts">
          {facts.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {url && (
        <a className="button button--quiet" href={url}>
          {`Change your account at ${new URL(url).host}`}
        </a>
      )}
    </Section>
  );
}
