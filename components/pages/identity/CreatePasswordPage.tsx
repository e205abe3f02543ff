import { FirstPassword } from '../../account/FirstPassword';
import { CreatePasswordView } from '../../identity/CreatePasswordView';

export function CreatePasswordPage() {
  return <CreatePasswordView signedInView={<FirstPassword />} />;
}
