import { MailLinkView } from '../../identity/MailLinkView';

export function ForgetPasswordPage() {
  return <MailLinkView purpose="password" />;
}
