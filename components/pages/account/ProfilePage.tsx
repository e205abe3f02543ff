import { ProfileView } from '../../account/ProfileView';
import type { ProfileProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';

export function ProfilePage({ account = null, sessions, ...about }: Partial<ProfileProps>) {
  const { hasKnownAddress = false, studentNumber = '' } = about;
  return (
    <PrivateContent data={sessions}>
      {(own) => <ProfileView {...{ account, hasKnownAddress, studentNumber }} sessions={own} />}
    </PrivateContent>
  );
}
