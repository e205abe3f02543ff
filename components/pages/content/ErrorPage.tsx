import { useSite } from '../../api/site';
import { CardGrid } from '../../catalogue/cards/CardGrid';
import type { ErrorProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { SectionHeading } from '../../ui/SectionHeading';

// Spelling as the specification gives it.
const WHOOPS = "Whoops, this is embarassing. Looks like the page you were looking for wasn't found.";

export function ErrorPage({ status, message, suggestions, signIn }: ErrorProps) {
  const format = formatOf(useSite());
  return (
    <>
      <div className="error">
        <div className="error__inner">
          <h1 className="error__heading">
            <span className="error__status">{status}</span> <span className="error__message">{message}</span>
          </h1>
          {status === 404 && <p className="error__text">{WHOOPS}</p>}
          <a className="button button--accent" href="/">
            Back to Home
          </a>
          {signIn && (
            <a className="button button--ghost" href={signIn}>
              If this is your order, sign in
            </a>
          )}
        </div>
      </div>
      {suggestions.length > 0 && (
        <section className="page-section" aria-label="Suggestions">
          <SectionHeading
            title="You may have been looking for one of these"
            link={{ href: '/shop', text: 'Full catalogue' }}
          />
          <CardGrid cards={suggestions} format={format} />
        </section>
      )}
    </>
  );
}
