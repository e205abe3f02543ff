import { MailLinkView } from '../../identity/MailLinkView';

export function EmailVerifyPage() {
  return <MailLinkView purpose="email" />;
}
