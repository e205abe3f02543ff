import { AreaHead } from '../AreaHead';
import { type Action, ActionForm } from './ActionForm';

type FormPageProps = { title: string; backHref: string; backText: string; form: Action };

/** A page about one form, such as that of a new thing. */
export function FormPage({ title, backHref, backText, form }: FormPageProps) {
  return (
    <div className="area-page">
      <AreaHead heading={title} backHref={backHref} backText={backText} />
      <div className="area-box">
        <ActionForm action={form} frame="wide" />
      </div>
    </div>
  );
}
