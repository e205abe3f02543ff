import { useSite } from '../../api/site';
import type { CertificateProps } from '../../contracts/schema';
import { isolated } from '../../model/isolated';
import { Icon, type IconName } from '../../ui/Icon';

const ICONS: Record<CertificateProps['state'], IconName> = {
  valid: 'check',
  expired: 'info',
  revoked: 'close',
};

/** Whether a certificate is valid, what it says, and how to check it without this site. */
export function CertificatePage(props: CertificateProps) {
  const { name, logo } = useSite();
  const { state, heading, reason, holder, course, courseHref, rule, facts } = props;
  return (
    <article className={`certificate certificate--${state}`}>
      <header className="certificate__verdict">
        <span className="certificate__sign">
          <Icon name={ICONS[state]} />
        </span>
        <div>
          <h1 className="certificate__heading">{heading}</h1>
          <p>{reason || `${isolated(name)} issued it and confirms what it says.`}</p>
        </div>
      </header>
      <div className="certificate__sheet certificate__sheet--framed">
        <p className="certificate__issuer">
          <img src={logo} width={40} height={40} alt="" />
          {name}
        </p>
        <p className="certificate__kind">Certificate of completion</p>
        <p dir="auto" className="certificate__holder">
          {holder || 'Name removed by its holder'}
        </p>
        <p className="certificate__course">
          {state === 'revoked' ? 'had completed' : 'completed'}{' '}
          <a dir="auto" href={courseHref}>
            {course}
          </a>
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
        <div className="certificate__proof">
          <QRCode {...props} />
          <p className="certificate__code">
            Code <code>{props.code}</code>
            <span className="muted">{`Everybody can check it at ${props.address}`}</span>
          </p>
          <span className={`certificate__seal certificate__seal--${state}`}>
            <Icon name={ICONS[state]} />
          </span>
        </div>
      </div>
      <CertificateFiles {...props} />
    </article>
  );
}

/** Dark on light in every theme: not all phones read the inverse. */
function QRCode({ qr: { size, path } }: Pick<CertificateProps, 'qr'>) {
  return (
    <svg
      className="certificate__qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of this page"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function CertificateFiles({ signedHref, keysHref, keyNotice }: CertificateProps) {
  return (
    <footer className="certificate__files">
      {signedHref && (
        <p>
          To check it without this page: the <a href={signedHref}>signed credential</a> (Open Badges 3.0) and
          our <a href={keysHref}>public keys</a>.
        </p>
      )}
      {keyNotice && <p>{keyNotice}</p>}
      <p>
        <a href="/verify-certificate">Check another certificate</a>
      </p>
    </footer>
  );
}
