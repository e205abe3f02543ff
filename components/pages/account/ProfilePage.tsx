import { ProfileView } from '../../account/ProfileView';
import type { ProfileProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';

export function ProfilePage({ account = null, sessions, studentNumber = '' }: Partial<ProfileProps>) {
  return (
    <PrivateContent data={sessions}>
      {(own) => <ProfileView account={account} sessions={own} studentNumber={studentNumber} />}
    </PrivateContent>
  );
}
