import { type Action, ActionForm } from './ActionForm';

type FormPageProps = { title: string; backHref: string; backText: string; form: Action };

/** A page about one form, such as that of a new thing. */
export function FormPage({ title, backHref, backText, form }: FormPageProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            {backText}
          </a>
          <h1>{title}</h1>
        </div>
      </header>
      <div className="area-box">
        <ActionForm action={form} frame="wide" />
      </div>
    </div>
  );
}
