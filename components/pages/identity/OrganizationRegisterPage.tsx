import type { OrganisationRegisterProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';
import { AccountFirst, RegisterOrganisation } from '../../organisation/RegisterOrganisation';

export function OrganizationRegisterPage({
  email,
  isVerified,
  open = null,
}: Partial<OrganisationRegisterProps>) {
  return (
    <PrivateContent data={isVerified} signedOut={<AccountFirst />}>
      {(known) => <RegisterOrganisation email={email ?? ''} isVerified={known} open={open} />}
    </PrivateContent>
  );
}
