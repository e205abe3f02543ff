import type { CertificateProps } from '../../contracts/schema';

/** Whether a certificate is valid, what it says, and how to check it without this site. */
export function CertificatePage(props: CertificateProps) {
  const { state, heading, reason, holder, course, courseHref, rule, facts } = props;
  return (
    <article className={`certificate certificate--${state}`}>
      <header className="certificate__verdict">
        <h1 className="certificate__heading">{heading}</h1>
        {reason && <p>{reason}</p>}
      </header>
      <div className="certificate__sheet">
        <p className="certificate__holder">{holder || 'Name removed by its holder'}</p>
        <p className="certificate__course">
          {state === 'revoked' ? 'had completed' : 'completed'} <a href={courseHref}>{course}</a>
        </p>
        {rule && (
          <p className="muted">
            Rule of the course: <q>{rule}</q>
          </p>
        )}
        <dl className="certificate__facts">
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <CertificateFiles {...props} />
    </article>
  );
}

function CertificateFiles({ code, signedHref, keysHref }: CertificateProps) {
  return (
    <footer className="certificate__files">
      <p>
        Code <code>{code}</code>
      </p>
      {signedHref && (
        <p>
          To check it without this page: the <a href={signedHref}>signed credential</a> (Open Badges 3.0) and
          our <a href={keysHref}>public keys</a>.
        </p>
      )}
      <p>
        <a href="/verify-certificate">Check another certificate</a>
      </p>
    </footer>
  );
}
