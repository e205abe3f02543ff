import { ProfileView } from '../../account/ProfileView';
import type { ProfileProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';

export function ProfilePage({ account = null, access = null, sessions }: Partial<ProfileProps>) {
  return (
    <PrivateContent data={sessions}>
      {(own) => <ProfileView account={account} access={access} sessions={own} />}
    </PrivateContent>
  );
}
