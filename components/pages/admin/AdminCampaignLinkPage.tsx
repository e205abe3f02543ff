import reportStyles from '../../../static/css/reports.css?text';
import type { CampaignLinkProps } from '../../contracts/schema';
import { SharedLink } from '../../ui/qr/SharedLink';
import { useStyles } from '../../ui/useStyles';

/** A form whose answer is a link; all of it is in the address, so that a link can be made again. */
export function AdminCampaignLinkPage({ title, path, fields, link, countedAs }: CampaignLinkProps) {
  useStyles(reportStyles);
  return (
    <div className="area-page">
      <div>
        <h1>{title}</h1>
        <p className="muted">A link that says where its visitors come from, for mails, posts and print.</p>
      </div>
      <form
        key={JSON.stringify(fields)}
        className="campaign-link__form"
        method="get"
        action={path}
        data-navigate=""
        aria-label={title}
      >
        {fields.map((field) => (
          <LinkFieldInput key={field.name} field={field} />
        ))}
        <div>
          <button type="submit" className="button">
            Make the link
          </button>
        </div>
      </form>
      {link && (
        <section className="area-box area-form" aria-labelledby="link-title">
          <h2 className="heading-m" id="link-title">
            Your link
          </h2>
          <SharedLink key={link} link={link} />
          <h3 className="heading-s">How reports count it</h3>
          <dl className="campaign-link__facts">
            {countedAs.map(({ label, text }) => (
              <div key={label}>
                <dt className="muted">{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function LinkFieldInput({ field }: { field: CampaignLinkProps['fields'][number] }) {
  const { name, label, hint, value, error } = field;
  const id = `link-${name}`;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <input
        className="field__input"
        id={id}
        name={name}
        defaultValue={value}
        maxLength={200}
        required={name === 'to'}
        aria-describedby={`${id}-hint`}
        aria-invalid={error ? true : undefined}
      />
      <p className={error ? 'field__error' : 'hint'} id={`${id}-hint`}>
        {error || hint}
      </p>
    </div>
  );
}
