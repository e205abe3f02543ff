import { useSite } from '../../api/site';
import type { CertificateProps } from '../../contracts/schema';
import { Icon, type IconName } from '../../ui/Icon';

const ICONS: Record<CertificateProps['state'], IconName> = {
  valid: 'check',
  expired: 'info',
  revoked: 'close',
};

/** Whether a certificate is valid, what it says, and how to check it without this site. */
export function CertificatePage(props: CertificateProps) {
  const { name } = useSite();
  const { state, heading, reason, holder, course, courseHref, rule, facts } = props;
  return (
    <article className={`certificate certificate--${state}`}>
      <header className="certificate__verdict">
        <span className="certificate__sign">
          <Icon name={ICONS[state]} />
        </span>
        <div>
          <h1 className="certificate__heading">{heading}</h1>
          <p>{reason || `${name} issued it and confirms what it says.`}</p>
        </div>
      </header>
      <div className="certificate__sheet">
        <p className="certificate__kind">Certificate of completion</p>
        <p className="certificate__holder">{holder || 'Name removed by its holder'}</p>
        <p className="certificate__course">
          {state === 'revoked' ? 'had completed' : 'completed'} <a href={courseHref}>{course}</a>
        </p>
        {rule && (
          <p className="muted">
            What it took: <q>{rule}</q>
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
