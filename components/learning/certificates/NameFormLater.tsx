import { loadOrReload } from '../../ui/loading/lazyModule';
import { LaterPart } from '../LaterPart';
import type { NameFormProps } from './NameForm';

const loadForm = () => loadOrReload(import('./NameForm')).then(({ NameForm }) => NameForm);

/** The form for the name on a certificate, which few pages need. */
export function NameFormLater(props: NameFormProps) {
  return <LaterPart load={loadForm} props={props} />;
}
